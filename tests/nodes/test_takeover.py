"""Nodes die, freeze, lose their database and come back: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import attrs
import pytest
from tests.nodes.troupe import BREAKS, Troupe, Wanderer, troupe
from tests.server.crash.audit import Room, faults, shared_rooms
from tests.server.crash.players import Table
from tests.support.postgres import Postgres

from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import game_file

pytestmark = pytest.mark.postgres
OPTIONS = {"scoring": "single", "breath": 10, "pause": 0}
ROOMS, SECONDS = 200, 60
TORTURE = 600
PATIENCE = 240
"""Seconds in which all matches have to end when the trouble is over."""
MOST_FREEZES = 20
"""After so many the audit gives up looking for what nodes without a fence have done."""
UNFENCED = (sys.executable, str(Path(__file__).parent / "unfenced.py"))
"""A node whose store does not ask whose room it is."""


async def test_two_hundred_rooms_through_a_minute_of_trouble(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    assert await _survive(tmp_path, postgres, random.Random(seed), SECONDS, pause=2.0) == []


@pytest.mark.torture
async def test_ten_minutes_of_trouble(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    assert await _survive(tmp_path, postgres, random.Random(seed), TORTURE) == []


async def test_audit_sees_nodes_that_do_not_ask_whose_a_room_is(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    rng = random.Random(seed)
    async with troupe(tmp_path, postgres, rng, UNFENCED, pause=0.3, away=(3.5, 4.5)) as house:
        people = players(house, 40)
        playing = [asyncio.create_task(player.play()) for player in people]
        found: list[str] = []
        while not found and house.breaks.total() < MOST_FREEZES:
            await house.heard(100)
            await house.break_something("freeze")
            await house.heard(100)
            remembered = [attrs.evolve(each, acknowledged={**each.acknowledged}, shown=[]) for each in people]
            seen = differences(await shared_rooms(house.database), remembered)
            found = [fault for fault in seen if "was acknowledged" in fault or "makes no sense" in fault]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    assert found


async def _survive(
    folder: Path, postgres: Postgres, rng: random.Random, seconds: float, pause: float = 1.0
) -> list[str]:
    """Play in many rooms while things break; return what the memory of the players and the log differ in.

    ``pause``: seconds for which a player thinks, at most.
    """
    async with troupe(folder, postgres, rng, pause=pause) as house:
        people = players(house, ROOMS)
        try:
            async with asyncio.timeout(seconds + PATIENCE), asyncio.TaskGroup() as playing:
                for player in people:
                    playing.create_task(player.play())
                await _trouble(house, seconds)
                house.closing = True
        except TimeoutError:
            stuck = [player.plight() for player in people if not player.finished.is_set()]
            raise AssertionError(f"{len(stuck)} players come to no end: {stuck[:4]}") from None
        rooms = await shared_rooms(house.database)
    found = [*differences(rooms, people)]
    _report(house, people, rooms, found)
    return found


def players(house: Troupe, rooms: int) -> list[Wanderer]:
    """Return two players for each of so many rooms to be."""
    tables = [Table("uno", 2, OPTIONS) for _ in range(rooms)]
    return [
        Wanderer(house, table, f"seat{seat}at{number}", host=not seat)
        for number, table in enumerate(tables)
        for seat in range(2)
    ]


async def _trouble(house: Troupe, seconds: float) -> None:
    """Break one thing after another, each kind as often as the others."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        for kind in house.rng.sample(BREAKS, len(BREAKS)):
            await asyncio.sleep(house.rng.uniform(0.5, 3))
            await house.break_something(kind)
            if loop.time() > end:
                return


def differences(rooms: list[Room], players: list[Wanderer]) -> Iterator[str]:
    """Yield all in which the memory of the players, the log of their rooms and the files of its matches differ."""
    by_room: dict[str | None, list[Wanderer]] = {}
    for player in players:
        by_room.setdefault(player.room, []).append(player)
    for room in rooms:
        try:
            yield from faults(room, by_room.get(room.code, ()))
        except Exception as error:
            yield f"{room.code}: the log of the room makes no sense: {error}"
        for digest, first, last in room.matches:
            verdict = verify(game_file(room.lines[first : last + 1]), digest)
            if not verdict.ok:
                yield f"{room.code}: {verdict.wrong}"
    if missing := by_room.keys() - {room.code for room in rooms}:
        yield f"rooms that are gone: {missing}"


def _report(house: Troupe, players: list[Wanderer], rooms: list[Room], found: list[str]) -> None:
    acts = sum(len(player.acknowledged) for player in players)
    shown = sum(len(player.shown) for player in players)
    lost = sum("was acknowledged" in fault for fault in found)
    doubled = sum("was answered" in fault for fault in found)
    owners = sum('"r":"owned"' in line for room in rooms for line in room.lines)
    times = sorted(house.takeovers) or [0.0]
    print(
        f"\n{dict(house.breaks)}\n"
        f"{acts:,} acts acknowledged: {lost} lost, {doubled} doubled; {shown:,} views shown: "
        f"{len(found) - lost - doubled} disagree with the log\n"
        f"{len(rooms)} rooms, {sum(len(room.matches) for room in rooms)} game files verified; rooms changed hands "
        f"{owners:,} times; after a kill others had gone on with all rooms in {median(times):.1f} s (median), "
        f"{times[-1]:.1f} s at most, of {len(house.takeovers)}\n{dict(house.counts)}"
    )
    for fault in found:
        print(fault)
