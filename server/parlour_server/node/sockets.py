"""The client sockets of a node, by connection number."""

from collections.abc import Iterable
from typing import Protocol

from parlour_protocol.codec import Codec, Frame
from parlour_protocol.errors import TRY_AGAIN
from parlour_protocol.messages import Bye
from parlour_server.directory.sessions import Connections
from parlour_server.effects import Disconnect, Post
from parlour_server.metrics import Metrics
from parlour_server.system import crash_point

RETRY_AFTER = 1_000
"""Milliseconds after which a client may repeat what could not be stored or read."""


class ClientSocket(Protocol):
    """A client's socket as the server above the transport knows it."""

    codec: Codec
    address: str
    """The address of the client."""
    owner: str | None
    """Who is charged for what it asks: its address; None: the server itself."""

    @property
    def is_open(self) -> bool:
        """Whether what is sent may still arrive."""

    def send(self, payload: Frame) -> None:
        """Write a frame without waiting."""

    def close(self, code: int, reason: str) -> None:
        """Close the socket after what was written before."""


class Sockets:
    """The open sockets of a node."""

    def __init__(self, connections: Connections, metrics: Metrics) -> None:
        self._connections = connections
        self._metrics = metrics
        self._sockets: dict[int, ClientSocket] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._sockets)

    def __contains__(self, conn: int) -> bool:
        return conn in self._sockets

    def add(self, socket: ClientSocket) -> int:
        """Add a socket and return its connection number."""
        self._last += 1
        self._sockets[self._last] = socket
        return self._last

    def remove(self, conn: int) -> None:
        """Remove a socket."""
        self._sockets.pop(conn, None)

    def get(self, conn: int) -> ClientSocket | None:
        """Return the socket of a connection, if it has not been removed."""
        return self._sockets.get(conn)

    def send(self, effect: Post) -> None:
        """Send a message, encoded once for each encoding in use."""
        crash_point("before-send")
        message, count = effect.message, 0
        payloads: dict[str, Frame] = {}
        for conn in effect.to:
            socket = self._sockets.get(conn)
            if socket is not None:
                count += 1
                codec = socket.codec
                payload = payloads.get(codec.name)
                if payload is None:
                    payload = payloads[codec.name] = codec.encode(message)
                socket.send(payload)
        self._metrics.sent(message, count)

    def close(self, effect: Disconnect) -> None:
        """Close a connection."""
        socket = self._sockets.get(effect.conn)
        if socket is not None:
            socket.close(effect.code, effect.reason)

    def send_away(self, conns: Iterable[int]) -> None:
        """Close connections with ``retry``: what their clients know may be wrong, so they have to come back."""
        for conn in self._sockets.keys() & conns:
            self._connections.sessions[conn].gone = True
            msg = "the server could not store that; come back and ask again"
            self.send(Post((conn,), Bye("retry", msg, RETRY_AFTER)))
            self._sockets[conn].close(TRY_AGAIN, "retry")

    def send_all_away(self) -> None:
        """Close all connections with ``retry``."""
        self.send_away(list(self._sockets))
