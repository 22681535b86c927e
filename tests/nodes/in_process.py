"""A cluster in the event loop of the test: real sockets, a shared store in memory, heartbeats on request."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
from tests.server.nodes import Here
from tests.server.rooms.fake import FAKES
from tests.server.shared_store import Shared, SharedStore
from tests.support.sockets import Socket, open_socket

from parlour_games.uno.plugin import Uno
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.node.webhook_calls import Caller
from parlour_server.persistence import Known, PeerNode, Rated, Write
from parlour_server.settings import ServerSettings
from parlour_server.transport.gateway import Gateway


@attrs.define
class ClusterNode:
    """A node of a cluster in process."""

    name: str
    store: SharedStore
    lobby: Lobby
    node: Node
    gateway: Gateway
    up: AsyncExitStack
    url: str = ""

    async def heartbeat(self) -> None:
        """Renew the lease, exchange notices with the other nodes, take over orphaned rooms."""
        assert self.node.routing is not None
        seen = await self.store.renew(self.node.routing.notice())
        self.node.routing.sighted(seen)
        await self.node.routing.expire_guests()
        self.node.routing.take_over(seen.orphans)
        await asyncio.gather(*self.node.loader.loading.values())
        await self.node.queue.settled()


@attrs.define
class Cluster:
    """The running nodes, by name."""

    shared: Shared = attrs.field(factory=Shared)
    clock: Callable[[], float] = time.monotonic
    nodes: dict[str, ClusterNode] = attrs.field(factory=dict)

    def __getitem__(self, name: str) -> ClusterNode:
        return self.nodes[name]

    async def heartbeat(self) -> None:
        """Let every node learn of all others."""
        for _ in range(2):
            for member in list(self.nodes.values()):
                await member.heartbeat()

    async def open(
        self,
        name: str,
        settings: ServerSettings = ServerSettings(),
        *,
        public: bool = True,
        **lobby: Any,
    ) -> ClusterNode:
        """Start a node; ``public``: clients can be sent to it."""
        store = self.shared.store(name)
        entropy = random.Random(name)
        rooms = Lobby({"uno": Uno(), **FAKES}, entropy.randbytes, settings, server=name, admin="operator", **lobby)
        metrics = Metrics()
        caller = None if rooms.webhooks is None else Caller(rooms.webhooks)
        node = Node(rooms, store, metrics, Here(), self.clock, caller)
        gateway = Gateway(metrics, node)
        up = AsyncExitStack()
        server = await up.enter_async_context(gateway.listen("127.0.0.1", 0))
        url = "ws://{}:{}".format(*server.sockets[0].getsockname())
        store._me = PeerNode(name, url if public else "", url)
        await node.start()
        member = self.nodes[name] = ClusterNode(name, store, rooms, node, gateway, up, url)
        return member

    async def kill(self, name: str) -> None:
        """Kill a node with all its sockets: it stores and sends nothing more."""
        member = self.nodes.pop(name)
        self.shared.die(name)
        member.node.queue.stopped = True  # releases waiting requests
        assert member.node.routing is not None
        for socket in list(member.gateway._sockets):
            socket.connection.transport.abort()
        await member.node.routing.relays.close()
        await member.up.aclose()

    async def close(self) -> None:
        for member in self.nodes.values():
            await member.node.stop(0)
            await member.up.aclose()


@asynccontextmanager
async def cluster(
    *names: str,
    public: bool = True,
    settings: ServerSettings = ServerSettings(),
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Cluster]:
    """Run nodes with these names, all by ``clock``, in seconds."""
    found = Cluster(clock=clock)
    try:
        for name in names:
            await found.open(name, settings, public=public)
        yield found
    finally:
        await found.close()


@asynccontextmanager
async def hosted(*names: str, **create: Any) -> AsyncIterator[tuple[Cluster, Socket, str]]:
    """Run nodes with these names; anna has opened a room at the first."""
    async with cluster(*names) as at, open_socket(at[names[0]].url) as anna:
        await anna.hello("anna")
        joined = await anna.ask("create", "joined", **{"game": "fake", "seats": 2, "clock": None, **create})
        yield at, anna, joined["room"]


def hold_lookups(store: SharedStore, number: int = 1) -> asyncio.Queue[asyncio.Event]:
    """Let the answers to the next lookups of identities wait, each for its own event; return where the events come."""
    known, asked, left = store.known, asyncio.Queue[asyncio.Event](), [*range(number)]

    async def held(names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        found = await known(names, hashes, people)
        if left:
            asked.put_nowait(release := asyncio.Event())
            left.pop()
            await release.wait()
        return found

    store.known = held  # type: ignore[method-assign]
    return asked


def hold_commit(store: SharedStore, kind: type[Write]) -> asyncio.Queue[asyncio.Event]:
    """Let the next commit with a write of this kind wait; return where the event comes that lets it go on."""
    commit, asked = store.commit, asyncio.Queue[asyncio.Event]()

    async def held(writes: Sequence[Write]) -> list[Rated]:
        if any(isinstance(write, kind) for write in writes):
            store.commit = commit  # type: ignore[method-assign]
            asked.put_nowait(release := asyncio.Event())
            await release.wait()
        return await commit(writes)

    store.commit = held  # type: ignore[method-assign]
    return asked
