"""A test that never ends fails after its time, and says what its tasks wait for; the others go on."""

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
"""Seconds a test may take with what it sets up, a multiple of what the longest takes on a crowded machine."""
GRACE = 60.0
"""Seconds it has to clean up when it failed by that; then its process ends, which the runner of the tests reports."""


@contextmanager
def limited(limit: float = LIMIT, grace: float = GRACE) -> Iterator[None]:
    """Raise pytest's ``Failed`` in the main thread after ``limit`` seconds, and end the process ``grace`` s later."""
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
    """Return what each task of the running event loop waits for, as stacks, innermost last; nothing without a loop."""
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:  # no loop runs: the traceback of the failure shows it all
        return ""
    return "\n".join(f"{task.get_name()}:\n{''.join(_stack(task.get_coro()))}" for task in tasks)


def _stack(awaited: Any) -> Iterator[str]:
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
        yield from traceback.format_stack(frame, 1) if frame else [f"  {awaited!r}\n"]
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
