"""A server under attack: bystanders who go on playing, what its process weighs, and sockets that keep to no rules.

Attackers come from other loopback addresses than bystanders, as they would from elsewhere in the world. Nothing is
asserted about time: a bystander has to be answered at all, again and again, while the attack lasts.
"""

import asyncio
import base64
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE

MIB = 1024
"""KiB, in which Linux tells of memory."""
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
HEARS_ALL: Map = {"max_queue": None}
"""For clients that do not look at all they are told: the library reads on, and can close."""
_ATTACKERS = count(2)
_NAMES = count(1)


def attacker() -> str:
    """Return a loopback address from which nobody has come yet."""
    n = next(_ATTACKERS)
    return f"127.0.{n // 250}.{n % 250 + 2}"


def stranger() -> str:
    """Return a name that nobody has used yet."""
    return f"x{next(_NAMES)}"


# --- what the server weighs --------------------------------------------------------------------------------


@attrs.define
class Scales:
    """The memory of one process since ``Scales.of``, in KiB. Linux only."""

    pid: int
    before: int

    @classmethod
    def of(cls, pid: int) -> "Scales":
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak is the present size again
        return cls(pid, _status(pid, "VmRSS"))

    @property
    def peak(self) -> int:
        """By how much it has been larger than at the start, at most."""
        return _status(self.pid, "VmHWM") - self.before


def _status(pid: int, field: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no {field}")


# --- who only wants to play ----------------------------------------------------------------------------------


@attrs.define
class Bystander:
    """Somebody at a Minesweeper board of its own, flagging and unflagging: each act goes all the way to the disk."""

    socket: Socket
    room: str
    rid: int
    acts: int = 0

    async def act(self) -> None:
        """Do something; return when it has been done, and the next thing asked."""
        do = "unflag" if self.acts % 2 else "flag"
        await self.socket.send("act", room=self.room, rid=self.rid, act={"do": do, "cells": [[0, 0]]})
        turn = await self.socket.until("turn")
        assert turn["ok"]["act"]["do"] == do
        self.rid, self.acts = turn["rid"], self.acts + 1

    async def during(self, attack: Awaitable[Any]) -> int:
        """Go on playing until the attack is over; return how many acts were answered meanwhile."""
        before, task = self.acts, asyncio.ensure_future(attack)
        while not task.done():
            await self.act()
        await task
        await self.act()
        return self.acts - before


@asynccontextmanager
async def bystander(server: ServerProcess) -> AsyncIterator[Bystander]:
    """Let somebody play while in the context."""
    async with person(server) as someone:
        yield await playing(someone)


async def playing(someone: Socket, **options: Any) -> Bystander:
    """Open a board with these options for somebody who has said hello."""
    wanted = {"game": "minesweeper", "seats": 1, "clock": None, "options": options}
    room = (await someone.ask("create", "joined", **wanted))["room"]
    turn = await someone.ask("ready", "turn", room=room)
    return Bystander(someone, room, turn["rid"])


@asynccontextmanager
async def person(server: ServerProcess, kind: str = "human", **options: Any) -> AsyncIterator[Socket]:
    """Somebody new who has said hello; ``options`` are those of ``open_socket``."""
    async with open_socket(server.url, **HEARS_ALL, **options) as someone:
        await someone.hello(stranger(), kind)
        yield someone


async def uno(*people: Socket, **fields: Any) -> str:
    """Seat these people at an UNO table; return its code. Nobody is ready."""
    wanted = {"game": "uno", "seats": len(people), "clock": None, **fields}
    room = str((await people[0].ask("create", "joined", **wanted))["room"])
    for guest in people[1:]:
        await guest.ask("join", "joined", room=room)
    return room


# --- sockets that keep to no rules ---------------------------------------------------------------------------


@attrs.define(eq=False)
class Raw:
    """A TCP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def write(self, *data: bytes) -> bool:
        """Write all of it. Returns False if the server has closed the connection, or leaves it unread for 2 s."""
        try:
            self.writer.write(b"".join(data))
            async with asyncio.timeout(2):
                await self.writer.drain()
        except (OSError, TimeoutError):
            return False
        return not self.writer.transport.is_closing()

    async def rest(self) -> bytes:
        """Return all that comes until the server closes the connection. Raises TimeoutError if it does not."""
        data = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while more := await self.reader.read(65_536):
                    data += more
        except ConnectionError:
            pass
        return data

    async def answer(self) -> Map:
        """Return the head of an HTTP answer as {"status", "head"}; status 0 if nothing answers."""
        head = await self.rest()
        return {"status": int(head.split()[1]) if head else 0, "head": head}


@asynccontextmanager
async def tcp(server: ServerProcess, address: str | None = None, *, narrow: bool = False) -> AsyncIterator[Raw]:
    """Open a TCP connection from ``address``; ``narrow``: what it does not read soon stays with the server."""
    sock = socket.socket()
    if narrow:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    sock.bind((address or attacker(), 0))
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", urlsplit(server.url).port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1024 if narrow else 65_536)
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


def upgrade(server: ServerProcess, *headers: str, path: str = "/") -> bytes:
    """Return the opening handshake."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {urlsplit(server.url).netloc}",
        *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"),
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, length: int | None = None, rsv: int = 0) -> bytes:
    """Return a masked frame; ``length`` is what it claims to be."""
    claimed = len(data) if length is None else length
    first = (0x80 if fin else 0) | rsv | opcode
    if claimed < 126:
        head = struct.pack("!BB", first, 0x80 | claimed)
    elif claimed < 65_536:
        head = struct.pack("!BBH", first, 0x80 | 126, claimed)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, claimed)
    return head + bytes(4) + data  # masked with zeros: as it is


def text(message: str) -> bytes:
    """Return a text frame."""
    return frame(TEXT, message.encode())


@asynccontextmanager
async def raw_socket(server: ServerProcess, address: str | None = None, *, hello: bool = True) -> AsyncIterator[Raw]:
    """Open a WebSocket by hand; ``hello``: it has been greeted, and the welcome read."""
    async with tcp(server, address, narrow=True) as raw:
        raw.writer.write(upgrade(server))
        head = await raw.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        if hello:
            raw.writer.write(text(f'{{"t":"hello","name":"{stranger()}","kind":"human"}}'))
            await raw.reader.readexactly(10)
        yield raw


async def each(number: int, work: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """Do ``work`` so many times at once; return what came of it, errors too."""
    return await asyncio.gather(*(work(n) for n in range(number)), return_exceptions=True)
