"""The store of one server: one SQLite file, every commit synced to disk before it is reported.

One thread commits. Others read beside it on connections of their own, so that no commit waits for a question. Each read
sees what was committed before it began. A thread that runs one call after the other is much lighter than an executor,
whose futures are locked twice for each call.

The file is held by one server at a time: ``FILE.lock`` carries a lock that ends with the process, and its pid.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from parlour_server.persistence import Append, Index, Known, Pruned, Rated, SaveRoom, Write
from parlour_server.store.base import PAGE, PRUNE_ROOMS, QUESTION, Conflict, NotStored, Overdue, Store, StoreError
from parlour_server.store.sql import Row, Steps
from parlour_server.store.sqlite.file import open_file, read_only, take_lock
from parlour_server.store.sqlite.procedures import SqliteProcedures, bound, file_recent, placed, run
from parlour_server.system import crash_point

T = TypeVar("T")

MAX_RECENT = 5_000
"""Lines after which those of the table ``recent`` are moved to their rooms."""
_LAST = """
SELECT max(
    COALESCE((SELECT MAX(n) FROM record WHERE room = ?1), -1), COALESCE((SELECT MAX(n) FROM recent WHERE room = ?1), -1)
)
"""
_TAKEN = "SELECT code FROM room WHERE code = ANY($1)"


Job: TypeAlias = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]


class CallThread:
    """The thread and its queue of calls."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def run(self, call: Callable[[], T]) -> "asyncio.Future[T]":
        """Return the future result of ``call``, which runs after those before it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((call, loop, future))
        return future

    def close(self) -> None:
        """Return when all calls have run."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while job := self._jobs.get():
            call, loop, future = job
            result, error = None, None
            try:
                result = call()
            except BaseException as raised:  # whatever it is, someone waits for the future
                error = raised
            with suppress(RuntimeError):  # the loop is closed: no one waits any more
                loop.call_soon_threadsafe(_resolve, future, result, error)


def _resolve(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    if future.done():  # the waiting task was cancelled
        return
    future.set_result(result) if error is None else future.set_exception(error)


READERS = 3
"""Reads at the same time. Further ones wait."""
STEPS = 50_000
"""Instructions of SQLite's machine between two looks at the clock."""


class Readers:
    """A bounded pool of readers of the file at ``path``, each with its thread."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = [_Reader(path, clock) for _ in range(READERS)]
        self._all = tuple(self._free)
        self._turn = asyncio.Semaphore(READERS)

    async def run(self, call: Callable[[sqlite3.Connection], T], within: float) -> T:
        """Return what ``call`` reads. Raises Overdue if it takes more than ``within`` seconds, and sqlite3.Error."""
        async with self._turn:
            reader = self._free.pop()
            try:
                return await reader.thread.run(lambda: reader.read(call, within))
            finally:
                self._free.insert(0, reader)  # if this task was cancelled, the reader may still read

    def close(self) -> None:
        """Interrupt all reads and close the connections."""
        for reader in self._all:
            reader.close()


class _Reader:
    """One thread and its connection, which is opened by the first read."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.thread = CallThread("reader")
        self._path = path
        self._clock = clock
        self._until = inf
        self._db: sqlite3.Connection | None = None

    def read(self, call: Callable[[sqlite3.Connection], T], within: float) -> T:
        """Return what ``call`` reads; it runs on the thread."""
        if self._db is None:
            self._db = read_only(self._path)
            self._db.set_progress_handler(lambda: self._clock() > self._until, STEPS)
        self._until = self._clock() + within
        try:
            return call(self._db)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Overdue(f"a question took more than {within:g} s and was cancelled") from error
            raise

    def close(self) -> None:
        self._until = -inf
        self.thread.close()
        if self._db is not None:
            self._db.close()


class SqliteStore(Store):
    """One file. ``synced`` False leaves the syncing to the operating system (for benchmarks only)."""

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        self._lock = take_lock(path)
        try:
            self._db = open_file(path, synced=synced, whole=not self._lock.unchanged)
        except BaseException:
            self._lock.close()
            raise
        self._thread = CallThread("store")
        self._readers = Readers(path)
        self._procedures = SqliteProcedures()
        self._ends: dict[str, int] = {}
        """The number of the last line of each room that was written to."""
        self._recent = 0
        """Lines in the table ``recent``."""

    async def index(self) -> Index:
        """Return what is needed at the start, without the records of rooms."""
        return await self._change(self._procedures.index)

    async def load(self, room: str) -> tuple[int, list[str]]:
        """Take over a room: raise its epoch, return that and all its lines. Raises LookupError if there is none."""
        await self._run(lambda: None)  # what was to be committed before is to be seen
        lines, after = list[str](), -1
        while page := await self._fetch(self._lines, room, after + 1, after + PAGE, within=inf):
            lines += [line for _, line in page]
            after = page[-1][0]
        return await self._run(partial(self._raise_epoch, room)), lines

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        """Store all writes durably, in order, or none. Returns the ratings that changed by it. Raises NotStored."""
        changed = await self._run(partial(self._commit, writes))
        if self._recent >= MAX_RECENT:
            self._recent = 0
            self._thread.run(self._file_recent)  # later commits wait for it, this one does not
        return changed

    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        """Return what is stored of identities with these hashed secrets or ids, or names like these."""
        return await self._read(lambda db: run(db, self._procedures.known(names, hashes, people)), inf)

    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        """Remove some old rooms, in one short transaction."""
        pruned = await self._change(partial(self._procedures.prune, before, after, most))
        for room in pruned.freed:
            self._ends.pop(room, None)
        return pruned

    async def close(self) -> None:
        """Close the file and release its lock."""
        self._readers.close()
        await self._run(self._db.close)
        self._thread.close()
        self._lock.close(clean=True)

    async def _run(self, call: Callable[[], T]) -> T:
        try:
            return await self._thread.run(call)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    async def _change(self, steps: Callable[[], Steps[T]]) -> T:
        def change() -> T:
            with self._db:
                return run(self._db, steps())

        return await self._run(change)

    async def _fetch(self, statement: str, *args: Any, within: float = QUESTION) -> list[Row]:
        return await self._read(lambda db: db.execute(placed(statement), bound(args)).fetchall(), within)

    async def _read(self, call: Callable[[sqlite3.Connection], T], within: float = QUESTION) -> T:
        """Return what ``call`` reads, which no commit waits for. Raises Overdue after ``within`` seconds."""
        try:
            return await self._readers.run(call, within)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    # --- on the store's own thread -----------------------------------------------------------------------

    def _raise_epoch(self, room: str) -> int:
        """Raise the epoch of a room without a sync, which would make a start with many rooms slow on a slow disk.

        Nothing shows the epoch before a record that names it is stored, and the sync of that commit covers this one.
        """
        [synchronous] = self._db.execute("PRAGMA synchronous").fetchone()
        self._db.execute("PRAGMA synchronous = NORMAL")
        try:
            with self._db:
                row = self._db.execute(
                    "UPDATE room SET epoch = epoch + 1 WHERE code = ? RETURNING epoch", (room,)
                ).fetchone()
        finally:
            self._db.execute(f"PRAGMA synchronous = {synchronous}")
        if row is None:
            raise LookupError(room)
        epoch: int = row[0]
        return epoch

    def _commit(self, writes: Sequence[Write]) -> list[Rated]:
        changed: list[Rated] = []
        lines = [(write.room, write.n, write.line) for write in writes if type(write) is Append]
        writers = self._procedures.writers
        try:
            ends = self._ends_after(lines)
            with self._db:
                crash_point("before-append")
                self._db.executemany("INSERT INTO recent VALUES (?, ?, ?)", lines)
                for write in writes:
                    if type(write) is not Append:
                        changed += run(self._db, writers[type(write)](write)) or ()
                crash_point("after-append")
        except sqlite3.Error as error:
            if type(error) is sqlite3.IntegrityError and (taken := self._taken(writes)):
                raise Conflict(rooms=taken) from error
            raise NotStored(f"the database could not store {len(writes)} writes: {error}") from error
        crash_point("after-commit")
        self._ends |= ends
        self._recent += len(lines)
        return changed

    def _ends_after(self, lines: Iterable[tuple[str, int, str]]) -> dict[str, int]:
        """Return the number of each room's last line after ``lines``. Raises IntegrityError for a number in use."""
        ends: dict[str, int] = {}
        for room, n, _ in lines:
            last = ends.get(room, self._ends.get(room))
            if (self._last_line(room) if last is None else last) >= n:
                raise sqlite3.IntegrityError(f"room {room} has a line {n}")
            ends[room] = n
        return ends

    def _last_line(self, room: str) -> int:
        last: int = self._db.execute(_LAST, (room,)).fetchone()[0]
        return last

    def _file_recent(self) -> None:
        with suppress(sqlite3.Error), self._db:  # where they are, the lines are stored just as well
            run(self._db, file_recent())

    def _taken(self, writes: Sequence[Write]) -> set[str]:
        """Return the codes of new rooms that exist already."""
        opened = [write.room for write in writes if type(write) is SaveRoom and write.open]
        return {code for (code,) in self._db.execute(placed(_TAKEN), bound([opened]))}
