"""Ports on which nobody else will listen: they stay reserved while the server that has one is down."""

import socket
import sys
from collections import deque
from typing import Final

MOST = 100
"""Ports that are reserved at a time; no test needs as many."""
_HELD: Final[deque[socket.socket]] = deque()


def free_port() -> int:
    """Return a port of loopback on which nobody listens, and which is given to nobody else for as long as a test takes.

    A socket is bound to it and does not listen. So Linux lets whoever names the port listen there, now and again and
    again, and chooses it neither for a server that wants any port nor for a client's end of a connection.
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
    else:  # elsewhere it would be in the way
        held.close()
    return port
