"""Wait for conditions by polling. Each wait has a timeout whose error says what did not happen."""

import asyncio
import linecache
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from inspect import isawaitable
from typing import Any

PATIENCE = 240.0
"""The default timeout in seconds, long enough for a busy machine."""
STILL = 600.0
"""Seconds without any progress after which a long test fails."""


async def until(condition: Callable[[], bool | Awaitable[bool]], every: float = 0.02, within: float = PATIENCE) -> None:
    """Poll until ``condition`` holds. Raises TimeoutError after ``within`` seconds."""
    async with limit(within, _words(condition)):
        while not (await found if isawaitable(found := condition()) else found):  # noqa: ASYNC110 - polls on purpose
            await asyncio.sleep(every)


def wait_until(condition: Callable[[], bool], every: float = 0.02) -> None:
    """Poll until ``condition`` holds, beside or without an event loop. Raises TimeoutError after PATIENCE seconds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {PATIENCE:g} s: {_words(condition)}")
        time.sleep(every)


@asynccontextmanager
async def limit(seconds: float, what: str) -> AsyncIterator[asyncio.Timeout]:
    """Raise TimeoutError, which names ``what``, if the context takes longer than ``seconds``."""
    try:
        async with asyncio.timeout(seconds) as over:
            yield over
    except TimeoutError as error:
        if not over.expired():
            raise
        raise TimeoutError(f"not within {seconds:g} s: {what}") from error


@asynccontextmanager
async def going_on(
    count: Callable[[], int], what: str, still: float = STILL, every: float = 1.0
) -> AsyncIterator[asyncio.Timeout]:
    """Raise TimeoutError if ``count``, polled ``every`` seconds, does not change for ``still`` seconds.

    For work of unknown duration: a slow machine still makes progress, a hanging test does not. ``what`` names the unit.
    """
    async with limit(still, f"more {what}") as over:
        watching = asyncio.create_task(_put_off(over, count, still, every))
        try:
            yield over
        finally:
            watching.cancel()


async def _put_off(over: asyncio.Timeout, count: Callable[[], int], still: float, every: float) -> None:
    seen = count()
    while True:
        await asyncio.sleep(every)
        if (now := count()) != seen:
            seen = now
            over.reschedule(asyncio.get_running_loop().time() + still)


class EarlyTimeout(asyncio.Timeout):  # type: ignore[misc]  # it is final
    """The ``asyncio.Timeout`` of Python 3.11.0 to 3.11.2, which raises no TimeoutError in a cancelled task.

    See CPython's issue 102780.
    """

    async def __aenter__(self) -> "EarlyTimeout":
        await super().__aenter__()
        self._cancelling = 0
        return self

    @classmethod
    def after(cls, delay: float | None) -> "EarlyTimeout":
        """Stand in for ``asyncio.timeout``."""
        return cls(None if delay is None else asyncio.get_running_loop().time() + delay)


def _words(condition: Callable[..., Any]) -> str:
    """Return the source line of a condition, or its name and arguments."""
    if isinstance(condition, partial):
        return f"{condition.func.__name__}{condition.args}"
    code = getattr(condition, "__code__", None)
    return linecache.getline(code.co_filename, code.co_firstlineno).strip() if code else repr(condition)
