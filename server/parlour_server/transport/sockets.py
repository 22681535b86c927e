"""The clients' WebSockets. A message is encoded once per subprotocol and written without waiting.

The transport's own buffer is the outbox. A client that lets it grow above ``MAX_OUTBOX`` is cut without a close frame;
it can come back.
"""

import asyncio
import time
from collections.abc import Iterable
from struct import pack

import attrs
from websockets.asyncio.server import ServerConnection
from websockets.protocol import OPEN

from parlour_protocol.codec import Codec, Frame
from parlour_protocol.messages import ServerMessage
from parlour_protocol.wire import plain
from parlour_server.metrics import Metrics

MAX_OUTBOX = 256 * 1024
"""Bytes that may wait for a client to read them."""
CLOSE_TIMEOUT = 5
"""Seconds for the closing handshake."""

_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a frame that is a whole message, by what it holds."""


@attrs.define(eq=False)
class Socket:
    """A client's WebSocket, written to without waiting."""

    connection: ServerConnection
    codec: Codec
    address: str
    """Where the client is."""
    stalled_since: float | None = None
    """Since when the client has not read everything."""

    @property
    def is_open(self) -> bool:
        """Whether neither side has closed it and the connection is not lost."""
        return self.connection.protocol.state is OPEN

    def send(self, payload: Frame) -> bool:
        """Write a frame with this payload without waiting. Returns False if the client had to be cut."""
        return self.write(framed(payload))

    def write(self, frame: bytes) -> bool:
        """Write a whole frame without waiting. Returns False if the client had to be cut."""
        connection = self.connection
        if connection.protocol.state is not OPEN:
            return True
        transport = connection.transport
        transport.write(frame)
        waiting = transport.get_write_buffer_size()
        if waiting > MAX_OUTBOX:
            transport.abort()
            return False
        self.stalled_since = (self.stalled_since or time.monotonic()) if waiting else None
        return True

    def close(self, code: int, reason: str) -> None:
        """Close the socket after what was written before."""
        if self.connection.protocol.state is OPEN:
            self.connection.protocol.send_close(code, reason)
            self.connection.send_data()
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT, self.connection.transport.abort)


def send_all(metrics: Metrics, sockets: Iterable[Socket], message: ServerMessage) -> None:
    """Send ``message``, encoded once for each subprotocol in use."""
    data = plain(message)
    frames: dict[str, bytes] = {}
    for socket in sockets:
        codec = socket.codec
        frame = frames.get(codec.name)
        if frame is None:
            frame = frames[codec.name] = framed(codec.encode(data))
        if not socket.write(frame):
            metrics.cut("overflow")


def framed(payload: Frame) -> bytes:
    """Return a message as one WebSocket frame (RFC 6455, 5.2). The library would frame it once per receiver."""
    kind, data = (_TEXT, payload.encode()) if isinstance(payload, str) else (_BINARY, payload)
    size = len(data)
    if size < 126:
        return bytes((kind, size)) + data
    return (pack("!BBH", kind, 126, size) if size < 1 << 16 else pack("!BBQ", kind, 127, size)) + data
