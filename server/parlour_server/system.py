"""The system that a server runs on: crash points, garbage collection, open files, and the service manager."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

POINTS = ("before-append", "after-append", "after-commit", "before-send")
"""Before the writes of a commit, after them but before the commit itself, after the commit, before each message."""


def armed_points(text: str) -> dict[str, int]:
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


_left = armed_points(os.environ.get("PARLOUR_CRASH", ""))


def crash_point(point: str) -> None:
    """Pass a point; crash if it has been reached often enough."""
    if point in _left:
        _left[point] -= 1
        if not _left[point]:
            os.kill(os.getpid(), signal.SIGKILL)


NEW, PORTIONS = 2_000, 5
"""Objects in one young collection, and young collections between two of the middle generation."""
NEVER = 2**31 - 1
FEW_CLIENTS = 50
"""Connections with which a full collection takes a few ms."""
COLLECT_EVERY = 600.0
"""Seconds between two attempts at a full collection."""


def tune_garbage_collection() -> None:
    """Exclude all existing objects, which are the program itself, and set the thresholds."""
    gc.freeze()
    gc.set_threshold(NEW, PORTIONS, NEVER)


async def collect_while_quiet(connections: Callable[[], int]) -> None:
    """Run a full collection from time to time while few clients are connected."""
    while True:
        await asyncio.sleep(COLLECT_EVERY)
        if connections() <= FEW_CLIENTS:
            gc.collect()


if os.name != "nt":
    import resource

SPARE = 64
"""Open files that are reserved for other things than sockets; less where only a few may be open."""
FEW_CONNECTIONS = 1_000
"""Connections below which the system's limit is worth a warning."""
MORE_FILES = "Allow more open files: ulimit -n 20000, LimitNOFILE of systemd, or --ulimit nofile of a container"


def possible_connections(most: int) -> int:
    """Return how many of ``most`` connections the system allows, after raising the limit as far as it lets us."""
    if os.name == "nt":
        return most
    wanted = most + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):  # macOS allows fewer than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, raised), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if soft == resource.RLIM_INFINITY else max(1, min(most, soft - min(SPARE, soft // 2)))


READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"
_A_SECOND = 1_000_000
"""In the unit of WATCHDOG_USEC."""


def notify(*lines: str) -> None:
    """Send ``lines`` to the service manager, if there is one."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address[0] == "@":  # a name in Linux' abstract namespace
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        try:
            sender.sendto("\n".join(lines).encode(), address)
        except OSError:
            return


async def stay_watched() -> None:
    """Notify the watchdog twice per interval that the event loop runs. Returns if there is no watchdog."""
    interval = watchdog_period()
    while interval:
        notify(ALIVE)
        await asyncio.sleep(interval / 2)


def watchdog_period() -> float:
    """Return the watchdog's interval in seconds; 0 without a watchdog."""
    given = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID") or str(os.getpid())
    return int(given) / _A_SECOND if given.isdecimal() and meant == str(os.getpid()) else 0.0
