"""``parlour completion``: scripts that complete commands in a shell."""

from typing import Annotated, Literal

from cyclopts import App, Parameter

from parlour_client.cli.app import app_of
from parlour_client.cli.verbs import VERBS
from parlour_protocol.standard_output import document


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell to complete commands in.")], /
) -> int:
    """Print a script that completes verbs and options in a shell.

    Examples:
    parlour completion bash >~/.local/share/bash-completion/completions/parlour
    parlour completion fish >~/.config/fish/completions/parlour.fish
    parlour completion zsh >~/.zfunc/_parlour    with fpath+=~/.zfunc in ~/.zshrc
    """
    whole = App(name="parlour", help_format="plaintext")
    for name, verb in VERBS.items():
        whole.command(app_of(name, verb))
    document().write(whole.generate_completion(shell=shell))
    return 0
