"""A bad network on purpose: a WebSocket proxy between clients and a server that does to frames what a test says.

::

    async with Proxy(server.url, [Fault("up", 7, "lose")]) as proxy:
        ...                                          # connect to proxy.url; the eighth frame of a client is lost
        proxy.hold()                                 # nothing passes, nothing breaks
        proxy.release()

Frames are counted from 0 for each way, over all sockets, in the order in which they come. Close codes are passed on.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal, Self, TypeAlias

import attrs
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from parlour_protocol.codec import MAX_SERVER_FRAME

Way: TypeAlias = Literal["up", "down"]
"""``up``: to the server."""
LATE = 0.03
"""Seconds by which a delayed frame, and what comes behind it, is late."""


class Cut(Exception):
    """Both sides of a socket are to break off, without a close frame."""


@attrs.frozen
class Fault:
    """What happens to frame ``at`` of one way.

    ``lose``: it is lost, and the socket breaks. ``cut``: the socket breaks behind it. ``twice``: it comes twice.
    ``late``: it and all behind it come later.
    """

    way: Way
    at: int
    what: Literal["lose", "cut", "twice", "late"]


class Proxy:
    """A proxy for the server at ``upstream``, open while in the context."""

    def __init__(self, upstream: str, faults: Iterable[Fault] = ()) -> None:
        self.upstream = upstream
        self.url = ""
        self.passed: Counter[Way] = Counter()
        """Frames that have come, each way, also those that were lost."""
        self.sockets = 0
        """Sockets that clients have opened."""
        self.failed = 0
        """Faults that have happened."""
        self._faults = {(fault.way, fault.at): fault.what for fault in faults}
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._pairs: set[tuple[ServerConnection, ClientConnection]] = set()
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._handle, "127.0.0.1", 0, select_subprotocol=_first, compression=None, ping_interval=None
        )
        self.url = "ws://127.0.0.1:{1}".format(*next(iter(self._server.sockets)).getsockname())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self.release()
        self.break_off()
        self._server.close()
        await self._server.wait_closed()

    def hold(self) -> None:
        """Let nothing pass; sockets stay open, as when a cable is pulled."""
        self._flowing.clear()

    def release(self) -> None:
        """Let everything pass again, what has waited first."""
        self._flowing.set()

    def break_off(self) -> None:
        """Break all sockets that are open."""
        for pair in self._pairs:
            _abort(pair)

    async def _handle(self, client: ServerConnection) -> None:
        self.sockets += 1
        spoken = [client.subprotocol] if client.subprotocol else None
        try:
            server = await connect(
                self.upstream,
                subprotocols=spoken,
                compression=None,
                max_size=MAX_SERVER_FRAME,
                proxy=None,
                ping_interval=None,
                close_timeout=1,
            )
        except (OSError, EOFError, InvalidHandshake):
            client.transport.abort()
            return
        await self._relay((client, server))

    async def _relay(self, pair: tuple[ServerConnection, ClientConnection]) -> None:
        client, server = pair
        self._pairs.add(pair)
        try:
            async with asyncio.TaskGroup() as pipes:
                pipes.create_task(self._pipe("up", client, server))
                pipes.create_task(self._pipe("down", server, client))
        except* (Cut, ConnectionClosed):
            _abort(pair)
        finally:
            self._pairs.discard(pair)
            await server.close()

    async def _pipe(
        self, way: Way, source: ServerConnection | ClientConnection, sink: ServerConnection | ClientConnection
    ) -> None:
        try:
            while True:
                await self._pass(way, await source.recv(), sink)
        except ConnectionClosed as closed:
            if closed.rcvd is None:
                raise
            with suppress(ConnectionClosed):
                await sink.close(closed.rcvd.code, closed.rcvd.reason)

    async def _pass(self, way: Way, frame: str | bytes, sink: ServerConnection | ClientConnection) -> None:
        what = self._faults.pop((way, self.passed[way]), None)
        self.passed[way] += 1
        self.failed += what is not None
        await self._flowing.wait()
        if what == "late":
            await asyncio.sleep(LATE)
        for _ in range({"lose": 0, "twice": 2}.get(what or "", 1)):
            await sink.send(frame)
        if what in ("lose", "cut"):
            raise Cut


def _first(_: ServerConnection, asked: Sequence[Subprotocol]) -> Subprotocol | None:
    return asked[0] if asked else None


def _abort(pair: tuple[ServerConnection, ClientConnection]) -> None:
    for side in pair:
        side.transport.abort()
