"""Background tasks, cancelled together. An error in one is logged and counted."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog

from parlour_server.log_safety import place
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

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in list(self.running):
            task.cancel()

    def report(self, error: BaseException) -> None:
        """Log and count an error that ends only a part of some work."""
        self._metrics.fault("task")
        log.error("a fault in a task", error=type(error).__name__, where=place(error))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.report(error)
