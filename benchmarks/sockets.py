"""Server CPU per move over real sockets: our server and a minimal one, alternating in one run.

The same lightweight clients drive both, four to a room, and answer each turn without delay. Our server plays real UNO
and syncs every move before it sends it. The same server without syncing shows the cost of that.
"""

import asyncio
import random
import time
from collections.abc import Mapping
from statistics import median

import attrs
import msgpack
from websockets.asyncio.client import ClientConnection

from benchmarks.clients import SEATS, connected, fill_room, send
from benchmarks.processes import UNSYNCED, Process, child, parlour
from benchmarks.results import Result, Target, show

ROOMS = 50
RUNS = 5
"""Runs of each server."""
OURS, UNSYNCED_OURS, MINIMAL = "ours", "unsynced", "minimal"


@attrs.define
class Clients:
    """All clients of one server. ``moves`` counts answered turns; ``sizes`` are frame sizes by message type."""

    moves: int = 0
    playing: bool = True
    sizes: dict[str, list[int]] = attrs.field(factory=dict)
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))

    async def play(self, socket: ClientConnection, room: str) -> None:
        """Answer each turn with a random action."""
        async for frame in socket:
            message = msgpack.unpackb(frame)
            kind = message["t"]
            if kind in ("turn", "update"):
                self.sizes.setdefault(kind, []).append(len(frame))
            if kind == "turn" and self.playing:
                self.moves += 1
                choices = len(message["legal"]) if "legal" in message else SEATS
                await send(socket, t="act", room=room, rid=message["rid"], act=self.rng.randrange(choices))


@attrs.frozen
class Run:
    """The result of one run: CPU per move in µs, and moves per second."""

    cpu: float
    rate: float


async def _run(server: Process, ours: bool, seconds: float, clients: Clients) -> Run:
    """Play on a server for ``seconds``, after a warm-up."""
    clients.playing = True
    if ours:
        seated = [pair for _ in range(ROOMS) for pair in await fill_room(server.url)]
    else:
        seated = [(await connected(server.url), "") for _ in range(ROOMS * SEATS)]
    tasks = [asyncio.create_task(clients.play(*pair)) for pair in seated]
    await asyncio.sleep(seconds / 4)
    moves, cpu = clients.moves, server.cpu()
    await asyncio.sleep(seconds)
    moves, cpu = max(1, clients.moves - moves), server.cpu() - cpu
    clients.playing = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket, _ in seated))
    return Run(cpu / moves * 1e6, moves / seconds)


def measure(seconds: float = 3.0) -> list[Result]:
    """Return CPU per move and moves per second of each server, medians of RUNS each, and their ratios."""
    with parlour() as ours, parlour(UNSYNCED) as unsynced:
        sizes = Clients()
        asyncio.run(_run(ours, True, 1.0, sizes))
        update, turn = (round(sum(found) / len(found)) for found in (sizes.sizes["update"], sizes.sizes["turn"]))
        with child("benchmarks.minimal_server", str(update), str(turn)) as minimal:
            runs = asyncio.run(_alternate({OURS: ours, UNSYNCED_OURS: unsynced, MINIMAL: minimal}, seconds))
    cpu = {name: median(run.cpu for run in found) for name, found in runs.items()}
    rate = {name: median(run.rate for run in found) for name, found in runs.items()}
    return [
        (f"server, {ROOMS} rooms of four, every move synced: CPU per move", cpu[OURS], "µs"),
        ("the same, not synced: CPU per move", cpu[UNSYNCED_OURS], "µs"),
        (f"minimal server, same frames ({update} and {turn} bytes): CPU per move", cpu[MINIMAL], "µs"),
        ("server: moves per second", rate[OURS], "1/s"),
        ("the same, not synced: moves per second", rate[UNSYNCED_OURS], "1/s"),
        Target("minimal server / our server, CPU per move", cpu[MINIMAL] / cpu[OURS], "", 0.60, 0.80, more=True),
        Target("moves per second, synced / not synced", rate[OURS] / rate[UNSYNCED_OURS], "", 0.85, 0.95, more=True),
        Target("moves per CPU second, synced / not synced", cpu[UNSYNCED_OURS] / cpu[OURS], "", 0.85, 0.95, more=True),
    ]


async def _alternate(servers: Mapping[str, Process], seconds: float) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {name: [] for name in servers}
    clients = {name: Clients() for name in servers}
    for _ in range(RUNS):
        for name, server in servers.items():
            runs[name].append(await _run(server, name != MINIMAL, seconds, clients[name]))
    return runs


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
