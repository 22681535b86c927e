"""The SQLite store: what is written is there again, all of it or nothing, and only for one server at a time."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.server.store.test_contract import Reopen
from tests.server.store.writes import ROOM, conflict, line, lines, match, opened
from tests.support.stores import FILE

from parlour_server.persistence import SaveRoom
from parlour_server.store.base import NotStored, Overdue, Store, StoreError
from parlour_server.store.sql import Steps
from parlour_server.store.sqlite import store as sqlite_store
from parlour_server.store.sqlite.store import READERS, CallThread, SqliteStore


@pytest.fixture
def url(path: Path) -> str:
    return f"{FILE}{path}"


async def test_saving_a_room_again_leaves_its_epoch(store: SqliteStore) -> None:
    await store.commit(opened())
    await store.load(ROOM)
    await store.commit([SaveRoom(ROOM, 1, True)])
    assert (await store.load(ROOM))[0] == 3


async def test_a_code_that_somebody_had_before_is_not_given_again(store: SqliteStore) -> None:
    await store.commit([*opened(), SaveRoom(ROOM, 1, False)])
    assert (await conflict(store.commit([*opened("QQQQ"), *opened()]))).rooms == {ROOM}
    assert (await store.index()).codes == (ROOM,)
    assert (await store.index()).open_rooms == ()


_PRINT_SYNCHRONOUS = """
import sys
from parlour_server.store import open_store
print(open_store("sqlite:///" + sys.argv[1])._db.execute("PRAGMA synchronous").fetchone()[0])
"""


def test_commits_are_synced_to_disk(path: Path) -> None:
    """In a process of its own, because the stores of tests do not sync."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", _PRINT_SYNCHRONOUS, str(path)]
    full, off = "2", "0"
    assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip() == full
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == off


async def test_broken_file_is_a_store_error_for_every_reader(store: SqliteStore, path: Path) -> None:
    await store.commit([*opened(), match("d")])
    with closing(sqlite3.connect(path)) as other:
        for table in ("record", "standing"):
            other.execute(f"DROP TABLE {table}")
    for read in (store.load(ROOM), store.match_lines("d"), store.standings(None, None, 10)):
        with pytest.raises(StoreError, match="no such table"):
            await read


async def test_a_question_that_is_not_answered_holds_up_no_commit(store: SqliteStore) -> None:
    asked, done = threading.Event(), threading.Event()

    def blocks() -> Steps[None]:
        asked.set()
        done.wait()
        yield "SELECT 1", ()

    reads = [asyncio.ensure_future(store._ask(blocks)) for _ in range(READERS)]
    await asyncio.to_thread(asked.wait)
    waiting = asyncio.ensure_future(store.standings(None, None, 10))
    await store.commit([*opened(), match("d", ("anna", 1, 1), ("bert", 2, 0))])
    assert not waiting.done()
    done.set()
    await asyncio.gather(*reads)
    assert [row["name"] for row in (await waiting)[0]] == ["anna", "bert"]


async def test_a_question_without_end_is_given_up(store: SqliteStore) -> None:
    endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    with pytest.raises(Overdue):
        await store._fetch(endless, within=0)
    assert await store.standings(None, None, 10) == ([], None)


async def test_questions_write_nothing(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="readonly"):
        await store._fetch("DELETE FROM room")


async def test_failed_load_leaves_the_epoch(store: SqliteStore, path: Path) -> None:
    await store.commit(opened())
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP VIEW log")
        with pytest.raises(StoreError):
            await store.load(ROOM)
        other.execute("CREATE VIEW log AS SELECT room, n, line FROM recent")
    assert (await store.load(ROOM))[0] == 2


async def test_recent_lines_are_moved_to_their_rooms(
    reopen: Reopen, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "MAX_RECENT", 4)
    store = await reopen()
    await store.commit([*opened(), *opened("QQQQ"), line(1)])
    assert recent(path) == 3
    await store.commit([line(2), line(1, "QQQQ")])
    await store.index()  # runs after the move
    assert recent(path) == 0
    await store.commit([line(3)])
    assert recent(path) == 1
    assert (await store.load(ROOM))[1] == lines(4)
    assert (await store.load("QQQQ"))[1] == lines(2, "QQQQ")
    store = await reopen()
    assert recent(path) == 0
    assert (await store.load(ROOM))[1] == lines(4)


def recent(path: Path) -> int:
    with closing(sqlite3.connect(path)) as other:
        count: int = other.execute("SELECT COUNT(*) FROM recent").fetchone()[0]
        return count


async def test_no_number_of_a_line_that_was_moved_is_used_again(store: Store, reopen: Reopen) -> None:
    await store.commit([*opened(), line(1)])
    store = await reopen()
    for again in ([line(1)], [line(2), line(2)], [line(3), line(0)]):
        with pytest.raises(NotStored):
            await store.commit(again)
    await store.commit([line(2)])
    assert (await store.load(ROOM))[1] == lines(3)


async def test_call_that_is_no_longer_waited_for_is_made_all_the_same(store: SqliteStore) -> None:
    commit = asyncio.ensure_future(store.commit(opened()))
    await asyncio.sleep(0)
    commit.cancel()
    assert (await store.load(ROOM))[1] == lines(1)


async def test_a_call_that_wants_to_end_the_thread_of_a_store_does_not() -> None:
    thread = CallThread("store")
    for error in (SystemExit, KeyboardInterrupt, MemoryError):
        with pytest.raises(error):
            await thread.run(Mock(side_effect=error))
    assert await thread.run(lambda: sys.maxsize) == sys.maxsize
    thread.close()
