"""Batches share a commit: what it waits for, and what is void when other nodes stand against part of it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs
from tests.server.store.writes import identity, line, match
from tests.support.waiting import PATIENCE

from parlour_protocol import messages as m
from parlour_server.effects import Post
from parlour_server.metrics import Metrics
from parlour_server.node.commits import BUSY, GATHER, SLOW, SLOW_IN_A_ROW, CommitQueue, divide
from parlour_server.persistence import Append, DropIdentity, SaveContest, SavePairing, SaveRoom, SaveSeat, SaveTicket
from parlour_server.store.base import Conflict, NotStored


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


PONG = Post((9,), m.Pong())
TABLE = SavePairing("cup", 0, "A", None)


def told(room: str) -> Post:
    return Post((1,), m.Ok(room=room))


def listed(*rooms: str) -> Post:
    rows: list[Any] = [{"room": room} for room in rooms]
    return Post((1,), m.Rooms(rows, [], None))


@pytest.mark.parametrize("error", [NotStored("the disk is full"), ValueError(), Conflict(rooms=["X"])])
def test_of_a_failure_that_is_about_nothing_there_nothing_is_left(error: Exception) -> None:
    batches: list[Sequence[Any]] = [[line(0, "A")], [PONG]]
    assert divide(batches, error) == (batches, [])


@pytest.mark.parametrize(
    "about",
    [line(0, "A"), SaveRoom("A", 1, True), SaveSeat("A", "x", True), match("d", room="A"), told("A"), listed("B", "A")],
)
def test_what_is_about_a_lost_room_is_void_and_the_rest_stays(about: Any) -> None:
    lost, rest = divide([[line(0, "B")], [line(1, "A")], [about, PONG], [PONG], [told("B")]], Conflict(rooms=["A"]))
    assert lost == [[line(1, "A")], [about, PONG]]
    assert rest == [[line(0, "B")], [PONG], [told("B")]]


@pytest.mark.parametrize(
    ("write", "conflict"),
    [
        (identity("anna"), Conflict(people=["id-anna"])),
        (DropIdentity("id-anna"), Conflict(people=["id-anna"])),
        (SaveContest("cup", "{}", False), Conflict(contests=["cup"])),
        (TABLE, Conflict(contests=["cup"])),
    ],
)
def test_what_is_about_a_person_or_a_contest_that_changed_is_void(write: Any, conflict: Conflict) -> None:
    assert divide([[write, PONG], [line(0, "B")]], conflict) == ([[write, PONG]], [[line(0, "B")]])


def test_what_was_told_before_the_first_void_batch_stays() -> None:
    assert divide([[told("A")], [line(1, "A")]], Conflict(rooms=["A"])) == ([[line(1, "A")]], [[told("A")]])


def test_void_spreads_to_all_that_a_void_batch_is_about() -> None:
    batches: list[Sequence[Any]] = [
        [line(1, "A"), identity("anna")],
        [identity("anna"), line(1, "B")],
        [line(2, "B")],
        [line(1, "C")],
    ]
    lost, rest = divide(batches, Conflict(rooms=["A"]))
    assert (lost, rest) == (batches[:3], batches[3:])


def test_ticket_goes_with_its_batch() -> None:
    ticket: Sequence[Any] = [SaveTicket("hash", "id-anna", "A", 30), told("A")]
    assert divide([ticket, [line(1, "A")], ticket], Conflict(rooms=["A"])) == ([[line(1, "A")], ticket], [ticket])
