"""Three nodes on one PostgreSQL under kills, freezes, cuts and restarts: the same promises as of one server."""

import asyncio
import signal
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
from tests.outsider.proxy import FAULTS, Proxy
from tests.outsider.tables import FLAGS, mixture, play, seated
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess

pytestmark = pytest.mark.node
NODES = 3


@pytest.mark.long
@pytest.mark.postgres
async def test_faults_of_three_nodes(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    await _survive(tmp_path, postgres, seed, seconds=6, tables=8)


@pytest.mark.postgres
@pytest.mark.torture
async def test_ten_minutes_of_three_nodes(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    await _survive(tmp_path, postgres, seed, seconds=600, tables=33)


class Cluster:
    """Nodes, and the proxies before each of them and before their database."""

    def __init__(self, folder: Path, postgres: Postgres, rng: Random) -> None:
        self.done: Counter[str] = Counter()
        self._folder = folder
        self._postgres = postgres
        self._rng = rng
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> "Cluster":
        store = self._postgres.database()
        self.line = await self._stack.enter_async_context(Proxy(lambda: self._postgres.port, self._rng))
        self.nodes: list[ServerProcess] = []
        self.proxies: list[Proxy] = []
        for number in range(NODES):
            proxy = await self._stack.enter_async_context(Proxy(partial(self._port, number), self._rng))
            flags = (*FLAGS, "--node", f"n{number}", "--peer-url", f"ws://127.0.0.1:{proxy.port}")
            own = store.replace(f":{self._postgres.port}/", f":{self.line.port}/")
            (self._folder / f"n{number}").mkdir()
            start = partial(ServerProcess, self._folder / f"n{number}", *flags, store=own, house_bots=True)
            self.proxies.append(proxy)
            self.nodes.append(await asyncio.to_thread(start))
            self._stack.callback(self.nodes[-1].close)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def addresses(self) -> list[Callable[[], str]]:
        """Return how clients get at each node."""
        return [partial("ws://127.0.0.1:{}".format, proxy.port) for proxy in self.proxies]

    def _port(self, number: int) -> int:
        return int(self.nodes[number].url.rpartition(":")[2]) if number < len(self.nodes) else 0

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

    async def _restart(self, node: ServerProcess) -> None:
        node.kill()
        await asyncio.sleep(self._rng.uniform(0, 4))
        await asyncio.to_thread(node.restart)

    async def _frozen(self, node: ServerProcess) -> None:
        node.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 5))
        node.signal(signal.SIGCONT)

    async def _restart_database(self) -> None:
        await asyncio.to_thread(self._postgres.crash)
        await asyncio.to_thread(self._postgres.start)

    async def _frozen_database(self) -> None:
        self._postgres.freeze()
        await asyncio.sleep(self._rng.uniform(0.2, 1.5))
        self._postgres.thaw()


async def _survive(folder: Path, postgres: Postgres, seed: int, *, seconds: float, tables: int) -> None:
    """Harm a cluster while tables play match after match; then compare notes and match files."""
    rng = Random(seed)
    rooms = list(islice(mixture(rng), tables))
    for room in rooms:
        room.lasting = True
    async with Cluster(folder, postgres, rng) as cluster:
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
