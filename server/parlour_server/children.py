"""Child processes of the server. They read orders from stdin and exit when it closes. One runs the house bots."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import entry_points
from itertools import cycle
from typing import Any

import attrs
import structlog

from parlour_games.registry import AnyGame, games
from parlour_protocol.installation import module_command
from parlour_protocol.names import LONGEST
from parlour_server.metrics import Metrics
from parlour_server.settings import ServerSettings

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
STOPS_WITHIN = 3.0
"""Seconds."""

log = structlog.get_logger()


async def keep_child(
    what: str,
    module: str,
    orders: Callable[[], Any],
    metrics: Metrics,
    *,
    files: Sequence[int] = (),
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Run ``module`` until cancelled. Restart it when it exits, with growing pauses if it keeps exiting early.

    ``what`` it does is a fixed word. ``orders`` returns the first line of its stdin, as plain data; ``files``: open
    files that it inherits.
    """
    pause = FIRST_PAUSE
    while True:
        metrics.runs(what)
        began = clock()
        await _run(module, json.dumps(orders()).encode() + b"\n", files)
        if clock() - began > LONGEST_PAUSE:
            pause = FIRST_PAUSE
        metrics.ended(what)
        log.warning("a process has ended; it is started again", what=what, again_in_seconds=pause)
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * 2)


async def _run(module: str, line: bytes, files: Sequence[int]) -> None:
    child = await _start(*module_command(module), files=files)
    assert child.stdin is not None
    try:
        child.stdin.write(line)
        await child.stdin.drain()
        await child.wait()
    except (BrokenPipeError, ConnectionResetError):
        await child.wait()
    finally:
        if child.returncode is None:
            await _end(child)


async def _start(*command: str, files: Sequence[int]) -> asyncio.subprocess.Process:
    """Start a process, and end it if this task is cancelled meanwhile.

    When asyncio is cancelled during the start, it kills the process without closing our end of its pipe, and waits
    until the children of the process have closed theirs: forever, if they in turn wait for the end of the pipe.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    beginning = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=nothing, pass_fds=files)
    )
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        await _end(await beginning)
        raise


async def _end(child: asyncio.subprocess.Process) -> None:
    assert child.stdin is not None
    child.stdin.close()
    with suppress(ProcessLookupError):
        child.terminate()
    try:  # in a cancelled task, where asyncio.timeout does not raise TimeoutError before Python 3.11.3
        await asyncio.wait_for(child.wait(), STOPS_WITHIN)
    except TimeoutError:
        child.kill()
        await child.wait()


@attrs.frozen
class HouseBot:
    """A house bot, and its seconds per card or click relative to the others'."""

    bot: str
    tempo: float = 1.0


HOUSE_BOTS = {
    "ada": HouseBot("uno.painfirst", 0.9),
    "bruno": HouseBot("uno.guard", 1.1),
    "cleo": HouseBot("uno.counter"),
    "dice": HouseBot("uno.random", 0.9),
    "enno": HouseBot("uno.attacker", 0.9),
    "flora": HouseBot("uno.shaper"),
    "gero": HouseBot("uno.hoarder", 1.1),
    "hedy": HouseBot("uno.counter", 0.9),
    "ivo": HouseBot("uno.guard"),
    "adam": HouseBot("minesweeper.article", 1.1),
    "kira": HouseBot("minesweeper.adjacency", 0.9),
    "lars": HouseBot("minesweeper.exact", 1.1),
    "milo": HouseBot("minesweeper.exact"),
    "mina": HouseBot("minesweeper.exact", 0.75),
    "nora": HouseBot("minesweeper.adjacency", 1.1),
    "ludo": HouseBot("minesweeper.article", 0.9),
    "wanda": HouseBot("minesweeper.exact", 0.9),
    "rosa": HouseBot("minesweeper.adjacency"),
}
"""The house bots by name: nine for each game, so that one person can fill a table of ten. The first of each game in
alphabetical order, which are invited first, differ in style and tempo."""
_NAMES = ("ole", "pia", "rolf", "suse", "tilo", "udo", "vera", "wim", "zita")
"""Names of house bots for all other games, each with the start of the game's name."""
_GAME_LETTERS = 9


def house_bots(games: Mapping[str, AnyGame]) -> dict[str, HouseBot]:
    """Return the house bots by name: for a game without any of its own, the installed ones and ``random`` in turn."""
    served = {house.bot.partition(".")[0] for house in HOUSE_BOTS.values()}
    found = dict(HOUSE_BOTS)
    for name in sorted(games.keys() - served):
        installed = sorted(bot.name for bot in entry_points(group="parlour.bots") if bot.name.startswith(f"{name}."))
        bots = cycle(dict.fromkeys([*installed, f"{name}.random"]))
        opponents = _NAMES[: games[name].max_seats - 1]
        found |= {f"{each}-{name[:_GAME_LETTERS]}": HouseBot(bot) for each, bot in zip(opponents, bots, strict=False)}
    return found


async def keep_house_bots(
    url: str, ticket: Callable[[str], str], metrics: Metrics, settings: ServerSettings, node: str = ""
) -> None:
    """Run the house bots until cancelled.

    ``ticket`` returns a ticket for the bot of a name. Among several nodes the names end with that of their ``node``,
    because names are unique.
    """

    def orders() -> dict[str, Any]:
        names = {name_at(node, name): house for name, house in house_bots(games()).items()}
        tickets = [
            {"name": name, "ticket": ticket(name), "bot": house.bot, "tempo": house.tempo}
            for name, house in names.items()
        ]
        return {"url": url, "pace": settings.pace, "tickets": tickets}

    await keep_child("house_bots", "parlour_bots.hosting.house_bots", orders, metrics)


def name_at(node: str, name: str) -> str:
    """Return the name of a house bot at a node. A long name of a node is cut and gets a hash."""
    if not node:
        return name
    space = LONGEST - len(name) - 1
    ending = "".join(char if char.isascii() and char.isalnum() else "-" for char in node)
    if len(ending) > space:
        ending = f"{ending[: space - 5]}-{sha256(node.encode()).hexdigest()[:4]}"
    return f"{name}-{ending}"
