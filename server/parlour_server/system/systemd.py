"""Telling the service manager that started us how we are, as systemd's ``Type=notify`` wants it.

A message is one datagram of ``NAME=VALUE`` lines to the socket that NOTIFY_SOCKET names. Where nobody asks for it,
nothing is sent; a manager that does not listen is no reason to fail.
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
    """Tell the watchdog twice in its interval that the event loop turns, for ever; return if there is no watchdog."""
    interval = watched()
    while interval:
        tell(ALIVE)
        await asyncio.sleep(interval / 2)


def watched() -> float:
    """Return the seconds after which a watchdog gives this process up if it hears nothing; 0 without one."""
    given = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID") or str(os.getpid())
    return int(given) / _A_SECOND if given.isdecimal() and meant == str(os.getpid()) else 0.0
