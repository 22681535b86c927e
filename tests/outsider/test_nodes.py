"""Three nodes on one PostgreSQL under kills, freezes, cuts and restarts: the same promises as of one server."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import fetch
from tests.outsider.database import Database
from tests.outsider.processes import Server
from tests.outsider.proxy import FAULTS, Proxy
from tests.outsider.tables import mixture, play, seated

pytestmark = pytest.mark.node
NODES = 3


@pytest.mark.long
@pytest.mark.postgres
async def test_faults_of_three_nodes(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, seconds=6, tables=8)


@pytest.mark.postgres
@pytest.mark.torture
async def test_ten_minutes_of_three_nodes(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, seconds=600, tables=33)


class Cluster:
    """Nodes, and the proxies before each of them and before their database."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.done: Counter[str] = Counter()
        self._folder = folder
        self._rng = rng
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> "Cluster":
        self.database = await self._stack.enter_async_context(Database())
        self.line = await self._stack.enter_async_context(Proxy(lambda: self.database.port, self._rng))
        self.nodes: list[Server] = []
        self.proxies: list[Proxy] = []
        for number in range(NODES):
            proxy = await self._stack.enter_async_context(Proxy(partial(self._port, number), self._rng))
            store = f"postgresql://postgres@127.0.0.1:{self.line.port}/parlour"
            options = ("--store", store, "--node", f"n{number}", "--peer-url", f"ws://127.0.0.1:{proxy.port}")
            self.proxies.append(proxy)
            self.nodes.append(await self._stack.enter_async_context(Server(self._folder, f"n{number}", *options)))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def addresses(self) -> list[Callable[[], str]]:
        """Return how clients get at each node."""
        return [partial("ws://127.0.0.1:{}".format, proxy.port) for proxy in self.proxies]

    def _port(self, number: int) -> int:
        return self.nodes[number].port if number < len(self.nodes) else 0

    async def harm(self) -> None:
        """Do one thing that may go wrong in a cluster."""
        number = self._rng.randrange(NODES)
        faults: dict[str, Callable[[], Awaitable[None]]] = {
            **{fault: getattr(self.proxies[number], fault) for fault in FAULTS},
            "kill": lambda: self._restart(self.nodes[number]),
            "freeze a node": lambda: self._frozen(self.nodes[number]),
            "cut the database": self.line.cut,
            "restart the database": self._restart_database,
            "freeze the database": self._frozen_database,
        }
        name = self._rng.choice(list(faults))
        self.done[name] += 1
        await faults[name]()

    async def _restart(self, node: Server) -> None:
        await node.kill()
        await asyncio.sleep(self._rng.uniform(0, 4))
        await node.start()

    async def _frozen(self, node: Server) -> None:
        node.freeze()
        await asyncio.sleep(self._rng.uniform(0.5, 5))
        node.thaw()

    async def _restart_database(self) -> None:
        await self.database.crash()
        await self.database.start()

    async def _frozen_database(self) -> None:
        self.database.freeze()
        await asyncio.sleep(self._rng.uniform(0.2, 1.5))
        self.database.thaw()


async def _survive(folder: Path, seed: int, *, seconds: float, tables: int) -> None:
    """Harm a cluster while tables play match after match; then compare notes and match files."""
    rng = Random(seed)
    rooms = list(islice(mixture(rng), tables))
    for room in rooms:
        room.lasting = True
    async with Cluster(folder, rng) as cluster:
        players = seated(rooms, cluster.addresses(), rng)
        async with asyncio.TaskGroup() as running:
            running.create_task(play(players))
            clock = asyncio.get_running_loop().time
            end = clock() + seconds
            while clock() < end:
                await asyncio.sleep(rng.uniform(0.2, 2))
                await cluster.harm()
            for proxy in (*cluster.proxies, cluster.line):
                proxy.heal()
            for room in rooms:
                room.lasting = False
        files = await fetch(cluster.addresses()[0](), [digest for room in rooms for digest in room.digests.values()])
    figures = audit(players, files)
    print(f"seed {seed}: {dict(cluster.done)}, {figures}")
    assert figures.acknowledged
    assert figures.clean()
