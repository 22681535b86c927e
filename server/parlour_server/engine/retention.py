"""Remove old rooms in the background, a few at a time.

A room is old when it is closed and none of its matches ended within the retention time. Its records are removed, and
with them the files of its matches; results and ratings stay. An open room keeps all records: its state is their fold.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

import structlog

from parlour_server.store.base import Store, StoreError

KEEP_DAYS = 90
DAY = 86_400
BETWEEN_STEPS, BETWEEN_ROUNDS = 1.0, 3_600.0
"""Seconds."""

log = structlog.get_logger()


async def keep(
    days: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    *,
    clock: Callable[[], float] = time.time,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove rooms older than ``days`` (0: none) until cancelled; ``free`` receives the codes that are free again."""
    while days:
        await _round(days, store, free, clock, pause)
        await pause(BETWEEN_ROUNDS)


async def _round(
    days: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    clock: Callable[[], float],
    pause: Callable[[float], Awaitable[None]],
) -> None:
    after: str | None = ""
    while after is not None:
        await pause(BETWEEN_STEPS)
        try:
            pruned = await store.prune(int(clock()) - days * DAY, after)
        except StoreError as error:
            log.error("old records could not be removed", reason=str(error))
            return
        free(pruned.freed)
        after = pruned.after
