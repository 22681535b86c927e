"""The verbs of the ``parlour`` command that belong to the client: create, join, watch, start, rooms, protocol."""

import asyncio
import getpass
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Coroutine
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_client.core.errors import Usage
from parlour_client.core.sanitize import clean, clean_all
from parlour_client.core.url import DEFAULT_URL, room_at

_NAME_LONGEST = 20

Code = Annotated[str, Parameter(help="The room's code, in any case, or a link to it.")]
Server = Annotated[str, Parameter(env_var="PARLOUR_SERVER", help="The server: a URL, host or host:port.")]
Name = Annotated[
    str | None, Parameter(env_var="PARLOUR_NAME", help="Your name at the table. Default: your login name.")
]
Key = Annotated[str | None, Parameter(env_var="PARLOUR_KEY", help="A secret that keeps the name yours, on any device.")]
Once = Annotated[bool, Parameter(negative="", help="Leave after one match.")]
Plain = Annotated[bool, Parameter(negative="", help="The line mode, as when there is no terminal.")]
Json = Annotated[bool, Parameter("--json", negative="", help="One JSON object on standard output.")]


def create(
    game: Annotated[str, Parameter(help="What to play: uno or minesweeper.")] = "uno",
    *,
    seats: Annotated[int | None, Parameter(help="How many may sit. Default: 4, or what the game allows.")] = None,
    option: Annotated[
        list[str] | None, Parameter(negative="", help="An option of the game, NAME=VALUE. Repeatable.")
    ] = None,
    rules: Annotated[Path | None, Parameter(help="A TOML file of options, such as rules of your own.")] = None,
    no_clock: Annotated[bool, Parameter(negative="", help="Nobody has to hurry.")] = False,
    private: Annotated[bool, Parameter(negative="", help="A longer code, and not listed.")] = False,
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
    once: Once = False,
    plain: Plain = False,
) -> int:
    """Open a room on a server and sit down in it; others come in by its code. The options are in: parlour protocol.

    Examples:
    parlour create uno --seats 3 --option target=200
    parlour create uno --rules our-house.toml --option jump_in=true
    parlour create minesweeper --option mode=race --option level=expert --seats 5
    parlour create minesweeper --option mode=duel --no-clock --server 10.0.0.4
    """
    from parlour_client.core.options import options_of, rules_of
    from parlour_protocol.messages import DEFAULT_CLOCK, Create

    clock = None if no_clock else DEFAULT_CLOCK
    options = {**(rules_of(rules) if rules else {}), **options_of(option or ())}
    room = Create(game, options, seats=seats, private=private, clock=clock)
    who = {"name": name or login_name(), "own_name": bool(name), "key": key}
    return asyncio.run(way_to_play(plain)(server, create=room, **who, once=once))


def join(
    room: Code,
    /,
    *,
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
    once: Once = False,
    plain: Plain = False,
) -> int:
    """Sit down in a room and play.

    Examples:
    parlour join K7QD
    parlour join K7QD --server ws://10.0.0.4:7777 --name maria
    parlour join http://10.0.0.4:7777/r/K7QD
    """
    who = {"name": name or login_name(), "own_name": bool(name), "key": key}
    code, where = room_at(room, server)
    return asyncio.run(way_to_play(plain)(where, code, **who, once=once))


def watch(
    room: Code, /, *, server: Server = DEFAULT_URL, name: Name = None, once: Once = False, plain: Plain = False
) -> int:
    """Watch a room without playing.

    Examples:
    parlour watch K7QD
    parlour watch K7QD --once --server parlour.example.org >match.txt
    """
    who = {"name": name or login_name(), "own_name": bool(name)}
    code, where = room_at(room, server)
    return asyncio.run(way_to_play(plain)(where, code, **who, watch=True, once=once))


def start(*, server: Server = DEFAULT_URL, name: Name = None, key: Key = None) -> int:
    """Open the start screen: play at once, host, join or watch. The same as parlour alone.

    PARLOUR_LOOK chooses how all screens look: truecolour, 256, mono, light, ascii, or two of them: mono,ascii.

    Examples:
    parlour
    parlour start --name maria
    PARLOUR_LOOK=light parlour start --server 10.0.0.4
    """
    if not on_a_screen():
        raise Usage("the start screen needs a terminal. See: parlour --help")
    from parlour_client.storage import recent
    from parlour_client.tui.app import Home
    from parlour_client.tui.app import start as open_start

    return asyncio.run(open_start(Home(server, name or recent.name() or login_name(), key, _practice, _hosting)))


def rooms(
    *,
    server: Server = DEFAULT_URL,
    game: Annotated[str | None, Parameter(help="Only rooms of this game.")] = None,
    as_json: Json = False,
) -> int:
    """List the open rooms of a server, and the bots that may be invited.

    Examples:
    parlour rooms
    parlour rooms --server 10.0.0.4 --game uno
    parlour rooms --json | jq -r '.rooms[].room'
    """
    from parlour_client.core.queries import lobby

    found = asyncio.run(lobby(server, game))
    if as_json:
        sys.stdout.write(json.dumps(clean_all(found)) + "\n")
    else:
        sys.stdout.writelines(f"{clean(line)}\n" for line in _lobby_lines(found))
    return 0


def protocol(
    *, schema: Annotated[bool, Parameter(negative="", help="The JSON Schema of messages and games instead.")] = False
) -> int:
    """Print the specification of the protocol that clients and bots speak.

    Examples:
    parlour protocol | less
    parlour protocol --schema >schema.json
    """
    if schema:
        from parlour_games.registry import games  # these two cost what joining a room should not
        from parlour_protocol import schema as generator

        sys.stdout.write(generator.text(games().values()))
    else:
        sys.stdout.write(files("parlour_protocol").joinpath("SPEC.md").read_text(encoding="utf-8"))
    return 0


def on_a_screen() -> bool:
    """Return whether there is a terminal to draw on and to type at."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def way_to_play(plain: bool) -> Callable[..., Coroutine[Any, Any, int]]:
    """Return ``play`` of the screen, or that of the line mode if it is wanted or there is no screen."""
    module = import_module("parlour_client.plain.app") if plain or not on_a_screen() else screen()
    play: Callable[..., Coroutine[Any, Any, int]] = module.play
    return play


def screen() -> Any:
    """Return the module that draws, which is loaded when something is to be drawn and not before."""
    return import_module("parlour_client.tui.app")


def login_name() -> str:
    """Return a valid name made from that of the person logged in: letters, digits, - and _, at most 20."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such variable, no such entry, no such database
        login = ""
    ascii_only = unicodedata.normalize("NFKD", login).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]", "", ascii_only).lstrip("-_")[:_NAME_LONGEST] or "guest"


def _practice(*words: Any, **more: Any) -> Any:
    """Call ``parlour_bots.hosting.practice.at_home``, by name because bots are above the client."""
    return import_module("parlour_bots.hosting.practice").at_home(*words, **more)


def _hosting(*words: Any, **more: Any) -> Any:
    """Do what ``parlour_bots.hosting.host.at_home`` does, loaded in the same way."""
    return import_module("parlour_bots.hosting.host").at_home(*words, **more)


def _lobby_lines(found: dict[str, Any]) -> list[str]:
    lines = [_room_line(row) for row in found["rooms"]]
    if not lines:
        lines = [f"No open rooms on {found['server']}."]
    bots = [f"{row['name']} ({', '.join(row['games'])})" for row in found["bots"] if row["free"]]
    return [*lines, *([f"Bots to invite: {', '.join(bots)}"] if bots else [])]


def _room_line(row: Any) -> str:
    from parlour_client.core.queries import people

    kinds = "" if row["kinds"] == "any" else f"  {row['kinds']} only"
    told = f"  {', '.join(people(row))}" if people(row) else ""
    return f"{row['room']}  {row['game']}  {row['state']}  {row['taken']}/{row['seats']} seats{kinds}{told}"
