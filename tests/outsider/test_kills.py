"""``kill -9`` of a server under load: nothing acknowledged is lost or doubled, and nothing shown is forgotten."""

import asyncio
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import fetch
from tests.outsider.tables import FLAGS, mixture, play, seated
from tests.support.server import server_process

pytestmark = pytest.mark.node


@pytest.mark.long
async def test_two_kills(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, kills=2, tables=8)


@pytest.mark.torture
async def test_sixty_kills(tmp_path: Path, seed: int) -> None:
    await _survive(tmp_path, seed, kills=60, tables=22)


async def _survive(folder: Path, seed: int, *, kills: int, tables: int) -> None:
    """Kill a server while tables play match after match; then compare notes and match files."""
    rng = Random(seed)
    rooms = list(islice(mixture(rng), tables))
    for room in rooms:
        room.lasting = True
    with server_process(folder, *FLAGS, house_bots=True) as server:
        players = seated(rooms, [lambda: server.url], rng)
        async with asyncio.TaskGroup() as running:
            running.create_task(play(players))
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.2, 1.5))
                server.kill()
                await asyncio.to_thread(server.restart)
            for room in rooms:
                room.lasting = False
        files = await fetch(server.url, [digest for room in rooms for digest in room.digests.values()])
    figures = audit(players, files)
    print(f"seed {seed}: {kills} kills, {figures}")
    assert figures.acknowledged
    assert figures.clean()
    assert '"level": "error"' not in server.log()
