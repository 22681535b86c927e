"""``parlour server load``: put servers under load with random players and measure them."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.progress import Progress

from parlour_bots.hosting.child_server import serving
from parlour_bots.load import LoadedServer, Pattern, TrafficCounters, TrafficRoom, reading, report
from parlour_bots.profiles import profile
from parlour_bots.tools.guards import GameName
from parlour_bots.tools.reports import Report
from parlour_client.core.errors import OK, Fault, Usage
from parlour_client.core.url import is_loopback, normalise_url
from parlour_games.plural import counted

WARM = 1.0
"""Seconds of warming up before measuring."""
_OPENING_AT_ONCE = 16
"""Rooms that open their connections at the same time."""

Positive = Parameter(validator=Number(gt=0))


def load(
    *,
    server: Annotated[
        list[str] | None,
        Parameter(env_var="PARLOUR_SERVER", negative="", help="A server. Repeatable. Default: a new local server."),
    ] = None,
    rooms: Annotated[int, Positive, Parameter(help="The number of rooms.")] = 50,
    seconds: Annotated[float, Positive, Parameter(help="Seconds to measure.")] = 10.0,
    seats: Annotated[int, Positive, Parameter(help="Bots per room.")] = 4,
    think: Annotated[int, Parameter(validator=Number(gte=0), help="Milliseconds before each answer.")] = 0,
    rate: Annotated[float | None, Positive, Parameter(help="Open loop: moves per second in each room.")] = None,
    game: GameName = "uno",
    encoded: Annotated[Literal["msgpack", "json"], Parameter("--encoding", help="The message encoding.")] = "msgpack",
    remote: Annotated[bool, Parameter(negative="", help="Allow a server on another machine of yours.")] = False,
    json: Annotated[bool, Parameter(negative="", help="Print the result as one JSON object.")] = False,
) -> int:
    """Load a server with random players; print its throughput, latency and CPU use.

    Without --rate the loop is closed: each bot answers immediately or after --think. With --rate moves are due at fixed
    intervals, and waiting for the server counts as latency. The default server runs in its own process and stores every
    move. Several servers, usually nodes that share a database, get the same number of rooms each and are also reported
    one by one. CPU use is reported for servers whose /metrics can be read, which are those on this machine.

    Examples:
    parlour server load --rooms 100 --seconds 10
    parlour server load --rooms 20 --rate 5 --json
    parlour server load --server localhost:7777 --rooms 10 --think 200
    parlour server load --server localhost:7777 --server localhost:7778 --rooms 80
    """
    for url in server or ():
        if not remote and not is_loopback(normalise_url(url)):
            raise Usage(f"{url} is on another machine; add --remote if it is yours")
    pattern = Pattern(game, profile(game).traffic, seats, think / 1000, rate, f"parlour.v1.{encoded}")
    result = asyncio.run(_measure(server, pattern, rooms, seconds))
    result.write(sys.stdout, as_json=json)
    return OK if result.sound else Fault.exit_code


async def _measure(urls: Sequence[str] | None, pattern: Pattern, rooms: int, seconds: float) -> Report:
    """Play and measure. Raises CannotConnect, Refused, Interrupted."""
    traffic = [TrafficRoom(pattern, TrafficCounters(), seed) for seed in range(rooms)]
    async with AsyncExitStack() as stack:
        if urls:
            places: list[tuple[str, int | None]] = [(normalise_url(url), None) for url in urls]
        else:
            seats = rooms * pattern.seats + 1
            own = await stack.enter_async_context(serving("--no-house-bots", "--per-address", str(seats)))
            places = [(own.url, own.pid)]
        loaded = [LoadedServer(*place, traffic[number :: len(places)]) for number, place in enumerate(places)]
        stack.push_async_callback(_close, traffic)
        await _open(loaded)
        playing = [asyncio.create_task(room.play()) for room in traffic]
        try:
            await _wait(WARM, "warming up")
            began = await reading(loaded)
            for each in loaded:
                for room in each.rooms:
                    room.tally = each.tally
            await _wait(seconds, counted(rooms, "room"))
            return report(pattern, loaded, began, await reading(loaded))
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def _open(loaded: Iterable[LoadedServer]) -> None:
    gate = asyncio.Semaphore(_OPENING_AT_ONCE)

    async def open_room(room: TrafficRoom, url: str) -> None:
        async with gate:
            await room.open(url)

    await asyncio.gather(*(open_room(room, server.url) for server in loaded for room in server.rooms))


async def _close(rooms: Iterable[TrafficRoom]) -> None:
    await asyncio.gather(*(room.close() for room in rooms))


async def _wait(seconds: float, doing: str) -> None:
    """Wait, showing a bar on a terminal and one line elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        sys.stderr.write(f"{doing}: {seconds:g} s\n")
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(doing, total=seconds)
        for tenth in range(10):
            await asyncio.sleep(seconds / 10)
            bar.update(task, completed=seconds * (tenth + 1) / 10)
