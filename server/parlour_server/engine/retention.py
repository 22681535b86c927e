"""Remove old rooms in the background, a few at a time.

A room is old when it is closed and none of its matches ended within the retention time. Its records are removed, and
with them the files of its matches; results and ratings stay. An open room keeps all records: its state is their fold.

A wrong clock makes everything old. So nothing is removed in the first hour or in an hour in which the clock was set,
only ``MOST`` rooms at first, and the log says what was removed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

import structlog

from parlour_server.store.base import Store, StoreError
from parlour_server.system import wall_clock

DAY = 86_400
BETWEEN_STEPS, BETWEEN_ROUNDS = 1.0, wall_clock.SETTLES / 1_000
"""Seconds."""
MOST = 1_000
"""Rooms after which a round ends. While that is not enough, the next one may remove twice as many."""

log = structlog.get_logger()


async def keep(
    days: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    *,
    clock: Callable[[], float] = time.time,
    elapsed: Callable[[], float] = time.monotonic,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove rooms older than ``days`` (0: none) until cancelled; ``free`` receives the codes that are free again.

    ``elapsed``: seconds that pass whatever ``clock`` is set to.
    """
    most = MOST
    while days:
        ahead = clock() - elapsed()
        await pause(BETWEEN_ROUNDS)
        jumped = clock() - elapsed() - ahead
        if abs(jumped) > wall_clock.JUMP / 1_000:
            log.warning("the clock was set: old records stay for another hour", seconds=round(jumped))
        else:
            removed = await _round(int(clock()) - days * DAY, most, store, free, pause)
            most = 2 * most if removed >= most else max(MOST, most // 2)


async def _round(
    before: int,
    most: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    pause: Callable[[float], Awaitable[None]],
) -> int:
    """Remove ``most`` old rooms, or a few more, and return how many."""
    after: str | None = ""
    removed = 0
    while after is not None and removed < most:
        await pause(BETWEEN_STEPS)
        try:
            pruned = await store.prune(before, after)
        except StoreError as error:
            log.error("old records could not be removed", reason=str(error))
            return removed
        free(pruned.freed)
        removed += len(pruned.freed)
        after = pruned.after
    if removed:
        until = time.strftime("%Y-%m-%d", time.gmtime(before))
        log.info("old records are removed", rooms=removed, until=until, more=after is not None)
    return removed
