"""A time limit for tests: a hanging test fails with the stacks of its tasks, and the run continues."""

import asyncio
import faulthandler
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

LIMIT = 900.0
"""Seconds for a test with its fixtures, several times what the longest takes on a busy machine."""
GRACE = 60.0
"""Seconds for the cleanup of a test that exceeded LIMIT; then its process exits, which pytest-xdist reports."""


@contextmanager
def limited(limit: float = LIMIT, grace: float = GRACE) -> Iterator[None]:
    """Raise pytest's ``Failed`` in the main thread after ``limit`` seconds; exit ``grace`` seconds later."""
    alarms = 0

    def alarm(_number: int, _frame: FrameType | None) -> None:
        nonlocal alarms
        alarms += 1
        if alarms > 1:
            faulthandler.dump_traceback(sys.__stderr__ or 2)
            os._exit(os.EX_SOFTWARE)
        pytest.fail(f"not done after {limit:g} s; its tasks:\n{waiting()}")

    handler = signal.signal(signal.SIGALRM, alarm)
    timer = signal.setitimer(signal.ITIMER_REAL, limit, grace)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


def waiting() -> str:
    """Return the stack of each task of the running event loop, innermost frame last; empty without a loop."""
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:  # no event loop: the traceback of the failure is enough
        return ""
    return "\n".join(f"{task.get_name()}:\n{''.join(_stack(task.get_coro()))}" for task in tasks)


def _stack(awaited: Any) -> Iterator[str]:
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
        yield from traceback.format_stack(frame, 1) if frame else [f"  {awaited!r}\n"]
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
