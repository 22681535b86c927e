"""A crowd: what 5,000 connections cost that sit at tables of four and do nothing, and what it costs to let them in.

The bare handshake is measured in the same run, turn about: as many sockets to a server that does nothing else.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from statistics import median
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection

from benchmarks.clients import SEATS, arrive, connected, hear
from benchmarks.processes import Process, child, parlour
from benchmarks.table import Result, Target, show

PEOPLE = 5_000
BATCHES = 5
"""In so many parts they arrive, turn about with as many at the bare server."""
AT_ONCE = 64
"""Tables that fill up at a time."""
Enter = Callable[[str], Awaitable[list[ClientConnection]]]


async def _sit(url: str) -> list[ClientConnection]:
    """Connect, say hello and sit down, four at a table."""
    first, room = await arrive(url, None, "host")
    sockets = [first]
    for _ in range(SEATS - 1):
        socket, _ = await arrive(url, room)
        await hear(socket, "joined")
        sockets.append(socket)
    return sockets


async def _shake(url: str) -> list[ClientConnection]:
    """Connect, and no more."""
    return [await connected(url) for _ in range(SEATS)]


async def _let_in(server: Process, enter: Enter, people: int) -> tuple[list[ClientConnection], float]:
    """Return the sockets of so many people, and what each has cost the server: µs of CPU."""
    gate, cpu = asyncio.Semaphore(AT_ONCE), server.cpu()

    async def table() -> list[ClientConnection]:
        async with gate:
            return await enter(server.url)

    tables = await asyncio.gather(*(table() for _ in range(people // SEATS)))
    sockets = [socket for found in tables for socket in found]
    return sockets, (server.cpu() - cpu) / len(sockets) * 1e6


async def _crowd(ours: Process, bare: Process) -> list[Result]:
    warm, _ = await _let_in(ours, _sit, 100)
    empty, bare_empty = ours.usage().memory, bare.usage().memory
    full, shaken, costs, least = [], [], [], []
    for _ in range(BATCHES):
        sockets, cost = await _let_in(ours, _sit, PEOPLE // BATCHES)
        full += sockets
        costs.append(cost)
        sockets, cost = await _let_in(bare, _shake, PEOPLE // BATCHES)
        shaken += sockets
        least.append(cost)
    held = (ours.usage().memory - empty) / len(full)
    bare_held = (bare.usage().memory - bare_empty) / len(shaken)
    quiet = ours.cpu()
    await asyncio.sleep(2)
    idle = (ours.cpu() - quiet) / 2
    pause = await asyncio.to_thread(_longest_pause, ours)
    for socket in (*warm, *full, *shaken):
        socket.transport.abort()
    mine, bound = median(costs), median(least)
    return [
        ("connect + hello + join: CPU of the server", mine, "µs"),
        ("the bare handshake: CPU of a server that does nothing else", bound, "µs"),
        (f"{len(full):,} idle joined connections: CPU of the server", idle * 100, "% of a core"),
        ("memory of each connection at the bare server", bare_held, "KiB"),
        Target(f"memory of each of {len(full):,} idle joined connections", held, "KiB", 24, 20),
        Target("connect + hello + join / the bare handshake, CPU", mine / bound, "", 2.0, 1.5),
        Target(f"longest garbage collection at {len(full):,} connections", pause * 1e3, "ms", 20, 5),
    ]


def _longest_pause(server: Process) -> float:
    """Return what the server's own metrics say: seconds."""
    with urlopen(server.url.replace("ws", "http", 1) + "/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("python_gc_pause_max_seconds "))


def measure() -> list[Result]:
    """Return memory, CPU and pauses."""
    with parlour() as ours, child("benchmarks.bare") as bare:
        return asyncio.run(_crowd(ours, bare))


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
