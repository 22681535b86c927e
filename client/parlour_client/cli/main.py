"""The ``parlour`` command: a table of verbs, each loaded when it is asked for and not before.

A target is ``module:name`` of a function, whose parameters become options by cyclopts, or of a cyclopts App.
The block after a line ``Examples:`` in a function's docstring ends its help. A verb returns its exit code,
or None for 0, or raises a Fault, which is told on standard error.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Fault, Usage

if TYPE_CHECKING:
    from cyclopts import App, Argument, ArgumentCollection

VERBS: dict[str, tuple[str, str]] = {
    "serve": ("parlour_server.cli.serve:serve", "Host rooms for people and bots."),
    "backup": ("parlour_server.cli.backup:backup", "Copy all that a server remembers, while it runs."),
    "play": ("parlour_bots.hosting.practice:play", "Play on a server of your own, with bots or alone."),
    "create": ("parlour_client.cli.rooms:create", "Open a room on a server and sit down in it."),
    "join": ("parlour_client.cli.rooms:join", "Sit down in a room and play."),
    "watch": ("parlour_client.cli.rooms:watch", "Watch a room without playing."),
    "start": ("parlour_client.cli.rooms:start", "Choose on a start screen; parlour alone does the same."),
    "rooms": ("parlour_client.cli.rooms:rooms", "List the open rooms of a server."),
    "identity": ("parlour_client.cli.identity:identity", "Make names your own, by a key."),
    "bot": ("parlour_bots.cli.bot:bot", "Write bots, check and run them, or list those that are installed."),
    "arena": ("parlour_bots.arena.cli.arena:arena", "Let bots play many games, and tell who is better."),
    "load": ("parlour_bots.load.command:load", "Put a server under load, and measure what it bears."),
    "contest": ("parlour_client.cli.contest:contest", "Let the bots on a server meet each other."),
    "standings": ("parlour_client.cli.contest:table", "Show who has won how much on a server."),
    "admin": ("parlour_client.cli.admin:admin", "Keep order on a server, as its operator."),
    "demo": ("parlour_bots.hosting.demo:demo", "Let four bots play a whole match over real sockets."),
    "games": ("parlour_server.cli.matches:games", "List finished matches, and get their files."),
    "replay": ("parlour_client.cli.replay:replay", "Show a match from its file as it was played."),
    "verify": ("parlour_server.cli.matches:verify", "Check a match's file: the deals, every act, the result."),
    "doctor": ("parlour_client.cli.doctor:doctor", "Look whether all is well here, or with a server elsewhere."),
    "protocol": ("parlour_client.cli.rooms:protocol", "Print the protocol's specification or its JSON Schema."),
}
"""Verb → what to load for it, and one line of help."""

_SETTLED = {"name": "PARLOUR_NAME", "server": "PARLOUR_SERVER"}
"""Setting → the variable that marks the options for which it is meant: a bot's --name is none of them."""
_EXAMPLES = """Examples:
  parlour play uno                     you and three bots
  parlour serve --lan                  host for your network, then: parlour join CODE
  parlour bot run mybot.py --room K7QD
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _main(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED_BY_USER
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # our reader has had enough: the flush at exit must not fail
        return OK
    except Fault as fault:
        _complain(str(fault))
        return fault.exit_code


def load(verb: str) -> Any:
    """Import and return the target of ``verb``."""
    module, _, name = VERBS[verb][0].partition(":")
    return getattr(import_module(module), name)


def _main(words: list[str]) -> int:
    verb, *rest = words or _nothing_said()
    if verb in ("--help", "-h", "help"):
        sys.stdout.write(_overview())
        return OK
    if verb in ("--version", "-V"):
        from importlib.metadata import version

        sys.stdout.write(f"parlour {version('parlour')}\n")
        return OK
    if verb not in VERBS:
        near = get_close_matches(verb, VERBS, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise Usage(f"there is no verb {verb[:40]!a}.{meant} See: parlour --help")
    return _run(verb, rest)


def _nothing_said() -> list[str]:
    from parlour_client.cli.frontend import on_a_screen

    return ["start" if on_a_screen() else "--help"]


def _overview() -> str:
    verbs = "".join(f"  {verb:<10} {line}\n" for verb, (_, line) in VERBS.items())
    return f"Usage: parlour VERB [OPTIONS]   (parlour VERB --help tells more)\n\n{verbs}\n{_EXAMPLES}"


def _run(verb: str, words: list[str]) -> int:
    from cyclopts import App, CycloptsError

    target = load(verb)
    app = target if isinstance(target, App) else _app(verb, target)
    if _settled not in (app.config or ()):
        app.config = (*(app.config or ()), _settled)
    try:
        result = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        raise Usage(f"{error} See: parlour {verb} --help") from None
    return result if isinstance(result, int) else OK


def _complain(text: str) -> None:
    from parlour_client.core.sanitize import LONGEST_COMPLAINT, clean

    sys.stderr.write(f"parlour: {clean(text, LONGEST_COMPLAINT)}\n")


def _app(verb: str, function: Any) -> "App":
    from parlour_client.cli.app import app

    text, _, examples = cleandoc(function.__doc__ or "").partition("\nExamples:\n")
    shown = "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines())
    found = app(f"parlour {verb}", text, f"Examples:\n{shown}", boxes=False)
    found.default(function)
    return found


def _settled(app: "App", commands: tuple[str, ...], arguments: "ArgumentCollection") -> None:
    """Give name and server as they are set in the settings, if neither a flag nor the environment does.

    Where no server means one of its own, as for a load test, that stays.
    """
    from cyclopts import Token

    from parlour_client.storage import settings

    open_ = {name: each for each in arguments for name in _SETTLED if _is_meant(each, name)}
    mine = settings.load() if open_ else None
    for name, argument in open_.items():
        if value := getattr(mine, name):
            argument.append(Token(keyword=f"--{name}", value=value, source="settings"))


def _is_meant(argument: "Argument", name: str) -> bool:
    """Whether the setting called ``name`` is to be used for an option that nobody has given."""
    from parlour_client.core.url import DEFAULT_URL

    marked = _SETTLED[name] in (argument.parameter.env_var or ())
    return marked and not argument.tokens and (name != "server" or argument.field_info.default == DEFAULT_URL)


if __name__ == "__main__":
    sys.exit(main())
