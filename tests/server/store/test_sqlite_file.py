"""Opening a store's file: for one server at a time, and only what is whole and ours; what else is said, and advised."""

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from tests.server.store.writes import ROOM, lines, opened

from parlour_server.store.base import CannotOpen
from parlour_server.store.sqlite import file as opening
from parlour_server.store.sqlite.store import SqliteStore

NOBODY = 65_534


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    await store.close()


# --- one server at a time ----------------------------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from parlour_server.store.sqlite.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the store."""
    command = (sys.executable, "-c", HOLD, str(path))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield child
        child.kill()


def test_second_server_is_refused_with_the_pid_of_the_first(holder: subprocess.Popen[str], path: Path) -> None:
    with pytest.raises(CannotOpen, match=rf"in use by parlour serve, pid {holder.pid}; .*--store"):
        SqliteStore(path)


async def test_refused_server_changes_nothing_in_the_lock(holder: subprocess.Popen[str], path: Path) -> None:
    for _ in range(2):
        with pytest.raises(CannotOpen, match=f"pid {holder.pid}"):
            SqliteStore(path)


async def test_lock_ends_with_its_process(holder: subprocess.Popen[str], path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait(10)
    store = SqliteStore(path)
    assert f"pid {os.getpid()}\n" in path.with_name("parlour.db.lock").read_text()
    await store.close()


async def test_same_process_cannot_open_it_twice(store: SqliteStore, path: Path) -> None:
    with pytest.raises(CannotOpen, match=f"pid {os.getpid()}"):
        SqliteStore(path)


async def test_closed_store_can_be_opened_again(path: Path) -> None:
    first = SqliteStore(path)
    await first.commit(opened())
    await first.close()
    second = SqliteStore(path)
    assert (await second.load(ROOM))[1] == lines(1)
    await second.close()


# --- what cannot be opened ---------------------------------------------------------------------------------


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder of the test's own; meanwhile the test has no rights of root."""
    folder, user = Path(mkdtemp(prefix="parlour-")), os.geteuid()
    if user == 0:
        os.chown(folder, NOBODY, -1)
        os.seteuid(NOBODY)
    yield folder
    os.seteuid(user)
    shutil.rmtree(folder)


async def test_read_only_file(nobody: Path) -> None:
    path = nobody / "parlour.db"
    await SqliteStore(path).close()
    os.chmod(path, 0o444)
    with pytest.raises(CannotOpen, match=r"parlour\.db cannot be used: .*readonly.*--store"):
        SqliteStore(path)


def test_read_only_folder(nobody: Path) -> None:
    nobody.chmod(0o555)
    with pytest.raises(CannotOpen, match=r"parlour\.db\.lock cannot be written: Permission denied"):
        SqliteStore(nobody / "parlour.db")
    with pytest.raises(CannotOpen, match="Permission denied"):
        SqliteStore(nobody / "new" / "parlour.db")


def test_folder_in_place_of_the_file(path: Path) -> None:
    path.mkdir()
    with pytest.raises(CannotOpen, match=r"unable to open database file.*--store"):
        SqliteStore(path)


def test_file_in_place_of_the_folder(path: Path) -> None:
    path.write_text("")
    with pytest.raises(CannotOpen, match="cannot be written"):
        SqliteStore(path / "parlour.db")


def test_file_that_is_no_database(path: Path) -> None:
    path.write_text("not a database at all, " * 100)
    with pytest.raises(CannotOpen, match=r"file is not a database.*--store"):
        SqliteStore(path)
    assert path.read_text().startswith("not a database")


def test_database_of_somebody_else(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmark (url TEXT)")
    with pytest.raises(CannotOpen, match=r"not written by parlour.*--store"):
        SqliteStore(path)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmark",)]


def test_newer_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(CannotOpen, match=r"newer parlour \(schema 99, this one knows \d+\)"):
        SqliteStore(path)


def test_failure_to_open_gives_the_lock_back(path: Path) -> None:
    path.mkdir()
    with pytest.raises(CannotOpen):
        SqliteStore(path)
    path.rmdir()
    path.write_text("not a database at all, " * 100)
    with pytest.raises(CannotOpen, match="not a database"):
        SqliteStore(path)


# --- what is advised ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("SQLITE_FULL", "Free space on the disk"),
        ("SQLITE_IOERR_WRITE", "Free space on the disk"),
        ("SQLITE_BUSY", "close that and start again"),
        ("SQLITE_READONLY_DBMOVED", "Make it writable"),
        ("SQLITE_CORRUPT_INDEX", "parlour server restore COPY"),
        ("SQLITE_NOTADB", "parlour server restore COPY"),
        ("SQLITE_CANTOPEN", "--store sqlite:///FILE"),
    ],
)
def test_every_failure_comes_with_what_to_do_next(path: Path, name: str, advice: str) -> None:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = getattr(sqlite3, name)
    assert str(opening.cannot_use(path, error)).startswith(f"{path} cannot be used: it failed. ")
    assert advice in str(opening.cannot_use(path, error))


def test_full_disk_in_a_migration_is_told_as_such(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = opening._prepare

    def with_little_room(db: sqlite3.Connection, *args: Any) -> None:
        db.execute("PRAGMA max_page_count = 4")
        prepare(db, *args)

    monkeypatch.setattr(opening, "_prepare", with_little_room)
    with pytest.raises(CannotOpen, match=r"database or disk is full\. Free space on the disk"):
        SqliteStore(path)


def test_lock_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(opening.os, "write", full)  # type: ignore[attr-defined]
        with pytest.raises(CannotOpen, match=r"\.lock cannot be written: No space left on device\. Free space"):
            SqliteStore(path)
    opening.take_lock(path).close()


@pytest.mark.parametrize(
    ("clean", "changed", "checked"), [(True, False, False), (True, True, True), (False, False, True)]
)
async def test_only_a_file_that_is_as_a_server_has_closed_it_is_not_checked(
    path: Path, clean: bool, changed: bool, checked: bool
) -> None:
    await SqliteStore(path).close()
    opening.take_lock(path).close(clean=clean)
    _damage(path, seen=changed)
    try:
        await SqliteStore(path).close()
        assert not checked
    except CannotOpen:
        assert checked


def _damage(path: Path, *, seen: bool) -> None:
    """Overwrite a page that no start reads; ``seen``: by a program, not by a failing disk."""
    found = path.stat()
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        [page] = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'daily'").fetchone()
        [size] = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(os.urandom(size))
    if not seen:
        os.utime(path, ns=(found.st_mtime_ns, found.st_mtime_ns))


# --- who else may have the file ------------------------------------------------------------------------------


def test_a_link_to_a_file_that_is_in_use_is_refused(tmp_path: Path) -> None:
    held = opening.take_lock(tmp_path / "real.db")
    (tmp_path / "real.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    with pytest.raises(CannotOpen, match="is in use"):
        opening.take_lock(tmp_path / "link.db")
    held.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no modes of files: who may read is said by the folder")
def test_nobody_else_can_read_a_new_store(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with closing(opening.open_file(tmp_path / "new.db", synced=False)):
            assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}
    finally:
        os.umask(before)
