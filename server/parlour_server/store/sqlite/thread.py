"""A thread that runs one call after the other and hands the results to an event loop.

It is much lighter than an executor, whose futures are locked twice for each call.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

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
