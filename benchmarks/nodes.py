"""Several nodes on a real PostgreSQL: what a move costs each of two and one alone, fenced appends, and a take-over.

Without the programs of a PostgreSQL server it leaves itself out.
"""

import asyncio
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import asyncpg
import msgpack
from tests.support.groups import missing
from tests.support.postgres import Postgres
from tests.support.waiting import until
from websockets.asyncio.client import ClientConnection

from benchmarks.clients import arrive, say, sit
from benchmarks.processes import SYNCED, Process, child
from benchmarks.sockets import Clients
from benchmarks.table import Result, Target, show
from parlour_server.rooms.effects import AppendLine, SaveRoom, Write
from parlour_server.store.port import Member
from parlour_server.store.postgres import PostgresStore

ROOMS = 40
"""Busy rooms of each node, four at a table."""
THINK = 0.02
"""Seconds that a player takes for a turn, on average: with nodes, database and clients on few cores each node must

have enough of them, or what is compared is how they share them.
"""
TURNS = 3
TAKEN = 200
"""Rooms of the node that dies."""
APPENDS, LINES = 300, 50
"""Commits, and lines in each: one of each room."""
_NOT_TAKEN = """
SELECT count(*) FROM parlour.room WHERE open AND (owner = $1 OR epoch IS DISTINCT FROM (
    SELECT event.epoch FROM parlour.event WHERE event.room = code ORDER BY seq DESC LIMIT 1
))
"""


class Thinkers(Clients):
    """Clients who take their time."""

    async def play(self, socket: ClientConnection, room: str) -> None:
        """Answer each turn after a while, by chance."""
        async for frame in socket:
            message = msgpack.unpackb(frame)
            if message["t"] == "turn" and self.playing:
                self.moves += 1
                await asyncio.sleep(THINK * 2 * self.rng.random())
                await say(socket, t="act", room=room, rid=message["rid"], act=self.rng.randrange(len(message["legal"])))


def measure(seconds: float = 3.0) -> list[Result]:
    """Return CPU of a move at one node and at two, lines stored in a second, and how long a take-over takes."""
    if (why := missing("postgres")) is not None:
        print(f"several nodes: left out, {why}", flush=True)
        return []
    with Postgres() as postgres:
        one, two = _moves(postgres, seconds)
        appends = asyncio.run(_appends(postgres.database()))
        away = _takeover(postgres)
    return [
        (f"one node on PostgreSQL, {ROOMS} rooms of four who think: CPU of a move", one * 1e6, "µs"),
        (f"two such nodes, {ROOMS} rooms each: CPU of a move", two * 1e6, "µs"),
        Target("moves a CPU second of a node: one of two / one alone", one / two, "", 0.9, 1.0, more=True),
        (f"fenced appends of {LINES} rooms to PostgreSQL", appends, "lines/s"),
        Target(f"a node dies: until another has gone on with its {TAKEN} rooms (lease 2 s)", away, "s", 3.0, 2.5),
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
    """Return the seconds of CPU that a move takes at a node alone, and at two nodes together."""
    with _nodes(postgres.database(), "a") as one, _nodes(postgres.database(), "b", "c") as two:
        runs: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(TURNS):
            for nodes in (one, two):
                runs[len(nodes)].append(asyncio.run(_play(nodes, seconds)))
    return median(runs[1]), median(runs[2])


async def _play(nodes: Sequence[Process], seconds: float) -> float:
    """Return the seconds of CPU that a move costs the nodes; each room's people are at its own node."""
    clients = Thinkers()
    seated = [pair for node in nodes for _ in range(ROOMS) for pair in await sit(node.url)]
    tasks = [asyncio.create_task(clients.play(*pair)) for pair in seated]
    await asyncio.sleep(seconds / 4)
    moves, cpu = clients.moves, sum(node.cpu() for node in nodes)
    await asyncio.sleep(seconds)
    moves, cpu = max(1, clients.moves - moves), sum(node.cpu() for node in nodes) - cpu
    clients.playing = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket, _ in seated))
    return cpu / moves


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


def _line(room: str, n: int) -> AppendLine:
    return AppendLine(room, 1, n, f'{{"n":{n},"r":"act","seat":1,"rid":{n},"act":{{"do":"play","card":17}}}}')


def _takeover(postgres: Postgres) -> float:
    """Return the seconds from the death of a node until another has gone on with all its rooms."""
    database = postgres.database()
    with _nodes(database, "stays", "goes") as (_, goes):
        return asyncio.run(_kill(database, goes))


async def _kill(database: str, node: Process) -> float:
    sockets = [(await arrive(node.url, None))[0] for _ in range(TAKEN)]
    db = await asyncpg.connect(database)
    try:
        owner = await db.fetchval("SELECT id FROM parlour.node WHERE name = 'goes'")
        began = time.perf_counter()
        os.kill(node.pid, signal.SIGKILL)
        await until(partial(_taken, db, owner), within=60)
        return time.perf_counter() - began
    finally:
        await db.close()
        await asyncio.gather(*(socket.close() for socket in sockets))


async def _taken(db: asyncpg.Connection, owner: int) -> bool:
    return not await db.fetchval(_NOT_TAKEN, owner)


if __name__ == "__main__":
    began = time.perf_counter()
    show(measure())
    print(f"{time.perf_counter() - began:.0f} s")
