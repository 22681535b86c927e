"""``kill -9`` at random moments and labelled places: nothing shown or acknowledged is forgotten, or done twice."""

import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path

import attrs
import pytest
from tests.server.crash import sends_before_commit
from tests.server.crash.audit import all_faults, faults, rooms, stored_rooms, summary
from tests.server.crash.players import ENOUGH, RANDOM, House, Player, seated
from tests.support.postgres import Postgres
from tests.support.server import server_process
from tests.support.sockets import Map, open_socket
from tests.support.waiting import going_on, until

from parlour_server.system import POINTS

pytestmark = pytest.mark.usefixtures("example_games")
UNO: Map = {"breath": 10, "pause": 0}
TABLES: list[tuple[str, int, Map]] = [
    ("uno", 2, {**UNO, "target": 200}),
    ("uno", 3, {**UNO, "scoring": "single"}),
    ("uno", 4, {**UNO, "target": 100}),
    ("minesweeper", 3, {"mode": "race", "penalty": 1_000}),
    ("minesweeper", 2, {"mode": "coop", "lives": 3, "level": "intermediate", "no_guess": True}),
    ("minesweeper", 2, {"mode": "duel"}),
    ("goofspiel", 3, {"ties": "carried"}),
]
"""Game, seats, options."""
SHARED_PLACES = ("before-append", "after-commit", "before-send")
"""Those to which a node of a database comes: there the commit is the database's own affair."""
PARTS = 20
"""Of the longest form; in each there are 28 kills."""


@pytest.mark.parametrize(
    ("part", "places"),
    [
        (0, [RANDOM] * 3 + [*POINTS]),
        pytest.param(
            0, [RANDOM] * 2 + [*SHARED_PLACES], marks=[pytest.mark.long, pytest.mark.postgres], id="at a database"
        ),
        *(pytest.param(part, [RANDOM] * 7 + [*POINTS] * 5, marks=pytest.mark.torture) for part in range(PARTS)),
    ],
)
async def test_kills_at_random_moments_and_at_every_place(
    tmp_path: Path, request: pytest.FixtureRequest, seed: int, part: int, places: list[str]
) -> None:
    """Play while the server dies at a random moment, then at ``places`` in any order; compare."""
    rng, database = random.Random(seed + part), None
    if request.node.get_closest_marker("postgres"):
        postgres: Postgres = request.getfixturevalue("postgres")
        database = postgres.database()
    shorter = ("--lease", "1") if database else ()  # each new process waits until that of the one before is over
    with server_process(tmp_path, "--log-level", "warning", *shorter, store=database) as server:
        house = House(server, rng)
        players = seated(house, TABLES, Player, watched=True)
        await _play(house, [RANDOM, *rng.sample(places, len(places))], players)
        matches = {digest for player in players for digest in player.digests}
        async with open_socket(server.url) as socket:
            await socket.hello("auditor")
            for digest in matches:
                assert json.loads((await socket.file(digest))[-1])["h"] == digest
        assert server.stop() == 0
        assert database or server.log() == ""  # a node tells of the rooms that its predecessor has left behind
    found = all_faults(await stored_rooms(server), players)
    print(
        f"\nseed {seed}: killed {dict(house.kills)}; {summary(players, found)}; {len(matches)} matches, {house.counts}"
    )
    assert found == []
    assert house.kills == Counter([RANDOM, *places])


@pytest.mark.long
async def test_auditor_sees_answers_that_did_not_wait_for_their_commit(tmp_path: Path, seed: int) -> None:
    with server_process(tmp_path, program=(sys.executable, sends_before_commit.__file__)) as server:
        house = House(server, random.Random(seed))
        players = seated(house, TABLES, Player, watched=True)
        playing = [asyncio.create_task(player.play()) for player in players]
        house.up.set()

        async def seen() -> bool:
            found = " ".join(all_faults(await stored_rooms(server), players))
            return "was acknowledged" in found and "shown and forgotten" in found

        await until(lambda: sends_before_commit.STUCK in server.log(), within=ENOUGH)
        await until(seen)
        server.kill()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert await seen()


async def test_auditor_sees_what_was_forgotten(tmp_path: Path, seed: int) -> None:
    with server_process(tmp_path) as server:
        house = House(server, random.Random(seed), closing=True)
        players = seated(house, TABLES[1::4], Player, watched=True)
        await _play(house, [], players)
    for room in rooms(server.store):
        present = [player for player in players if player.room == room.code]
        if not present:
            continue
        assert faults(room, present) == []
        acts = [number for number, line in enumerate(room.lines) if '"r":"act"' in line]
        for broken in (
            attrs.evolve(room, lines=room.lines[: acts[-1]]),
            attrs.evolve(room, lines=[*room.lines, room.lines[acts[-1]]]),
            attrs.evolve(room, matches=[("00", *room.matches[0][1:])]),
        ):
            assert faults(broken, present)
        present[0].shown[-2]["view"]["phase"] = "mauve"
        assert "shown and forgotten" in faults(room, present)[0]


async def _play(house: House, kills: list[str], players: list[Player]) -> None:
    """Play at all tables until the first matches that end after the last kill have ended."""
    async with going_on(lambda: house.counts["heard"], "messages heard"), asyncio.TaskGroup() as playing:
        for player in players:
            playing.create_task(player.play())
        house.up.set()
        for place, then in zip(kills, [*kills[1:], None], strict=False):
            await house.kill(place, then)
