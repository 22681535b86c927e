"""A rolling upgrade: the nodes restart one after the other, and every match goes on."""

import asyncio
import random
import signal
from functools import partial
from pathlib import Path

import pytest
from tests.nodes.faulty_cluster import FaultyCluster, faulty_cluster
from tests.nodes.test_redirect import client, hear
from tests.nodes.test_takeover import differences, players
from tests.server.crash.audit import shared_rooms
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess
from tests.support.waiting import limit

from parlour_client.core.connection import Connection
from parlour_protocol.messages import Act, Create, Join, Joined, Over, Start, Turn

pytestmark = pytest.mark.postgres
ROOMS = 4
UNO = {"scoring": "single", "breath": 10, "pause": 0}
THIRD = 100
"""Messages that players receive between two restarts."""


@pytest.mark.long
async def test_matches_go_on_through_a_rolling_upgrade(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    async with faulty_cluster(tmp_path, postgres, random.Random(seed), pause=0.1) as cluster:
        everybody = players(cluster, ROOMS)
        async with (
            client(cluster.nodes[0].url, "anna") as anna,
            client(cluster.nodes[1].url, "bert") as bert,
            limit(240, "the end of all matches"),
            asyncio.TaskGroup() as playing,
        ):
            await seat(anna, bert)
            for player in everybody:
                playing.create_task(player.play())
            for connection in (anna, bert):
                playing.create_task(play(connection, cluster))
            for node in cluster.nodes:
                await cluster.heard(THIRD)
                assert await upgrade(node) == 0
            await cluster.heard(THIRD)
            cluster.closing = True
        rooms = await shared_rooms(cluster.database)
        assert not [each for each in (*anna.session.reports, *bert.session.reports) if each.code != "unanswered"]
    assert [*differences(rooms, everybody)] == []
    assert sum(line.count('"r":"owned"') for room in rooms for line in room.lines) >= ROOMS


async def upgrade(node: ServerProcess) -> int:
    """Restart a node; return the exit code of the old process."""
    node.signal(signal.SIGTERM)
    code = await asyncio.to_thread(node.wait, 60)
    await asyncio.to_thread(partial(node.restart, same_port=True))
    return code


async def seat(host: Connection, other: Connection) -> None:
    """Seat both in a room at the host's node."""
    await host.send(Create("uno", UNO, seats=2, clock=None, start="full", standin=False))
    joined = await hear(host, Joined)
    await other.send(Join(joined.room))
    await hear(other, Joined)


async def play(connection: Connection, cluster: FaultyCluster) -> None:
    """Play one match after another until the cluster closes."""
    async for message in connection:
        cluster.hear()
        if isinstance(message, Turn):
            await connection.send(Act(message.room, message.rid, 0))
        if isinstance(message, Over):
            if cluster.closing:
                return
            await connection.send(Start(message.room))
