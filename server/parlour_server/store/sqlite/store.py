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
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from typing_extensions import override

from parlour_server.persistence import Append, Index, Known, Loaded, Pruned, Rated, SaveRoom, Write
from parlour_server.store.base import PRUNE_ROOMS, Conflict, NotStored, Overdue, Store, StoreError
from parlour_server.store.sql import QUESTION, Pool, Steps
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
_RAISE = "UPDATE room SET epoch = epoch + 1 WHERE code = ? RETURNING epoch"
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
            try:  # noqa: SIM105 - a context manager would be called for every commit
                loop.call_soon_threadsafe(_resolve, future, result, error)
            except RuntimeError:  # the loop is closed: no one waits any more
                pass


def _resolve(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    if future.done():  # the waiting task was cancelled
        return
    future.set_result(result) if error is None else future.set_exception(error)


READERS = 3
"""Reads at the same time. Further ones wait."""
STEPS = 50_000
"""Instructions of SQLite's machine between two looks at the clock."""


class _Reader:
    """One thread and its connection, which is opened by the first read."""

    def __init__(self, path: Path) -> None:
        self.thread = CallThread("reader")
        self._path = path
        self._until = inf
        self._db: sqlite3.Connection | None = None

    def read(self, steps: Callable[[], Steps[T]], within: float) -> T:
        """Return what ``steps`` read; it runs on the thread. Raises Overdue after ``within`` seconds."""
        if self._db is None:
            self._db = read_only(self._path)
            self._db.set_progress_handler(lambda: time.monotonic() > self._until, STEPS)
        self._until = time.monotonic() + within
        try:
            return run(self._db, steps())
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Overdue(within) from error
            raise

    def close(self) -> None:
        """Interrupt what it reads and close the connection."""
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
        self._readers = Pool([_Reader(path) for _ in range(READERS)])
        self._procedures = SqliteProcedures()
        self._ends: dict[str, int] = {}
        """The number of the last line of each room that was written to."""
        self._recent = 0
        """Lines that were to be added to the table ``recent`` since it was emptied."""

    @override
    async def index(self) -> Index:
        return await self._change(self._procedures.index)

    @override
    async def load(self, room: str) -> Loaded:
        await self._run(lambda: None)  # what was to be committed before is to be seen
        lines = await self._with_rest(room, [])
        return await self._run(partial(self._raise_epoch, room)), lines

    @override
    def commit(self, writes: Sequence[Write]) -> Awaitable[list[Rated]]:
        committed = self._thread.run(partial(self._commit, writes))
        self._recent += sum(type(write) is Append for write in writes)
        if self._recent >= MAX_RECENT:
            self._recent = 0
            self._thread.run(self._file_recent)  # later commits wait for it, this one does not
        return committed

    @override
    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        return await self._ask(partial(self._procedures.known, names, hashes, people), inf)

    @override
    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        pruned = await self._change(partial(self._procedures.prune, before, after, most))
        for room in pruned.freed:
            self._ends.pop(room, None)
        return pruned

    @override
    async def close(self) -> None:
        for reader in self._readers.links:
            reader.close()
        await self._run(self._db.close)
        self._thread.close()
        self._lock.close(clean=True)

    async def _run(self, call: Callable[[], T], thread: CallThread | None = None) -> T:
        try:
            return await (thread or self._thread).run(call)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    @override
    async def _change(self, steps: Callable[[], Steps[T]]) -> T:
        def change() -> T:
            with self._db:
                return run(self._db, steps())

        return await self._run(change)

    @override
    async def _ask(self, steps: Callable[[], Steps[T]], within: float = QUESTION) -> T:
        return await self._readers.run(lambda reader: self._run(lambda: reader.read(steps, within), reader.thread))

    # --- on the store's own thread -----------------------------------------------------------------------

    def _raise_epoch(self, room: str) -> int:
        """Raise the epoch of a room without a sync, which would make a start with many rooms slow on a slow disk.

        Nothing shows the epoch before a record that names it is stored, and the sync of that commit covers this one.
        """
        [synchronous] = self._db.execute("PRAGMA synchronous").fetchone()
        self._db.execute("PRAGMA synchronous = NORMAL")
        try:
            with self._db:
                rows = self._db.execute(_RAISE, (room,)).fetchall()
        finally:
            self._db.execute(f"PRAGMA synchronous = {synchronous}")
        for (epoch,) in rows:
            return int(epoch)
        raise LookupError(room)

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
