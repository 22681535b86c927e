"""Continue a match from its file: a local server with the room as it was, bots at all seats but one, and one person."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from secrets import randbits
from tempfile import TemporaryDirectory

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.hosting.child_server import serving
from parlour_bots.hosting.practice import TEMPOS, bot_named, check, end, told, usual_pace
from parlour_bots.loading.loader import styles
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_bots.play.pace import Pace
from parlour_bots.profiles import profile
from parlour_client.core.errors import OK, Fault, Usage
from parlour_client.play.entry import Entry
from parlour_protocol.messages import Join, Plain
from parlour_protocol.module_command import module_command

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
