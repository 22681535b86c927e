"""Garbage collection for which nobody waits long.

What is new is looked at often and in small portions. All that lives is looked at only while few are connected: with
5,000 people that takes 0.2 s, in which every game would stand still. It can wait for that, since what leaves in great
numbers (messages, closed connections, finished matches) holds no cycles and is freed without it.
"""

import asyncio
import gc
from collections.abc import Callable

NEW, PORTIONS = 2_000, 5
"""So many new objects are looked at in one go, and once more together with so many portions before them."""
NEVER = 2**31 - 1
FEW = 50
"""Connections with which looking at everything takes some ms."""
EVERY = 600.0
"""Seconds between two looks at everything."""


def tune() -> None:
    """Take what is there now for the program itself, which is never garbage; set the portions."""
    gc.freeze()
    gc.set_threshold(NEW, PORTIONS, NEVER)


async def keep(connections: Callable[[], int]) -> None:
    """Look at everything from time to time, unless there are more than a few connections just then."""
    while True:
        await asyncio.sleep(EVERY)
        if connections() <= FEW:
            gc.collect()
