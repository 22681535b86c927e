"""Takeover under faults: nothing acknowledged is lost, nothing is done twice."""

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import attrs
import pytest
from tests.nodes.faulty_cluster import FAULTS, NAMES, FaultyCluster, RoamingPlayer, faulty_cluster
from tests.server.crash.audit import Room, faults, shared_rooms, summary
from tests.server.crash.players import seated
from tests.support.postgres import Postgres

from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import game_file

pytestmark = pytest.mark.postgres
OPTIONS = {"scoring": "single", "breath": 10, "pause": 0}
ROOMS, MANY_ROOMS = 6, 200
TORTURE = 25
"""Rounds of faults, about ten minutes."""
LOSSES, LOST_ROOMS = 12, 60
"""How often two of three nodes are lost, and the rooms that are played meanwhile."""
ROUND = 60
"""Seconds in which each fault has been injected once, on a slow machine."""
PATIENCE = 240
"""Seconds in which all matches have to end after the last fault."""
MOST_FREEZES = 20
"""Freezes within which the audit must detect the missing fencing."""
UNFENCED = (sys.executable, str(Path(__file__).parent / "unfenced.py"))
"""A node without fencing."""


@pytest.mark.parametrize(
    ("rooms", "rounds", "pause"), [(ROOMS, 1, 2.0), pytest.param(MANY_ROOMS, TORTURE, 1.0, marks=pytest.mark.torture)]
)
async def test_rooms_survive_each_fault(
    tmp_path: Path, postgres: Postgres, seed: int, rooms: int, rounds: int, pause: float
) -> None:
    """Inject each fault once per round, in random order; ``pause``: the longest time that a player thinks."""
    rng = random.Random(seed)
    async with faulty_cluster(tmp_path, postgres, rng, pause=pause) as cluster:
        people = players(cluster, rooms)
        try:
            async with asyncio.timeout(rounds * ROUND + PATIENCE), asyncio.TaskGroup() as playing:
                for player in people:
                    playing.create_task(player.play())
                for kind in [kind for _ in range(rounds) for kind in rng.sample(FAULTS, len(FAULTS))]:
                    await asyncio.sleep(rng.uniform(0.5, 3))
                    await cluster.inject(kind)
                cluster.closing = True
        except TimeoutError:
            stuck = [player.progress() for player in people if not player.finished.is_set()]
            raise AssertionError(f"{len(stuck)} players do not finish: {stuck[:4]}") from None
        logs = await shared_rooms(cluster.database)
    found = [*differences(logs, people)]
    owners = sum('"r":"owned"' in line for room in logs for line in room.lines)
    print(
        f"\n{dict(cluster.faults)}\n{summary(people, found)}\n{len(logs)} rooms, "
        f"{sum(len(room.matches) for room in logs)} match files verified; rooms changed hands {owners:,} times"
        f"\n{dict(cluster.counts)}"
    )
    assert found == []


@pytest.mark.torture
async def test_rooms_go_on_when_one_node_is_left_of_three(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    async with faulty_cluster(tmp_path, postgres, random.Random(seed), pause=0.5, patience=1.5) as cluster:
        people = players(cluster, LOST_ROOMS)
        playing = [asyncio.create_task(player.play()) for player in people]
        await cluster.heard(10 * LOST_ROOMS)

        def acts() -> Counter[str]:
            counts = Counter[str]()
            for player in people:
                counts[player.room or ""] += len(player.acknowledged)
            return counts

        found = []
        for number in range(LOSSES):
            found.append(await cluster.lose_all_but(cluster.nodes[number % len(NAMES)], acts))
            await cluster.heard(10 * LOST_ROOMS)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert [*differences(await shared_rooms(cluster.database), people)] == []
    for what, times in (
        ("another node had stored a line", [seconds for each in found for seconds in each.stored.values()]),
        ("an act was acknowledged", [seconds for each in found for seconds in each.played.values()]),
    ):
        found_out = f"{median(times):.1f} (median), {quantiles(times, n=20)[-1]:.1f} (p95), {max(times):.1f} at most"
        print(f"seconds until {what} of {len(times)} rooms: {found_out}")


@pytest.mark.long
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


def players(cluster: FaultyCluster, rooms: int) -> list[RoamingPlayer]:
    """Return two players for each of ``rooms`` rooms."""
    return seated(cluster, [("uno", 2, OPTIONS)] * rooms, RoamingPlayer)


def differences(rooms: list[Room], players: list[RoamingPlayer]) -> Iterator[str]:
    """Yield the differences between the players' memory, the logs of their rooms and the match files."""
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
