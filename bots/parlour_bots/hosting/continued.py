"""``parlour continue``: play on from any act of a saved match.

A local server has the room as it was, with bots at all seats but one, and one person.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from secrets import randbits
from tempfile import TemporaryDirectory
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_bots.errors import Mistake
from parlour_bots.hosting.child_server import serving
from parlour_bots.hosting.practice import TEMPOS, bot_named, check, end, told, usual_pace, visit
from parlour_bots.loading import INSTALLED, styles
from parlour_bots.play.network import BotClient, Pace, connection, play_room
from parlour_bots.profiles import profile
from parlour_client.cli.frontend import on_a_screen
from parlour_client.core.errors import OK, Fault, Usage, reading
from parlour_client.play.entry import Entry
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Join, Plain

_WRITER = "parlour_server.cli.continue_match"
_USAGE = 2


@asynccontextmanager
async def continued_room(
    file: Path,
    act: int,
    viewer: str | None,
    bots: Sequence[str],
    *,
    mistakes: list[Mistake],
    lines: bool = True,
    once: bool = False,
    pace: float | None = None,
) -> AsyncIterator[Entry]:
    """Run a server on which the match of ``file`` goes on before its act number ``act``, and yield the entry.

    The person has the seat ``viewer``, a number or a name; None: that of the first person. The others are played by
    ``bots``, in turn; without any, by a mix. ``pace``: the bots' seconds per card or click; None: those that suit
    ``lines``, line mode, or the screens.
    Raises Usage, Fault, NoBot, CannotConnect.
    """
    async with AsyncExitStack() as stack:
        store = Path(stack.enter_context(TemporaryDirectory(prefix="parlour-")), "match.db")
        found = await _written(file, store, act, viewer)
        game, room, players = found["game"], found["room"], found["players"]
        pace = usual_pace(game, lines=lines) if pace is None else pace
        pace = profile(game).pace if pace is None else pace
        specs = [bot_named(style, game) for style in bots or styles(game)]
        server = await stack.enter_async_context(serving("--no-house-bots", store=store))
        troubles: list[str] = []
        report = told(mistakes, troubles)
        others = [player for seat, player in enumerate(players) if seat != found["seat"]]
        for player, bot, tempo in zip(others, cycle(specs), cycle(TEMPOS), strict=False):
            opened = connection(server.url, player["name"], key=player["key"])
            client = BotClient(opened, bot, report, randbits(64), stay=True, pace=Pace(pace, tempo))
            stack.push_async_callback(end, asyncio.create_task(play_room(client, room)))
        me = players[found["seat"]]
        entry = Entry(server.url, Join(room), me["name"], key=me["key"], once=once, keep=False)
        yield attrs.evolve(entry, troubles=troubles)


async def _written(file: Path, store: Path, act: int, viewer: str | None) -> Plain:
    """Write the store of the server in a subprocess; return what it says of the room. Raises Usage, Fault."""
    with reading(file):
        file.open("rb").close()
    whose = [] if viewer is None else ["--as", viewer]
    command = module_command(_WRITER, str(file), str(store), "--before", str(act), *whose)
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    out, why = await child.communicate()
    if child.returncode != OK:
        reason = why.decode(errors="replace").strip().rpartition("\n")[2]
        raise (Usage if child.returncode == _USAGE else Fault)(reason or f"{file} cannot be continued")
    found: Plain = json.loads(out)
    return found


@asynccontextmanager
async def at_home(file: Path, act: int, viewer: str | None) -> AsyncIterator[Entry]:
    """Run ``continued_room`` for the screens; after a visit without errors, raise BotFault if a bot made mistakes."""
    mistakes: list[Mistake] = []
    async with continued_room(file, act, viewer, (), mistakes=mistakes, lines=False) as entry:
        yield entry
    check(mistakes)


def continue_(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file.")],
    /,
    *,
    act: Annotated[int, Parameter(help="The number of the act to decide again.")] = 1,
    viewer: Annotated[
        str | None, Parameter("--as", help="Your seat: its number or its player's name. Default: the first person's.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="A bot for the other seats: an installed one, FILE.py, easy, normal or hard. Repeatable."
            " Default: a mix.",
        ),
        INSTALLED,
    ] = None,
    pace: Annotated[
        float | None,
        Parameter(help="Seconds a bot takes per card or click, on average. Default: as in parlour play."),
    ] = None,
    once: Annotated[bool, Parameter(negative="", help="Leave after the match.")] = False,
    plain: Annotated[bool, Parameter(negative="", help="Use line mode, the default without a terminal.")] = False,
) -> int:
    """Play on from any act of a finished match, against bots and without a clock. It does not count.

    The cards or mines are those of the match. parlour replay and parlour review show the numbers of its acts.

    Examples:
    parlour continue uno-8f31c2a90b17.jsonl --act 17
    parlour continue uno-8f31c2a90b17.jsonl --act 17 --as anna --bot hard
    """
    lines = plain or not on_a_screen()
    mistakes: list[Mistake] = []
    room = continued_room(file, act, viewer, bot or (), mistakes=mistakes, lines=lines, once=once, pace=pace)
    return asyncio.run(visit(room, mistakes, lines=lines))
