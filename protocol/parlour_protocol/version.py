"""The versions of the protocol by their WebSocket subprotocol names.

Version 1 freezes at release 1.0 of the project. Afterwards it only grows: receivers ignore fields they
do not know, clients ignore message types they do not know. A socket that asks for no subprotocol speaks
``parlour.v1.json``, for ever.
"""

from collections.abc import Sequence

JSON = "parlour.v1.json"
MSGPACK = "parlour.v1.msgpack"
SUBPROTOCOLS = (MSGPACK, JSON)
"""What this version speaks, the most compact first."""


class UnknownSubprotocol(Exception):
    """None of the subprotocols asked for is known. The text lists those that are."""


def choose(asked: Sequence[str]) -> str:
    """Return the subprotocol to speak with a client that asked for these, its own order deciding."""
    if not asked:
        return JSON
    for name in asked:
        if name in SUBPROTOCOLS:
            return name
    raise UnknownSubprotocol(f"unknown subprotocols {', '.join(asked)}; this server speaks {', '.join(SUBPROTOCOLS)}")
