"""Tune garbage collection for short pauses.

New objects are collected often and in small portions. A full collection runs only while few clients are connected:
with 5,000 of them it takes 0.2 s, during which every game stands still. It can wait, because what is freed in large
numbers (messages, closed connections, finished matches) holds no reference cycles.
"""

import asyncio
import gc
from collections.abc import Callable

NEW, PORTIONS = 2_000, 5
"""Objects in one young collection, and young collections between two of the middle generation."""
NEVER = 2**31 - 1
FEW = 50
"""Connections with which a full collection takes a few ms."""
EVERY = 600.0
"""Seconds between two attempts at a full collection."""


def tune() -> None:
    """Exclude all existing objects, which are the program itself, and set the thresholds."""
    gc.freeze()
    gc.set_threshold(NEW, PORTIONS, NEVER)


async def keep(connections: Callable[[], int]) -> None:
    """Run a full collection from time to time while few clients are connected."""
    while True:
        await asyncio.sleep(EVERY)
        if connections() <= FEW:
            gc.collect()
