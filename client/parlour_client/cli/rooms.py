"""Verbs that open or list rooms, and ``parlour protocol``.

The functions import the protocol, the network and the screens, so that help answers quickly.
"""

import asyncio
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import attrs
from cyclopts import Parameter

from parlour_client.cli import frontend
from parlour_client.cli.params import (
    GAMES,
    LOGIN,
    OPTIONS,
    RULES,
    Code,
    Json,
    Key,
    Login,
    Look,
    Name,
    Once,
    Plain,
    Server,
    login_name,
)
from parlour_client.core.errors import OK, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import BOLD, clean, marked_for, tell_json
from parlour_client.core.url import DEFAULT_URL, entering, room_at
from parlour_protocol.standard_output import document

if TYPE_CHECKING:
    from parlour_protocol.messages import Create, PresetRow

_CODE = 6
"""Columns before what follows a room's code."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class RoomParams:
    """The options of a new room."""

    seats: Annotated[int | None, Parameter(help="Number of seats. Default: 4, or what the game allows.")] = None
    option: Annotated[
        list[str] | None,
        Parameter(negative="", help="An option of the game, NAME=VALUE: see parlour help rules. Repeatable."),
        OPTIONS,
    ] = None
    rules: Annotated[Path | None, RULES] = None
    clock: Annotated[
        str | None,
        Parameter(help="BANK+ADD or TIME/turn, in seconds or with a unit, such as 2d/turn, or none. Default: 60+15."),
    ] = None
    no_clock: Annotated[bool, Parameter(negative="", help="Play without a turn clock: --clock none.")] = False
    private: Annotated[bool, Parameter(negative="", help="Use a longer code, and do not list the room.")] = False
    pace: Annotated[
        float | None, Parameter(help="Seconds the server's bots take per card or click. Default: the server's.")
    ] = None
    delay: Annotated[float, Parameter(help="Seconds by which the match is delayed for spectators, up to 60.")] = 0
    seat_code: Annotated[
        bool, Parameter(negative="", help="Create a second code, which players need to take a seat.")
    ] = False
    casual: Annotated[
        bool,
        Parameter(
            negative="", help="Rate no match, and allow removing players, adding time and giving away seats during one."
        ),
    ] = False

    def request(self, game: str, preset: "PresetRow | None" = None) -> "Create":
        """Return the request for the room, which ``preset`` completes. Raises Usage."""
        from parlour_client.core.options import clock_or_none, options_of, rules_of
        from parlour_protocol.messages import DEFAULT_CLOCK, LONGEST_DELAY, LONGEST_PACE, Create

        if self.no_clock and self.clock is not None:
            raise Usage(say("fault.clocks"))
        wanted = "none" if self.no_clock else self.clock
        ticking = DEFAULT_CLOCK if wanted is None else clock_or_none(wanted)
        options = {**(rules_of(self.rules, game) if self.rules else {}), **options_of(self.option or (), game)}
        seats = self.seats
        if preset is not None:
            options, seats = {**preset["options"], **options}, preset["seats"] if seats is None else seats
            ticking = preset["clock"] if wanted is None else ticking
        if self.pace is not None and not 0 <= self.pace <= LONGEST_PACE / 1000:
            raise Usage(say("fault.pace", most=LONGEST_PACE // 1000, pace=self.pace))
        if not 0 <= self.delay <= LONGEST_DELAY / 1000:
            raise Usage(say("fault.delay", most=LONGEST_DELAY // 1000, delay=self.delay))
        return Create(
            game,
            options,
            seats=seats,
            private=self.private,
            clock=ticking,
            pace=None if self.pace is None else round(self.pace * 1000),
            delay=round(self.delay * 1000),
            seat_code=self.seat_code,
            rated=not self.casual,
        )


_USUAL = RoomParams()
Game = Annotated[str, Parameter(help="The game: uno, minesweeper or another game of the server."), GAMES]


def create(
    game: Game = "uno",
    *,
    room: RoomParams = _USUAL,
    preset: Annotated[
        str | None, Parameter(help="Rules saved on the server to start from: see parlour presets.")
    ] = None,
    beacon: Annotated[bool, Parameter(negative="", help="Refused: matches no longer use a public beacon.")] = False,
    me: Login = LOGIN,
    once: Once = False,
    plain: Plain = False,
) -> int:
    """Create a room on a server and take a seat. Others join by its code. For the options see: parlour help rules

    Examples:
    parlour create uno --seats 3 --option target=200
    parlour create uno --rules our-house.toml --option jump_in=true
    parlour create uno --preset "our friday"
    parlour create minesweeper --option mode=race --option level=expert --seats 5
    parlour create minesweeper --option mode=duel --no-clock --server 10.0.0.4
    parlour create uno --clock 2d/turn
    """
    import msgspec

    from parlour_client.core import queries

    room.request(game)  # complains before a server is asked
    saved = None if preset is None else asyncio.run(queries.preset(me.server, game, preset))
    request = msgspec.structs.replace(room.request(game, saved), beacon=beacon)
    return frontend.play(me.entry(request, once=once), plain)


def host(
    game: Game = "uno",
    *,
    room: RoomParams = _USUAL,
    server: Annotated[
        str | None, Parameter(env_var="PARLOUR_SERVER", help="Open the room on this server. Default: one of your own.")
    ] = None,
    ssh: Annotated[
        str, Parameter(help="Let friends in by ssh, too, on this port, such as 2222. Needs the extra ssh.")
    ] = "",
    name: Name = None,
    key: Key = None,
    once: Once = False,
    look: Look = None,
    plain: Plain = False,
) -> int:
    """Open a room for friends and take a seat in it. Without --server a server runs here until you leave.

    The room waits until everyone is ready, and shows how friends join. The host may change its rules.

    Examples:
    parlour host
    parlour host uno --option preset=family --seats 3
    parlour host minesweeper --option mode=race --ssh 2222
    parlour host uno --server parlour.example.org
    """
    frontend.use_look(look)
    request, me = room.request(game), Login(server=server or DEFAULT_URL, name=name, key=key)
    if server is not None:
        return frontend.play(me.entry(request, once=once), plain)
    own = frontend.hosting(request, name=me.known_as, own_name=bool(name), key=key, once=once, ssh=ssh)
    return frontend.visit(own, plain)


def join(room: Code, /, *, me: Login = LOGIN, once: Once = False, look: Look = None, plain: Plain = False) -> int:
    """Take a seat in a room and play.

    Examples:
    parlour join K7QD
    parlour join K7QD --server ws://10.0.0.4:7777 --name maria
    parlour join http://10.0.0.4:7777/r/K7QD
    parlour join K7QD-CDFGHJKM
    """
    frontend.use_look(look)
    code, where = room_at(room, me.server)
    return frontend.play(attrs.evolve(me, server=where).entry(entering(code), once=once, look=True), plain)


def watch(
    room: Code,
    /,
    *,
    server: Server = DEFAULT_URL,
    name: Name = None,
    once: Once = False,
    look: Look = None,
    plain: Plain = False,
) -> int:
    """Watch a room without playing.

    Examples:
    parlour watch K7QD
    parlour watch K7QD --once --server parlour.example.org >match.txt
    """
    frontend.use_look(look)
    code, where = room_at(room, server)
    return frontend.play(Login(server=where, name=name).entry(entering(code, "spectator"), once=once), plain)


def start(*, me: Login = LOGIN, look: Look = None) -> int:
    """Open the start screen: play, host, join or watch. The same as parlour alone.

    Examples:
    parlour
    parlour start --name maria
    parlour --look light --server 10.0.0.4
    """
    if not frontend.on_a_screen():
        raise Usage(say("fault.no_screen"))
    frontend.use_look(look)
    from parlour_client.storage import history
    from parlour_client.tui.app import start as open_start
    from parlour_client.tui.screens.base import StartOptions

    name = me.name or history.name() or login_name()
    ways = frontend.practice, frontend.hosting, frontend.continuing
    return asyncio.run(open_start(StartOptions(me.server, name, me.key, *ways)))


def rooms(
    *,
    server: Server = DEFAULT_URL,
    game: Annotated[str | None, Parameter(help="Only rooms of this game."), GAMES] = None,
    mine: Annotated[
        bool, Parameter(negative="", help="Only rooms in which you have a seat: whose turn it is, and what has ended.")
    ] = False,
    name: Name = None,
    key: Key = None,
    as_json: Json = False,
) -> int:
    """List the open rooms of a server, and the bots that can be invited.

    Examples:
    parlour rooms
    parlour rooms --mine --server parlour.example.org
    parlour rooms --server 10.0.0.4 --game uno
    parlour rooms --json | jq -r '.rooms[].room'
    """
    from parlour_client.core.queries import lobby

    if mine:
        return _own_games(server, name or login_name(), key, as_json)
    found = asyncio.run(lobby(server, game))
    if as_json:
        tell_json(found)
    else:
        _print(_lobby_lines(found))
    return OK


def protocol(
    *,
    schema: Annotated[
        bool, Parameter(negative="", help="Print the JSON Schema of messages and games instead.")
    ] = False,
) -> int:
    """Print the specification of the protocol between server, clients and bots.

    Examples:
    parlour protocol | less
    parlour protocol --schema >schema.json
    """
    if schema:
        from parlour_games.registry import games  # these two cost what joining a room should not
        from parlour_protocol import schema as generator

        described = []
        for game in games().values():
            try:
                generator.schema([game])
            except TypeError as error:
                sys.stderr.write(f"parlour: the schema leaves out {game.name}: {error}\n")
            else:
                described.append(game)
        document().write(generator.text(described))
    else:
        document().write(files("parlour_protocol").joinpath("SPEC.md").read_text(encoding="utf-8"))
    return OK


def _own_games(server: str, name: str, key: str | None, as_json: bool) -> int:
    from parlour_client.core.queries import own_games
    from parlour_client.storage.credentials import held
    from parlour_client.text import own_games as text

    with held(server, name) as credentials:
        found = asyncio.run(own_games(server, credentials.session(None, key)))
    if as_json:
        rooms = [
            {
                "room": room.code,
                "game": room.game,
                "seat": room.seat,
                "state": room.table["state"],
                "mine": text.is_asked(room),
                "left": room.clocks,
            }
            for room in found.rooms
        ]
        off = found.webhook and found.webhook.off
        tell_json({"server": server, "rooms": rooms, "missed": found.missed, "webhook_off": off})
    else:
        _print(("", line) for line in [*text.lines(found)] or [say("line.own.none", name=name, server=server)])
    return OK


def _print(lines: Iterable[tuple[str, str]]) -> None:
    """Print (mark, line) pairs. On a terminal the marks, with which the lines begin, are bold."""
    for mark, line in lines:
        sys.stdout.write(marked_for(sys.stdout, clean(line), clean(mark), BOLD, indent=_CODE) + "\n")


def _lobby_lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (code, line) of each room, and what else there is to say."""
    lines = [(row["room"], _room_line(row)) for row in found["rooms"]]
    if not lines:
        lines = [("", say("line.rooms.none", server=found["server"]))]
    bots = [f"{row['name']} ({', '.join(row['games'])})" for row in found["bots"] if row["free"]]
    return [*lines, *([("", say("line.rooms.bots", bots=", ".join(bots)))] if bots else [])]


def _room_line(row: Any) -> str:
    from parlour_client.core.queries import people
    from parlour_client.text.room_lines import rules_and_clock

    state = say("line.rooms.state", state=row["state"])
    seats = say("line.rooms.seats", taken=row["taken"], seats=row["seats"], kinds=row["kinds"])
    told = f"  {', '.join(people(row))}" if people(row) else ""
    rules = f"  {'; '.join(rules_and_clock(row))}"
    return f"{row['room']}  {row['game']}  {state}  {seats}{told}{rules}".rstrip()
