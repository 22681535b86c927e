"""Tools for attacks on a server: bystanders who keep playing, the memory of its process, and raw sockets.

Attackers connect from other loopback addresses than bystanders. Nothing is asserted about time: a bystander must be
answered at all while the attack lasts.
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
from typing import Any, TypeVar
from urllib.parse import urlsplit

import attrs
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE

T = TypeVar("T")
MIB = 1024
"""In KiB, the unit of /proc."""
BUDGET = 24 * MIB
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
UNBOUNDED: Map = {"max_queue": None}
"""Options of a client that leaves messages unread: the library keeps reading, so that it can close."""
_ADDRESSES = count(2)
_NAMES = count(1)


def new_address() -> str:
    """Return a loopback address that was not used before."""
    n = next(_ADDRESSES)
    return f"127.0.{n // 250}.{n % 250 + 2}"


def new_name() -> str:
    return f"x{next(_NAMES)}"


@attrs.define
class Memory:
    """The memory of a process since ``Memory.of``, in KiB. Linux only."""

    pid: int
    before: int

    @classmethod
    def of(cls, pid: int) -> "Memory":
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # resets the peak to the present size
        return cls(pid, _status(pid, "VmRSS"))

    @property
    def peak(self) -> int:
        """The largest growth since the start."""
        return _status(self.pid, "VmHWM") - self.before


def _status(pid: int, field: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no {field}")


@attrs.define
class Bystander:
    """A player who flags and unflags a cell of a Minesweeper board; the server stores each act."""

    socket: Socket
    room: str
    rid: int
    acts: int = 0

    async def act(self) -> None:
        """Act once; return after the next turn has arrived. Begin another board when this one takes no more flags."""
        do = "unflag" if self.acts % 2 else "flag"
        await self.socket.send("act", room=self.room, rid=self.rid, act={"do": do, "cells": [[0, 0]]})
        turn = await self.socket.until("turn", "error")
        if turn.get("code") == "too_much":
            another = await open_board(self.socket)
            self.room, self.rid = another.room, another.rid
            return
        assert turn["ok"]["act"]["do"] == do
        self.rid, self.acts = turn["rid"], self.acts + 1

    async def during(self, attack: Awaitable[T]) -> T:
        """Play until the attack is over, and once more; return what it comes to."""
        task = asyncio.ensure_future(attack)
        while not task.done():
            await self.act()
        await self.act()
        return await task


@asynccontextmanager
async def bystander(server: ServerProcess) -> AsyncIterator[Bystander]:
    async with person(server) as player:
        yield await open_board(player)


@asynccontextmanager
async def attacked(server: ServerProcess, budget: int = BUDGET) -> AsyncIterator[Bystander]:
    """Connect a player who still plays after the attack, for which the server needs at most ``budget`` of memory."""
    async with bystander(server) as player:
        memory = Memory.of(server.pid)
        yield player
        await player.act()
        assert memory.peak < budget


async def open_board(player: Socket, **options: Any) -> Bystander:
    """Open a Minesweeper room with these options for a greeted player."""
    room = await uno(player, game="minesweeper", options=options)
    turn = await player.ask("ready", "turn", room=room)
    return Bystander(player, room, turn["rid"])


@asynccontextmanager
async def person(server: ServerProcess, kind: str = "human", **options: Any) -> AsyncIterator[Socket]:
    """Connect and greet with a new name from a new address; ``options`` go to ``open_socket``.

    The number of rooms per address is limited, and a bystander opens a new room when its board takes no more flags.
    """
    usual = {**UNBOUNDED, "local_addr": (new_address(), 0)}
    async with open_socket(server.url, **{**usual, **options}) as player:
        await player.hello(new_name(), kind)
        yield player


async def uno(*people: Socket, **fields: Any) -> str:
    """Seat people in a room, of UNO unless told; return its code. Nobody is ready."""
    wanted = {"game": "uno", "seats": len(people), "clock": None, **fields}
    room = str((await people[0].ask("create", "joined", **wanted))["room"])
    for player in people[1:]:
        await player.ask("join", "joined", room=room)
    return room


@attrs.define(eq=False)
class Raw:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def write(self, *data: bytes) -> bool:
        """Write ``data``. Return False if the server has closed the connection or does not read for 2 s."""
        try:
            self.writer.write(b"".join(data))
            async with asyncio.timeout(2):
                await self.writer.drain()
        except (OSError, TimeoutError):
            return False
        return not self.writer.transport.is_closing()

    async def rest(self) -> bytes:
        """Read until the server closes the connection. Raises TimeoutError if it does not."""
        data = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while more := await self.reader.read(65_536):
                    data += more
        except ConnectionError:
            pass
        return data

    async def answer(self) -> tuple[int, bytes]:
        """Read an HTTP response; return its status, 0 without one, and all of it."""
        answer = await self.rest()
        return int(answer.split()[1]) if answer else 0, answer


@asynccontextmanager
async def tcp(server: ServerProcess, address: str | None = None, *, narrow: bool = False) -> AsyncIterator[Raw]:
    """Open a TCP connection from ``address``; ``narrow``: with small receive buffers."""
    sock = socket.socket()
    if narrow:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    sock.bind((address or new_address(), 0))
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", urlsplit(server.url).port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1024 if narrow else 65_536)
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


def upgrade(server: ServerProcess, *headers: str, path: str = "/") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {urlsplit(server.url).netloc}",
        *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"),
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, length: int | None = None, rsv: int = 0) -> bytes:
    """Return a masked frame; ``length`` is the length that its header claims."""
    claimed = len(data) if length is None else length
    first = (0x80 if fin else 0) | rsv | opcode
    if claimed < 126:
        head = struct.pack("!BB", first, 0x80 | claimed)
    elif claimed < 65_536:
        head = struct.pack("!BBH", first, 0x80 | 126, claimed)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, claimed)
    return head + bytes(4) + data  # a mask of zeros leaves the payload as it is


def text(message: str) -> bytes:
    return frame(TEXT, message.encode())


@asynccontextmanager
async def raw_socket(server: ServerProcess, address: str | None = None, *, hello: bool = True) -> AsyncIterator[Raw]:
    """Open a WebSocket by hand; ``hello``: greet, and read the first bytes of the welcome."""
    async with tcp(server, address, narrow=True) as raw:
        raw.writer.write(upgrade(server))
        head = await raw.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        if hello:
            raw.writer.write(text(f'{{"t":"hello","name":"{new_name()}","kind":"human"}}'))
            await raw.reader.readexactly(10)
        yield raw


async def run_many(number: int, work: Callable[[int], Awaitable[Any]]) -> list[Any]:
    """Run ``work`` ``number`` times concurrently; return results and exceptions."""
    return await asyncio.gather(*(work(n) for n in range(number)), return_exceptions=True)
