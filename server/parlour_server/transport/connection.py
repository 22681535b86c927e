"""A client's connection: from bytes to whole messages, without waking a task for each.

Almost every frame is a small message that arrives in one piece. It is unmasked here and passed on at once. The library
gets all other bytes (the handshake, control frames, fragments, frames in several pieces), enforces the rules and the
limits of the WebSocket protocol, and hands back their frames.

The transport's own buffer is the outbox. A client that lets it grow above ``MAX_OUTBOX`` is cut without a close frame;
it can come back.
"""

import asyncio
from collections.abc import Callable, Coroutine
from struct import pack
from typing import Any, Protocol, TypeAlias

import attrs
from websockets import frames
from websockets.asyncio.server import ServerConnection
from websockets.frames import CTRL_OPCODES, CloseCode, Opcode
from websockets.frames import Frame as SocketFrame
from websockets.protocol import CLOSED, CLOSING, OPEN, Event

from parlour_protocol.codec import MAX_CLIENT_FRAME, Codec, Frame
from parlour_server.node.budget import Meter
from parlour_server.transport.listening import address_in

MAX_CONTROL_FRAMES = 256
"""Pings and pongs that a client may send between two sweeps. Libraries send a few per minute."""
MAX_FRAGMENTS = 256
"""Frames that a message may consist of."""
MAX_IGNORED = 64
"""Messages that a client may still send after the server has closed its socket."""
MAX_OUTBOX = 256 * 1024
"""Bytes that may wait for a client to read them."""
MAX_WAITING = 16
"""Messages that may wait while an earlier one is answered, before the socket is no longer read."""
CLOSE_TIMEOUT = 5
"""Seconds for the closing handshake."""

WHOLE_TEXT, WHOLE_BINARY = 0x81, 0x82
"""The first byte of a frame that is a whole message, by what it holds."""
_MASKED = 0x80
_apply_mask = frames.apply_mask  # type: ignore[attr-defined]  # compiled, where the library could be
_END_OF_REQUEST = b"\r\n\r\n"
_SLICE = 1024
"""Bytes that the library gets at a time where this module does not look for frames."""

Pause: TypeAlias = Coroutine[Any, Any, None] | None
"""What has to be awaited before the next message is received."""


class Guard(Protocol):
    """Counts the connections of a server, and cuts those that exceed a limit."""

    def accepted(self, connection: "CountedConnection") -> None:
        """Count a TCP connection before it has sent anything."""

    def closed(self, connection: "CountedConnection") -> None:
        """Uncount a TCP connection."""

    def cut(self, connection: "CountedConnection", why: str) -> None:
        """Cut a client that exceeds a limit."""

    @property
    def meter(self) -> Meter:
        """Who pays for what connections make the server do, and when they have to wait."""


class _NoMessages:
    """In place of the library's assembler of messages, which gets none."""

    def close(self) -> None:
        """Do nothing: nothing waits for messages."""


class CountedConnection(ServerConnection):
    """A TCP connection, counted from accept to close."""

    peer = ""
    """The address at its other end."""
    owner: str | None = None
    """Who pays for what it makes the server do; None: the server itself."""
    controls = 0
    """Pings and pongs since the last sweep."""
    _ignored: int | None = None
    """Messages that came after the server had closed it; None before."""
    _receive: Callable[[Frame], Pause] | None = None
    """What receives messages; None before and after."""
    _ended: asyncio.Future[None] | None = None
    """Resolved when no message will be received any more."""
    _catching_up: asyncio.Task[None] | None = None
    """Receives the messages that wait."""
    _framed: bool | None = None
    """Whether the library stands where a frame begins when ``_owed`` is 0. None before the first byte."""
    _failed = False
    """Whether a message has broken the WebSocket protocol."""
    _owed = 0
    """Bytes of a frame that the library has still to get."""
    _unparsed = b""
    """What is not parsed yet: the beginning of a frame's header, or all behind ``MAX_WAITING`` messages."""

    def __init__(self, guard: Guard, *args: Any, trusted: bool = False, **options: Any) -> None:
        """``trusted``: whether its X-Forwarded-For is, whatever its address."""
        super().__init__(*args, **options)
        self.trusted = trusted
        self._guard = guard
        self._meter = guard.meter
        self._waiting: list[Frame] = []
        self.drain_waiters = []  # type: ignore[assignment]  # a deque takes 0.6 KiB even empty
        self._fragments: list[SocketFrame] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register before anything is read."""
        super().connection_made(transport)
        self.recv_messages = _NoMessages()  # type: ignore[assignment]  # saves 1 KiB
        self.peer = (self.remote_address and address_in(self.remote_address[0])) or "127.0.0.1"
        self._guard.accepted(self)
        self._hold()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister, and break reference cycles, so that no garbage collection is needed to free the connection."""
        super().connection_lost(exc)
        vars(self.protocol).pop("select_subprotocol", None)
        for error in (*vars(self).values(), *vars(self.protocol).values()):  # their names differ between releases
            if isinstance(error, BaseException):
                _forget_tracebacks(error)
        self.protocol.parser.close()  # its generator refers to the protocol, which refers to the parser
        if self._catching_up is None:
            self._end()
        self._guard.closed(self)

    def pause_writing(self) -> None:
        """Cut the client: more than MAX_OUTBOX waits for it."""
        super().pause_writing()
        self._guard.cut(self, "overflow")

    async def receive_with(self, receive: Callable[[Frame], Pause]) -> None:
        """Pass each message to ``receive`` until the connection is closed. Raises what ``receive`` raises."""
        _forget_headers(self)
        self._receive, self._ended = receive, self.loop.create_future()
        try:
            if self._waiting and self._catching_up is None:
                self._catching_up = self.loop.create_task(self._catch_up(None))
            elif self.connection_lost_waiter.done():
                return
            await self._ended
        finally:
            self._receive = self._ended = None

    def close_soon(self, code: int, reason: str) -> None:
        """Close the socket after what was written before."""
        if self.protocol.state is OPEN:
            self._ignored = 0
            self.protocol.send_close(code, reason)
            self._send_close()

    def end(self) -> None:
        """End now, whatever the client does, and whatever its last message waits for."""
        self.transport.abort()
        if self._catching_up is not None:
            self._catching_up.cancel()

    # --- from bytes to messages ----------------------------------------------------------------------------------

    def data_received(self, data: bytes, in_turn: bool = False) -> None:
        """Take in what has come, and charge its owner; ``in_turn``: it has waited for its turn."""
        if self._failed:
            return
        before = self._meter.switch(self.owner)
        try:
            self._parse(data, in_turn)
        finally:
            self._meter.switch(before)
        if self._unparsed:
            self._hold()

    def _hold(self) -> None:
        """Read no further until it is this connection's turn, if its owner has used up its budget."""
        if self._catching_up is None and self.owner and self._meter.holds(self.owner):
            self.transport.pause_reading()
            self._catching_up = self.loop.create_task(self._catch_up(self._meter.turn(self.owner), in_turn=True))

    def _parse(self, data: bytes, in_turn: bool) -> None:
        """Take whole messages from ``data``, and leave everything else to the library.

        When messages wait, or the owner has used up its budget, the rest is left for later.
        """
        if self._framed is None:  # a request that comes in pieces is left to the library, with all that follows
            request, ending, _ = data.partition(_END_OF_REQUEST)
            self._framed, self._owed = bool(ending), len(request + ending)
        if self._unparsed:
            data, self._unparsed = self._unparsed + data, b""
        at = min(self._owed, len(data))
        if at:
            self._owed -= at
            super().data_received(data[:at])
        meter, granted = self._meter, in_turn
        while at < len(data) and not self._failed and not self.transport.is_closing():
            if not granted and (len(self._waiting) >= MAX_WAITING or meter.holds(self.owner, in_turn=in_turn)):
                self.transport.pause_reading()
                self._unparsed = data[at:]
                return
            granted = False
            state = self.protocol.state
            if state in (CLOSING, CLOSED):
                self._framed = False
            span = _payload(data, at) if self._framed else (at, at + _SLICE)
            if span is None:
                self._unparsed = data[at:]
                return
            start, end = span
            kind, small = data[at], end <= min(len(data), start + MAX_CLIENT_FRAME)
            first = state is OPEN and not self._fragments
            if not self._framed:
                super().data_received(data[at:end])
            elif first and kind in (WHOLE_TEXT, WHOLE_BINARY) and data[at + 1] & _MASKED and small:
                self._take(_apply_mask(data[start:end], data[start - 4 : start]), kind == WHOLE_TEXT)
            else:
                self._owed = max(0, end - len(data))
                super().data_received(data[at:end])
            at = end
            if at < len(data):
                meter.switch(self.owner)

    def process_event(self, event: Event) -> None:
        """Process a request or a frame. The library answers pings by itself; control frames are counted."""
        if not isinstance(event, SocketFrame):
            super().process_event(event)
        elif event.opcode in CTRL_OPCODES:
            super().process_event(event)
            self.controls += 1
            if self.controls > MAX_CONTROL_FRAMES:
                self._guard.cut(self, "flood")
        else:
            self._fragments.append(event)
            if event.fin:
                fragments, self._fragments = self._fragments, []
                self._take(b"".join([each.data for each in fragments]), fragments[0].opcode is Opcode.TEXT)
            elif len(self._fragments) > MAX_FRAGMENTS:
                self._fail(CloseCode.MESSAGE_TOO_BIG, "too many fragments")

    # --- from messages to their receiver -------------------------------------------------------------------------

    def _take(self, payload: bytes, is_text: bool) -> None:
        """Pass a message on, or let it wait for those before it. Ignore it when the server has closed the socket."""
        if self._ignored is not None:
            self._ignored += 1
            if self._ignored > MAX_IGNORED:
                self._guard.cut(self, "flood")
            return
        try:
            frame = payload.decode() if is_text else payload
        except UnicodeDecodeError as error:
            self._fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
            return
        if self._receive is None or self._catching_up is not None:
            self._waiting.append(frame)
            if len(self._waiting) == MAX_WAITING:
                self.transport.pause_reading()
            return
        try:
            pause = self._receive(frame)
        except Exception as error:
            self._end(error)
        else:
            if pause is not None:
                self._catching_up = self.loop.create_task(self._catch_up(pause))

    async def _catch_up(self, pause: Pause, in_turn: bool = False) -> None:
        """Receive the messages that wait, each after the pause that the one before asked for; ``in_turn``: a turn."""
        meter = self._meter
        try:
            while True:
                if pause is not None:
                    await pause
                if self._waiting and self.owner and meter.holds(self.owner, in_turn=in_turn):
                    await meter.turn(self.owner)
                    in_turn = True
                if self._receive is None or not self._waiting:
                    break
                before = meter.switch(self.owner)
                try:
                    pause = self._receive(self._waiting.pop(0))
                    in_turn = in_turn and pause is None
                finally:
                    meter.switch(before)
        except asyncio.CancelledError:  # the node stops, and what the message waited for with it
            self._end()
        except Exception as error:
            self._end(error)
        self._catching_up = None
        if self.connection_lost_waiter.done():
            self._end()
        elif not self.transport.is_closing():
            self.transport.resume_reading()
            if self._unparsed:
                self.data_received(b"", in_turn=True)

    def _end(self, error: Exception | None = None) -> None:
        """Receive no further messages."""
        self._receive = None
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None) if error is None else self._ended.set_exception(error)

    def _fail(self, code: CloseCode, reason: str) -> None:
        """Close the connection because of a message that breaks the WebSocket protocol. What follows is thrown away."""
        self._failed, self._unparsed = True, b""
        self.protocol.fail(code, reason)
        self._send_close()

    def _send_close(self) -> None:
        self.send_data()
        self.loop.call_later(CLOSE_TIMEOUT, self.transport.abort)


def _payload(data: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at ``at`` begins and ends, or None if its header is incomplete."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1] & 0x7F, at + 2
    if size > 125:
        start += 2 if size == 126 else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start], "big")
    if data[at + 1] & _MASKED:
        start += 4
    return start, start + size


def _forget_headers(connection: ServerConnection) -> None:
    """Free 4 KiB that are no longer used. The request object stays: it tells the library that the handshake is over."""
    if connection.request and connection.response:
        connection.request.headers.clear()
        connection.response.headers.clear()


def _forget_tracebacks(error: BaseException | None) -> None:
    """Drop the tracebacks of an error and its causes: their frames refer to the connection."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


@attrs.define(eq=False)
class Socket:
    """A client's WebSocket, written to without waiting."""

    connection: CountedConnection
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
        """Write a message as one WebSocket frame (RFC 6455, 5.2), without waiting."""
        connection = self.connection
        if connection.protocol.state is OPEN:
            kind, data = (WHOLE_TEXT, payload.encode()) if isinstance(payload, str) else (WHOLE_BINARY, payload)
            size = len(data)
            if size < 126:
                head = bytes((kind, size))
            else:
                head = pack("!BBH", kind, 126, size) if size < 1 << 16 else pack("!BBQ", kind, 127, size)
            connection.transport.write(head + data)

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
