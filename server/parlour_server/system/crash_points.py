"""Labelled points at which a server can be made to crash, for tests.

``PARLOUR_CRASH=after-commit:17`` in the environment: the process is killed (SIGKILL) the 17th time that it
reaches ``after-commit``. Without the variable a point costs one lookup in an empty dictionary.
"""

import os
import signal

POINTS = ("before-append", "after-append", "after-commit", "before-send")
"""Before the writes of a commit, after them but before the commit itself, after the commit, before each message."""


def armed(text: str) -> dict[str, int]:
    """Return how often each point in ``text`` (POINT:TIMES, separated by commas) has to be reached.

    Raises ValueError.
    """
    found = {}
    for part in filter(None, text.split(",")):
        point, _, times = part.partition(":")
        if point not in POINTS or not times.isdecimal() or int(times) < 1:
            raise ValueError(f"PARLOUR_CRASH: {part!a} is not POINT:TIMES with a POINT of {', '.join(POINTS)}")
        found[point] = int(times)
    return found


_left = armed(os.environ.get("PARLOUR_CRASH", ""))


def reach(point: str) -> None:
    """Pass a point; crash if it has been reached often enough."""
    if point in _left:
        _left[point] -= 1
        if not _left[point]:
            os.kill(os.getpid(), signal.SIGKILL)
