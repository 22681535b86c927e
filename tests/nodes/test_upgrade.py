"""A rolling upgrade: one node after the other stops and comes again, and every game goes on."""

import asyncio
import random
import signal
from functools import partial
from pathlib import Path

import pytest
from tests.nodes.test_redirect import guest, hear
from tests.nodes.test_takeover import differences, players
from tests.nodes.troupe import Troupe, troupe
from tests.server.crash.audit import shared_rooms
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess
from tests.support.waiting import limit

from parlour_client.core.connection import Connection
from parlour_protocol.messages import Act, Create, Join, Joined, Over, Start, Turn

pytestmark = pytest.mark.postgres
ROOMS = 40
UNO = {"scoring": "single", "breath": 10, "pause": 0}
THIRD = 400
"""Messages that the players hear between one upgrade and the next."""


async def test_every_game_goes_on_while_each_node_is_upgraded(tmp_path: Path, postgres: Postgres, seed: int) -> None:
    async with troupe(tmp_path, postgres, random.Random(seed), pause=0.1) as house:
        everybody = players(house, ROOMS)
        async with (
            guest(house.nodes[0].url, "anna") as anna,
            guest(house.nodes[1].url, "bert") as bert,
            limit(240, "the end of all matches"),
            asyncio.TaskGroup() as playing,
        ):
            await seat(anna, bert)
            for player in everybody:
                playing.create_task(player.play())
            for connection in (anna, bert):
                playing.create_task(play(connection, house))
            for node in house.nodes:
                await house.heard(THIRD)
                assert await upgrade(node) == 0
            await house.heard(THIRD)
            house.closing = True
        rooms = await shared_rooms(house.database)
        assert not [each for each in (*anna.session.reports, *bert.session.reports) if each.code != "unanswered"]
    assert [*differences(rooms, everybody)] == []
    assert sum(line.count('"r":"owned"') for room in rooms for line in room.lines) >= ROOMS


async def upgrade(node: ServerProcess) -> int:
    """Stop a node and start it again; return how it ended."""
    node.signal(signal.SIGTERM)
    code = await asyncio.to_thread(node.wait, 60)
    await asyncio.to_thread(partial(node.restart, same_port=True))
    return code


async def seat(host: Connection, other: Connection) -> None:
    """Let both sit at a table of the host's node."""
    await host.send(Create("uno", UNO, seats=2, clock=None, start="full", standin=False))
    joined = await hear(host, Joined)
    assert isinstance(joined, Joined)
    await other.send(Join(joined.room))
    await hear(other, Joined)


async def play(connection: Connection, house: Troupe) -> None:
    """Play match after match, as our own clients do, until the house closes."""
    async for message in connection:
        house.hear()
        if isinstance(message, Turn):
            await connection.send(Act(message.room, message.rid, 0))
        if isinstance(message, Over):
            if house.closing:
                return
            await connection.send(Start(message.room))
