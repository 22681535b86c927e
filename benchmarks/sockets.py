"""The whole server over real sockets beside the bound, turn about in one run: CPU of each server for a move.

All are driven by the same lean clients: four at a table, who answer each turn at once. Ours plays real UNO in real
sessions, and every move is on disk before it is shown; the same server without syncing tells what that costs.
"""

import asyncio
import random
import time
from collections.abc import Mapping
from statistics import median

import attrs
import msgpack
from websockets.asyncio.client import ClientConnection

from benchmarks.clients import SEATS, connected, say, sit
from benchmarks.processes import UNSYNCED, Process, child, parlour
from benchmarks.table import Result, Target, show

ROOMS = 50
TURNS = 5
"""How often each server has its turn."""
OURS, LOOSE, BOUND = "ours", "loose", "bound"


@attrs.define
class Clients:
    """All clients of one server. ``moves`` counts answered turns; ``sizes`` are those of frames by type."""

    moves: int = 0
    playing: bool = True
    sizes: dict[str, list[int]] = attrs.field(factory=dict)
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))

    async def play(self, socket: ClientConnection, room: str) -> None:
        """Answer each turn at once, by chance."""
        async for frame in socket:
            message = msgpack.unpackb(frame)
            kind = message["t"]
            if kind in ("turn", "update"):
                self.sizes.setdefault(kind, []).append(len(frame))
            if kind == "turn" and self.playing:
                self.moves += 1
                choices = len(message["legal"]) if "legal" in message else SEATS
                await say(socket, t="act", room=room, rid=message["rid"], act=self.rng.randrange(choices))


@attrs.frozen
class Run:
    """What a server did in one turn: µs of CPU for a move, moves a second."""

    cpu: float
    rate: float


async def _run(server: Process, ours: bool, seconds: float, clients: Clients) -> Run:
    """Play as many moves as there come in ``seconds``."""
    clients.playing = True
    if ours:
        seated = [pair for _ in range(ROOMS) for pair in await sit(server.url)]
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
    """Return the CPU of a move on our server and on the bound, and their ratio: medians of TURNS each."""
    with parlour() as ours, parlour(UNSYNCED) as loose:
        sizes = Clients()
        asyncio.run(_run(ours, True, 1.0, sizes))
        update, turn = (round(sum(found) / len(found)) for found in (sizes.sizes["update"], sizes.sizes["turn"]))
        with child("benchmarks.bound", str(update), str(turn)) as bound:
            runs = asyncio.run(_turns({OURS: ours, LOOSE: loose, BOUND: bound}, seconds))
    cpu = {name: median(run.cpu for run in found) for name, found in runs.items()}
    rate = {name: median(run.rate for run in found) for name, found in runs.items()}
    return [
        (f"server, {ROOMS} rooms of four, every move on disk: CPU of a move", cpu[OURS], "µs"),
        ("the same without syncing: CPU of a move", cpu[LOOSE], "µs"),
        (f"the bound with the same frames ({update} and {turn} bytes): CPU of a move", cpu[BOUND], "µs"),
        ("server: moves a second", rate[OURS], "1/s"),
        ("the same without syncing: moves a second", rate[LOOSE], "1/s"),
        Target("the bound / our server, CPU of a move", cpu[BOUND] / cpu[OURS], "", 0.60, 0.80, more=True),
        Target("durability on / off, moves a second", rate[OURS] / rate[LOOSE], "", 0.85, 0.95, more=True),
        Target("durability on / off, moves a CPU second", cpu[LOOSE] / cpu[OURS], "", 0.85, 0.95, more=True),
    ]


async def _turns(servers: Mapping[str, Process], seconds: float) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {name: [] for name in servers}
    clients = {name: Clients() for name in servers}
    for _ in range(TURNS):
        for name, server in servers.items():
            runs[name].append(await _run(server, name != BOUND, seconds, clients[name]))
    return runs


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
