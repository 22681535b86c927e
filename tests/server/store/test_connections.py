"""A connection to the database that was given back is not made again, whoever still asks for it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.server.store.writes import opened

from parlour_server.persistence import Member
from parlour_server.store.base import NotStored, Overdue
from parlour_server.store.postgres import procedures
from parlour_server.store.postgres.connections import PostgresClosed, PostgresConnection
from parlour_server.store.postgres.store import PostgresStore
from parlour_server.store.sql import QUESTION

pytestmark = pytest.mark.postgres
Ask = Callable[[PostgresStore], Coroutine[Any, Any, Any]]


async def one(db: Any) -> Any:
    return await db.fetchval("SELECT 1")


@pytest.fixture
def link(database: str) -> PostgresConnection:
    return PostgresConnection(database, "test", 60.0, 60.0)


async def test_what_was_closed_is_not_made_again(link: PostgresConnection) -> None:
    assert await link.run(one) == 1
    link.close()
    for asked in (link.run, link.again):
        with pytest.raises(PostgresClosed, match="closed"):
            await asked(one)
    link.close()


async def test_a_statement_that_takes_too_long_is_given_up_and_the_connection_remains(database: str) -> None:
    questions = PostgresConnection(database, "test", 60.0, 60.0, within=0.05)
    with pytest.raises(Overdue, match=r"more than 0\.05 s"):
        await questions.run(lambda db: db.execute("SELECT pg_sleep(600)"))
    assert not questions._db.is_closed()
    questions.close()


async def test_a_store_limits_the_time_of_questions_only(store: PostgresStore) -> None:
    limits = [await link.run(lambda db: db.fetchval("SHOW statement_timeout")) for link in store._questions.links]
    assert set(limits) == {f"{QUESTION:g}s"}
    assert await store._writer.run(lambda db: db.fetchval("SHOW statement_timeout")) == "0"
    await store.close()


async def test_what_was_closed_while_it_was_made_is_not_used(link: PostgresConnection) -> None:
    waiting = asyncio.create_task(link.run(one))
    await asyncio.sleep(0)
    link.close()
    with pytest.raises(PostgresClosed):
        await waiting
    assert link._db is None


async def test_what_was_closed_in_the_middle_is_not_tried_again(link: PostgresConnection) -> None:
    calls: list[Any] = []
    begun = asyncio.Event()

    async def long(db: Any) -> Any:
        calls.append(db)
        begun.set()
        return await db.fetchval("SELECT pg_sleep(60)")

    waiting = asyncio.create_task(link.again(long))
    await begun.wait()
    link.close()
    with pytest.raises(PostgresClosed):
        await waiting
    assert [db.is_closed() for db in calls] == [True]


@pytest.fixture
async def store(database: str) -> PostgresStore:
    store = PostgresStore(database, Member("one", "", "", 60_000))
    await store.index()
    return store


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.index(),
        lambda store: store.known(["anna"], [], []),
        lambda store: store.take_ticket("hash"),
        lambda store: store.match_lines("digest"),
        lambda store: store.standings(None, None, 5),
        lambda store: store.release("K7QD"),
    ],
)
async def test_a_store_that_was_closed_says_so(store: PostgresStore, ask: Ask) -> None:
    for _ in range(2):
        await store.close()
    with pytest.raises(PostgresClosed, match="closed"):
        await ask(store)


@pytest.mark.parametrize("between", [False, True])
async def test_a_commit_that_was_under_way_is_not_asked_after(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()

    async def long(db: Any, **_: Any) -> Any:
        begun.set()
        if between:  # two steps of asyncpg
            await closed.wait()
            raise AttributeError("'NoneType' object has no attribute 'bind_execute'")
        return await db.fetchval("SELECT pg_sleep(60)")

    monkeypatch.setattr(procedures, "write", long)
    waiting = asyncio.create_task(store.commit(opened()))
    await begun.wait()
    await store.close()
    closed.set()
    with pytest.raises(NotStored, match=r"the outcome of a commit is unknown: .* closed"):
        await waiting
