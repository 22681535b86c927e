"""Ratings in the store, and files of the first version, which knew none."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.writes import FIRST_COLUMNS, match, opened
from tests.support.server import environment
from tests.support.waiting import PATIENCE

from parlour_server.persistence import Rated
from parlour_server.store.results import Rating, updated
from parlour_server.store.sqlite import schema
from parlour_server.store.sqlite.store import SqliteStore


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    await store.close()


async def ratings(store: SqliteStore) -> tuple[Rated, ...]:
    rows = await store._fetch("SELECT who, game, shown FROM rating")
    return tuple(Rated(*row) for row in rows)


async def test_a_rated_match_changes_ratings_once(store: SqliteStore) -> None:
    rated = await store.commit([*opened(), match("d1", ("anna", 1, 50), ("bert", 2, 0))])
    winner, loser = updated([Rating(), Rating()], [1, 2])
    assert rated == [Rated("id-anna", "uno", winner.shown), Rated("id-bert", "uno", loser.shown)]
    assert sorted(await ratings(store), key=lambda each: each.who) == rated


async def test_ratings_go_on_from_match_to_match(store: SqliteStore) -> None:
    await store.commit([match("d1", ("anna", 1, 50), ("bert", 2, 0)), match("d2", ("bert", 1, 50), ("anna", 2, 0))])
    first = updated([Rating(), Rating()], [1, 2])
    second = updated(first[::-1], [1, 2])
    found = {each.who: each.rating for each in await ratings(store)}
    assert found == {"id-bert": second[0].shown, "id-anna": second[1].shown}


async def test_what_is_not_rated_or_says_nothing_changes_none(store: SqliteStore) -> None:
    unrated = match("d1", ("anna", 1, 50), ("bert", 2, 0), rated=False)
    together = match("d2", ("anna", 2, 9), ("bert", 2, 4), game="minesweeper")
    assert await store.commit([unrated, together]) == []
    assert await ratings(store) == ()


async def test_each_game_has_its_own_ratings_and_shows_them_in_its_standings(store: SqliteStore) -> None:
    await store.commit([match("d1", ("anna", 1, 50), ("bert", 2, 0))])
    await store.commit([match("d2", ("anna", 2, 5), ("bert", 1, 9), game="minesweeper")])
    rows, _ = await store.standings("uno", None, 10)
    winner, loser = updated([Rating(), Rating()], [1, 2])
    assert [(row["name"], row["rating"]) for row in rows] == [("anna", winner.shown), ("bert", loser.shown)]
    assert all("rating" not in row for row in (await store.standings(None, None, 10))[0])


async def test_a_commit_that_fails_rates_nothing(store: SqliteStore) -> None:
    won = match("d1", ("anna", 1, 50), ("bert", 2, 0))
    with pytest.raises(Exception, match="could not store"):
        await store.commit([won, won])
    assert await ratings(store) == ()


async def test_a_file_of_the_first_version_gets_the_ratings_that_its_matches_amount_to(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        schema.apply(db, schema.STEPS[0])
        db.execute("PRAGMA user_version = 1")
        for number, winner in enumerate(("anna", "bert", "anna")):
            row = (f"d{number}", "K7QD", "uno", number, number, 1, 1_000 + number)
            db.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            for seat, name in enumerate(("anna", "bert")):
                result = (f"d{number}", seat, f"id-{name}", name, "human", 1 if name == winner else 2, 0)
                db.execute("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?)", result)
        db.commit()
    store = SqliteStore(path)
    old = {each.who: each.rating for each in await ratings(store)}
    await store.close()
    anna, bert = Rating(), Rating()
    for ranks in ([1, 2], [2, 1], [1, 2]):
        anna, bert = updated([anna, bert], ranks)
    assert old == {"id-anna": anna.shown, "id-bert": bert.shown}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA,)


@pytest.mark.parametrize("version", range(1, schema.SCHEMA))
async def test_a_file_of_each_version_takes_new_results(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path)) as db:
        for step in schema.STEPS[:version]:
            schema.apply(db, step)
        db.execute("INSERT INTO match VALUES ('d0', 'K7QD', 'uno', 0, 0, 1, 1000)")
        db.execute(f"INSERT INTO result {FIRST_COLUMNS} VALUES ('d0', 0, 'id-bot', 'bot', 'bot', 1, 0)")
        db.execute(f"INSERT INTO result {FIRST_COLUMNS} VALUES ('d0', 1, 'id-anna', 'anna', 'human', 2, 0)")
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()
    store = SqliteStore(path)
    await store.commit([match("d1", ("bot", 1, 50), ("anna", 2, 0), styles={"bot": "llm"})])
    rows, _ = await store.standings(None, None, 10)
    await store.close()
    assert [(row["games"], row.get("style")) for row in rows] == [(2, "llm"), (2, None)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(path)) as db:
        schema.apply(db, schema.STEPS[0])
        db.execute("PRAGMA user_version = 1")
    monkeypatch.setattr(schema, "_PAST", "SELECT * FROM nothing")
    with pytest.raises(Exception, match="cannot be used"):
        SqliteStore(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT name FROM sqlite_master WHERE name = 'rating'").fetchall() == []


SLOW = """
import time
from parlour_client.cli.main import main
from parlour_server.store import schema

def slices(all_slices=schema.slices):
    for number, part in enumerate(all_slices()):
        yield part
        if number == schema.SLICES // 2:
            print("half", flush=True)
            time.sleep(600)

schema.slices = slices
main()
"""
"""The command, which stops in the middle of a migration."""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_a_migration_that_is_interrupted_begins_again(path: Path, end: signal.Signals) -> None:
    with closing(sqlite3.connect(path)) as db:
        for step in schema.STEPS[:-1]:
            schema.apply(db, step)
        db.executemany(
            "INSERT INTO match VALUES (?, 'K7QD', 'uno', 0, 0, 1, 1000)", [(f"{n:02x}",) for n in range(256)]
        )
        rows = [(f"{n:02x}", seat, f"id-{name}", name, seat + 1) for n in range(256) for seat, name in enumerate("ab")]
        db.executemany(f"INSERT INTO result {FIRST_COLUMNS} VALUES (?, ?, ?, ?, 'human', ?, 0)", rows)
        db.execute(f"PRAGMA user_version = {schema.SCHEMA - 1}")
        db.commit()
    command = (sys.executable, "-c", SLOW, "serve", "--port", "0", "--store", f"sqlite:///{path}")
    child = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, env=environment(path.parent))
    assert child.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            while await child.stdout.readline() not in (b"half\n", b""):
                pass
            child.send_signal(end)
            await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA - 1,)
    store = SqliteStore(path)
    standings, _ = await store.standings("uno", None, 10)
    await store.close()
    assert [(row["name"], row["games"], row["wins"]) for row in standings] == [("a", 256, 256), ("b", 256, 0)]
