"""What one guest, and one address, can cost the server by each message within the limits.

CPU is that of the server and of the processes that compute for it, per message: several connections send bursts of
one message. ``--json`` prints one line of JSON instead of the table.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import msgpack
from websockets.asyncio.client import ClientConnection

from benchmarks.clients import connected, receive, send
from benchmarks.processes import Process, child
from benchmarks.results import Result, Target
from parlour_bots.load.process_usage import usage_of
from parlour_protocol.messages import Plain
from parlour_server.directory.sessions import ACTS, RATE, WRONG_CODE, cost
from parlour_server.engine.budget import Budget
from parlour_server.persistence import Append, MatchFinished, MatchRow, SaveMatch, SaveRoom
from parlour_server.settings import Settings
from parlour_server.store.sqlite.store import SqliteStore

SENDERS = 40
TOKENS = 60
"""Tokens that each sender spends at once, of the 80 that its bucket holds."""
MATCHES, NAMES = 2_000, 500
"""Matches in the store, and players that have played them."""
FILE = 400
"""Lines of the match file that is requested."""
BOARDS = 5
FLAGS = 150
"""Acts of each guest."""
PATIENCE = 60.0
"""Seconds in which all answers have to come."""
SHARE = Budget(0).share
MOST = 5.0
"""Percent of a core that one message may cost a guest."""


@attrs.frozen
class Cost:
    """What one kind of message costs: seconds of CPU each, and how often a guest may send it in a second."""

    label: str
    cpu: float
    rate: float
    per_address: int = Settings().per_address

    @property
    def guest(self) -> float:
        """Return the percentage of a core that one guest can cost."""
        return self.cpu * self.rate * 100

    @property
    def address(self) -> float:
        """Return the percentage of a core that all connections of an address can cost."""
        return self.guest * self.per_address

    def paid(self, *, by_address: bool) -> "Cost":
        """Return the cost under a budget, which each guest has, or all guests of an address have together."""
        rate = min(self.rate, SHARE / self.cpu)
        return attrs.evolve(self, rate=rate, per_address=1 if by_address else self.per_address)


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its children."""
    used = usage_of(pid)
    return (used.cpu if used else 0.0) + sum(_cpu(each) for each in _children(pid))


def _children(pid: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                yield int(path.parent.name)


@contextmanager
def _server() -> Iterator[Process]:
    """Run a server whose store holds finished matches."""
    with TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder, "bench.db")
        asyncio.run(_fill(path))
        options = ("--port", "0", "--no-house-bots", "--per-address", "10000", "--log-level", "error")
        with child("parlour_client.cli.main", "serve", "--ready-json", "--store", f"sqlite:///{path}", *options) as it:
            yield it


async def _fill(path: Path) -> None:
    store = SqliteStore(path)
    await store.index()
    lines = (Append("AAAA", 1, n, json.dumps({"at": n, "n": n, "r": "act", "why": "x" * 60})) for n in range(FILE))
    matches = (MatchFinished(f"{n:064x}", "uno", 0, FILE - 1, True, tuple(_rows(n))) for n in range(MATCHES))
    await store.commit([SaveRoom("AAAA", 1, False), *lines, *(SaveMatch("AAAA", match) for match in matches)])
    await store.close()


def _rows(match: int) -> Iterator[MatchRow]:
    for seat in range(4):
        who = f"p{(match * 7 + seat * 11) % NAMES}"
        yield MatchRow(seat, who, who, "human", seat + 1, 50 * (4 - seat))


async def _greeted(url: str, **more: Any) -> ClientConnection:
    socket = await connected(url)
    await send(socket, t="hello", name=f"g{os.urandom(6).hex()}", kind="human", **more)
    await receive(socket, "welcome")
    return socket


async def _ask(socket: ClientConnection, **message: Any) -> Plain:
    """Send a message and return its answer, which may be a refusal."""
    await send(socket, **message, id="it")
    while True:
        got: Plain = msgpack.unpackb(await socket.recv())
        if "it" in (got.get("re"), got.get("ok", {}).get("re")):
            assert got.get("code") != "rate_limited", f"{message['t']} exceeds the limit"
            return got


@attrs.define
class Guests:
    """Guests on one server, each the host of a room in which another guest watches."""

    server: Process
    sockets: list[ClientConnection] = attrs.field(factory=list)
    watchers: list[ClientConnection] = attrs.field(factory=list)
    rooms: list[str] = attrs.field(factory=list)

    async def arrive(self) -> None:
        """Connect, and open the rooms."""
        for _ in range(SENDERS):
            socket = await _greeted(self.server.url)
            self.rooms.append((await _ask(socket, t="create", game="uno", seats=4))["room"])
            watcher = await _greeted(self.server.url)
            await _ask(watcher, t="join", room=self.rooms[-1], **{"as": "spectator"})
            self.sockets.append(socket)
            self.watchers.append(watcher)

    async def cost(self, label: str, *messages: Plain, extra: int = 0, rounds: int = TOKENS) -> Cost:
        """Return the cost of a round of ``messages``. ``extra``: tokens that they cost besides."""
        tokens = sum(cost(message["t"]) for message in messages) + extra
        rounds = min(rounds, TOKENS // tokens)
        await asyncio.sleep(2.1)  # until the buckets are full
        before = _cpu(self.server.pid)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(self._send(n, rounds, messages) for n in range(SENDERS)))
        spent = _cpu(self.server.pid) - before
        return Cost(label, spent / SENDERS / rounds, RATE / tokens)

    async def _send(self, n: int, rounds: int, messages: tuple[Plain, ...]) -> None:
        for _ in range(rounds):
            rooms = {"own": self.rooms[n], "other": self.rooms[n - 1]}
            for message in messages:
                named = {"room": rooms.get(message["room"], message["room"])} if "room" in message else {}
                got = await _ask(self.sockets[n], **{**message, **named})
                if message["t"] == "create":
                    rooms["new"] = got["room"]

    async def hello(self) -> Cost:
        """Return the cost of connecting and saying hello with a new key. No limit of rates applies to it."""
        before = _cpu(self.server.pid)
        for _ in range(200):
            socket = await _greeted(self.server.url, key=os.urandom(16).hex())
            socket.transport.abort()
        return Cost("connect, hello with a new key", (_cpu(self.server.pid) - before) / 200, 0)

    async def board(self) -> Cost:
        """Return the cost of an expert board that needs no guess: a match is begun, opened and resigned."""
        socket, options = await _greeted(self.server.url), {"mode": "solo", "level": "expert", "no_guess": True}
        room = (await _ask(socket, t="create", game="minesweeper", seats=1, options=options))["room"]
        before = _cpu(self.server.pid)
        for _ in range(BOARDS):
            await send(socket, t="start", room=room)
            rid = (await receive(socket, "turn"))["rid"]
            await send(socket, t="act", room=room, rid=rid, act=240)
            rid = (await receive(socket, "turn"))["rid"]
            await send(socket, t="act", room=room, rid=rid, act={"do": "resign"})
            await receive(socket, "over")
        return Cost("a board that needs no guess", (_cpu(self.server.pid) - before) / BOARDS, RATE / 3)

    async def flags(self, label: str, **options: Any) -> Cost:
        """Return the cost of an accepted act, a flag on a board, while all guests play."""
        boards = [await self._board(options) for _ in range(SENDERS)]
        before = _cpu(self.server.pid)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(_flag(socket, room, rid) for socket, room, rid in boards))
        spent = _cpu(self.server.pid) - before
        for socket, _, _ in boards:
            socket.transport.abort()
        return Cost(label, spent / SENDERS / FLAGS, ACTS)

    async def _board(self, options: Plain) -> tuple[ClientConnection, str, int]:
        """Let a new guest begin to play alone; return its socket, the room and the open rid."""
        socket, options = await _greeted(self.server.url), {"mode": "solo", **options}
        room = (await _ask(socket, t="create", game="minesweeper", seats=1, options=options))["room"]
        await send(socket, t="start", room=room)
        return socket, room, (await receive(socket, "turn"))["rid"]


async def _flag(socket: ClientConnection, room: str, rid: int) -> None:
    """Put flags on a board, one by one."""
    for n in range(FLAGS):
        await send(socket, t="act", room=room, rid=rid, act={"do": "flag", "cells": [[n % 30, n // 30]]})
        rid = (await receive(socket, "turn"))["rid"]


async def _measure(server: Process) -> list[Cost]:
    guests = Guests(server)
    await guests.arrive()
    try:
        return sorted(await _each(guests), key=lambda each: -each.guest)
    finally:
        for socket in (*guests.sockets, *guests.watchers):
            socket.transport.abort()


async def _each(guests: Guests) -> list[Cost]:
    return [
        await guests.cost("ping", {"t": "ping"}),
        await guests.cost(f"list, {SENDERS} rooms", {"t": "list"}),
        (await guests.cost("standings", {"t": "standings", "game": "uno"}, rounds=2)).paid(by_address=True),
        (await guests.cost("file", {"t": "file", "digest": f"{1:064x}", "after": FILE // 2}, rounds=5)).paid(
            by_address=True
        ),
        await guests.cost("create, leave", {"t": "create", "game": "uno"}, {"t": "leave", "room": "new"}),
        await guests.cost("join another room, leave", {"t": "join", "room": "other"}, {"t": "leave", "room": "other"}),
        await guests.cost("join from inside: the room again", {"t": "join", "room": "own"}),
        await guests.cost("join with a wrong code", {"t": "join", "room": "ZZZZ"}, extra=WRONG_CODE),
        await guests.cost(
            "ready, not ready", {"t": "ready", "room": "own"}, {"t": "ready", "room": "own", "ready": False}
        ),
        await guests.cost("start, refused", {"t": "start", "room": "own"}),
        await guests.flags("act: a flag", level="expert"),
        await guests.flags("act: a flag, largest board", level="custom", width=100, height=100, mines=2_000),
        await guests.cost("act under no open rid", {"t": "act", "room": "own", "rid": 9, "act": 0}),
        await guests.cost("chat", {"t": "chat", "room": "own", "text": "x" * 200}),
        await guests.cost("invite, no bot is free", {"t": "invite", "room": "own"}),
        await guests.cost("manage: mute", {"t": "manage", "room": "own", "do": "mute", "name": "nobody"}),
        await guests.cost("admin with a wrong token", {"t": "admin", "token": "x", "do": "drain"}),
        await guests.cost("delete without a key", {"t": "delete", "key": "x"}),
        await guests.cost("offer, refused", {"t": "offer", "games": ["uno"], "max": 1}),
        await guests.cost("hello again, refused", {"t": "hello", "name": "x", "kind": "bot", "key": "x" * 128}),
        await guests.cost("an unknown type", {"t": "nonsense"}),
        (await guests.board()).paid(by_address=False),
        await guests.hello(),
    ]


def _table(costs: list[Cost]) -> Iterator[str]:
    yield "| message | CPU each, µs | a second | one guest, % of a core | one address, % of a core |"
    yield "|---|---:|---:|---:|---:|"
    for each in costs:
        limits = f"{each.rate:.3g} | {each.guest:.2f} | {each.address:.0f}" if each.rate else " | | "
        yield f"| {each.label} | {each.cpu * 1e6:,.0f} | {limits} |"


def _costs() -> list[Cost]:
    with _server() as server:
        return asyncio.run(_measure(server))


def measure() -> list[Result]:
    """Return what each message can cost a guest, and the target for the dearest."""
    costs = _costs()
    dearest = costs[0]
    return [
        *((f"{each.label}: one guest", each.guest, "% of a core") for each in costs if each.rate),
        Target(f"the dearest message: {dearest.label}", round(dearest.guest, 2), "% of a core", MOST, MOST / 2),
    ]


def main() -> None:
    """Print the table, or JSON."""
    costs = _costs()
    if "--json" in sys.argv[1:]:
        rows = {each.label: {"cpu_us": each.cpu * 1e6, "a_second": each.rate, "guest": each.guest} for each in costs}
        print(json.dumps(rows))
    else:
        print("\n".join(_table(costs)))


if __name__ == "__main__":
    main()
