"""Read a SQLite store on separate threads and read-only connections, so that no commit waits.

Each read sees what was committed before it began, and no commit waits for it. A thread that runs one call after the
other is much lighter than an executor, whose futures are locked twice for each call.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from parlour_server.store.base import Overdue

T = TypeVar("T")

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
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._db.set_progress_handler(lambda: self._clock() > self._until, STEPS)
        self._until = self._clock() + within
        try:
            return call(self._db)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Overdue(f"a question took more than {within:g} s and was given up") from error
            raise

    def close(self) -> None:
        self._until = -inf
        self.thread.close()
        if self._db is not None:
            self._db.close()
