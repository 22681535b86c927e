"""Copy a SQLite store while a server writes to it, and put a copy in its place."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import attrs

from parlour_server.store.base import CannotOpen, StoreError
from parlour_server.store.sqlite import file

Progress = Callable[[int, int], None]
"""Called with the number of copied pages and of all pages."""
_PAGES = 500
"""Pages copied between two calls of the progress."""


@attrs.frozen
class Copy:
    """The contents of a copy. ``size`` in bytes; ``matches`` counts the finished ones."""

    size: int
    rooms: int
    matches: int


def back_up(source: Path, target: Path, *, overwrite: bool, progress: Progress) -> Copy:
    """Copy the store in ``source`` as it is now. ``target`` appears when all of it is on disk.

    Raises CannotOpen if one of the two files cannot be used, StoreError if copying fails; ``target`` is as before then.
    """
    if target.exists() and not overwrite:
        raise StoreError(f"{target} exists; name another file, or overwrite it with --force")
    if not source.is_file():
        raise CannotOpen(f"there is no store {source}; name it with --store sqlite:///FILE")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the store itself; name another file")
    with file.snapshot(source) as (db, _), _in_place_of(target) as part:
        return _copy(db, part, progress)


def restore(copy: Path, target: Path, *, progress: Progress) -> tuple[Copy, Path | None]:
    """Put ``copy`` in the place of the store ``target``, which no server may use. Returns what the new store holds,
    and the name under which the old one was kept.

    Raises CannotOpen if one of the two files cannot be used, StoreError if copying fails; ``target`` is as before then.
    """
    if target.exists() and copy.exists() and target.samefile(copy):
        raise StoreError(f"{copy} is the store itself; name the file that `parlour server backup` wrote")
    if not copy.is_file():
        raise CannotOpen(f"there is no file {copy}; name the one that `parlour server backup` wrote")
    with closing(file.take_lock(target)), file.snapshot(copy) as (db, _):
        real, kept = target.resolve(), None
        with _in_place_of(real) as part:
            copied = _copy(db, part, progress)
            _belong_to_same_user(part, real)
            if real.exists():
                _sync(part)
                kept = _move_away(real)
    return copied, kept


def _move_away(store: Path) -> Path:
    """Rename a store and what SQLite keeps beside it. Returns the new name of the store.

    The store goes first: one without its log would lose moves, and a log without its store is refused.
    """
    kept = store.with_name(f"{store.name}.{time.strftime('%Y%m%d-%H%M%S')}")
    old, new = (store, *file.beside(store)), (kept, *file.beside(kept))
    if kept.exists():
        raise StoreError(f"{kept} exists; try again in a second")
    for before, after in zip(old, new, strict=True):
        with suppress(FileNotFoundError):
            os.replace(before, after)
    return kept


def _belong_to_same_user(part: Path, store: Path) -> None:
    """Let root restore for the user who serves: the owner of the store, or else of its folder."""
    if os.name != "nt" and os.geteuid() == 0:
        owner = (store if store.exists() else store.parent).stat()
        for each in (part, store.with_name(f"{store.name}.lock")):
            os.chown(each, owner.st_uid, owner.st_gid)


@contextmanager
def _in_place_of(target: Path) -> Iterator[Path]:
    """Yield a new private file beside ``target``, which replaces it at the end or is removed."""
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        part.touch(mode=0o600, exist_ok=False)
        yield part
        _sync(part)
        os.replace(part, target)
        if os.name != "nt":
            _sync(target.parent)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink()


def _copy(db: sqlite3.Connection, part: Path, progress: Progress) -> Copy:
    try:
        with closing(sqlite3.connect(part)) as copy:
            db.backup(copy, pages=_PAGES, progress=lambda _, left, total: progress(total - left, total))
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file without a write-ahead log
            counts = [copy.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in ("room", "match")]
    except sqlite3.Error as error:
        raise StoreError(f"the copy cannot be written: {error}. Is there room on the disk?") from error
    return Copy(part.stat().st_size, *counts)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
