"""``kill -9`` at random moments: nothing that was shown or acknowledged is forgotten, nothing is done twice."""

import asyncio
import json
import random
from pathlib import Path

import attrs
import pytest
from tests.server.crash.audit import faults, rooms
from tests.server.crash.players import House, Player, Table
from tests.support.server import server_process
from tests.support.sockets import Map, Socket, open_socket

UNO: Map = {"breath": 10, "pause": 0}
TABLES: list[tuple[str, int, Map]] = [
    ("uno", 2, {**UNO, "target": 200}),
    ("uno", 3, {**UNO, "scoring": "single"}),
    ("uno", 4, {**UNO, "target": 100}),
    ("minesweeper", 3, {"mode": "race", "penalty": 1_000}),
    ("minesweeper", 2, {"mode": "coop", "lives": 3, "level": "intermediate", "no_guess": True}),
    ("minesweeper", 2, {"mode": "duel"}),
]
"""Game, seats, options."""
KILLS = 10
"""In one test."""
ENOUGH = 120
"""Seconds."""


@pytest.mark.parametrize("part", [0, 1])
async def test_kills_at_random_moments(tmp_path: Path, seed: int, part: int) -> None:
    await _survive(tmp_path, seed + part)


@pytest.mark.torture
@pytest.mark.parametrize("part", range(20))
async def test_two_hundred_kills(tmp_path: Path, seed: int, part: int) -> None:
    print("\n" + await _survive(tmp_path, seed + part))


async def test_auditor_sees_what_was_forgotten(tmp_path: Path, seed: int) -> None:
    with server_process(tmp_path) as server:
        players = await _play(House(server, random.Random(seed), closing=True), kills=0)
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


async def _survive(folder: Path, seed: int) -> str:
    """Play while the server is killed again and again; compare and return a report."""
    with server_process(folder, "--log-level", "warning") as server:
        house = House(server, random.Random(seed))
        players = await _play(house, KILLS)
        matches = {digest for player in players for digest in player.digests}
        async with open_socket(server.url) as socket:
            await socket.hello("auditor")
            for digest in matches:
                assert await _file_ends_with(socket, digest)
        assert server.stop() == 0
        assert server.log() == ""
    for room in rooms(server.store):
        assert faults(room, [player for player in players if player.room == room.code]) == []
    acts = sum(len(player.acknowledged) for player in players)
    return f"seed {seed}: {KILLS} kills, {acts} acts, {len(matches)} matches; {dict(house.counts)}"


async def _play(house: House, kills: int) -> list[Player]:
    """Play at all tables until the first matches that end after the last kill have ended."""
    players = _players(house)
    async with asyncio.timeout(ENOUGH), asyncio.TaskGroup() as playing:
        for player in players:
            playing.create_task(player.play())
        house.up.set()
        for kill in range(1, kills + 1):
            await house.kill(last=kill == kills)
    return players


def _players(house: House) -> list[Player]:
    players = []
    for number, (game, seats, options) in enumerate(TABLES):
        table = Table(game, seats, options)
        players += [Player(house, table, f"seat{seat}at{number}", host=not seat) for seat in range(seats)]
        players.append(Player(house, table, f"watcher{number}", watches=True))
    return players


async def _file_ends_with(socket: Socket, digest: str) -> bool:
    after: int | None = 0
    while after is not None:
        page = await socket.ask("file", "file", digest=digest, after=after)
        after = page.get("after")
    return bool(json.loads(page["lines"][-1])["h"] == digest)
