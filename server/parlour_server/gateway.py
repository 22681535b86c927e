"""Sockets. The only module of the server that knows the WebSocket library.

Nothing here waits for a client: a frame is written to the transport at once, and the transport's own buffer
is the outbox. A client that lets it grow above ``MAX_OUTBOX``, or does not empty it for ``STALL`` seconds, is
cut without a word; it can come back.
"""

import asyncio
import http
import ipaddress
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from secrets import compare_digest
from ssl import SSLContext
from typing import Any
from urllib.parse import urlsplit

import attrs
import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.typing import Subprotocol

from parlour_protocol.codec import CODECS, MAX_CLIENT_FRAME, Codec, Frame
from parlour_protocol.errors import BadFrame
from parlour_protocol.messages import ServerMessage
from parlour_protocol.version import JSON, UnknownSubprotocol, choose
from parlour_protocol.wire import plain
from parlour_server.faults import place
from parlour_server.metrics import Metrics
from parlour_server.node import Node
from parlour_server.rooms.lobby import INTERNAL

MAX_OUTBOX = 256 * 1024
"""Bytes that may wait for a client to read them."""
STALL = 20.0
"""Seconds in which a client has to read what waits for it."""
PER_ADDRESS = 128
"""Connections from one address."""
IN_ALL = 10_000
"""Connections in all; fewer where the system allows fewer open files."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

log = structlog.get_logger()


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


@attrs.define(eq=False)
class Link:
    """One socket."""

    socket: ServerConnection
    codec: Codec
    stalled_since: float | None = None

    def send(self, frame: Frame) -> bool:
        """Write a frame without waiting. Returns False if the client had to be cut."""
        socket = self.socket
        if socket.protocol.state is not OPEN:
            return True
        if isinstance(frame, str):
            socket.protocol.send_text(frame.encode())
        else:
            socket.protocol.send_binary(frame)
        socket.send_data()
        waiting = socket.transport.get_write_buffer_size()
        if waiting > MAX_OUTBOX:
            socket.transport.abort()
            return False
        self.stalled_since = (self.stalled_since or time.monotonic()) if waiting else None
        return True

    def hang(self, code: int, reason: str) -> None:
        """Close the socket behind what was written."""
        if self.socket.protocol.state is OPEN:
            self.socket.protocol.send_close(code, reason)
            self.socket.send_data()
            asyncio.get_running_loop().call_later(5, self.socket.transport.abort)


class Gateway:
    """The sockets of one server."""

    def __init__(self, door: Door, metrics: Metrics) -> None:
        self.node: Node | None = None
        self._door = door
        self._metrics = metrics
        self._addresses: Counter[str] = Counter()
        self._links: set[Link] = set()

    def post(self, links: Iterable[Link], message: ServerMessage) -> None:
        """Send ``message``, encoded once for each subprotocol in use."""
        data = plain(message)
        frames: dict[str, Frame] = {}
        for link in links:
            name = link.codec.name
            if name not in frames:
                frames[name] = link.codec.encode(data)
            if not link.send(frames[name]):
                self._metrics.cut.labels("overflow").inc()

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
        )
        sweep = asyncio.get_running_loop().create_task(self._sweep())
        try:
            yield server
        finally:
            sweep.cancel()
            server.close()
            await server.wait_closed()

    # --- the opening handshake -----------------------------------------------------------------------------

    def _process_request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP, and refuse who may not come in. None lets the handshake go on."""
        path = urlsplit(request.path).path
        if path == "/healthz":
            return socket.respond(http.HTTPStatus.OK, "ok\n")
        if path == "/metrics":
            return self._serve_metrics(socket, request)
        if "Upgrade" not in request.headers:
            return socket.respond(http.HTTPStatus.UPGRADE_REQUIRED, "This is a parlour game server: use WebSocket.\n")
        try:
            choose(_asked(request))
        except UnknownSubprotocol as error:
            return socket.respond(http.HTTPStatus.BAD_REQUEST, f"{error}\n")
        if not self._known_origin(request):
            return socket.respond(http.HTTPStatus.FORBIDDEN, "This origin may not connect; see --origin.\n")
        address = self._address(socket, request)
        if self._addresses[address] >= PER_ADDRESS or len(self._links) >= self._door.limit:
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections.\n")
        return None

    def _serve_metrics(self, socket: ServerConnection, request: Request) -> Response:
        # what a proxy on this machine hands on comes from loopback, too, but not from here
        handed_on = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
        local = ipaddress.ip_address(_peer(socket)).is_loopback and not handed_on
        if not local and not self._is_operator(request):
            return socket.respond(http.HTTPStatus.FORBIDDEN, "Metrics are for loopback or the operator's token.\n")
        self._metrics.connections.set(len(self._links))
        self._metrics.rooms.set(len(self.node.lobby.rooms) if self.node else 0)
        return socket.respond(http.HTTPStatus.OK, self._metrics.text().decode())

    def _is_operator(self, request: Request) -> bool:
        given = [value.removeprefix("Bearer ") for value in request.headers.get_all("Authorization")]
        admin = self._door.admin
        return bool(admin) and len(given) == 1 and compare_digest(given[0].encode(), str(admin).encode())

    def _known_origin(self, request: Request) -> bool:
        origins, known = request.headers.get_all("Origin"), self._door.origins
        if not origins or "*" in known:
            return True
        same_host = [urlsplit(origins[0]).netloc] == request.headers.get_all("Host")
        return len(origins) == 1 and (same_host or origins[0] in known)

    def _address(self, socket: ServerConnection, request: Request | None) -> str:
        peer = _peer(socket)
        forwarded = request.headers.get_all("X-Forwarded-For") if request else []
        if forwarded and any(ipaddress.ip_address(peer) in network for network in self._door.trusted_proxies):
            last = forwarded[-1].rsplit(",", 1)[-1].strip()
            try:
                return str(ipaddress.ip_address(last))
            except ValueError:
                return peer
        return peer

    # --- a connection ------------------------------------------------------------------------------------------

    async def _handle(self, socket: ServerConnection) -> None:
        assert self.node is not None
        link = Link(socket, CODECS[socket.subprotocol or JSON])
        address = self._address(socket, socket.request)
        self._addresses[address] += 1
        self._links.add(link)
        conn = self.node.connect(link)
        try:
            await self._read(self.node, conn, link)
        except ConnectionClosed:
            pass
        except Exception as error:
            log.error("a fault in a connection", error=type(error).__name__, where=place(error))
            link.hang(INTERNAL, "internal")
        finally:
            self._links.discard(link)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            self.node.disconnect(conn)

    async def _read(self, node: Node, conn: int, link: Link) -> None:
        decode = link.codec.decode
        async for frame in link.socket:
            self._metrics.received()
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
                if not link.socket.transport.get_write_buffer_size():
                    link.stalled_since = None
                elif link.stalled_since is not None and now - link.stalled_since > STALL:
                    link.socket.transport.abort()
                    self._metrics.cut.labels("stall").inc()


def _peer(socket: ServerConnection) -> str:
    return str(socket.remote_address[0]) if socket.remote_address else "127.0.0.1"


def _asked(request: Request) -> list[str]:
    values = request.headers.get_all("Sec-WebSocket-Protocol")
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _select(socket: ServerConnection, asked: Any) -> Subprotocol | None:
    return Subprotocol(choose(asked)) if asked else None
