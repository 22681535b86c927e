"""The whole server over real sockets beside the bound, turn about in one run: CPU of each server for a move.

Both are driven by the same lean clients: four at a table, who answer each turn at once. Ours plays real UNO in real
sessions, and every move is on disk before it is shown.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.table import Row, show

ROOMS = 50
SEATS = 4
TURNS = 5
"""How often each server has its turn."""
_TICKS = os.sysconf("SC_CLK_TCK")
_SERVE = ("--ready-json", "--port", "0", "--no-house-bots", "--per-address", "1000", "--log-level", "warning")
_OPTIONS = {"pause": 0, "breath": 0, "target": 10_000}


@attrs.frozen
class Process:
    """A server in a process of its own."""

    url: str
    pid: int

    def cpu(self) -> float:
        """Return the seconds of CPU it has used, all its threads together."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def child(*command: str) -> Iterator[Process]:
    """Run a server that tells its url in one line and ends when its stdin closes."""
    process = subprocess.Popen([sys.executable, "-m", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ready = json.loads(process.stdout.readline())
        yield Process(ready["url"], ready["pid"])
    finally:
        process.stdin.close()
        process.wait(20)


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
                await _say(socket, t="act", room=room, rid=message["rid"], act=self.rng.randrange(choices))


async def _say(socket: ClientConnection, **message: Any) -> None:
    await socket.send(msgpack.packb(message))


async def _hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgpack.unpackb(await socket.recv())
        if message["t"] == kind:
            return message


async def _connected(url: str) -> ClientConnection:
    return await connect(url, compression=None, subprotocols=[Subprotocol("parlour.v1.msgpack")], max_size=1 << 20)


async def _table(url: str) -> list[tuple[ClientConnection, str]]:
    """Return four clients of ours at a table of their own, with the room's code."""
    seated: list[tuple[ClientConnection, str]] = []
    for _ in range(SEATS):
        socket = await _connected(url)
        await _say(socket, t="hello", name=f"b{os.urandom(4).hex()}", kind="bot")
        await _hear(socket, "welcome")
        if not seated:
            await _say(socket, t="create", game="uno", options=_OPTIONS, seats=SEATS, start="full", clock=None)
            code = (await _hear(socket, "joined"))["room"]
        else:
            await _say(socket, t="join", room=code)
        seated.append((socket, code))
    return seated


async def _run(server: Process, ours: bool, seconds: float, clients: Clients) -> float:
    """Return the server's CPU for a move, in µs, over ``seconds`` of as many moves as there come."""
    clients.playing = True
    if ours:
        seated = [pair for _ in range(ROOMS) for pair in await _table(server.url)]
    else:
        seated = [(await _connected(server.url), "") for _ in range(ROOMS * SEATS)]
    tasks = [asyncio.create_task(clients.play(*pair)) for pair in seated]
    await asyncio.sleep(seconds / 4)
    moves, cpu = clients.moves, server.cpu()
    await asyncio.sleep(seconds)
    cost = (server.cpu() - cpu) / max(1, clients.moves - moves) * 1e6
    clients.playing = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket, _ in seated))
    return cost


def measure(seconds: float = 3.0) -> list[Row]:
    """Return the CPU of a move on our server and on the bound, and their ratio: medians of TURNS each."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/bench.db"
        serve = (
            "parlour_client.cli",
            "serve",
            "--ready-json",
            "--port",
            "0",
            "--no-house-bots",
            "--store",
            store,
            "--per-address",
            "1000",
        )
        with child(*serve, "--log-level", "warning") as ours:
            sizes = Clients()
            asyncio.run(_run(ours, True, 1.0, sizes))
            update, turn = (_typical(sizes.sizes[kind]) for kind in ("update", "turn"))
            with child("benchmarks.bound", str(update), str(turn)) as bound:
                costs = asyncio.run(_turns(ours, bound, seconds))
    mine, least = costs
    return [
        (f"server, {ROOMS} rooms of four, every move on disk: CPU of a move", mine, "µs"),
        (f"the bound with the same frames ({update} and {turn} bytes): CPU of a move", least, "µs"),
        ("the bound / our server", least / mine, ""),
    ]


async def _turns(ours: Process, bound: Process, seconds: float) -> tuple[float, float]:
    mine, least = [], []
    lean, full = Clients(), Clients()
    for _ in range(TURNS):
        mine.append(await _run(ours, True, seconds, full))
        least.append(await _run(bound, False, seconds, lean))
    return sorted(mine)[TURNS // 2], sorted(least)[TURNS // 2]


def _typical(sizes: list[int]) -> int:
    return round(sum(sizes) / len(sizes))


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
