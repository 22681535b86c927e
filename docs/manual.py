"""The manual page, ``docs/parlour.1``: the help of all commands. ``tests/test_public.py`` writes and compares it."""

from collections.abc import Iterator
from pathlib import Path

from cyclopts import App, Argument

from parlour_client.cli.app import app_of, shown
from parlour_client.cli.verbs import VERBS

PAGE = Path(__file__).with_name("parlour.1")
_HEAD = r"""
.\" Generated from the help of the commands.
.TH PARLOUR 1 "" parlour "User Commands"
.SH NAME
parlour \- host and play games at which people and bots sit at the same table
.SH SYNOPSIS
.B parlour
.RI [ VERB ]
.RI [ OPTIONS ]
.SH DESCRIPTION
Without a verb, parlour opens the start screen on a terminal.
.B parlour
.I VERB
.B \-\-help
prints what is below about a verb.
.SH COMMANDS
"""


def page() -> str:
    """Return the manual page."""
    lines = [line for name, verb in VERBS.items() for line in _command(app_of(name, verb), f"parlour {name}")]
    return _HEAD.lstrip() + "\n".join(lines) + "\n"


def _command(app: App, path: str) -> Iterator[str]:
    """Yield the lines about a command, and about those below it."""
    arguments = [] if app.default_command is None else _arguments(app)
    places = " ".join(
        f"[{_place(each)}]" if not each.required else _place(each) for each in arguments if _is_place(each)
    )
    yield f".SS {_text(f'{path} {places}'.rstrip())}"
    paragraphs = (app.help or "").strip().split("\n\n")
    yield "\n.PP\n".join(map(_text, paragraphs))
    for argument in arguments:
        names = _place(argument) if _is_place(argument) else ", ".join(shown(argument.names))
        yield f".TP\n.B {_text(names)}\n{_text(_about(argument))}"
    if examples := (app.help_epilogue or "").partition("\n")[2]:
        yield f".PP\nExamples:\n.PP\n.nf\n{_text(examples)}\n.fi"
    for name in app:
        if name not in {*app.help_flags, *app.version_flags}:
            yield from _command(app[name], f"{path} {name}")


def _arguments(app: App) -> list[Argument]:
    return [each for each in app.assemble_argument_collection(parse_docstring=False) if each.show]


def _is_place(argument: Argument) -> bool:
    return argument.index is not None


def _place(argument: Argument) -> str:
    """Return a positional argument as the help shows it."""
    info = argument.field_info
    return argument.name.lstrip("-").upper() + ("..." if info.kind is info.VAR_POSITIONAL else "")


def _about(argument: Argument) -> str:
    """Return the help of an argument, with its default."""
    shown = argument.parameter.show_default
    default = argument.field_info.default
    told = shown(default) if callable(shown) and default is not argument.field_info.empty else None
    return " ".join(filter(None, [argument.parameter.help, f"[default: {told}]" if told else ""]))


def _text(text: str) -> str:
    """Escape what troff would read as a command."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in escaped.splitlines())
