"""Several nodes on a real PostgreSQL server: CPU per move on one node and on two, fenced appends, and failover.

Skipped if PostgreSQL is not installed.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import asyncpg
import attrs
import msgpack
from tests.support.groups import missing
from tests.support.postgres import Postgres
from tests.support.waiting import until
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from benchmarks.clients import join, send
from benchmarks.processes import SYNCED, Process, child
from benchmarks.results import Result, Target, show
from parlour_server.persistence import Append, Member, SaveRoom, Write
from parlour_server.store.postgres.store import PostgresStore

ROOMS = 25
"""Busy rooms on each node, with four players each."""
THINK = 20
"""Milliseconds that a player thinks. It leaves the CPU idle between moves, so that the nodes do not compete for it."""
RUNS = 3
FAILOVER_ROOMS = 200
"""Rooms of the node that fails, with two players each."""
SLOW_THINK = 1.0
"""Seconds that their players think, on average."""
APPENDS, LINES = 300, 50
"""Commits, and lines per commit, one for each room."""
_NOT_RESUMED = """
SELECT count(*) FROM parlour.room WHERE open AND (owner = $1 OR epoch IS DISTINCT FROM (
    SELECT event.epoch FROM parlour.event WHERE event.room = code ORDER BY seq DESC LIMIT 1
))
"""


def measure(seconds: float = 4.0) -> list[Result]:
    """Return CPU per move on one node and on two, lines stored per second, and the time of a failover."""
    if (why := missing("postgres")) is not None:
        print(f"several nodes: skipped, {why}", flush=True)
        return []
    with Postgres() as postgres:
        one, two = _moves(postgres, seconds)
        appends = asyncio.run(_appends(postgres.database()))
        killed, frozen = (_fail(postgres, number) for number in (signal.SIGKILL, signal.SIGSTOP))
    return [
        (f"one node on PostgreSQL, {ROOMS} rooms of four, {THINK} ms think time: CPU per move", 1e6 / one, "µs"),
        (f"two nodes on PostgreSQL, {ROOMS} rooms each: CPU per move", 1e6 / two, "µs"),
        Target("moves per CPU second, two nodes / one node", two / one, "", 0.9, 1.0, more=True),
        (f"fenced appends of {LINES} rooms to PostgreSQL", appends, "lines/s"),
        Target(f"node killed: {FAILOVER_ROOMS} rooms resume on another node (lease 2 s)", killed.rooms, "s", 3, 2.5),
        Target("node killed: its relayed clients have rejoined", killed.clients, "s", 3, 2.5),
        Target(f"node frozen: {FAILOVER_ROOMS} rooms resume on another node (lease 2 s)", frozen.rooms, "s", 3, 2.5),
        Target("node frozen: its relayed clients have rejoined", frozen.clients, "s", 3, 2.5),
        ("node unfrozen: it has disconnected all its clients", frozen.released, "s"),
    ]


@contextmanager
def _nodes(database: str, *names: str) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="bench-")))
        own = {"XDG_DATA_HOME": str(folder)}  # where a node keeps its admin token
        stack.enter_context(patch.dict(os.environ, own))
        flags = ("--ready-json", "--store", database, "--port", "0", "--no-house-bots", "--per-address", "10000")
        quiet = ("--log-level", "error")
        serve = [(SYNCED, "serve", *flags, *quiet, "--node", name) for name in names]
        yield [stack.enter_context(child(*command)) for command in serve]


def _moves(postgres: Postgres, seconds: float) -> tuple[float, float]:
    """Return the moves per CPU second of one node, and of two nodes together."""
    with _nodes(postgres.database(), "a") as one, _nodes(postgres.database(), "b", "c") as two:
        runs: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(RUNS):
            for nodes in (one, two):
                runs[len(nodes)].append(_load(nodes, seconds))
    return median(runs[1]), median(runs[2])


def _load(nodes: Sequence[Process], seconds: float) -> float:
    """Return the moves per CPU second of these nodes, as ``parlour server load`` reports them."""
    servers = [word for node in nodes for word in ("--server", node.url)]
    how = ("--rooms", str(ROOMS * len(nodes)), "--think", str(THINK), "--seconds", str(seconds), "--json")
    command = (sys.executable, "-m", "parlour_client.cli.main", "load", *servers, *how)
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    moves: float = json.loads(done.stdout)["server"]["moves_per_cpu_second"]
    return moves


async def _appends(database: str) -> float:
    """Return the lines per second that one node stores, in commits with one line from each of LINES rooms."""
    store = PostgresStore(database, Member("bench", "", "ws://bench.inside", 60_000))
    await store.index()
    try:
        rooms = [f"R{number:03}" for number in range(LINES)]
        opened: list[Write] = [SaveRoom(room, 1, True) for room in rooms]
        await store.commit([*opened, *(_line(room, 0) for room in rooms)])
        began = time.perf_counter()
        for n in range(1, APPENDS):
            await store.commit([_line(room, n) for room in rooms])
        return (APPENDS - 1) * LINES / (time.perf_counter() - began)
    finally:
        await store.close()


def _line(room: str, n: int) -> Append:
    return Append(room, 1, n, f'{{"n":{n},"r":"act","seat":1,"rid":{n},"act":{{"do":"play","card":17}}}}')


@attrs.frozen
class Failover:
    """The time that each step of a failover took, in seconds."""

    rooms: float
    """From the failure until another node has stored a line of each room."""
    clients: float
    """From the failure until all clients relayed by the other node have rejoined."""
    released: float
    """From unfreezing the failed node until it has disconnected its own clients; 0 if it was killed."""


@attrs.define
class FailoverRoom:
    """A room on the node that fails. Its host is connected there; the other player through the node that survives."""

    room: str = ""
    sockets: list[ClientConnection] = attrs.field(factory=list)
    tasks: list[asyncio.Task[None]] = attrs.field(factory=list)
    joined: int = 0
    """The number of times the other player has joined."""
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))

    async def join(self, failing: str, surviving: str) -> None:
        """Connect both players and let them play."""
        host, self.room = await join(failing, None, seats=2)
        other, _ = await join(surviving, self.room)
        self.sockets = [host, other]
        self.tasks = [asyncio.create_task(self._play(socket)) for socket in self.sockets]
        await until(lambda: self.joined > 0)

    async def _play(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                message = msgpack.unpackb(frame)
                self.joined += message["t"] == "joined"
                if message["t"] == "turn":
                    await asyncio.sleep(SLOW_THINK * 2 * self.rng.random())
                    await send(socket, t="act", room=self.room, rid=message["rid"], act=0)

    async def leave(self) -> None:
        """Disconnect both players."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, *(socket.close() for socket in self.sockets), return_exceptions=True)


def _fail(postgres: Postgres, number: int) -> Failover:
    """Send the signal ``number`` to one of two nodes and measure the failover."""
    database = postgres.database()
    with _nodes(database, "surviving", "failing") as (surviving, failing):
        return asyncio.run(_timed(database, surviving, failing, number))


async def _timed(database: str, surviving: Process, failing: Process, number: int) -> Failover:
    rooms = [FailoverRoom() for _ in range(FAILOVER_ROOMS)]
    db = await asyncpg.connect(database)
    try:
        await _join(rooms, failing.url, surviving.url)
        await asyncio.sleep(2 * SLOW_THINK)
        owner = await db.fetchval("SELECT id FROM parlour.node WHERE name = 'failing'")
        began = time.perf_counter()
        os.kill(failing.pid, number)
        resumed, rejoined = await asyncio.gather(
            _after(began, partial(_resumed, db, owner)), _after(began, lambda: all(room.joined > 1 for room in rooms))
        )
        if number == signal.SIGKILL:
            return Failover(resumed, rejoined, 0.0)
        began = time.perf_counter()
        os.kill(failing.pid, signal.SIGCONT)
        return Failover(resumed, rejoined, await _after(began, lambda: all(room.tasks[0].done() for room in rooms)))
    finally:
        await db.close()
        await asyncio.gather(*(room.leave() for room in rooms))


async def _join(rooms: Sequence[FailoverRoom], failing: str, surviving: str) -> None:
    for number in range(0, len(rooms), 10):
        await asyncio.gather(*(room.join(failing, surviving) for room in rooms[number : number + 10]))


async def _after(began: float, condition: Callable[[], bool | Awaitable[bool]]) -> float:
    """Return the seconds from ``began`` until the condition holds."""
    await until(condition, within=60)
    return time.perf_counter() - began


async def _resumed(db: asyncpg.Connection, owner: int) -> bool:
    return not await db.fetchval(_NOT_RESUMED, owner)


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
