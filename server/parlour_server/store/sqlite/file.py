"""Open the file of a SQLite store: for one server at a time, and only if it is intact and parlour's.

Whatever is wrong is one CannotOpen, whose text says what and what to do next.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TextIO

import attrs

from parlour_protocol.file_lock import lock
from parlour_server.store.base import CannotOpen
from parlour_server.store.schema import refuse_newer
from parlour_server.store.sqlite import schema
from parlour_server.store.sqlite.procedures import file_recent, run
from parlour_server.store.sqlite.schema import SCHEMA

ANOTHER_FILE = "Name another file with --store sqlite:///FILE"
_CLOSE_IT = "Another program has it open: close that and start again"
_WRITABLE = f"Make it writable for the user who serves. {ANOTHER_FILE} otherwise"
_ROOM = "Free space on the disk, or repair it, and start again"
_BACKUP = "Put back the last copy that `parlour server backup` made: parlour server restore COPY"
_ADVICE = {
    sqlite3.SQLITE_BUSY: _CLOSE_IT,
    sqlite3.SQLITE_LOCKED: _CLOSE_IT,
    sqlite3.SQLITE_PERM: _WRITABLE,
    sqlite3.SQLITE_READONLY: _WRITABLE,
    sqlite3.SQLITE_FULL: _ROOM,
    sqlite3.SQLITE_IOERR: _ROOM,
    sqlite3.SQLITE_CORRUPT: _BACKUP,
    sqlite3.SQLITE_NOTADB: f"{_BACKUP}. {ANOTHER_FILE} otherwise",
}
_IMPATIENT, _PATIENT = 1_000, 5_000
"""Milliseconds to wait for another program's lock: at start, and later."""
_FORMATS = slice(18, 20)
"""The bytes of the header that hold the versions to write and to read: 1 with a rollback journal, 2 with a ``-wal``."""
_COLUMNS = """
SELECT t.name, c.name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'
"""


@attrs.define(eq=False)
class StoreLock:
    """The lock beside a store, which keeps other servers out until it is closed, and its pid."""

    _path: Path
    _file: TextIO
    unchanged: bool
    """Whether the store is as the last server has left it, which has checked it and closed it."""

    def close(self, *, clean: bool = False) -> None:
        """Release the lock; ``clean``: the store was closed without a fault."""
        with self._file, suppress(OSError):
            if clean:
                now = time.time_ns()
                os.utime(self._path, ns=(now, now))  # file systems have coarser clocks: any later write is seen
                os.ftruncate(self._file.fileno(), 0)
                os.write(self._file.fileno(), _stamp(self._path).encode())


def _stamp(path: Path) -> str:
    """Return the text of a lock whose server has closed the store."""
    found = path.stat()
    return f"closed, {found.st_size} bytes, {found.st_mtime_ns} ns\n"


def open_file(path: Path, *, synced: bool, whole: bool = True) -> sqlite3.Connection:
    """Return a connection to the store's file, which is created or migrated to SCHEMA. Raises CannotOpen.

    ``whole``: look for damage in the whole file first, which takes seconds for each gigabyte.
    """
    db: sqlite3.Connection | None = None
    try:
        if not path.exists():
            path.touch(mode=0o600)  # hands, and the secrets of deals to come; what SQLite puts beside it has its mode
        db = sqlite3.connect(path, timeout=_IMPATIENT / 1000, check_same_thread=False)
        _prepare(db, path, synced, whole)
    except OSError as error:
        raise CannotOpen(f"{path} cannot be written: {error.strerror}. {_WRITABLE}") from error
    except (sqlite3.Error, CannotOpen) as error:
        if db is not None:
            db.close()
        raise error if isinstance(error, CannotOpen) else cannot_use(path, error) from error
    return db


def read_only(path: Path, timeout: float = _PATIENT / 1000) -> sqlite3.Connection:
    """Return a connection to a store's file that reads, on any thread."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=timeout)


@contextmanager
def snapshot(path: Path, *, whole: bool = True) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Yield a connection that sees a store as it is now, and the store's schema. Raises CannotOpen."""
    try:
        with closing(read_only(path)) as db:
            db.isolation_level = None
            db.execute("BEGIN")
            version = check(db, path, whole)
            if version == 0:
                raise CannotOpen(f"{path} is empty: nothing was ever stored in it")
            yield db, version
    except sqlite3.Error as error:
        raise cannot_use(path, error) from error


def cannot_use(path: Path, error: sqlite3.Error) -> CannotOpen:
    """Return a CannotOpen that explains ``error``."""
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return CannotOpen(f"{path} cannot be used: {error}. {_ADVICE.get(primary, ANOTHER_FILE)}")


def beside(path: Path) -> tuple[Path, Path]:
    """Return the files that SQLite keeps beside an open store: the write-ahead log and its index."""
    real = path.resolve()  # SQLite follows symbolic links, too
    return real.with_name(f"{real.name}-wal"), real.with_name(f"{real.name}-shm")


def refuse_foreign_log(path: Path) -> None:
    """Raise CannotOpen if the ``-wal`` beside ``path`` belongs to another file: SQLite would write it over this one."""
    log, _ = beside(path)
    try:
        with open(path, "rb") as file:
            formats = file.read(_FORMATS.stop)[_FORMATS]
        foreign = formats != b"\2\2" and log.stat().st_size
    except OSError:  # there is no log, or what opens the file will say why it cannot
        return
    if foreign:
        raise CannotOpen(
            f"{path} was replaced, but {log.name} beside it belongs to the file that was there before."
            f" Move {log} away; to replace a store next time: parlour server restore COPY"
        )


def check(db: sqlite3.Connection, path: Path, whole: bool = True) -> int:
    """Return the schema of the store in ``path`` (0: an empty file). Raises CannotOpen, also for a damaged one.

    ``db`` is a connection that has not read anything yet. ``whole`` as in ``open_file``.
    """
    refuse_foreign_log(path)
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    refuse_newer(path, version, SCHEMA)
    if version == 0 and db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise CannotOpen(f"{path} is a database that was not written by parlour. {ANOTHER_FILE}")
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0] if whole or version < SCHEMA else "ok"
    if found != "ok":
        raise CannotOpen(f"{path} is damaged: {' '.join(found.split())}. {_BACKUP}")
    return version


def take_lock(path: Path) -> StoreLock:
    """Return the lock beside ``path``, which keeps other servers out until it is closed. Raises CannotOpen."""
    real = path.resolve()  # symbolic links must not get around the lock
    lock_path = real.with_name(real.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = open(lock_path, "a+", encoding="utf-8", errors="replace", newline="\n")  # noqa: SIM115 - held as long as the store
    except OSError as error:
        raise CannotOpen(f"{lock_path} cannot be written: {error.strerror}. {ANOTHER_FILE}") from error
    try:
        if lock(held.fileno()):
            held.seek(0)
            unchanged = path.exists() and held.read() == _stamp(path)
            os.ftruncate(held.fileno(), 0)
            os.write(held.fileno(), f"parlour serve, pid {os.getpid()}\n".encode())
            return StoreLock(path, held, unchanged)
    except OSError as error:
        held.close()
        raise CannotOpen(f"{lock_path} cannot be written: {error.strerror}. {_ROOM}") from error
    with held:
        held.seek(0)
        holder = held.read().strip() or "another process"
    raise CannotOpen(f"{path} is in use by {holder}; stop it, or name another file with --store")


def _prepare(db: sqlite3.Connection, path: Path, synced: bool, whole: bool) -> None:
    version = check(db, path, whole)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(f"PRAGMA synchronous = {'FULL' if synced else 'OFF'}")
    if version < SCHEMA:
        schema.migrate(db, version)
    # a new file was made by the steps that it would be compared with
    if version and (missing := _columns_of_a_new_file() - set(db.execute(_COLUMNS))):
        table, column = min(missing)
        raise CannotOpen(f"{path} was changed by another program: it has no column {table}.{column}. {_BACKUP}")
    # a file that can only be read, or a full disk, fails here, not at the first commit
    db.executescript(f"BEGIN; PRAGMA user_version = {SCHEMA}; COMMIT")
    with db:
        run(db, file_recent())
    db.execute(f"PRAGMA busy_timeout = {_PATIENT}")


def _columns_of_a_new_file() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as new:
        schema.migrate(new, 0)
        return set(new.execute(_COLUMNS))
