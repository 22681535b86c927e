"""Several nodes in the test's own loop: real sockets, one store in memory that they share, heartbeats by hand."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import attrs
from tests.server.nodes import Here
from tests.server.rooms.fake import FAKES
from tests.server.shared_store import Shared, SharedStore

from parlour_games.uno.plugin import Uno
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.persistence import Known, Peer
from parlour_server.transport.gateway import AccessRules, Gateway
from parlour_server.transport.sockets import send_all


@attrs.define
class Twin:
    """One node."""

    name: str
    store: SharedStore
    lobby: Lobby
    node: Node
    gateway: Gateway
    up: AsyncExitStack
    url: str = ""

    async def beat(self) -> None:
        """Renew the lease, tell the others, take in what they have told, and take over what is left."""
        assert self.node.routing is not None
        seen = await self.store.renew(self.node.routing.notice())
        self.node.routing.sighted(seen)
        await self.node.routing.expire_guests()
        self.node.routing.take_over(seen.orphans)
        await asyncio.gather(*self.node.loader.loading.values())
        await self.node.queue.settled()


@attrs.define
class Cluster:
    """The nodes that live."""

    shared: Shared = attrs.field(factory=Shared)
    twins: dict[str, Twin] = attrs.field(factory=dict)

    def __getitem__(self, name: str) -> Twin:
        return self.twins[name]

    async def beat(self) -> None:
        """Let every node hear of all others."""
        for _ in range(2):
            for twin in list(self.twins.values()):
                await twin.beat()

    async def open(self, name: str, *, public: bool = True, **lobby: Any) -> Twin:
        """Start a node; ``public``: clients can be sent to it."""
        store = self.shared.store(name)
        entropy = random.Random(name)
        hall = Lobby({"uno": Uno(), **FAKES}, entropy.randbytes, server=name, admin="operator", **lobby)
        metrics = Metrics()
        node = Node(hall, store, partial(send_all, metrics), metrics, Here())
        gateway = Gateway(AccessRules(), metrics, None, node)
        up = AsyncExitStack()
        server = await up.enter_async_context(gateway.listen("127.0.0.1", 0))
        url = "ws://{}:{}".format(*server.sockets[0].getsockname())
        store._me = Peer(name, url if public else "", url)
        await node.start()
        twin = self.twins[name] = Twin(name, store, hall, node, gateway, up, url)
        return twin

    async def kill(self, name: str) -> None:
        """Let a node die with all its sockets: nothing more is stored, nobody is told."""
        twin = self.twins.pop(name)
        self.shared.die(name)
        twin.node.queue.stopped = True  # whoever waits there is let go
        assert twin.node.routing is not None
        for socket in list(twin.gateway._sockets):
            socket.connection.transport.abort()
        await twin.node.routing.relays.close()
        await twin.up.aclose()

    async def close(self) -> None:
        for twin in self.twins.values():
            await twin.node.stop(0)
            await twin.up.aclose()


@asynccontextmanager
async def cluster(*names: str, public: bool = True) -> AsyncIterator[Cluster]:
    """Run these nodes."""
    found = Cluster()
    try:
        for name in names:
            await found.open(name, public=public)
        yield found
    finally:
        await found.close()


@attrs.define
class Asked:
    """A node's question to its store, who somebody is, whose answer is held back."""

    has_been: asyncio.Event = attrs.field(factory=asyncio.Event)
    may_be_answered: asyncio.Event = attrs.field(factory=asyncio.Event)


def hold_back(store: SharedStore) -> Asked:
    """Let ``store`` answer no more who somebody is until it may."""
    known, asked = store.known, Asked()

    async def held(names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        found = await known(names, hashes, people)
        asked.has_been.set()
        await asked.may_be_answered.wait()
        return found

    store.known = held  # type: ignore[method-assign]
    return asked
