"""Long work on the event loop, done in short slices."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import TypeVar

SLICE = 0.005
"""Seconds that a slice takes, and the pause after it, in which the loop serves everything else."""
IDLE = SLICE / 5
"""Seconds that everything else takes in one turn of an idle loop; then there is no pause."""

T = TypeVar("T")


class Slices:
    """Does work step by step. However much of it there is, it leaves others half of the loop's time if they need it."""

    def __init__(self, clock: Callable[[], float], pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._clock = clock
        self._pause = pause
        self._turn = asyncio.Lock()

    async def finish(self, work: Generator[None, None, T]) -> T:
        """Take all steps of ``work`` and return its result. Works that go on at the same time take turns."""
        while True:
            async with self._turn:
                until = self._clock() + SLICE
                try:
                    next(work)
                    while self._clock() < until:
                        next(work)
                except StopIteration as end:
                    result: T = end.value
                    return result
                began = self._clock()
                await self._pause(0)
                if self._clock() - began > IDLE:
                    await self._pause(SLICE)
