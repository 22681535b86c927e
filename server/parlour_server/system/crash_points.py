"""Labelled places at which a server can be told to die, so that tests can kill it exactly there.

``PARLOUR_CRASH=after-commit:17`` in the environment: the process is killed (SIGKILL) the 17th time that it comes to
``after-commit``. Without the variable a place costs one look-up in an empty dictionary.
"""

import os
import signal

POINTS = ("before-append", "after-append", "after-commit", "before-send")
"""Before the writes of a commit, behind them but before the commit itself, behind that, before each message."""


def armed(text: str) -> dict[str, int]:
    """Return how often each place named in ``text`` (POINT:TIMES, separated by commas) is to be come to.

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
    """Come to a place; die there if its time has come."""
    if point in _left:
        _left[point] -= 1
        if not _left[point]:
            os.kill(os.getpid(), signal.SIGKILL)
