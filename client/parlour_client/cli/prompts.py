"""What a person is asked before something is done that cannot be undone, and secrets that are typed or piped."""

import sys
from getpass import getpass

from parlour_client.core.errors import Usage


def confirm(what: str, word: str, *, sure: bool) -> None:
    """Let the person type ``word`` to agree to ``what``, unless ``sure``. Raises Usage if they do not, or cannot."""
    if sure:
        return
    if not sys.stdin.isatty():
        raise Usage(f"{what} Nobody is there to be asked; if it is meant: --yes")
    sys.stderr.write(f"{what} To go on, type {word}: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip() != word:
        raise Usage("that was not agreed to; nothing was done")


def secret(what: str) -> str:
    """Return a line from standard input: unseen at a terminal."""
    if sys.stdin.isatty():
        return getpass(f"{what}: ").strip()
    return sys.stdin.readline().strip()
