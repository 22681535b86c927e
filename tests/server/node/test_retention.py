"""Old matches are removed in the background: when, how often, and what a server does with codes that are free again."""

import asyncio
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.nodes import House
from tests.server.store.writes import match, opened
from tests.support.server import server_process
from tests.support.waiting import until

from parlour_protocol import messages as m
from parlour_server.node.retention import BETWEEN_ROUNDS, BETWEEN_STEPS, DAY, keep
from parlour_server.persistence import Pruned, SaveRoom
from parlour_server.settings import ServerSettings
from parlour_server.store.base import StoreError
from parlour_server.store.sqlite.store import SqliteStore

NOW = 200 * DAY
IMPATIENT = """
from parlour_client.cli.main import main
from parlour_server.node import retention
retention.BETWEEN_ROUNDS = 0
main()
"""
"""The command, for which an hour is over at once."""


@attrs.define
class Asked:
    """A store that answers with what it is given, and remembers what it was asked."""

    answers: list[Pruned | Exception]
    asked: list[tuple[int, str]] = attrs.field(factory=list)
    most: list[tuple[int, int]] = attrs.field(factory=list)

    async def prune(self, before: int, after: str, most: int, names: int) -> Pruned:
        self.asked.append((before, after))
        self.most.append((most, names))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Enough(Exception):
    """The test has seen what it wants."""


async def run(
    days: int,
    store: Asked | SqliteStore,
    pauses: int,
    now: float = NOW,
    jumps: tuple[float, ...] = (),
    count: int = 500,
) -> tuple[list[float], set[str]]:
    """Let it run for so many pauses; return them, and the codes that became free.

    ``jumps``: by how many seconds the clock is set in the first pauses between rounds.
    """
    paused: list[float] = []
    freed: set[str] = set()
    left = list(jumps)

    async def pause(seconds: float) -> None:
        nonlocal now
        if len(paused) == pauses:
            raise Enough
        paused.append(seconds)
        if seconds == BETWEEN_ROUNDS and left:
            now += left.pop(0)

    there = range(count)
    with pytest.raises(Enough):
        await keep(days, store, freed.update, there, there, clock=lambda: now, elapsed=lambda: 0, pause=pause)  # type: ignore[arg-type]
    return paused, freed


async def test_each_step_goes_on_where_the_last_ended_and_each_round_from_the_start() -> None:
    store = Asked([Pruned(("AAAA",), "CCCC"), Pruned((), "DDDD"), Pruned(("EEEE",), None), Pruned((), None)])
    with capture_logs() as logs:
        paused, freed = await run(30, store, pauses=6)
    before = NOW - 30 * DAY
    assert store.asked == [(before, ""), (before, "CCCC"), (before, "DDDD"), (before, "")]
    assert paused == [BETWEEN_ROUNDS, *[BETWEEN_STEPS] * 3, BETWEEN_ROUNDS, BETWEEN_STEPS]
    assert freed == {"AAAA", "EEEE"}
    assert [(entry["rooms"], entry["more"]) for entry in logs] == [(2, False)]


async def test_a_round_removes_only_a_share_and_the_next_twice_as_many() -> None:
    step = Pruned(("AAAA", "CCCC"), "CCCC")
    first, second = Pruned(("AAAA", "CCCC"), "CCCC", names=2), Pruned(("AAAA", "CCCC"), "CCCC", names=4)
    store = Asked([first, second, step, Pruned(("DDDD",), None, names=1), step, step])
    with capture_logs() as logs:
        await run(30, store, pauses=10, count=100)
    assert [after for _, after in store.asked] == ["", "", "CCCC", "", "", "CCCC"]
    assert store.most == [(2, 2), (4, 4), (2, 0), (8, 8), (4, 4), (2, 0)]
    told = [(entry["rooms"], entry["names"], entry["more"]) for entry in logs]
    assert told == [(2, 2, True), (4, 4, True), (1, 1, False), (4, 0, True)]


async def test_a_small_server_whose_clock_was_wrong_from_the_start_loses_one_room_in_the_first_round(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "parlour.db")
    for code in ("AAAA", "CCCC", "DDDD", "EEEE"):
        await store.commit([*opened(code), SaveRoom(code, 1, False)])
    with capture_logs() as logs:
        _, freed = await run(30, store, pauses=2, now=1e11, count=4)
    assert freed == {"AAAA"}
    assert [entry["rooms"] for entry in logs] == [1]
    await store.close()


@pytest.mark.parametrize("jump", [100 * DAY, -DAY])
async def test_nothing_is_removed_by_a_clock_that_was_set(jump: float) -> None:
    store = Asked([Pruned((), None)])
    with capture_logs() as logs:
        paused, _ = await run(30, store, pauses=3, jumps=(jump, 1))
    assert paused == [BETWEEN_ROUNDS, BETWEEN_ROUNDS, BETWEEN_STEPS]
    assert [(entry["log_level"], entry["seconds"]) for entry in logs] == [("warning", jump)]


async def test_for_ever_asks_for_nothing() -> None:
    store = Asked([])
    await keep(0, store, set().update, (), ())  # type: ignore[arg-type]
    assert store.asked == []


async def test_store_that_fails_is_asked_again_in_the_next_round() -> None:
    store = Asked([StoreError("the disk is full"), Pruned(("AAAA",), None)])
    with capture_logs() as logs:
        paused, freed = await run(30, store, pauses=4)
    assert [entry.get("reason") for entry in logs] == ["the disk is full", None]
    assert paused == [BETWEEN_ROUNDS, BETWEEN_STEPS] * 2
    assert freed == {"AAAA"}


@pytest.mark.parametrize(
    ("days_later", "kept"), [(ServerSettings().keep_days - 1, True), (ServerSettings().keep_days + 1, False)]
)
async def test_finished_matches_are_kept_for_ninety_days(tmp_path: Path, days_later: int, kept: bool) -> None:
    store = SqliteStore(tmp_path / "parlour.db")
    await store.commit([*opened("AAAA"), match("a1", ("anna", 1, 5), room="AAAA"), SaveRoom("AAAA", 1, False)])
    _, freed = await run(ServerSettings().keep_days, store, pauses=2, now=time.time() + days_later * DAY)
    assert (await store.match_lines("a1") is not None) is kept
    assert freed == (set() if kept else {"AAAA"})
    await store.close()


async def forget(house: House) -> None:
    """Let everything that has ended be too old."""
    done, rounds, free = asyncio.Event(), 0, house.lobby.rooms.used.difference_update

    async def pause(seconds: float) -> None:
        nonlocal rounds
        rounds += seconds == BETWEEN_ROUNDS
        if rounds == 2:
            done.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(keep(1, house.store, free, range(500), range(500), clock=lambda: 1e11, pause=pause))
    await done.wait()
    task.cancel()


async def test_code_of_a_room_that_nobody_played_in_is_free_again(house: House) -> None:
    anna = await house.guest("anna")
    room = (await anna.ask(m.Create("uno"), m.Joined)).room
    await anna.say(m.Leave(room))
    house.time += 10_000
    house.node.queue.put(house.lobby.wake(room, house.node.queue.now()))
    await house.settled()
    assert room not in house.lobby.rooms.loaded
    assert room in house.lobby.rooms.used
    await forget(house)
    assert room not in house.lobby.rooms.used
    assert room not in (await house.store.index()).codes


async def test_server_removes_what_is_old_while_it_runs(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "parlour.db")
    await store.commit([*opened("AAAA"), SaveRoom("AAAA", 1, False)])
    await store.close()
    with server_process(tmp_path, program=(sys.executable, "-c", IMPATIENT, "serve")) as server:
        with closing(sqlite3.connect(server.store)) as db:
            await until(lambda: db.execute("SELECT code FROM room").fetchall() == [(server.room,)])
        assert server.stop() == 0


async def again(house: House, longest: int) -> str:
    await house.restart()
    return await house.node.own_room.open("uno", 4, longest)


async def test_servers_own_room_gives_way_when_it_has_been_up_long_enough(house: House) -> None:
    first = await house.node.own_room.open("uno", 4, 60_000)
    house.time += 50
    assert await again(house, 60_000) == first
    house.time += 70
    anna = await house.guest("anna")
    await anna.ask(m.Join(first, "spectator"), m.Joined)
    await anna.ask(m.Join(first, "player"), m.Joined)
    await house.settled()
    assert await again(house, 60_000) == first, "somebody sits there"
    house.time += 300
    house.node.queue.put(house.lobby.wake(first, house.node.queue.now()))
    await house.settled()
    assert await again(house, 0) == first, "for ever"
    second = await again(house, 60_000)
    assert second != first
    assert set((await house.store.index()).kept_rooms) == {second}
