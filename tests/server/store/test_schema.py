"""Files of older versions get what is new: whole, or not at all. Real ones are in ``golden/test_stores.py``."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.store.writes import FIRST_COLUMNS
from tests.support.server import environment
from tests.support.waiting import PATIENCE

from parlour_server.store.results import Rating, updated
from parlour_server.store.sqlite import schema
from parlour_server.store.sqlite.store import SqliteStore


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
    found: dict[str, int] = dict(await store._fetch("SELECT who, shown FROM rating"))
    await store.close()
    anna, bert = Rating(), Rating()
    for ranks in ([1, 2], [2, 1], [1, 2]):
        anna, bert = updated([anna, bert], ranks)
    assert found == {"id-anna": anna.shown, "id-bert": bert.shown}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA,)


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
