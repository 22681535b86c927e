"""Remove old rooms, and the names that dead nodes have left behind, in the background, a few at a time.

A room is old when it is closed and none of its matches ended within the retention time. Its records are removed, and
with them the files of its matches; results and ratings stay. An open room keeps all records: its state is their fold.

A wrong clock makes everything old. So nothing is removed in the first hour or in an hour in which the clock was set,
only a share of all rooms at first, and the log says what was removed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sized

import structlog

from parlour_server.directory import guests
from parlour_server.store.base import PRUNE_ROOMS, Store, StoreError

DAY = 86_400
BETWEEN_STEPS, BETWEEN_ROUNDS = 1.0, guests.SETTLES / 1_000
"""Seconds."""

log = structlog.get_logger()


async def keep(
    days: int,
    store: Store,
    free: Callable[[Iterable[str]], None],
    rooms: Sized,
    people: Sized,
    *,
    clock: Callable[[], float] = time.time,
    elapsed: Callable[[], float] = time.monotonic,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove rooms older than ``days`` (0: none) until cancelled; ``free`` receives the codes that are free again.

    ``rooms`` and ``people``: all of them, as far as this node knows. ``elapsed``: seconds that pass whatever ``clock``
    is set to.
    """
    of_rooms, of_names = guests.Rounds(), guests.Rounds()
    while days:
        ahead = clock() - elapsed()
        await pause(BETWEEN_ROUNDS)
        jumped = clock() - elapsed() - ahead
        if abs(jumped) > guests.JUMP / 1_000:
            log.warning("the clock was set: old records stay for another hour", seconds=round(jumped))
        else:
            of_rooms.begin(len(rooms))
            of_names.begin(len(people))
            await _round(int(clock()) - days * DAY, of_rooms, of_names, store, free, pause)


async def _round(
    before: int,
    of_rooms: guests.Rounds,
    of_names: guests.Rounds,
    store: Store,
    free: Callable[[Iterable[str]], None],
    pause: Callable[[float], Awaitable[None]],
) -> None:
    """Remove as many old rooms and names as the rounds may."""
    after: str | None = ""
    removed = names = 0
    while after is not None and of_rooms.left:
        await pause(BETWEEN_STEPS)
        try:
            pruned = await store.prune(before, after, min(of_rooms.left, PRUNE_ROOMS), 0 if after else of_names.left)
        except StoreError as error:
            log.error("old records could not be removed", reason=str(error))
            return
        free(pruned.freed)
        of_rooms.left -= len(pruned.freed)
        of_names.left -= pruned.names
        removed += len(pruned.freed)
        names += pruned.names
        after = pruned.after
    if removed or names:
        until = time.strftime("%Y-%m-%d", time.gmtime(before))
        log.info("old records are removed", rooms=removed, names=names, until=until, more=after is not None)
