"""A WebSocket proxy between clients and a server that injects network faults.

::

    async with Proxy(server.url, [Fault("up", 7, "lose")]) as proxy:
        ...                                          # connect to proxy.url; the eighth frame to the server is lost
        proxy.hold()                                 # frames wait, connections stay open
        proxy.release()

Frames are counted from 0 in each direction, over all sockets, in order of arrival. Close codes are forwarded.
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
"""The delay of a late frame in seconds."""


class Cut(Exception):
    """Abort both connections without a close frame."""


@attrs.frozen
class Fault:
    """A fault at frame ``at`` of one direction.

    ``lose``: drop the frame and break the connection. ``cut``: break the connection after the frame. ``twice``: send it
    twice. ``late``: delay it and all later frames.
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
        """Frames received in each direction, including lost ones."""
        self.sockets = 0
        """Connections that clients have opened."""
        self.failed = 0
        """Faults injected so far."""
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
        for pair in self._pairs:
            _abort(pair)
        self._server.close()
        await self._server.wait_closed()

    def hold(self) -> None:
        """Hold all frames; connections stay open, as if a cable were pulled."""
        self._flowing.clear()

    def release(self) -> None:
        """Forward frames again, held ones first."""
        self._flowing.set()

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
