"""A node takes its place at a database: once the lease of one with its name is over, and not while that is renewed."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest
from tests.server.store.test_postgres import Node
from tests.server.store.writes import opened

from parlour_server.persistence import Member
from parlour_server.store.base import CannotOpen, Fenced
from parlour_server.store.postgres import procedures
from parlour_server.store.postgres.connections import Lost
from parlour_server.store.postgres.store import PostgresStore

pytestmark = pytest.mark.postgres


@pytest.fixture
async def one(database: str) -> AsyncIterator[Node]:
    node = Node(database, "one")
    await node.index()
    yield node
    await node.close()


async def test_lease_of_a_node_that_has_waited_for_that_of_its_predecessor_begins_when_it_enters(database: str) -> None:
    ticks = count()
    first, again = (
        PostgresStore(database, Member("one", "", "ws://one.inside", 500), lambda: next(ticks) / 10) for _ in range(2)
    )
    await first.index()
    await again.index()
    assert again.living
    await again.close()
    await first.close()


async def test_name_of_a_living_node_is_refused_and_that_of_a_dead_one_is_free(one: Node, database: str) -> None:
    again = Node(database, "one")
    waiting = asyncio.create_task(again.index())
    while not again._seen and not waiting.done():
        again.time += 1
        await asyncio.sleep(0)
    with pytest.raises(CannotOpen, match="--node"):
        await waiting
    await one.expire()
    await again.index()
    for silenced in (one.renew(""), one.commit(opened())):
        with pytest.raises(Fenced, match="another process"):
            await silenced
    await again.close()


async def test_a_slow_answer_about_the_predecessor_is_not_the_last_one(
    one: Node, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, enter = Node(database, "one"), procedures.enter

    async def slowly(db: Any, me: Member) -> int | None:
        found = await enter(db, me)
        if found is None:
            await one.expire()
            again.time += 1_000  # for so long nobody let this process go on
        return found

    monkeypatch.setattr(procedures, "enter", slowly)
    await again.index()
    assert again.living
    await again.close()


async def test_who_lost_the_database_while_it_entered_tries_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, enter, lost = Node(database, "one"), procedures.enter, list[Lost]()

    async def breaking(db: Any, me: Member) -> int | None:
        if not lost:
            lost.append(Lost("idle for too long in a transaction"))
            raise lost[0]
        return await enter(db, me)

    monkeypatch.setattr(procedures, "enter", breaking)
    await node.index()
    assert node.living
    await node.close()
