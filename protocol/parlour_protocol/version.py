"""Protocol versions, named by their WebSocket subprotocols.

Version 1 freezes at release 1.0 of the project. Afterwards it only grows: receivers ignore fields they
do not know, clients ignore message types they do not know. A socket that requests no subprotocol always
speaks ``parlour.v1.json``.
"""

from collections.abc import Sequence

JSON = "parlour.v1.json"
MSGPACK = "parlour.v1.msgpack"
SUBPROTOCOLS = (MSGPACK, JSON)
"""The supported subprotocols, the most compact first."""


class UnknownSubprotocol(Exception):
    """The client requested only unknown subprotocols. The message lists the known ones."""


def choose(asked: Sequence[str]) -> str:
    """Return the first known subprotocol that the client asked for, in its order, or JSON if it asked for none."""
    if not asked:
        return JSON
    for name in asked:
        if name in SUBPROTOCOLS:
            return name
    raise UnknownSubprotocol(f"unknown subprotocols {', '.join(asked)}; this server speaks {', '.join(SUBPROTOCOLS)}")
