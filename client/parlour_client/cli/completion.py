"""``parlour completion``: scripts that complete commands in a shell, and the answers that these ask parlour for."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args

from cyclopts import Argument, Parameter

from parlour_client.cli.app import app_of, shown
from parlour_client.cli.verbs import VERBS, Values, find
from parlour_protocol.standard_output import document

_SCRIPTS = {
    "bash": """\
_parlour() {
    local IFS=$'\\n'
    COMPREPLY=($("$1" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _parlour parlour
""",
    "zsh": """\
#compdef parlour
_parlour() {
    local -a found
    found=("${(@f)$(${~words[1]} completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $found ]]; then _describe parlour found; else _files; fi
}
if [[ $funcstack[1] == _parlour ]]; then _parlour; else compdef _parlour parlour; fi
""",
    "fish": """\
function __parlour
    set -l words (commandline -opc)
    set -l now (commandline -ct)
    set -l found (command $words[1] completion fish -- $words[2..] "$now" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$now"
    end
end
complete -c parlour -f -a '(__parlour)'
""",
}


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell to complete commands in.")],
    /,
    *words: Annotated[str, Parameter(show=False)],
) -> int:
    """Print a script that completes verbs, options and their values in a shell.

    Examples:
    parlour completion bash >~/.local/share/bash-completion/completions/parlour
    parlour completion fish >~/.config/fish/completions/parlour.fish
    parlour completion zsh >~/.zfunc/_parlour    with fpath+=~/.zfunc in ~/.zshrc
    """
    if not words:
        document().write(_SCRIPTS[shell])
    for value, about in completed(words) if words else ():
        match shell:
            case "bash":
                line = value
            case "zsh":
                line = f"{value.replace(':', chr(92) + ':')}:{about}" if about else value.replace(":", "\\:")
            case "fish":
                line = f"{value}\t{about}"
        document().write(f"{line}\n")
    return 0


def completed(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the completions of the last of ``words``, each with a short description; none where a file fits."""
    *before, last = words
    before, last = [word for word in before if word != "="], last.removeprefix("=")  # bash parts --level=expert
    if last.startswith("--") and "=" in last:
        option, _, last = last.partition("=")
        return [(f"{option}={value}", about) for value, about in completed([*before, option, last])]
    return [(value, about) for value, about in _candidates(before, last) if value.startswith(last)]


def _candidates(before: list[str], last: str) -> Iterator[tuple[str, str]]:
    if before[:1] == ["help"]:
        yield "all", "All verbs."
        before = before[1:]
    if not before:
        yield from ((name, verb.summary) for name, verb in VERBS.items())
        return
    try:
        path, verb, rest = find(before)
    except KeyError:
        return
    app = app_of(" ".join(path), verb)
    arguments = [] if app.default_command is None else list(app.assemble_argument_collection(parse_docstring=False))
    named = [each for each in arguments if each.index is None]
    options = {name: each for each in named for name in each.names}
    if rest and rest[-1] in options and not options[rest[-1]].is_flag():
        yield from _values(options[rest[-1]])
        return
    if not rest and not last.startswith("-"):
        yield from ((name, app[name].help.partition("\n")[0]) for name in verb.verbs)
    valued = [False, *(word in options and not options[word].is_flag() for word in rest)]
    count = sum(not word.startswith("-") and not after for word, after in zip(rest, valued, strict=False))
    places = [each for each in arguments if each.index is not None and each.show]
    place = next((each for each in places if each.index == count or each.token_count()[1]), None)
    if last.startswith("-") or place is None:
        yield from ((name, _about(each)) for each in named if each.show for name in shown(each.names))
    else:
        yield from _values(place)


def _values(argument: Argument) -> Iterator[tuple[str, str]]:
    marks = (mark for mark in get_args(argument.field_info.annotation) if isinstance(mark, Values))
    mark = next(marks, None)
    yield from ((value, "") for value in (mark.of() if mark else argument.get_choices(force=True) or ()))


def _about(argument: Argument) -> str:
    return (argument.parameter.help or "").partition(". ")[0]
