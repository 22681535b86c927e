"""Busy rooms on a real node and SQLite file, in process, without sockets. Every move is synced before it is sent.

Asserts that group commit works: with 50 busy rooms a commit holds at least ten rows.
"""

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path

from benchmarks.results import Row, show
from parlour_games.registry import games
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON, Frame
from parlour_protocol.messages import Act, Create, Hello, Join
from parlour_protocol.wire import plain
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.store.sqlite.store import SqliteStore

ROOMS = 50
AT_LEAST = 10
"""The minimum of rows per commit with 50 busy rooms."""


class Counted(Metrics):
    """Metrics that also count commits and rows."""

    def __init__(self) -> None:
        super().__init__()
        self.commits = 0
        self.rows = 0

    def committed(self, rows: int, seconds: float) -> None:
        """Count a commit."""
        self.commits += 1
        self.rows += rows


class Player:
    """A random player in the same event loop, without a socket."""

    address = "127.0.0.1"
    owner: str | None = None
    codec = CODECS[JSON]
    is_open = True

    def __init__(self, node: Node, seed: int) -> None:
        self.node = node
        self.rng = random.Random(seed)
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.conn = node.connect(self)

    def close(self, code: int, reason: str) -> None:
        """Do nothing: there is no socket to close."""

    def send(self, payload: Frame) -> None:
        """Answer each turn."""
        message = self.codec.decode(payload, FROM_SERVER)
        if message["t"] == "joined" and not self.room.done():
            self.room.set_result(message["room"])
        elif message["t"] == "turn":
            act = Act(message["room"], message["rid"], self.rng.randrange(len(message["legal"])))
            task = asyncio.get_running_loop().create_task(self.submit(act))
            task.add_done_callback(lambda done: done.result())

    async def submit(self, message: Hello | Create | Join | Act) -> None:
        """Send a message."""
        pause = self.node.receive(self.conn, plain(message))
        if pause is not None:
            await pause


async def _run(folder: Path, seconds: float, synced: bool) -> tuple[float, float]:
    """Return rows per second and rows per commit."""
    metrics = Counted()
    store = SqliteStore(folder / "bench.db", synced=synced)
    node = Node(Lobby(games(), os.urandom), store, metrics)
    await node.start()
    for room in range(ROOMS):
        host, opponent = Player(node, room), Player(node, room + ROOMS)
        await host.submit(Hello(f"host{room}", "bot"))
        await opponent.submit(Hello(f"opponent{room}", "bot"))
        await host.submit(Create("uno", {"pause": 0, "breath": 0, "target": 10_000}, seats=2, start="full", clock=None))
        await opponent.submit(Join(await host.room))
    metrics.commits = metrics.rows = 0
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    rate = metrics.rows / (time.perf_counter() - began)
    rows_per_commit = metrics.rows / max(1, metrics.commits)
    await node.stop(0)
    return rate, rows_per_commit


def measure(seconds: float = 3.0) -> list[Row]:
    """Return records per second with and without syncing, measured in one run."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "on").mkdir()
        (Path(name) / "off").mkdir()
        on, rows = asyncio.run(_run(Path(name) / "on", seconds, synced=True))
        off, _ = asyncio.run(_run(Path(name) / "off", seconds, synced=False))
    assert rows >= AT_LEAST, f"a commit holds only {rows:.1f} rows"
    return [
        (f"node, {ROOMS} busy rooms, every move synced: records per second", on, "1/s"),
        (f"node, {ROOMS} busy rooms, not synced: records per second", off, "1/s"),
        (f"node, {ROOMS} busy rooms: records per second, synced / not synced", on / off, ""),
        (f"node, {ROOMS} busy rooms: rows per commit", rows, "rows"),
    ]


if __name__ == "__main__":
    show(measure())
