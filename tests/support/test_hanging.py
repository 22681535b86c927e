"""That a test without an end fails, and that one sees where it waits."""

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


def test_a_test_that_waits_in_a_loop_fails_and_tells_what_for() -> None:
    told = r"not done after 0\.2 s(.|\n)*for_nothing\n(.|\n)*locks\.py"
    with pytest.raises(pytest.fail.Exception, match=told), limited(0.2):
        asyncio.run(for_nothing())


def test_a_test_that_waits_without_one_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"not done after 0\.2 s"), limited(0.2):
        threading.Event().wait()


def test_a_limit_that_was_kept_leaves_the_one_around_it() -> None:
    around = signal.getsignal(signal.SIGALRM)
    with limited(0.2):
        assert signal.getitimer(signal.ITIMER_REAL)[0] <= 0.2
    assert signal.getsignal(signal.SIGALRM) == around
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 0.2


def test_a_test_that_will_not_even_clean_up_ends_its_process() -> None:
    top = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", SOURCE], cwd=top, capture_output=True, text=True, timeout=60)
    assert done.returncode == 70
    assert "most recent call first" in done.stderr
