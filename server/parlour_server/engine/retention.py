"""Remove old rooms in the background, a few at a time.

A room is old when it is closed and none of its matches ended within the retention time. Its records are removed, and
with them the files of its matches; results and ratings stay. An open room keeps all records: its state is their fold.

A wrong clock makes everything old. So nothing is removed in the first hour or in an hour in which the clock was set,
only a share of all rooms at first, and the log says what was removed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

import structlog

from parlour_server import wall_clock
from parlour_server.store.base import PRUNE_ROOMS, Store, StoreError

DAY = 86_400
BETWEEN_STEPS, BETWEEN_ROUNDS = 1.0, wall_clock.SETTLES / 1_000
"""Seconds."""

log = structlog.get_logger()


async def keep(
    days: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    count: Callable[[], int],
    *,
    clock: Callable[[], float] = time.time,
    elapsed: Callable[[], float] = time.monotonic,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove rooms older than ``days`` (0: none) until cancelled; ``free`` receives the codes that are free again.

    ``count`` returns the number of rooms. Rooms that are not listed may be left out: they make a round no larger.
    ``elapsed``: seconds that pass whatever ``clock`` is set to.
    """
    rounds = wall_clock.Rounds()
    while days:
        ahead = clock() - elapsed()
        await pause(BETWEEN_ROUNDS)
        jumped = clock() - elapsed() - ahead
        if abs(jumped) > wall_clock.JUMP / 1_000:
            log.warning("the clock was set: old records stay for another hour", seconds=round(jumped))
        else:
            rounds.begin(count())
            await _round(int(clock()) - days * DAY, rounds, store, free, pause)


async def _round(
    before: int,
    rounds: wall_clock.Rounds,
    store: Store,
    free: Callable[[Iterable[str]], None],
    pause: Callable[[float], Awaitable[None]],
) -> None:
    """Remove as many old rooms as the round may."""
    after: str | None = ""
    removed = names = 0
    while after is not None and rounds.left:
        await pause(BETWEEN_STEPS)
        try:
            pruned = await store.prune(before, after, min(rounds.left, PRUNE_ROOMS))
        except StoreError as error:
            log.error("old records could not be removed", reason=str(error))
            return
        free(pruned.freed)
        rounds.left -= len(pruned.freed)
        removed += len(pruned.freed)
        names += pruned.names
        after = pruned.after
    if removed or names:
        until = time.strftime("%Y-%m-%d", time.gmtime(before))
        log.info("old records are removed", rooms=removed, names=names, until=until, more=after is not None)
