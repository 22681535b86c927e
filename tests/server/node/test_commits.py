"""Batches share a commit: the more there are, the more a commit waits for."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs
from tests.support.waiting import PATIENCE

from parlour_server.metrics import Metrics
from parlour_server.node.commits import BUSY, GATHER, SLOW, SLOW_IN_A_ROW, CommitQueue
from parlour_server.persistence import Append


class Disk:
    """A store that only counts the writes of each commit, and sets the clock forward by what the commit takes."""

    def __init__(self) -> None:
        self.commits: list[int] = []
        self.time = self.takes = 0.0

    async def commit(self, writes: Sequence[Append]) -> list[Any]:
        self.commits.append(len(writes))
        self.time += self.takes
        return []


class Timers:
    """The timers of the event loop, which the test fires."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waiting: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        monkeypatch.setattr(self._loop, "call_later", self._call_later)

    def _call_later(self, delay: float, call: Callable[[], None]) -> None:
        if delay:
            assert delay == GATHER
            self.waiting.put_nowait(call)
        else:
            self._loop.call_soon(call)


def queue_of(disk: Disk) -> CommitQueue:
    store: Any = disk
    return CommitQueue(store, lambda: disk.time, Metrics(), Mock(), begin={}, deliver={}, lost=Mock())


def put(queue: CommitQueue, batches: int) -> None:
    for n in range(batches):
        queue.put([Append("room", 1, n, "{}")])


async def test_next_commit_of_a_busy_node_waits_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, disk = Timers(monkeypatch), Disk()
    queue = queue_of(disk)
    put(queue, BUSY)
    async with asyncio.timeout(PATIENCE):
        fire = await timers.waiting.get()
    put(queue, 1)
    await asyncio.sleep(0)
    put(queue, 1)
    fire()
    await queue.settled()
    assert disk.commits == [BUSY, 2]


async def test_next_commit_of_a_calm_node_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, disk = Timers(monkeypatch), Disk()
    queue = queue_of(disk)
    for batches in (BUSY - 2, 1):
        put(queue, batches)
        await queue.settled()  # a batch, too
    assert disk.commits == [BUSY - 2, 1]
    assert timers.waiting.empty()


async def test_a_slow_disk_is_logged_once_and_one_slow_commit_is_not() -> None:
    disk = Disk()
    queue = queue_of(disk)

    async def commits(takes: float, count: int) -> list[Any]:
        disk.takes = takes
        with capture_logs() as logs:
            for _ in range(count):
                put(queue, 1)
                await queue.settled()
        return [(entry["log_level"], entry["seconds"]) for entry in logs]

    assert await commits(3.0, 1) == []
    assert await commits(SLOW / 2, SLOW_IN_A_ROW) == []
    assert await commits(0.7, 3 * SLOW_IN_A_ROW) == [("warning", 0.7)]
    assert await commits(0.001, 1) == []
    assert await commits(0.7, SLOW_IN_A_ROW) == [("warning", 0.7)]
