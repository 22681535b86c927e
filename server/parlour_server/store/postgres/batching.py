"""Batch concurrent lookups into one query."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")
AT_A_TIME = 5
"""Results that are delivered before other tasks get a turn, because each one causes work."""


class Batcher(Generic[T]):
    """Collects keys while a query runs, and looks up to ``most`` of them up with the next one.

    ``find`` returns a result or an error for each key.
    """

    def __init__(self, find: Callable[[Sequence[str]], Awaitable[Mapping[str, T | Exception]]], most: int) -> None:
        self._find = find
        self._most = most
        self._waiting: dict[str, asyncio.Future[T]] = {}
        self._asked: dict[str, asyncio.Future[T]] = {}
        self._closed: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, key: str) -> T:
        """Return the result for ``key``, or raise its error."""
        if self._closed is not None:
            raise self._closed
        loop = asyncio.get_running_loop()
        future = self._waiting.setdefault(key, loop.create_future())
        if self._task is None:
            self._task = loop.create_task(self._answer_all())
        return await asyncio.shield(future)

    def close(self, error: Exception) -> None:
        """Stop. Waiting and further calls raise ``error``."""
        self._closed = error
        if self._task is not None:
            self._task.cancel()
        for future in (*self._asked.values(), *self._waiting.values()):
            _settle(future, error)

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                await self._answer([*islice(self._waiting, self._most)])
        finally:
            self._task = None

    async def _answer(self, keys: Sequence[str]) -> None:
        self._asked = futures = {key: self._waiting.pop(key) for key in keys}
        found: Mapping[str, T | Exception]
        try:
            found = await self._find(keys)
        except Exception as error:
            found = dict.fromkeys(keys, error)
        for number, (key, future) in enumerate(futures.items(), start=1):
            _settle(future, found[key])
            if not number % AT_A_TIME:
                await asyncio.sleep(0)


def _settle(future: asyncio.Future[T], result: T | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
        future.exception()  # the caller may be gone; without this asyncio logs the error
    else:
        future.set_result(result)
