"""The cost of 5,000 idle connections in rooms of four, and of accepting them.

The baseline, as many connections to a server that only completes handshakes, alternates with it in the same run.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from statistics import median
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection

from benchmarks.clients import SEATS, connected, join, receive
from benchmarks.processes import Process, child, parlour
from benchmarks.results import Result, Target, show

CLIENTS = 5_000
BATCHES = 5
"""The clients connect in this many batches, to our server and the baseline alternately."""
CONCURRENT = 64
"""Rooms that fill up at a time."""
Enter = Callable[[str], Awaitable[list[ClientConnection]]]


async def _join_room(url: str) -> list[ClientConnection]:
    """Connect four clients, say hello and join a new room."""
    first, room = await join(url, None, "host")
    sockets = [first]
    for _ in range(SEATS - 1):
        socket, _ = await join(url, room)
        await receive(socket, "joined")
        sockets.append(socket)
    return sockets


async def _handshake(url: str) -> list[ClientConnection]:
    """Open as many connections without sending anything."""
    return [await connected(url) for _ in range(SEATS)]


async def _accept(server: Process, enter: Enter, clients: int) -> tuple[list[ClientConnection], float]:
    """Connect ``clients``; return their sockets and the server's CPU per client in µs."""
    gate, cpu = asyncio.Semaphore(CONCURRENT), server.cpu()

    async def room() -> list[ClientConnection]:
        async with gate:
            return await enter(server.url)

    rooms = await asyncio.gather(*(room() for _ in range(clients // SEATS)))
    sockets = [socket for found in rooms for socket in found]
    return sockets, (server.cpu() - cpu) / len(sockets) * 1e6


async def _measure(ours: Process, baseline: Process) -> list[Result]:
    warm, _ = await _accept(ours, _join_room, 100)
    empty, baseline_empty = ours.usage().memory, baseline.usage().memory
    joined, idle, costs, baseline_costs = [], [], [], []
    for _ in range(BATCHES):
        sockets, cost = await _accept(ours, _join_room, CLIENTS // BATCHES)
        joined += sockets
        costs.append(cost)
        sockets, cost = await _accept(baseline, _handshake, CLIENTS // BATCHES)
        idle += sockets
        baseline_costs.append(cost)
    memory = (ours.usage().memory - empty) / len(joined)
    baseline_memory = (baseline.usage().memory - baseline_empty) / len(idle)
    before = ours.cpu()
    await asyncio.sleep(2)
    idle_cpu = (ours.cpu() - before) / 2
    pause = await asyncio.to_thread(_longest_pause, ours)
    for socket in (*warm, *joined, *idle):
        socket.transport.abort()
    cpu, baseline_cpu = median(costs), median(baseline_costs)
    return [
        ("server CPU to connect, say hello and join", cpu, "µs"),
        ("server CPU of a bare handshake", baseline_cpu, "µs"),
        (f"server CPU with {len(joined):,} idle clients in rooms", idle_cpu * 100, "% of a core"),
        ("memory per connection of a server that only completes handshakes", baseline_memory, "KiB"),
        Target(f"memory per client, with {len(joined):,} idle clients in rooms", memory, "KiB", 24, 20),
        Target("connect + hello + join / bare handshake, CPU", cpu / baseline_cpu, "", 2.0, 1.5),
        Target(f"longest garbage collection with {len(joined):,} clients", pause * 1e3, "ms", 20, 5),
    ]


def _longest_pause(server: Process) -> float:
    """Return the longest garbage collection in seconds, from the server's metrics."""
    with urlopen(server.url.replace("ws", "http", 1) + "/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("python_gc_pause_max_seconds "))


def measure() -> list[Result]:
    """Return memory, CPU and pauses."""
    with parlour() as ours, child("benchmarks.handshake_server") as baseline:
        return asyncio.run(_measure(ours, baseline))


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
