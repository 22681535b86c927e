"""Opening a store's file: for one server at a time, and only what is whole and ours; what else is said, and advised."""

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest.mock import Mock

import pytest
from tests.server.store.writes import long_room

from parlour_server.store.base import CannotOpen
from parlour_server.store.sqlite import file as opening
from parlour_server.store.sqlite.schema import SCHEMA
from parlour_server.store.sqlite.store import SqliteStore

NOBODY = 65_534


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
    for _ in range(2):  # a refusal changes nothing in the lock
        with pytest.raises(CannotOpen, match=rf"in use by parlour serve, pid {holder.pid}; .*--store"):
            SqliteStore(path)


async def test_lock_ends_with_its_process_and_then_is_ours_alone(holder: subprocess.Popen[str], path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait(10)
    store = SqliteStore(path)
    with pytest.raises(CannotOpen, match=f"pid {os.getpid()}"):
        SqliteStore(path)
    await store.close()


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


def test_folder_that_is_read_only_or_none(nobody: Path) -> None:
    (nobody / "file").touch()
    nobody.chmod(0o555)
    with pytest.raises(CannotOpen, match=r"parlour\.db\.lock cannot be written: Permission denied"):
        SqliteStore(nobody / "parlour.db")
    with pytest.raises(CannotOpen, match="Permission denied"):
        SqliteStore(nobody / "new" / "parlour.db")
    with pytest.raises(CannotOpen, match="cannot be written"):
        SqliteStore(nobody / "file" / "parlour.db")


PAGE = 4_096
COPY, ANOTHER = "parlour server restore COPY", "--store sqlite:///FILE"


@pytest.fixture
async def whole(path: Path) -> Path:
    return await long_room(path)


def overwrite(page: float) -> Callable[[Path], None]:
    """Return what overwrites the page at this share of a file."""

    def harm(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(int(path.stat().st_size // PAGE * page) * PAGE)
            file.write(os.urandom(PAGE))

    return harm


def sql(statement: str) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(statement)

    return harm


def foreign(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE bookmark (url TEXT)")(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("harm", "words", "advice"),
    [
        (lambda path: os.truncate(path, path.stat().st_size // 2), "malformed", COPY),
        (lambda path: os.truncate(path, path.stat().st_size - 1_000), "", COPY),
        (overwrite(0.5), "", COPY),
        (overwrite(0), "file is not a database", COPY),
        (lambda path: path.write_text("not a database at all, " * 100), "file is not a database", ANOTHER),
        (foreign, "not written by parlour", ANOTHER),
        (folder, "unable to open database file", ANOTHER),
        (sql("DROP TABLE seat"), "has no column seat.room", COPY),
        (sql("ALTER TABLE room DROP COLUMN epoch"), "has no column room.epoch", COPY),
        (sql("PRAGMA user_version = 1"), "table rating already exists", ANOTHER),
        (sql("PRAGMA user_version = 99"), f"schema 99, this one knows {SCHEMA}", "Install that one again"),
        (sql("PRAGMA user_version = 0"), "not written by parlour", ANOTHER),
    ],
    ids=[
        *("half", "bytes short", "page", "first page", "text", "another program's", "folder"),
        *("no table", "no column", "older", "newer", "no version"),
    ],
)
def test_what_is_damaged_or_not_ours_is_refused_and_left_as_it_was(
    whole: Path, harm: Callable[[Path], None], words: str, advice: str
) -> None:
    harm(whole)
    before = None if whole.is_dir() else whole.read_bytes()
    for _ in range(2):  # a refusal gives the lock back
        with pytest.raises(CannotOpen) as refused:
            SqliteStore(whole)
        told = str(refused.value)
        assert (f"{whole} " in told, words in told, advice in told) == (True, True, True), told
    assert before is None or whole.read_bytes() == before


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
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, "No space left on device")
        patch.setattr(opening.os, "write", Mock(side_effect=full))  # type: ignore[attr-defined]
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
