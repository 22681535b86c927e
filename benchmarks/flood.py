"""What a guest can do to a server by acts that change nothing: flags set and removed, in very large acts.

The guest sends them as fast as they are answered, also after they are refused. Measured are the growth of the server
and of its store, the answers to another player meanwhile, and the first answers after the server was killed.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import Socket, open_socket

from benchmarks.results import Result, show
from parlour_bots.load.process_usage import usage_of
from parlour_protocol.version import MSGPACK

SECONDS = 20.0
SOLO: dict[str, Any] = {
    "game": "minesweeper",
    "options": {"level": "custom", "width": 100, "height": 100, "mines": 5_000, "first": "any"},
    "seats": 1,
    "start": "full",
    "clock": None,
}
CELLS = 256
"""Cells of an act: the longest list that the protocol takes."""
WHY = "🚩" * 1_024
PAUSE = 0.02
"""Seconds between the acts of the other player."""
MIB = 1 << 20


@attrs.define(eq=False)
class Player:
    """A guest in a solo match of Minesweeper who sets and removes the same flags without end."""

    socket: Socket
    room: str
    rid: int
    token: str
    cells: int
    answers: Counter[str] = attrs.field(factory=Counter)
    """How often acts were answered by ``turn``, or by the code of an error."""
    waits: list[float] = attrs.field(factory=list)
    """Seconds until each answer."""

    async def play(self, pause: float, **more: Any) -> None:
        """Send acts with a pause after each answer."""
        at = [[x % 100, x // 100] for x in range(self.cells)]
        for do in cycle(("flag", "unflag")):
            began = time.perf_counter()
            act = {"do": do, "cells": at}
            answer = await self.socket.ask("act", "turn", "error", room=self.room, rid=self.rid, act=act, **more)
            self.waits.append(time.perf_counter() - began)
            self.rid = answer["rid"]
            self.answers[answer.get("code", "turn")] += 1
            await asyncio.sleep(pause)

    def p99(self) -> float:
        """Return the 99th percentile of the time until an answer, in milliseconds."""
        return sorted(self.waits)[int(len(self.waits) * 0.99)] * 1e3


@asynccontextmanager
async def playing(url: str, name: str, cells: int) -> AsyncIterator[Player]:
    """Connect a guest who has begun a match."""
    async with open_socket(url, MSGPACK) as socket:
        token = (await socket.hello(name))["token"]
        await socket.send("create", **SOLO)
        turn = await socket.until("turn")
        yield Player(socket, turn["room"], turn["rid"], token, cells)


async def _flood(server: ServerProcess, seconds: float) -> tuple[Player, Player, float, list[tuple[int, int]]]:
    """Flood a server.

    Return the guest, the other player, its p99 before the flood, and the sizes at the beginning, middle and end.
    """
    async with AsyncExitStack() as stack:
        guest = await stack.enter_async_context(playing(server.url, "flood", CELLS))
        other = await stack.enter_async_context(playing(server.url, "other", 1))
        with suppress(TimeoutError):
            await asyncio.wait_for(other.play(PAUSE), seconds / 4)
        quiet, other = other.p99(), attrs.evolve(other, waits=[])
        sizes = [_sizes(server)]
        tasks = [asyncio.create_task(guest.play(0, why=WHY)), asyncio.create_task(other.play(PAUSE))]
        for _ in range(2):
            await asyncio.wait(tasks, timeout=seconds / 2)
            sizes.append(_sizes(server))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return guest, other, quiet, sizes


async def _return(server: ServerProcess, guest: Player) -> tuple[float, float]:
    """Return the seconds that a new guest and the flooding one wait for their welcome after a start."""

    async def greeted(name: str, **fields: Any) -> float:
        async with open_socket(server.url, MSGPACK) as socket:
            began = time.perf_counter()
            await socket.hello(name, **fields)
            return time.perf_counter() - began

    new, back = await asyncio.gather(greeted("new"), greeted("flood", token=guest.token))
    return new, back


def _sizes(server: ServerProcess) -> tuple[int, int]:
    """Return the memory of a server and its store, in bytes."""
    usage = usage_of(server.pid)
    assert usage is not None, "memory needs Linux"
    return usage.memory * 1024, sum(file.stat().st_size for file in server.folder.glob(f"{server.store.name}*"))


def measure(seconds: float = SECONDS) -> list[Result]:
    """Return the growth of a flooded server, and how it serves others."""
    with TemporaryDirectory(prefix="bench-") as folder, server_process(Path(folder)) as server:
        guest, other, quiet, sizes = asyncio.run(_flood(server, seconds))
        server.restart()
        new, back = asyncio.run(_return(server, guest))
    (memory, store), (memory_later, store_later), (memory_last, store_last) = sizes
    half = seconds / 2 * MIB
    return [
        ("flood by one guest: acts taken", guest.answers["turn"], ""),
        ("acts refused", guest.answers.total() - guest.answers["turn"], ""),
        ("memory at the beginning", memory / MIB, "MiB"),
        ("memory at the end", memory_last / MIB, "MiB"),
        ("memory, growth in the second half", (memory_last - memory_later) / half, "MiB/s"),
        ("store, growth in the first half", (store_later - store) / half, "MiB/s"),
        ("store, growth in the second half", (store_last - store_later) / half, "MiB/s"),
        ("another player's act → turn before the flood: p99", quiet, "ms"),
        ("another player's act → turn during the flood: p99", other.p99(), "ms"),
        ("after a kill, hello → welcome of a new guest", new * 1e3, "ms"),
        ("hello → welcome of the guest, whose room is loaded", back * 1e3, "ms"),
    ]


if __name__ == "__main__":
    show(measure(*map(float, sys.argv[1:])))
