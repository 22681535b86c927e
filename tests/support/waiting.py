"""Waiting for something that tells nobody when it happens. Each wait has an end, and says then what has not come."""

import asyncio
import linecache
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from inspect import isawaitable
from typing import Any

PATIENCE = 60.0
"""Seconds until a test that waits for something fails; long enough for a machine that has much else to do."""
STILL = 600.0
"""Seconds for which nothing at all may happen in a test that goes on and on."""


async def until(condition: Callable[[], bool | Awaitable[bool]], every: float = 0.02, within: float = PATIENCE) -> None:
    """Ask again and again until ``condition`` holds. Raises TimeoutError after ``within`` seconds, mostly a minute."""
    async with limit(within, _words(condition)):
        while not (await found if isawaitable(found := condition()) else found):  # noqa: ASYNC110 - see above
            await asyncio.sleep(every)


@asynccontextmanager
async def limit(seconds: float, what: str) -> AsyncIterator[asyncio.Timeout]:
    """Raise TimeoutError, which says ``what`` has not come, if the context takes longer."""
    try:
        async with asyncio.timeout(seconds) as over:
            yield over
    except TimeoutError as error:
        if not over.expired():
            raise
        raise TimeoutError(f"{seconds:g} s are over, and this has not come: {what}") from error


@asynccontextmanager
async def going_on(
    count: Callable[[], int], what: str, still: float = STILL, every: float = 1.0
) -> AsyncIterator[asyncio.Timeout]:
    """Raise TimeoutError once ``count``, of ``what``, has stayed the same for ``still`` seconds, looked at ``every`` s.

    This is for what takes as long as the machine needs: a slow one gets on, only what hangs does not.
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


def _words(condition: Callable[..., Any]) -> str:
    """Return the line on which a condition is defined, or its name and arguments."""
    if isinstance(condition, partial):
        return f"{condition.func.__name__}{condition.args}"
    code = getattr(condition, "__code__", None)
    return linecache.getline(code.co_filename, code.co_firstlineno).strip() if code else repr(condition)
