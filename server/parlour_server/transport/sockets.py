"""The clients' WebSockets, written to without waiting.

The transport's own buffer is the outbox. A client that lets it grow above ``MAX_OUTBOX`` is cut without a close frame;
it can come back.
"""

from struct import pack

import attrs
from websockets.protocol import OPEN

from parlour_protocol.codec import Codec, Frame
from parlour_server.transport.connection import WHOLE_BINARY, WHOLE_TEXT, Connection


@attrs.define(eq=False)
class Socket:
    """A client's WebSocket, written to without waiting."""

    connection: Connection
    codec: Codec
    address: str
    """The address of the client."""
    _stalled_since: float | None = None
    """Since when the client has not read everything."""

    @property
    def owner(self) -> str | None:
        """Who is charged for what it asks: its address; None: the server itself."""
        return self.connection.owner

    @owner.setter
    def owner(self, owner: str | None) -> None:
        self.connection.owner = owner

    @property
    def is_open(self) -> bool:
        """Whether neither side has closed it and the connection is not lost."""
        return self.connection.protocol.state is OPEN

    def send(self, payload: Frame) -> None:
        """Write a frame with this payload without waiting."""
        connection = self.connection
        if connection.protocol.state is OPEN:
            connection.transport.write(framed(payload))

    def stalled_for(self, now: float) -> float:
        """Return for how many seconds something has waited for the client at each look. Call it regularly."""
        if not self.connection.transport.get_write_buffer_size():
            self._stalled_since = None
        elif self._stalled_since is None:
            self._stalled_since = now
        return 0.0 if self._stalled_since is None else now - self._stalled_since

    def close(self, code: int, reason: str) -> None:
        """Close the socket after what was written before."""
        self.connection.close_soon(code, reason)


def framed(payload: Frame) -> bytes:
    """Return a message as one WebSocket frame (RFC 6455, 5.2)."""
    kind, data = (WHOLE_TEXT, payload.encode()) if isinstance(payload, str) else (WHOLE_BINARY, payload)
    size = len(data)
    if size < 126:
        return bytes((kind, size)) + data
    return (pack("!BBH", kind, 126, size) if size < 1 << 16 else pack("!BBQ", kind, 127, size)) + data
