"""Several nodes on a real PostgreSQL: what a move costs each of two and one alone, fenced appends, and take-overs.

Without the programs of a PostgreSQL server it leaves itself out.
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

from benchmarks.clients import arrive, say
from benchmarks.processes import SYNCED, Process, child
from benchmarks.table import Result, Target, show
from parlour_server.persistence import Append, Member, SaveRoom, Write
from parlour_server.store.postgres.store import PostgresStore

ROOMS = 25
"""Busy rooms of each node, four at a table."""
THINK = 20
"""Milliseconds that a player takes for a turn: with nodes, database and clients on few cores each node must

have enough of them, or what is compared is how they share them.
"""
TURNS = 3
TAKEN = 200
"""Rooms of the node that is lost, two at a table."""
SLOW = 1.0
"""Seconds that those take for a turn, on average."""
APPENDS, LINES = 300, 50
"""Commits, and lines in each: one of each room."""
_NOT_TAKEN = """
SELECT count(*) FROM parlour.room WHERE open AND (owner = $1 OR epoch IS DISTINCT FROM (
    SELECT event.epoch FROM parlour.event WHERE event.room = code ORDER BY seq DESC LIMIT 1
))
"""


def measure(seconds: float = 4.0) -> list[Result]:
    """Return CPU of a move at one node and at two, lines stored in a second, and how long take-overs take."""
    if (why := missing("postgres")) is not None:
        print(f"several nodes: left out, {why}", flush=True)
        return []
    with Postgres() as postgres:
        one, two = _moves(postgres, seconds)
        appends = asyncio.run(_appends(postgres.database()))
        killed, frozen = (_lose(postgres, number) for number in (signal.SIGKILL, signal.SIGSTOP))
    return [
        (f"one node on PostgreSQL, {ROOMS} rooms of four who think: CPU of a move", 1e6 / one, "µs"),
        (f"two such nodes, {ROOMS} rooms each: CPU of a move", 1e6 / two, "µs"),
        Target("moves a CPU second of a node: one of two / one alone", two / one, "", 0.9, 1.0, more=True),
        (f"fenced appends of {LINES} rooms to PostgreSQL", appends, "lines/s"),
        Target(f"a node is killed: {TAKEN} rooms go on at another after (lease 2 s)", killed.rooms, "s", 3, 2.5),
        Target("a node is killed: who came through another is back after", killed.people, "s", 3, 2.5),
        Target(f"a node is frozen: {TAKEN} rooms go on at another after (lease 2 s)", frozen.rooms, "s", 3, 2.5),
        Target("a node is frozen: who came through another is back after", frozen.people, "s", 3, 2.5),
        ("it thaws, and has let go of all its people after", frozen.released, "s"),
    ]


@contextmanager
def _nodes(database: str, *names: str) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="bench-")))
        own = {"XDG_DATA_HOME": str(folder)}  # where a node keeps its operator's token
        stack.enter_context(patch.dict(os.environ, own))
        flags = ("--ready-json", "--store", database, "--port", "0", "--no-house-bots", "--per-address", "10000")
        quiet = ("--log-level", "error")
        serve = [(SYNCED, "serve", *flags, *quiet, "--node", name) for name in names]
        yield [stack.enter_context(child(*command)) for command in serve]


def _moves(postgres: Postgres, seconds: float) -> tuple[float, float]:
    """Return the moves that a node makes in a second of CPU alone, and those of two nodes together."""
    with _nodes(postgres.database(), "a") as one, _nodes(postgres.database(), "b", "c") as two:
        runs: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(TURNS):
            for nodes in (one, two):
                runs[len(nodes)].append(_load(nodes, seconds))
    return median(runs[1]), median(runs[2])


def _load(nodes: Sequence[Process], seconds: float) -> float:
    """Return the moves in a second of CPU of these nodes, as ``parlour load`` tells them."""
    servers = [word for node in nodes for word in ("--server", node.url)]
    how = ("--rooms", str(ROOMS * len(nodes)), "--think", str(THINK), "--seconds", str(seconds), "--json")
    command = (sys.executable, "-m", "parlour_client.cli.main", "load", *servers, *how)
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    moves: float = json.loads(done.stdout)["server"]["moves_per_cpu_second"]
    return moves


async def _appends(database: str) -> float:
    """Return how many lines a second one node stores, a line of each of LINES rooms in each commit."""
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
class Lost:
    """Seconds from the loss of a node until its rooms had gone on elsewhere and those who had come through another

    node were back; and from its return until it had let go of its own people.
    """

    rooms: float
    people: float
    released: float


@attrs.define
class Table:
    """A room at the node that is lost. Its host is there; the other player comes through the node that stays."""

    room: str = ""
    sockets: list[ClientConnection] = attrs.field(factory=list)
    tasks: list[asyncio.Task[None]] = attrs.field(factory=list)
    joined: int = 0
    """How often the other player has been told that it is in."""
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))

    async def sit(self, goes: str, stays: str) -> None:
        """Sit down and play."""
        host, self.room = await arrive(goes, None, seats=2)
        other, _ = await arrive(stays, self.room)
        self.sockets = [host, other]
        self.tasks = [asyncio.create_task(self._play(socket)) for socket in self.sockets]
        await until(lambda: self.joined > 0)

    async def _play(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                message = msgpack.unpackb(frame)
                self.joined += message["t"] == "joined"
                if message["t"] == "turn":
                    await asyncio.sleep(SLOW * 2 * self.rng.random())
                    await say(socket, t="act", room=self.room, rid=message["rid"], act=0)

    async def leave(self) -> None:
        """Hang up."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, *(socket.close() for socket in self.sockets), return_exceptions=True)


def _lose(postgres: Postgres, number: int) -> Lost:
    """Return how long it takes to go on without a node that gets the signal ``number``."""
    database = postgres.database()
    with _nodes(database, "stays", "goes") as (stays, goes):
        return asyncio.run(_timed(database, stays, goes, number))


async def _timed(database: str, stays: Process, goes: Process, number: int) -> Lost:
    tables = [Table() for _ in range(TAKEN)]
    db = await asyncpg.connect(database)
    try:
        await _sit(tables, goes.url, stays.url)
        await asyncio.sleep(2 * SLOW)
        owner = await db.fetchval("SELECT id FROM parlour.node WHERE name = 'goes'")
        began = time.perf_counter()
        os.kill(goes.pid, number)
        rooms, people = await asyncio.gather(
            _after(began, partial(_taken, db, owner)), _after(began, lambda: all(table.joined > 1 for table in tables))
        )
        if number == signal.SIGKILL:
            return Lost(rooms, people, 0.0)
        began = time.perf_counter()
        os.kill(goes.pid, signal.SIGCONT)
        return Lost(rooms, people, await _after(began, lambda: all(table.tasks[0].done() for table in tables)))
    finally:
        await db.close()
        await asyncio.gather(*(table.leave() for table in tables))


async def _sit(tables: Sequence[Table], goes: str, stays: str) -> None:
    for number in range(0, len(tables), 10):
        await asyncio.gather(*(table.sit(goes, stays) for table in tables[number : number + 10]))


async def _after(began: float, condition: Callable[[], bool | Awaitable[bool]]) -> float:
    """Return how long after ``began`` the condition holds."""
    await until(condition, within=60)
    return time.perf_counter() - began


async def _taken(db: asyncpg.Connection, owner: int) -> bool:
    return not await db.fetchval(_NOT_TAKEN, owner)


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
