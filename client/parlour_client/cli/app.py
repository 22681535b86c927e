"""Command lines from functions: cyclopts reads them, and docstrings are their help."""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from inspect import cleandoc, signature
from typing import Any, Literal, get_args, get_origin

from attrs import evolve
from cyclopts import (
    App,
    Argument,
    ArgumentCollection,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    RepeatArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from parlour_client.cli.verbs import FORMER_SERVER, Verb, load
from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage import settings

_EXAMPLES = "\nExamples:\n"
_WORDS = ("command", "extra")
"""The mistakes in which a word may be a verb that was mistyped."""
_NEAR = re.compile(r"Did you mean \"?(\S+?)\"?\?")
"""What cyclopts suggests."""
_VARIABLES = {"name": "PARLOUR_NAME", "server": "PARLOUR_SERVER"}
"""Setting → the variable of the options that it fills in. The ``--name`` of a bot has another."""


def app(name: str, function: Callable[..., Any], text: str | None = None) -> App:
    """Return the command ``name``, which calls ``function``. ``text`` is its help in place of the docstring.

    Ctrl-C and faults reach the caller.
    """
    help_, _, examples = cleandoc(text or function.__doc__ or "").partition(_EXAMPLES)
    found = _app(name, help_, examples.splitlines())
    found.help_formatter = _Help(function)
    found.default(function)
    return found


def app_of(name: str, verb: Verb) -> App:
    """Return the command for ``verb``, with the verbs of its group."""
    apps = {
        each: app_of(each, inner) if isinstance(inner, Verb) else app(each, load(inner))
        for each, inner in verb.verbs.items()
    }
    if verb.function:
        found = app(name, load(verb.function))
    else:
        found = _app(name, verb.summary, [str(each.help_epilogue).splitlines()[1].strip() for each in apps.values()])
    for each in apps.values():
        found.command(each)
    found.config = (*(load(verb.settings) if verb.settings else ()), _fill_in)
    return found


def shown(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of an option that help and completion show: no former one, and no ``--empty-`` of a list."""
    return tuple(name for name in names if name != FORMER_SERVER and not name.startswith("--empty-"))


def run(command: App, words: Sequence[str]) -> Any:
    """Call what ``words`` ask of ``command`` and return its result. Raises Usage."""
    try:
        return command(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        raise Usage(_explained(error, command.name[0], [name for name in command if name[:1] != "-"])) from None


def _explained(error: CycloptsError, command: str, verbs: Sequence[str]) -> str:
    """Return what is wrong with a command line of ``command``, which has ``verbs``, and what helps."""
    kind, name, said, wanted = "other", "", str(error), None
    match error:
        case UnknownOptionError(token=token):
            kind, name = "unknown", token.keyword or token.value
        case MissingArgumentError(argument=Argument() as argument):
            kind, name = "missing", error.keyword or argument.name
        case CoercionError(token=Token() as token) if error.msg is None:
            kind, name = "value", token.keyword or (error.argument.name if error.argument else "")
            said, wanted = token.value, error.target_type
        case RepeatArgumentError(token=token):
            kind, name = "twice", token.keyword or ""
        case UnknownCommandError(unused_tokens=[str(word), *_]):
            kind, name = "command", word
        case UnusedCliTokensError(unused_tokens=[str(word), *_]):
            kind, name = "extra", word
    found = _NEAR.search(str(error))
    near = found[1] if found else next(iter(get_close_matches(name, verbs, 1)), None) if kind in _WORDS else None
    if near in verbs:
        kind = "command"  # it was meant as a verb, also where words that are none may stand
    choices = ", ".join(map(str, get_args(wanted))) if get_origin(wanted) is Literal else None
    number = wanted if wanted in (int, float) else None
    facts = {"near": near, "said": said, "choices": choices, "number": number and number.__name__}
    return say("fault.command_line", facts, kind=kind, name=name, command=command)


def _app(name: str, text: str, examples: Sequence[str]) -> App:
    shown = "\n".join(["Examples:", *(f"  {line}" for line in examples)])
    found = App(
        name=name,
        help="\n\n".join(map(_joined, text.split("\n\n"))),
        help_format="plaintext",
        help_epilogue=shown,
        version_flags=[],
        suppress_keyboard_interrupt=False,
        default_parameter=Parameter(show_default=_shown_default),
    )
    for flag in found.help_flags:
        found[flag].show = False  # the overview has named it
    return found


class _Help:
    """Prints the help of ``function``: optional arguments by name, and the ``shown`` names of options."""

    def __init__(self, function: Callable[..., Any]) -> None:
        parameters = signature(function).parameters.values()
        self._optional = [
            f"[{each.name.upper()}{'...' if each.kind is each.VAR_POSITIONAL else ''}]"
            for each in parameters
            if each.kind is each.VAR_POSITIONAL
            or (each.kind is not each.KEYWORD_ONLY and each.default is not each.empty)
        ]

    @cached_property
    def _usual(self) -> Any:
        from cyclopts.help import DefaultFormatter  # most commands print no help

        return DefaultFormatter()

    def __call__(self, console: Any, options: Any, panel: Any) -> None:
        """Print the options of one panel."""
        entries = [
            evolve(entry, positive_names=shown(entry.positive_names), negative_names=shown(entry.negative_names))
            for entry in panel.entries
        ]
        self._usual(console, options, evolve(panel, entries=entries))

    def render_usage(self, console: Any, options: Any, usage: Any) -> None:
        """Print the line that begins with ``Usage:``."""
        self._usual.render_usage(console, options, re.sub(r"\[ARGS(\.\.\.)?\]", " ".join(self._optional), str(usage)))


def _joined(paragraph: str) -> str:
    """Return a paragraph as one line, which the help wraps; one with indented lines as it is."""
    lines = paragraph.strip("\n").splitlines()
    return paragraph if any(line.startswith((" ", "- ")) for line in lines) else " ".join(lines)


def _shown_default(value: Any) -> str | None:
    """Return the default of an option for its help, None if it is obvious."""
    return None if value is None or value is False or value in ("", ()) else str(value)


def _fill_in(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Take name and server from the settings where neither an option nor the environment gives them.

    A verb that starts a server of its own when none is named, such as a load test, keeps doing so.
    """
    open_ = {name: each for each in arguments for name in _VARIABLES if _is_open(each, name)}
    mine = settings.load() if open_ else None
    for name, argument in open_.items():
        if value := getattr(mine, name):
            argument.append(Token(keyword=f"--{name}", value=value, source="settings"))


def _is_open(argument: Argument, name: str) -> bool:
    """Return whether the setting ``name`` fills in ``argument``."""
    marked = _VARIABLES[name] in (argument.parameter.env_var or ())
    return marked and not argument.tokens and (name != "server" or argument.field_info.default == DEFAULT_URL)
