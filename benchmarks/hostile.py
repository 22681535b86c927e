"""What one hostile address can do to a server: a row for each kind of message and frame that it sends without end.

Sixty connections from one loopback address attack a server while ten people, each from an address of their own, play.
A row has the share of a core that the attack costs the server and its processes beside what the people cost, the time
from act to turn of the people before and during the attack, and the server's memory before, at the end, and once all
are gone. A control has the same attack on another server, which costs the people what the machine's cores are short of.
The attack has used up its credit before the figures are taken, and runs at the lowest priority, as on a machine of its
own. It connects as often as other addresses than those of loopback may.

``python -m benchmarks.hostile`` prints the table, with names the rows of these attacks; ``--seconds`` sets how long.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import shutil
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import attrs
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from benchmarks.clients import connected, receive, send
from benchmarks.processes import Process, child
from benchmarks.results import Result, Target
from parlour_bots.load import usage_of
from parlour_protocol.messages import Plain
from parlour_server.persistence import Append, MatchFinished, MatchRow, SaveMatch, SaveRoom
from parlour_server.settings import ServerSettings
from parlour_server.store.sqlite.store import SqliteStore
from parlour_server.transport.gateway import LINGER

HOSTILE = "127.0.0.66"
CONNECTIONS, PEOPLE = 60, 10
SECONDS, WARMING = 10.0, 5.0
"""Seconds of an attack that are measured, and of its beginning, which are not."""
BACK = 60.0
"""Seconds after which the memory has to be back, while the people play on."""
PAUSE = 0.1
"""Seconds for which a person thinks, on average."""
MATCHES, NAMES, FILE = 2_000, 500, 400
"""Matches in the store, players that have played them, and lines of the match file that is requested."""
PLAYED, PLAYED_MATCHES = (
    Path(__file__).parents[1] / "tests" / "server" / "golden" / "matches" / "uno-1-family.jsonl",
    500,
)
"""The file of a match that bots played, and how often it is in the store."""
MOST_CPU, MOST_P99 = 50.0, 3.0
"""Percent of a core, and times the p99 without an attack on this server, that no attack may exceed."""
SOLO: Plain = {"game": "minesweeper", "seats": 1, "start": "full", "clock": None}
MIB = 1 << 20

Attack: TypeAlias = Callable[[str], Awaitable[None]]
"""URL → what one connection does, and does again when it is cut off."""


# --- attacks ---------------------------------------------------------------------------------------------------------


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """Return the frame of a client."""
    return Frame(opcode, data, fin).serialize(mask=True)


def said(**message: Any) -> bytes:
    """Return the frame of a message."""
    return framed(json.dumps(message).encode())


@asynccontextmanager
async def _wire(url: str) -> AsyncIterator[asyncio.StreamWriter]:
    """Connect a socket and discard what it receives, until the connection ends."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(HOSTILE, 0))
    reading = asyncio.create_task(_throw_away(reader, writer))
    try:
        yield writer
    finally:
        reading.cancel()
        writer.transport.abort()


async def _throw_away(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass
    writer.transport.abort()


async def blast(url: str, *frames: bytes, hello: bool = True) -> None:
    """Send frames without end, as fast as the server reads them."""
    client = ClientProtocol(parse_uri(url))
    client.send_request(client.connect())
    [request] = client.data_to_send()
    async with _wire(url) as writer:
        name = f"g{os.urandom(6).hex()}"
        greeting = said(t="hello", name=name, kind="human", key=os.urandom(16).hex()) if hello else b""
        writer.write(request)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.write(greeting)
        while not writer.transport.is_closing():
            writer.write(b"".join(frames))
            await writer.drain()
            await asyncio.sleep(0)


async def knock(url: str, data: bytes) -> None:
    """Open a connection, send what is no WebSocket, and wait for the end."""
    async with _wire(url) as writer:
        writer.write(data)
        with suppress(OSError):
            await writer.wait_closed()


async def flags(url: str, cells: int, **more: Any) -> None:
    """Set and remove flags in a match of one's own, each act as soon as the one before is answered."""
    socket = await connected(url, HOSTILE)
    options = {"level": "custom", "width": 100, "height": 100, "mines": 2_000, "first": "any"}
    room, rid = await _begin(socket, options=options)
    at = [[x % 100, x // 100] for x in range(cells)]
    for do in cycle(("flag", "unflag")):
        await send(socket, t="act", room=room, rid=rid, act={"do": do, "cells": at}, **more)
        rid = (await receive(socket, "turn", "error"))["rid"]


async def boards(url: str) -> None:
    """Begin, open and resign matches whose boards need no guess."""
    socket = await connected(url, HOSTILE)
    room, rid = await _begin(socket, options={"mode": "solo", "level": "expert", "no_guess": True})
    while True:
        await send(socket, t="act", room=room, rid=rid, act=240)
        rid = (await receive(socket, "turn"))["rid"]
        await send(socket, t="act", room=room, rid=rid, act={"do": "resign"})
        await receive(socket, "over")
        await send(socket, t="start", room=room)
        rid = (await receive(socket, "turn"))["rid"]


async def _begin(socket: Any, **create: Any) -> tuple[str, int]:
    await send(socket, t="hello", name=f"g{os.urandom(6).hex()}", kind="human")
    await receive(socket, "welcome")
    await send(socket, t="create", **SOLO, **create)
    turn = await receive(socket, "turn")
    return turn["room"], turn["rid"]


def _asking(**message: Any) -> Attack:
    return partial(_blast_many, said(**message))


async def _blast_many(frame: bytes, url: str) -> None:
    await blast(url, *[frame] * 8)


DIGEST = f"{1:064x}"
PLAYED_DIGESTS = [f"{MATCHES + n:064x}" for n in range(PLAYED_MATCHES)]


def _of_each_match(**message: Any) -> Attack:
    """Ask the same of each match that bots played."""
    return lambda url: blast(url, *[said(**message, digest=digest) for digest in PLAYED_DIGESTS])


ATTACKS: dict[str, Attack] = {
    "bad UTF-8": lambda url: blast(url, framed(b"\xff\xfe")),
    "no JSON": lambda url: blast(url, *[framed(b"{") for _ in range(30)]),
    "an unknown type": _asking(t="nonsense"),
    "frame: ping": lambda url: blast(url, *[framed(b"?", Opcode.PING)] * 100),
    "frame: fragments": lambda url: blast(
        url, framed(b"", fin=False), *[framed(b"", Opcode.CONT, fin=False)] * 250, framed(b"", Opcode.CONT)
    ),
    "HTTP: the page": lambda url: knock(url, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "connect, hello with a new key": lambda url: blast(url, framed(b"", Opcode.CLOSE)),
    "ping": _asking(t="ping"),
    "hello again, refused": _asking(t="hello", name="x", kind="bot", key="x" * 128),
    "list": _asking(t="list"),
    "describe": _asking(t="describe", game="uno"),
    "create": _asking(t="create", game="uno"),
    "join with a wrong code": _asking(t="join", room="ZZZZ"),
    "act under no open rid": _asking(t="act", room="ZZZZ", rid=9, act=0),
    "act: a flag": partial(flags, cells=1),
    "act: 256 flags and a long note": partial(flags, cells=256, why="\N{TRIANGULAR FLAG ON POST}" * 1024),
    "a board that needs no guess": boards,
    "standings": _asking(t="standings", game="uno"),
    "ladder": _asking(t="standings", game="uno", ladder="all"),
    "profile": _asking(t="profile", name="p7"),
    "chain": _asking(t="chain"),
    "missed": _asking(t="missed"),
    "presets": _asking(t="presets"),
    "daily": _asking(t="daily"),
    "file": _asking(t="file", digest=DIGEST, after=FILE // 2),
    "file with views": _of_each_match(t="file", views=True),
    "review": _of_each_match(t="review", seat=0),
    "continue": _of_each_match(t="continue", act=1),
}  # fmt: skip


def attack(name: str, url: str) -> None:
    """Attack a server until the process is killed."""
    os.nice(10)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    door = asyncio.Lock()

    async def again() -> None:
        while True:
            async with door:
                await asyncio.sleep(LINGER / ServerSettings().per_address)
            with suppress(Exception):  # the attack continues after any lost connection
                await ATTACKS[name](url)

    async def all_at_once() -> None:
        await asyncio.gather(*(again() for _ in range(CONNECTIONS)))

    asyncio.run(all_at_once())


# --- the people ------------------------------------------------------------------------------------------------------


@attrs.define
class Person:
    """A person who plays Minesweeper alone. ``waits``: seconds from each act to its turn."""

    socket: Any
    room: str
    rid: int
    chance: random.Random
    waits: list[float] = attrs.field(factory=list)

    async def play(self) -> None:
        """Think, set or remove a flag, and wait for the turn, without end."""
        for do in cycle(("flag", "unflag")):
            await asyncio.sleep(self.chance.uniform(0, 2 * PAUSE))
            began = time.perf_counter()
            await send(self.socket, t="act", room=self.room, rid=self.rid, act={"do": do, "cells": [[0, 0]]})
            self.rid = (await receive(self.socket, "turn"))["rid"]
            self.waits.append(time.perf_counter() - began)


@asynccontextmanager
async def people(url: str, count: int = PEOPLE) -> AsyncIterator[list[Person]]:
    """Let people play, each from an address of their own."""
    playing, chance = [], random.Random(1)
    for number in range(count):
        socket = await connected(url, f"127.0.1.{number + 1}")
        playing.append(Person(socket, *await _begin(socket, options={"level": "expert", "first": "any"}), chance))
    tasks = [asyncio.create_task(person.play()) for person in playing]
    try:
        yield playing
    finally:
        for task in tasks:
            task.cancel()
        for person in playing:
            person.socket.transport.abort()


# --- the measurement -------------------------------------------------------------------------------------------------


@attrs.frozen
class Row:
    """What an attack does. ``cpu`` in percent of a core, memory in MiB, the people's p99 in ms."""

    attack: str
    cpu: float
    quiet: float
    """The p99 without an attack."""
    beside: float
    """The p99 while another server of this machine is attacked."""
    p99: float
    before: float
    peak: float
    after: float

    @property
    def holds(self) -> bool:
        """Whether the attack stays within what is promised."""
        return self.cpu <= MOST_CPU and self.slowdown <= MOST_P99

    @property
    def slowdown(self) -> float:
        """How many times longer the people wait than without an attack, or while another server is attacked."""
        return self.p99 / max(self.quiet, self.beside)


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its children."""
    used = usage_of(pid)
    return (used.cpu if used else 0.0) + sum(cpu(each) for each in _children(pid))


def _children(pid: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                yield int(path.parent.name)


def _memory(pid: int) -> float:
    used = usage_of(pid)
    assert used is not None, "memory needs Linux"
    return used.memory * 1024 / MIB


def p99(waits: list[float]) -> float:
    """Return the 99th percentile, in ms."""
    return sorted(waits)[int(len(waits) * 0.99)] * 1e3


@contextmanager
def _server(filled: Path) -> Iterator[Process]:
    """Run a server with a copy of a store."""
    with TemporaryDirectory(prefix="bench-") as folder:
        shutil.copy(filled, folder)
        store = f"sqlite:///{folder}/{filled.name}"
        options = ("--port", "0", "--no-house-bots", "--log-level", "error")
        with child("parlour_client.cli.main", "serve", "--ready-json", "--store", store, *options) as server:
            yield server


async def _fill(path: Path) -> None:
    """Make a store with finished matches."""
    store = SqliteStore(path)
    await store.index()
    head: Plain = {"at": 0, "n": 0, "r": "match", "game": "uno", "players": [{}] * 4}
    records: list[Plain] = [head, *({"at": n, "n": n, "r": "act", "why": "x" * 60} for n in range(1, FILE))]
    lines = (Append("AAAA", 1, n, json.dumps(record)) for n, record in enumerate(records))
    matches = (MatchFinished(f"{n:064x}", "uno", 0, FILE - 1, True, tuple(_rows(n))) for n in range(MATCHES))
    await store.commit([SaveRoom("AAAA", 1, False), *lines, *(SaveMatch("AAAA", match) for match in matches)])
    played: list[Plain] = [json.loads(line) for line in PLAYED.read_text(encoding="utf-8").splitlines()]
    for record in played:
        del record["h"]
    lines = (Append("CCCC", 1, n, json.dumps(record)) for n, record in enumerate(played))
    matches = (MatchFinished(digest, "uno", 0, len(played) - 1, True, tuple(_rows(0))) for digest in PLAYED_DIGESTS)
    await store.commit([SaveRoom("CCCC", 1, False), *lines, *(SaveMatch("CCCC", match) for match in matches)])
    await store.close()


def _rows(match: int) -> Iterator[MatchRow]:
    for seat in range(4):
        who = f"p{(match * 7 + seat * 11) % NAMES}"
        yield MatchRow(seat, who, who, "human", seat + 1, 50 * (4 - seat))


async def _measured(name: str, server: Process, other: Process, seconds: float, back: float) -> Row:
    async with people(server.url) as playing:
        used, began = cpu(server.pid), time.perf_counter()
        quiet = await _p99(playing, seconds)
        peace = (cpu(server.pid) - used) / (time.perf_counter() - began)
        before = _memory(server.pid)
        with _attacked(other.url, name):
            await asyncio.sleep(WARMING)
            beside = await _p99(playing, seconds)
        with _attacked(server.url, name):
            await asyncio.sleep(WARMING)
            used, began = cpu(server.pid), time.perf_counter()
            during = await _p99(playing, seconds)
            share = ((cpu(server.pid) - used) / (time.perf_counter() - began) - peace) * 100
            peak = _memory(server.pid)
        await asyncio.sleep(back)
    return Row(name, share, quiet, beside, during, before, peak, _memory(server.pid))


async def _p99(playing: list[Person], seconds: float) -> float:
    for person in playing:
        person.waits.clear()
    await asyncio.sleep(seconds)
    return p99([wait for person in playing for wait in person.waits] or [seconds])


@contextmanager
def _attacked(url: str, name: str) -> Iterator[None]:
    """Attack a server from another process."""
    attacking = multiprocessing.get_context("spawn").Process(target=attack, args=(name, url), daemon=True)
    attacking.start()
    try:
        yield
    finally:
        attacking.kill()
        attacking.join()


def rows(names: list[str], seconds: float = SECONDS, back: float = BACK) -> Iterator[Row]:
    """Yield the rows of these attacks, each on a server of its own."""
    with TemporaryDirectory(prefix="bench-") as folder:
        filled = Path(folder, "bench.db")
        asyncio.run(_fill(filled))
        for name in names:
            with _server(filled) as server, _server(filled) as other:
                yield asyncio.run(_measured(name, server, other, seconds, back))


def measure() -> Iterator[Result]:
    """Yield the figures of each attack."""
    for row in rows(list(ATTACKS)):
        yield Target(f"one hostile address, {row.attack}: the server", row.cpu, "% of a core", MOST_CPU, MOST_CPU)
        yield Target("people meanwhile: p99 / quiet p99", row.slowdown, "", MOST_P99, MOST_P99)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile")
    parser.add_argument("attack", nargs="*", default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--back", type=float, default=BACK)
    asked = parser.parse_args()
    print(f"load average: {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores\n")
    p99s, memories = "people's p99, ms (another server; quiet)", "memory, MiB: before, during, after"
    print(f"| sent from one address | % of a core | {p99s} | × | {memories} |\n|---|---:|---:|---:|---:|")
    for row in rows(asked.attack, asked.seconds, asked.back):
        memory = f"{row.before:.0f}, {row.peak:.0f}, {row.after:.0f}"
        waits = f"{row.p99:.1f} ({row.beside:.1f}; {row.quiet:.1f}) | {row.slowdown:.1f}"
        print(f"| {row.attack} | {row.cpu:.0f} | {waits} | {memory} |", flush=True)
    print(f"\nload average: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
