"""Sockets. The only module of the server that knows the WebSocket library.

Nothing here waits for a client: a frame is written to the transport at once, and the transport's own buffer
is the outbox. A client that lets it grow above ``MAX_OUTBOX``, or does not empty it for ``STALL`` seconds, is
cut without a word; it can come back.

A client may make the server work, and hold, only so much before it is heard: connections are counted from their
first byte, little is received ahead of what has been understood, and pings are no way around the limits of messages.
"""

import asyncio
import http
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from secrets import compare_digest
from socket import SO_RCVBUF, SOL_SOCKET
from ssl import SSLContext
from struct import pack
from typing import Any
from urllib.parse import SplitResult, urlsplit

import attrs
import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CTRL_OPCODES
from websockets.frames import Frame as SocketFrame
from websockets.http11 import Request, Response
from websockets.protocol import OPEN, Event
from websockets.typing import Subprotocol

from parlour_protocol.close_codes import INTERNAL
from parlour_protocol.codec import CODECS, MAX_CLIENT_FRAME, Codec, Frame
from parlour_protocol.errors import BadFrame
from parlour_protocol.messages import ServerMessage
from parlour_protocol.version import JSON, UnknownSubprotocol, choose
from parlour_protocol.wire import plain
from parlour_server.log_safety import place
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.transport.pages import ASKED, Pages

MAX_OUTBOX = 256 * 1024
"""Bytes that may wait for a client to read them."""
STALL = 20.0
"""Seconds in which a client has to read what waits for it."""
PER_ADDRESS = 128
"""Connections from one address, unless told: a school behind one address may need more."""
IN_ALL = 10_000
"""Connections in all; fewer where the system allows fewer open files."""
RECEIVED = 2 * MAX_CLIENT_FRAME
"""Bytes that the system may receive ahead of what has been read, about: so many are looked at in one go."""
CONTROLS = 256
"""Pings and pongs that a client may send between two sweeps: a library's own are a few a minute."""
AFTERWORDS = 64
"""Frames that may still come, unheard, after the server has closed a socket."""
GOODBYES = 30.0
"""Seconds in which all connections have to end when the server does."""
AT_THE_DOOR = 32
"""Connections above a limit that are still told why they cannot come in; those beyond are cut at once."""

_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a frame: the whole of a message, and what it holds."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

log = structlog.get_logger()
_library = logging.getLogger("parlour.websockets")
_library.setLevel(logging.CRITICAL)  # it tells of strangers' faults with a traceback each: they could fill the log


@attrs.frozen
class Door:
    """Who may come in, and where."""

    origins: tuple[str, ...] = ()
    """Origins of browsers that may connect besides pages from the server's own host."""
    trusted_proxies: tuple[Network, ...] = ()
    """Where X-Forwarded-For is believed."""
    admin: str | None = None
    """The operator's token, which opens /metrics from elsewhere than loopback."""
    limit: int = IN_ALL
    """Connections in all."""
    per_address: int = PER_ADDRESS


@attrs.define(eq=False)
class Link:
    """One socket."""

    socket: "Wire"
    codec: Codec
    address: str
    """Where the client is."""
    stalled_since: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it, and it has not broken."""
        return self.socket.protocol.state is OPEN

    def send(self, payload: Frame) -> bool:
        """Write a frame with this payload without waiting. Returns False if the client had to be cut."""
        return self.write(framed(payload))

    def write(self, frame: bytes) -> bool:
        """Write a whole frame without waiting. Returns False if the client had to be cut."""
        socket = self.socket
        if socket.protocol.state is not OPEN:
            return True
        transport = socket.transport
        transport.write(frame)
        waiting = transport.get_write_buffer_size()
        if waiting > MAX_OUTBOX:
            transport.abort()
            return False
        self.stalled_since = (self.stalled_since or time.monotonic()) if waiting else None
        return True

    def hang(self, code: int, reason: str) -> None:
        """Close the socket behind what was written."""
        if self.socket.protocol.state is OPEN:
            self.socket.protocol.send_close(code, reason)
            self.socket.send_data()
            asyncio.get_running_loop().call_later(5, self.socket.transport.abort)


class Wire(ServerConnection):
    """One TCP connection, whatever becomes of it."""

    peer = ""
    """The address at its other end."""
    controls = 0
    """Pings and pongs since the last sweep."""

    def __init__(self, gateway: "Gateway", *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._gateway = gateway

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tell the gateway before anything is read."""
        super().connection_made(transport)
        self.peer = _peer(self)
        self._gateway.knocked(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the gateway, and let go of what holds itself: no garbage collection will be needed to free it."""
        super().connection_lost(exc)
        vars(self.protocol).pop("select_subprotocol", None)
        for error in (self.protocol.parser_exc, self.protocol.handshake_exc, self.connection_exc):
            _forget_places(error)
        self.protocol.parser.close()  # what it waits in knows the protocol, which knows it
        self._gateway.left(self)

    def process_event(self, event: Event) -> None:
        """Take in a request or a frame. The library has answered a ping by now, whether or not the answers are read."""
        super().process_event(event)
        if isinstance(event, SocketFrame) and event.opcode in CTRL_OPCODES:
            self.controls += 1
            if self.controls > CONTROLS:
                self._gateway.cut(self, "flood")


class Gateway:
    """The sockets of one server."""

    def __init__(self, door: Door, metrics: Metrics, pages: Pages | None = None) -> None:
        """``pages``: what browsers get that ask for no WebSocket; None: nothing."""
        self.node: Node | None = None
        self._pages = pages
        self._door = door
        self._metrics = metrics
        self._addresses: Counter[str] = Counter()
        self._links: set[Link] = set()
        self._wires: Counter[str] = Counter()
        self._there = 0

    def post(self, links: Iterable[Link], message: ServerMessage) -> None:
        """Send ``message``, encoded once for each subprotocol in use."""
        data = plain(message)
        frames: dict[str, bytes] = {}
        for link in links:
            codec = link.codec
            frame = frames.get(codec.name)
            if frame is None:
                frame = frames[codec.name] = framed(codec.encode(data))
            if not link.write(frame):
                self._metrics.cut("overflow")

    def knocked(self, wire: Wire) -> None:
        """A TCP connection has been made: it counts before it has said anything."""
        self._there += 1
        self._wires[wire.peer] += 1
        crowd = self._wires[wire.peer] > self._door.per_address + AT_THE_DOOR and not self._is_proxy(wire.peer)
        if crowd or self._there > self._door.limit + AT_THE_DOOR:
            wire.transport.abort()

    def left(self, wire: Wire) -> None:
        """A TCP connection has gone."""
        self._there -= 1
        self._wires[wire.peer] -= 1
        if not self._wires[wire.peer]:
            del self._wires[wire.peer]

    def cut(self, wire: Wire, why: str) -> None:
        """Cut a client that goes too far; ``why`` is for the metrics."""
        if not wire.transport.is_closing():
            wire.transport.abort()
            self._metrics.cut(why)

    @asynccontextmanager
    async def listen(self, host: str, port: int, ssl: SSLContext | None = None) -> AsyncIterator[Server]:
        """Listen until the context ends."""
        server = await serve(
            self._handle,
            host,
            port,
            ssl=ssl,
            process_request=self._process_request,
            select_subprotocol=_select,
            compression=None,
            max_size=MAX_CLIENT_FRAME,
            open_timeout=5,
            close_timeout=5,
            backlog=4096,
            server_header=None,
            logger=_library,
            create_connection=partial(Wire, self),  # type: ignore[arg-type]  # it is called, nothing else
        )
        for listening in server.sockets:  # those that it accepts inherit it
            listening.setsockopt(SOL_SOCKET, SO_RCVBUF, RECEIVED)
        sweep = asyncio.get_running_loop().create_task(self._sweep())
        try:
            yield server
        finally:
            sweep.cancel()
            server.close()
            await _wait_closed(server)

    # --- the opening handshake -----------------------------------------------------------------------------

    def _process_request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP, and refuse who may not come in. None lets the handshake go on."""
        path = _split(request.path).path
        if path == "/healthz":
            return socket.respond(http.HTTPStatus.OK, "ok\n")
        if path == "/metrics":
            return self._serve_metrics(socket, request)
        if "Upgrade" not in request.headers:
            return self._serve_page(socket, request, path)
        try:
            choose(_asked(request))
        except UnknownSubprotocol as error:
            return socket.respond(http.HTTPStatus.BAD_REQUEST, f"{error}\n")
        if not self._known_origin(request):
            return socket.respond(
                http.HTTPStatus.FORBIDDEN, "The operator lets no pages from this origin connect (serve --origin).\n"
            )
        address = self._address(socket, request)
        if self._addresses[address] >= self._door.per_address or len(self._links) >= self._door.limit:
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections.\n")
        return None

    def _serve_page(self, socket: ServerConnection, request: Request, path: str) -> Response:
        if self._pages is None:
            return socket.respond(http.HTTPStatus.UPGRADE_REQUIRED, "This is a parlour game server: use WebSocket.\n")
        asked = {name: ",".join(request.headers.get_all(name)) for name in ASKED}
        answer = self._pages.answer(request.method, path, asked)
        response = socket.respond(answer.status, "")
        for name in ("Content-Length", "Content-Type"):
            del response.headers[name]
        response.headers.update(answer.headers)
        response.body = answer.body
        return response

    def _serve_metrics(self, socket: ServerConnection, request: Request) -> Response:
        # what a proxy on this machine hands on comes from loopback, too, but not from here
        handed_on = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
        local = ipaddress.ip_address(_peer(socket)).is_loopback and not handed_on
        if not local and not self._is_operator(request):
            return socket.respond(http.HTTPStatus.FORBIDDEN, "Metrics are for loopback or the operator's token.\n")
        assert self.node is not None
        return socket.respond(http.HTTPStatus.OK, self._metrics.text(self.node.lobby, len(self._links)))

    def _is_operator(self, request: Request) -> bool:
        given = [value.removeprefix("Bearer ") for value in request.headers.get_all("Authorization")]
        admin = self._door.admin
        return bool(admin) and len(given) == 1 and compare_digest(given[0].encode(), str(admin).encode())

    def _known_origin(self, request: Request) -> bool:
        origins, known = request.headers.get_all("Origin"), self._door.origins
        if not origins or "*" in known:
            return True
        same_host = [_split(origins[0]).netloc] == request.headers.get_all("Host")
        return len(origins) == 1 and (same_host or origins[0] in known)

    def _address(self, socket: ServerConnection, request: Request | None) -> str:
        peer = _peer(socket)
        forwarded = request.headers.get_all("X-Forwarded-For") if request else []
        if forwarded and self._is_proxy(peer):
            last = forwarded[-1].rsplit(",", 1)[-1].strip()
            try:
                return str(ipaddress.ip_address(last))
            except ValueError:
                return peer
        return peer

    def _is_proxy(self, peer: str) -> bool:
        return any(ipaddress.ip_address(peer) in network for network in self._door.trusted_proxies)

    # --- a connection ------------------------------------------------------------------------------------------

    async def _handle(self, socket: ServerConnection) -> None:
        assert self.node is not None
        assert isinstance(socket, Wire)
        address = self._address(socket, socket.request)
        _forget_headers(socket)
        link = Link(socket, CODECS[socket.subprotocol or JSON], address)
        self._addresses[address] += 1
        self._links.add(link)
        conn = self.node.connect(link)
        try:
            await self._read(self.node, conn, link)
        except ConnectionClosed:
            pass
        except Exception as error:
            self._metrics.fault("connection")
            log.error("a fault in a connection", error=type(error).__name__, where=place(error))
            link.hang(INTERNAL, "internal")
        finally:
            self._links.discard(link)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            self.node.disconnect(conn)

    async def _read(self, node: Node, conn: int, link: Link) -> None:
        decode, session, unheard = link.codec.decode, node.lobby.connections.sessions[conn], 0
        while True:
            frame = await link.socket.recv()
            if session.gone:
                unheard += 1
                if unheard > AFTERWORDS:
                    self.cut(link.socket, "flood")
                continue
            try:
                data = decode(frame)
            except BadFrame as refusal:
                node.refuse(conn, refusal)
            else:
                await node.receive(conn, data)

    async def _sweep(self) -> None:
        """Cut those who have not read for too long."""
        while True:
            await asyncio.sleep(STALL / 4)
            now = time.monotonic()
            if self.node:
                self.node.sweep()
            for link in list(self._links):
                link.socket.controls = 0
                if not link.socket.transport.get_write_buffer_size():
                    link.stalled_since = None
                elif link.stalled_since is not None and now - link.stalled_since > STALL:
                    link.socket.transport.abort()
                    self._metrics.cut("stall")


async def _wait_closed(server: Server) -> None:
    """Wait until all connections have ended; none may hold up the end of the server for ever by a fault of ours."""
    try:
        async with asyncio.timeout(GOODBYES):
            await server.wait_closed()
    except TimeoutError:
        log.error("a fault: connections have not ended with the server")


def framed(payload: Frame) -> bytes:
    """Return a message as one WebSocket frame (RFC 6455, 5.2): once for all its receivers, as the library would not."""
    kind, data = (_TEXT, payload.encode()) if isinstance(payload, str) else (_BINARY, payload)
    size = len(data)
    if size < 126:
        return bytes((kind, size)) + data
    return (pack("!BBH", kind, 126, size) if size < 1 << 16 else pack("!BBQ", kind, 127, size)) + data


def _peer(socket: ServerConnection) -> str:
    return str(socket.remote_address[0]) if socket.remote_address else "127.0.0.1"


def _forget_headers(socket: ServerConnection) -> None:
    """Free 4 KiB that nobody reads any more. The request itself tells the library that the handshake is over."""
    if socket.request and socket.response:
        socket.request.headers.clear()
        socket.response.headers.clear()


def _forget_places(error: BaseException | None) -> None:
    """Forget where an error, and what it followed from, came up: who worked there knows the connection."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # brackets that hold no address
        return urlsplit("")


def _asked(request: Request) -> list[str]:
    values = request.headers.get_all("Sec-WebSocket-Protocol")
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _select(socket: ServerConnection, asked: Any) -> Subprotocol | None:
    return Subprotocol(choose(asked)) if asked else None
