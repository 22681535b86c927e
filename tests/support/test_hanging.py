"""A test that exceeds its time limit fails and shows where it waits."""

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.support.hanging import limited

SOURCE = """
import threading
from tests.support.hanging import limited

with limited(0.2, 0.2):
    while True:
        try:
            threading.Event().wait()
        except BaseException:
            pass
"""


async def for_nothing() -> None:
    await asyncio.Event().wait()


def test_hanging_task_fails_with_its_stack() -> None:
    stack = r"not done after 0\.2 s(.|\n)*for_nothing\n(.|\n)*locks\.py"
    with pytest.raises(pytest.fail.Exception, match=stack), limited(0.2):
        asyncio.run(for_nothing())


def test_hanging_thread_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"not done after 0\.2 s"), limited(0.2):
        threading.Event().wait()


def test_inner_limit_restores_the_outer_one() -> None:
    around = signal.getsignal(signal.SIGALRM)
    with limited(0.2):
        assert signal.getitimer(signal.ITIMER_REAL)[0] <= 0.2
    assert signal.getsignal(signal.SIGALRM) == around
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 0.2


def test_hanging_cleanup_ends_the_process() -> None:
    top = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", SOURCE], cwd=top, capture_output=True, text=True, timeout=60)
    assert done.returncode == 70
    assert "most recent call first" in done.stderr
