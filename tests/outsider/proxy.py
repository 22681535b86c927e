"""A TCP proxy that does to connections what networks do."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Self

CHUNK = 1 << 16
FAULTS = ("cut", "delay", "freeze", "deafen", "cut_within")
"""The methods that do harm."""


class Direction:
    """One of the two directions of a connection."""

    def __init__(self) -> None:
        self.deaf = False
        """Bytes vanish, and neither side is told: the connection is half open."""
        self.budget: int | None = None
        """The number of bytes after which the connection is cut, perhaps within a frame."""


class Link:
    """A connection, and the one behind it."""

    def __init__(self, near: StreamWriter, far: StreamWriter) -> None:
        self.there, self.back = Direction(), Direction()
        self._writers = near, far

    def cut(self) -> None:
        """Reset both connections."""
        for writer in self._writers:
            writer.transport.abort()


class Proxy:
    """Listens on a port that stays the same, and connects to wherever ``target`` is now; 0 is nowhere."""

    def __init__(self, target: Callable[[], int], rng: Random) -> None:
        self.port = 0
        self._target = target
        self._rng = rng
        self._links: set[Link] = set()
        self._delay = 0.0
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        self.heal()
        await self.cut()

    async def cut(self) -> None:
        """Reset all connections."""
        for link in list(self._links):
            link.cut()

    async def delay(self) -> None:
        """Hold each chunk up for a while."""
        self._delay = self._rng.uniform(0.01, 0.1)
        await asyncio.sleep(self._rng.uniform(0.5, 2))
        self._delay = 0.0

    async def freeze(self) -> None:
        """Let nothing pass, and lose nothing."""
        self._open.clear()
        await asyncio.sleep(self._rng.uniform(0.2, 4))
        self._open.set()

    async def deafen(self) -> None:
        """Leave some connections half open: in one direction nothing arrives any more."""
        for link in self._some():
            self._rng.choice((link.there, link.back)).deaf = True

    async def cut_within(self) -> None:
        """Cut some connections after a few more bytes."""
        for link in self._some():
            self._rng.choice((link.there, link.back)).budget = self._rng.randrange(2000)

    def heal(self) -> None:
        """Let everything pass again; connections that are half open are cut."""
        self._delay = 0.0
        self._open.set()
        for link in self._links:
            if link.there.deaf or link.back.deaf:
                link.cut()

    def _some(self) -> list[Link]:
        return [link for link in self._links if self._rng.random() < 0.3]

    async def _serve(self, near: StreamReader, back: StreamWriter) -> None:
        try:
            far, there = await asyncio.open_connection("127.0.0.1", self._target())
        except OSError:
            back.transport.abort()
            return
        link = Link(back, there)
        self._links.add(link)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(near, there, link, link.there))
                both.create_task(self._pump(far, back, link, link.back))
        finally:
            self._links.discard(link)
            link.cut()

    async def _pump(self, reader: StreamReader, writer: StreamWriter, link: Link, direction: Direction) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._open.wait()
                if direction.deaf:
                    continue
                if direction.budget is not None:
                    chunk = chunk[: direction.budget]
                    direction.budget -= len(chunk)
                writer.write(chunk)
                await writer.drain()
                if direction.budget == 0:
                    break
        link.cut()
