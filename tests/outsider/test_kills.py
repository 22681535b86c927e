"""``kill -9`` of a server under load: nothing acknowledged is lost or doubled, and nothing shown is forgotten."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import Player, Table, fetch
from tests.outsider.ledger import Map
from tests.outsider.processes import Server

QUICK: Map = {"breath": 20, "pause": 0}
TABLES: list[tuple[str, int, int, Map]] = [
    ("uno", 2, 0, {**QUICK, "target": 100}),
    ("uno", 3, 0, {**QUICK, "preset": "chaos", "scoring": "lowest", "target": 100}),
    ("uno", 4, 2, {**QUICK, "preset": "family", "scoring": "elimination", "target": 60}),
]
"""Game, seats, how many of them are for our players (0: all), options."""
PATIENCE = 300
"""The seconds that the tables may take after the last kill."""


async def test_two_kills(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, kills=2, copies=1)


@pytest.mark.torture
async def test_sixty_kills(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, kills=60, copies=4)


async def _survive(folder: Path, seed: int, *, kills: int, copies: int) -> None:
    rng = Random(seed)
    tables = [Table(game, seats, options, ours, lasting=True) for game, seats, ours, options in TABLES * copies]
    async with Server(folder, "server", "--store", f"sqlite:///{folder}/store.db") as server:
        players = [
            Player(
                f"p{number}-{seat}",
                [lambda: f"ws://127.0.0.1:{server.port}"],
                table,
                host=seat == 0,
                rng=Random(rng.random()),
            )
            for number, table in enumerate(tables)
            for seat in range(table.players or table.seats)
        ]
        async with asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play())
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.3, 1.5))
                await server.kill()
                await server.start()
            for table in tables:
                table.lasting = False
        killed = server.kills
        digests = [digest for table in tables for digest in table.digests.values()]
        files = await fetch(f"ws://127.0.0.1:{server.port}", digests)
        complaints = server.complaints()
    figures = audit(players, files)
    print(f"seed {seed}: {killed} kills, {figures}")
    assert killed == kills
    assert figures.clean()
    assert figures.acknowledged
    assert not complaints
