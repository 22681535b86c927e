"""Node processes at PostgreSQL: huge rooms whose node dies, and house bots."""

import json
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from tests.nodes.processes import processes
from tests.support.server import ServerProcess
from tests.support.sockets import open_socket
from tests.support.waiting import until

from parlour_protocol.messages import Plain
from parlour_server.children import HOUSE_BOTS, name_at
from parlour_server.rooms.records import canonical

pytestmark = pytest.mark.postgres
OWNERS = ("anna", "carl", "dora", "emil")
ACTS, MANY_ACTS = 200, 11_000
"""Records of flags in each room; as many as a seat's allowance lets it set and remove."""
LOADED_WITHIN = 300
"""Seconds."""
SOLO: Plain = {"game": "minesweeper", "options": {"level": "expert"}, "seats": 1, "start": "full", "clock": None}
_APPEND = "INSERT INTO parlour.event SELECT $1, n, 1, line FROM unnest($2::int[], $3::text[]) AS added (n, line)"
_NOT_LOADED = """
SELECT count(*) FROM unnest($1::text[]) AS code
WHERE NOT EXISTS (SELECT FROM parlour.event WHERE event.room = code AND epoch > 1)
"""


@pytest.mark.parametrize(
    ("acts", "each"), [(ACTS, 2), pytest.param(MANY_ACTS, 5, marks=pytest.mark.torture)], ids=["long", "huge"]
)
async def test_node_that_takes_over_huge_rooms_keeps_its_lease(
    tmp_path: Path, database: str, acts: int, each: int
) -> None:
    db = await asyncpg.connect(database)
    async with processes(tmp_path, database, "one", "two") as at, open_socket(at["two"].url) as bert:
        await bert.hello("bert")
        await bert.ask("create", "joined", **SOLO)
        turn = await bert.until("turn")
        owners = [await open_rooms(at["one"].url, name, each) for name in OWNERS]
        rooms = [room for _, theirs in owners for room in theirs]
        for room in rooms:
            await lengthen(db, room, acts)
        at["one"].kill()

        async def loaded() -> bool:
            await bert.ask("ping", "pong")
            return not await db.fetchval(_NOT_LOADED, rooms)

        await until(loaded, every=0.1, within=LOADED_WITHIN)
        await bert.ask("act", "turn", room=turn["room"], rid=turn["rid"], act=flag(0))
        for (token, theirs), name in zip(owners, OWNERS, strict=True):
            async with open_socket(at["two"].url) as again:
                assert set((await again.hello(name, token=token))["rooms"]) == set(theirs)
                assert {(await again.until("turn"))["rid"] for _ in theirs} == {acts + 1}
        assert "lets go of its rooms" not in at["two"].log()
    await db.close()


async def open_rooms(url: str, name: str, number: int) -> tuple[str, list[str]]:
    """Open rooms in which matches have begun; return the owner's token and the codes."""
    async with open_socket(url) as socket:
        token: str = (await socket.hello(name))["token"]
        return token, [(await socket.ask("create", "joined", **SOLO))["room"] for _ in range(number)]


async def lengthen(db: asyncpg.Connection, room: str, acts: int) -> None:
    """Add acts to the log of a solo match that has just begun, as if its player had set and removed flags."""
    last = json.loads(
        await db.fetchval("SELECT line FROM parlour.event WHERE room = $1 ORDER BY seq DESC LIMIT 1", room)
    )
    numbers = range(last["n"] + 1, last["n"] + 1 + acts)
    lines = [
        canonical({"act": flag(rid - 1), "at": last["at"], "n": n, "r": "act", "rid": rid, "seat": 0})
        for rid, n in zip(count(1), numbers, strict=False)
    ]
    await db.execute(_APPEND, room, list(numbers), lines)


def flag(number: int) -> Plain:
    """Return the act that sets or removes a flag."""
    return {"cells": [[1, 1]], "do": "unflag" if number % 2 else "flag"}


async def test_each_node_has_its_own_house_bots(tmp_path: Path, database: str) -> None:
    async with processes(tmp_path, database, "one", "two", house_bots=True) as at:
        for name, node in at.items():
            await until(lambda name=name, node=node: has_its_bots(name, node), every=0.5, within=60)  # type: ignore[misc]


async def has_its_bots(name: str, node: ServerProcess) -> bool:
    """Return whether exactly the house bots of a node are available there."""
    async with open_socket(node.url) as socket:
        await socket.hello(f"guest-of-{name}")
        found = {row["name"] for row in (await socket.ask("list", "rooms"))["bots"]}
    return found == {name_at(name, bot) for bot in HOUSE_BOTS}
