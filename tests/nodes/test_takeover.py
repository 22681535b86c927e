"""Takeover under faults: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import attrs
import pytest
from tests.nodes.faulty_cluster import FAULTS, FaultyCluster, RoamingPlayer, faulty_cluster
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
"""Seconds in which all matches have to end after the last fault."""
MOST_FREEZES = 20
"""Freezes after which the audit must have found a damage done by nodes without fencing."""
UNFENCED = (sys.executable, str(Path(__file__).parent / "unfenced.py"))
"""A node without fencing."""


async def test_two_hundred_rooms_through_a_minute_of_faults(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    assert await _survive(tmp_path, postgres, random.Random(seed), SECONDS, pause=2.0) == []


@pytest.mark.torture
async def test_ten_minutes_of_faults(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    assert await _survive(tmp_path, postgres, random.Random(seed), TORTURE) == []


async def test_audit_detects_nodes_without_fencing(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    rng = random.Random(seed)
    async with faulty_cluster(tmp_path, postgres, rng, UNFENCED, pause=0.3, away=(3.5, 4.5)) as cluster:
        people = players(cluster, 40)
        playing = [asyncio.create_task(player.play()) for player in people]
        found: list[str] = []
        while not found and cluster.faults.total() < MOST_FREEZES:
            await cluster.heard(100)
            await cluster.inject("freeze")
            await cluster.heard(100)
            remembered = [attrs.evolve(each, acknowledged={**each.acknowledged}, shown=[]) for each in people]
            seen = differences(await shared_rooms(cluster.database), remembered)
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
    async with faulty_cluster(folder, postgres, rng, pause=pause) as cluster:
        people = players(cluster, ROOMS)
        try:
            async with asyncio.timeout(seconds + PATIENCE), asyncio.TaskGroup() as playing:
                for player in people:
                    playing.create_task(player.play())
                await _inject_faults(cluster, seconds)
                cluster.closing = True
        except TimeoutError:
            stuck = [player.progress() for player in people if not player.finished.is_set()]
            raise AssertionError(f"{len(stuck)} players come to no end: {stuck[:4]}") from None
        rooms = await shared_rooms(cluster.database)
    found = [*differences(rooms, people)]
    _report(cluster, people, rooms, found)
    return found


def players(cluster: FaultyCluster, rooms: int) -> list[RoamingPlayer]:
    """Return two players for each of so many rooms to be."""
    tables = [Table("uno", 2, OPTIONS) for _ in range(rooms)]
    return [
        RoamingPlayer(cluster, table, f"seat{seat}at{number}", host=not seat)
        for number, table in enumerate(tables)
        for seat in range(2)
    ]


async def _inject_faults(cluster: FaultyCluster, seconds: float) -> None:
    """Break one thing after another, each kind as often as the others."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        for kind in cluster.rng.sample(FAULTS, len(FAULTS)):
            await asyncio.sleep(cluster.rng.uniform(0.5, 3))
            await cluster.inject(kind)
            if loop.time() > end:
                return


def differences(rooms: list[Room], players: list[RoamingPlayer]) -> Iterator[str]:
    """Yield all in which the memory of the players, the log of their rooms and the files of its matches differ."""
    by_room: dict[str | None, list[RoamingPlayer]] = {}
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


def _report(cluster: FaultyCluster, players: list[RoamingPlayer], rooms: list[Room], found: list[str]) -> None:
    acts = sum(len(player.acknowledged) for player in players)
    shown = sum(len(player.shown) for player in players)
    lost = sum("was acknowledged" in fault for fault in found)
    doubled = sum("was answered" in fault for fault in found)
    owners = sum('"r":"owned"' in line for room in rooms for line in room.lines)
    times = sorted(cluster.takeovers) or [0.0]
    print(
        f"\n{dict(cluster.faults)}\n"
        f"{acts:,} acts acknowledged: {lost} lost, {doubled} doubled; {shown:,} views shown: "
        f"{len(found) - lost - doubled} disagree with the log\n"
        f"{len(rooms)} rooms, {sum(len(room.matches) for room in rooms)} game files verified; rooms changed hands "
        f"{owners:,} times; after a kill others had gone on with all rooms in {median(times):.1f} s (median), "
        f"{times[-1]:.1f} s at most, of {len(cluster.takeovers)}\n{dict(cluster.counts)}"
    )
    for fault in found:
        print(fault)
