"""A TCP proxy before a node or a database, to interrupt their connections.

::

    async with Wire("127.0.0.1", port) as wire:
        ...                                # connect to 127.0.0.1, wire.port
        wire.hold()                        # data waits, connections stay open, as if a cable were pulled
        wire.release()                     # forwards data again
        wire.cut()                         # breaks all connections
        wire.deafen(rng)                   # leaves some half open: in one direction data vanishes
        wire.cut_within(rng)               # breaks some after a few more bytes
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Self
from weakref import WeakKeyDictionary

from tests.support.waiting import PATIENCE, limit

Pair = tuple[asyncio.StreamWriter, asyncio.StreamWriter]


class Wire:
    """A TCP proxy for ``host`` and ``port``, which may change, open while in the context."""

    def __init__(self, host: str, port: int | Callable[[], int]) -> None:
        self.port = 0
        self.connections = 0
        """The number of connections opened so far."""
        self._upstream = host, port
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._pairs: set[Pair] = set()
        self._deaf: WeakKeyDictionary[asyncio.StreamWriter, bool] = WeakKeyDictionary()
        self._left: WeakKeyDictionary[asyncio.StreamWriter, int] = WeakKeyDictionary()
        """The bytes until a connection is broken."""
        self._handling: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.release()
        self.cut()
        if self._handling:
            async with limit(PATIENCE, "the end of all connections through the wire"):
                await asyncio.wait(self._handling)
        await self._server.wait_closed()

    def hold(self) -> None:
        """Hold all data; connections stay open, and new ones get no answer."""
        self._flowing.clear()

    def release(self) -> None:
        """Forward data again, held data first."""
        self._flowing.set()

    def cut(self) -> None:
        """Break all connections."""
        for pair in self._pairs:
            _abort(pair)

    def deafen(self, rng: Random) -> None:
        """Leave some connections half open, until all are cut: in one direction data vanishes, and nobody is told."""
        for pair in self._some(rng):
            self._deaf[rng.choice(pair)] = True

    def cut_within(self, rng: Random) -> None:
        """Break some connections after a few more bytes, perhaps within a frame."""
        for pair in self._some(rng):
            self._left[rng.choice(pair)] = rng.randrange(2_000)

    def _some(self, rng: Random) -> list[Pair]:
        return [pair for pair in self._pairs if rng.random() < 0.3]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._handle(reader, writer))
        self._handling.add(task)
        task.add_done_callback(self._handling.discard)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._flowing.wait()
            host, port = self._upstream
            there, back = await asyncio.open_connection(host, port() if callable(port) else port)
        except OSError:
            writer.transport.abort()
            return
        pair = writer, back
        self._pairs.add(pair)
        try:
            await asyncio.gather(self._pipe(reader, back), self._pipe(there, writer))
        finally:
            self._pairs.discard(pair)

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                await self._flowing.wait()
                if writer in self._deaf:
                    continue
                left = self._left.get(writer, len(data))
                writer.write(data[:left])
                await writer.drain()
                if writer in self._left:
                    self._left[writer] = left - len(data)
                if left < len(data):
                    break
        writer.close()


def _abort(pair: Pair) -> None:
    for writer in pair:
        writer.transport.abort()
