"""Notify the service manager of the server's state, as systemd's ``Type=notify`` expects.

A message is one datagram of ``NAME=VALUE`` lines to the socket that NOTIFY_SOCKET names. Without that
variable nothing is sent. A manager that does not listen is not an error.
"""

import asyncio
import os
import socket

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"
_A_SECOND = 1_000_000
"""In the unit of WATCHDOG_USEC."""


def tell(*lines: str) -> None:
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
    interval = watched()
    while interval:
        tell(ALIVE)
        await asyncio.sleep(interval / 2)


def watched() -> float:
    """Return the watchdog's interval in seconds; 0 without a watchdog."""
    given = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID") or str(os.getpid())
    return int(given) / _A_SECOND if given.isdecimal() and meant == str(os.getpid()) else 0.0
