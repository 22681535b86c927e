"""Background tasks, cancelled together; long work on the event loop in short slices; and the timers of rooms.

An error in a task is logged and counted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, TypeVar

import structlog

from parlour_server.effects import Wake, place
from parlour_server.metrics import Metrics

AGAIN = 1.0
"""Seconds after which work that has failed is done again."""

log = structlog.get_logger()


class Tasks:
    """The background tasks of a node."""

    def __init__(self, metrics: Metrics) -> None:
        self.running: set[asyncio.Task[None]] = set()
        self._metrics = metrics

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run ``work`` until it ends or the tasks are cancelled."""
        task = asyncio.get_running_loop().create_task(work)
        self.running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def keep(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do ``work``, which serves the whole node, until it returns. If it fails, report that and do it again."""
        while True:
            try:
                return await work()
            except Exception as error:
                self.report(error)
            await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have cleaned up: a second cancellation would interrupt that."""
        for task in (running := list(self.running)):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def report(self, error: BaseException) -> None:
        """Log and count an error that ends only a part of some work."""
        self._metrics.fault("task")
        log.error("a fault in a task", error=type(error).__name__, where=place(error))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.report(error)


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


class Wakeups:
    """The timers of a node's rooms. ``wake`` is called with the code of a room."""

    def __init__(self, clock: Callable[[], float], wake: Callable[[str], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, effect: Wake) -> None:
        """Replace the timer of a room."""
        self.cancel(effect.room)
        if effect.at is not None:
            delay = max(0, effect.at - int(self._clock() * 1000)) / 1000
            self._timers[effect.room] = asyncio.get_running_loop().call_later(delay, self._fire, effect.room)

    def cancel(self, room: str) -> None:
        """Cancel the timer of a room."""
        timer = self._timers.pop(room, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.cancel()

    def _fire(self, room: str) -> None:
        self._timers.pop(room, None)
        self._wake(room)
