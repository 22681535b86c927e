"""Servers under faults: nothing acknowledged is lost or doubled, and nothing shown is forgotten."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import fetch
from tests.outsider.tables import FLAGS, mixture, play, seated
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess, server_process
from tests.support.wires import Wire

pytestmark = pytest.mark.node
NODES = 3


@asynccontextmanager
async def playing(rng: Random, tables: int, addresses: Sequence[Callable[[], str]]) -> AsyncIterator[None]:
    """Let tables play match after match meanwhile; then compare notes and match files."""
    rooms = list(islice(mixture(rng), tables))
    for room in rooms:
        room.lasting = True
    players = seated(rooms, addresses, rng)
    async with asyncio.TaskGroup() as running:
        running.create_task(play(players))
        yield
        for room in rooms:
            room.lasting = False
    figures = audit(
        players, await fetch(addresses[0](), [digest for room in rooms for digest in room.digests.values()])
    )
    print(figures)
    assert figures.acknowledged
    assert figures.clean()


@pytest.mark.parametrize(
    ("kills", "tables"), [pytest.param(2, 8, marks=pytest.mark.long), pytest.param(60, 22, marks=pytest.mark.torture)]
)
async def test_kills_of_a_server(tmp_path: Path, seed: int, kills: int, tables: int) -> None:
    rng = Random(seed)
    with server_process(tmp_path, *FLAGS, house_bots=True) as server:
        async with playing(rng, tables, [lambda: server.url]):
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.2, 1.5))
                server.kill()
                await asyncio.to_thread(server.restart)
    assert '"level": "error"' not in server.log()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("seconds", "tables"),
    [pytest.param(6, 8, marks=pytest.mark.long), pytest.param(600, 33, marks=pytest.mark.torture)],
)
async def test_faults_of_three_nodes(
    tmp_path: Path, postgres: Postgres, seed: int, seconds: float, tables: int
) -> None:
    rng, clock = Random(seed), asyncio.get_running_loop().time
    async with Cluster(tmp_path, postgres, rng) as cluster, playing(rng, tables, cluster.addresses()):
        end = clock() + seconds
        while clock() < end:
            await asyncio.sleep(rng.uniform(0.2, 2))
            await cluster.harm()
        for wire in cluster.wires:
            wire.cut()  # those that are half open, too
    print(f"seed {seed}: {dict(cluster.done)}")


class Cluster:
    """Nodes at one PostgreSQL, with wires before each of them and before their database."""

    def __init__(self, folder: Path, postgres: Postgres, rng: Random) -> None:
        self.done: Counter[str] = Counter()
        self.nodes: list[ServerProcess] = []
        self.wires: list[Wire] = []
        self._folder = folder
        self._postgres = postgres
        self._rng = rng
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> "Cluster":
        store = self._postgres.database()
        line = await self._stack.enter_async_context(Wire("127.0.0.1", self._postgres.port))
        own = store.replace(f":{self._postgres.port}/", f":{line.port}/")
        for number in range(NODES):
            wire = await self._stack.enter_async_context(Wire("127.0.0.1", partial(self._port, number)))
            flags = (*FLAGS, "--node", f"n{number}", "--peer-url", f"ws://127.0.0.1:{wire.port}")
            (self._folder / f"n{number}").mkdir()
            start = partial(ServerProcess, self._folder / f"n{number}", *flags, store=own, house_bots=True)
            self.wires.append(wire)
            self.nodes.append(await asyncio.to_thread(start))
            self._stack.callback(self.nodes[-1].close)
        self.wires.append(line)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def addresses(self) -> list[Callable[[], str]]:
        """Return how clients get at each node."""
        return [partial("ws://127.0.0.1:{}".format, wire.port) for wire in self.wires[:NODES]]

    def _port(self, number: int) -> int:
        return int(self.nodes[number].url.rpartition(":")[2]) if number < len(self.nodes) else 0

    async def harm(self) -> None:
        """Do one thing that may go wrong in a cluster."""
        rng, number = self._rng, self._rng.randrange(NODES)
        node, wire, line = self.nodes[number], self.wires[number], self.wires[-1]
        faults: dict[str, Callable[[], Awaitable[None] | None]] = {
            "cut": wire.cut,
            "freeze": partial(self._meanwhile, 4, wire.hold, wire.release),
            "deafen": partial(wire.deafen, rng),
            "cut within": partial(wire.cut_within, rng),
            "kill": partial(self._meanwhile, 4, node.kill, node.restart),
            "freeze a node": partial(
                self._meanwhile, 5, partial(node.signal, signal.SIGSTOP), partial(node.signal, signal.SIGCONT)
            ),
            "cut the database": line.cut,
            "restart the database": partial(self._meanwhile, 0, self._postgres.crash, self._postgres.start),
            "freeze the database": partial(self._meanwhile, 1.5, self._postgres.freeze, self._postgres.thaw),
        }
        name = rng.choice(list(faults))
        self.done[name] += 1
        if (going_on := faults[name]()) is not None:
            await going_on

    async def _meanwhile(self, seconds: float, harm: Callable[[], object], repair: Callable[[], object]) -> None:
        await asyncio.to_thread(harm)
        await asyncio.sleep(self._rng.uniform(0, seconds))
        await asyncio.to_thread(repair)
