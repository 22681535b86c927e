"""Reserve ports, so that a server can restart on its port."""

import atexit
import socket
import sys
from collections import deque
from contextlib import suppress
from typing import Final

MOST = 100
"""The maximum of reserved ports; no test needs as many."""
_HELD: Final[deque[socket.socket]] = deque()


@atexit.register
def _release() -> None:
    for held in _HELD:
        held.close()


def loopback_addresses() -> list[str]:
    """Return the loopback addresses that this machine has, one of each family."""
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return ["127.0.0.1", "::1"]
    return ["127.0.0.1"]


def is_open(port: int) -> bool:
    """Return whether a server listens on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Return a free loopback port that stays reserved during a test.

    A socket with SO_REUSEADDR is bound to it and does not listen. On Linux, a server that asks for this port can listen
    on it, any number of times; the kernel does not pick it as a random port for another server or a client.
    """
    held = socket.socket()
    if sys.platform == "linux":
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    port: int = held.getsockname()[1]
    if sys.platform == "linux":
        _HELD.append(held)
        if len(_HELD) > MOST:
            _HELD.popleft().close()
    else:  # other systems would refuse the server
        held.close()
    return port
