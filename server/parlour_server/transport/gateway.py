"""Accept connections: check who may connect, answer plain HTTP, connect clients to the node.

Nothing here waits for a client. A client that does not read for ``STALL`` seconds is cut without a close frame.

The server does and holds only a limited amount for a client before it has identified itself: connections count from
their first byte, the receive buffer is small, and pings do not get around the limits on messages.
"""

import asyncio
import http
import ipaddress
import logging
import platform
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from secrets import compare_digest
from socket import SO_RCVBUF, SOL_SOCKET
from ssl import SSLContext
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour_protocol.codec import CODECS, JSON, MAX_CLIENT_FRAME, UnknownSubprotocol, choose
from parlour_protocol.errors import INTERNAL
from parlour_server import system
from parlour_server.directory.sessions import is_loopback
from parlour_server.effects import place
from parlour_server.metrics import Metrics
from parlour_server.node.budget import Meter
from parlour_server.node.node import Node
from parlour_server.settings import BadSettings, ServerSettings
from parlour_server.transport.connection import MAX_OUTBOX, CountedConnection, Socket
from parlour_server.transport.listening import Origin, address_in, is_own, listening, plain, subscriber
from parlour_server.transport.pages import REQUEST_HEADERS, pages

STALL = 20.0
"""Seconds in which a client has to read what waits for it."""
MAX_CONNECTIONS = 10_000
"""Connections in all; fewer where the system allows fewer open files."""
RECEIVE_BUFFER = 2 * MAX_CLIENT_FRAME
"""Bytes that the system may receive ahead of what has been read, approximately."""
LINGER = 5.0
"""Seconds for which a closed connection still counts for its address, as a limit of its rate. Not on loopback."""
ACCEPTING = 0.0005
"""Seconds of CPU that a connection costs before its first message, apart from its request."""
GOODBYE, STOP_TIMEOUT = 1.5, 1.0
"""Seconds for clients to close their connections when the server stops, and then for the server to do so."""
MAX_REFUSED = 32
"""Connections above a limit that get an HTTP response; those beyond are cut without one."""
_LOGGED = 100
"""Characters that the log takes of a field which a client has sent."""

_OTHER_HOST = """This server does not go by the name in the address (HTTP field Host).
If the name is right, start it with --public-url wss://NAME, or behind a proxy with --trusted-proxy ADDRESS.
"""
_OTHER_ORIGIN = """Pages from this origin may not connect.
Start the server with --public-url wss://NAME or --origin ORIGIN, or let the proxy pass on the field Host.
"""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

log = structlog.get_logger()
_pages = cache(pages)  # compressed when a browser asks for the first of them
_library = logging.getLogger("parlour.websockets")
_library.setLevel(logging.CRITICAL)  # it logs a traceback for each bad handshake, which could fill the log


class Gateway:
    """Accepts the connections of a server, whose frames ``node`` receives."""

    def __init__(self, metrics: Metrics, node: Node) -> None:
        """Raises BadSettings."""
        self._settings = settings = node.lobby.settings
        self._proxies = _networks(settings)
        self._hosts = _own_hosts(settings)
        self.limit = system.possible_connections(MAX_CONNECTIONS)
        """Connections in all."""
        self._metrics = metrics
        self._node = node
        self._public = Origin.of(settings.public_url)
        self._prefix = _split(settings.public_url).path.rstrip("/")
        self._origins = {self._public, *map(Origin.of, _checked_origins(settings))}
        self._addresses: Counter[str] = Counter()
        """Sockets by their subscriber."""
        self._sockets: set[Socket] = set()
        self._per_peer: Counter[str] = Counter()
        """TCP connections by the subscriber at the other end, which may be a proxy."""
        self._open: set[CountedConnection] = set()
        self._warned: set[str] = set()
        """What has been logged; once is enough for settings that do not change."""

    @property
    def meter(self) -> Meter:
        """Who pays for what connections make the server do, and when they have to wait."""
        return self._node.meter

    def accepted(self, connection: CountedConnection) -> None:
        """Count a TCP connection before it has sent anything, and cut it if there are far too many."""
        self._open.add(connection)
        peer = subscriber(connection.peer)
        self._per_peer[peer] += 1
        is_proxy = self._is_trusted(connection)
        if not is_proxy:
            connection.owner = peer
            self.meter.spend(peer, ACCEPTING)
        too_many = self._per_peer[peer] > self._settings.per_address + MAX_REFUSED and not is_proxy
        if too_many or len(self._open) > self.limit + MAX_REFUSED:
            connection.transport.abort()

    def closed(self, connection: CountedConnection) -> None:
        """Uncount a TCP connection."""
        self._open.discard(connection)
        peer = subscriber(connection.peer)
        self._per_peer[peer] -= 1
        if not self._per_peer[peer]:
            del self._per_peer[peer]

    def cut(self, connection: CountedConnection, why: str) -> None:
        """Cut a client that exceeds a limit; ``why`` is for the metrics."""
        if not connection.transport.is_closing():
            connection.transport.abort()
            self._metrics.cut(why)

    @asynccontextmanager
    async def listen(
        self, host: str, port: int, ssl: SSLContext | None = None, *, trusted: bool = False
    ) -> AsyncIterator[Server]:
        """Listen until the context ends. ``trusted``: only for clients whose X-Forwarded-For is. Raises OSError."""
        with listening(host, port) as place:
            server = await serve(
                self._handle,
                **place,
                ssl=ssl,
                process_request=self._process_request,
                select_subprotocol=_select,
                compression=None,
                max_size=MAX_CLIENT_FRAME,
                write_limit=MAX_OUTBOX,
                open_timeout=5,
                close_timeout=5,
                backlog=4096,
                server_header=None,
                logger=_library,
                create_connection=partial(CountedConnection, self, trusted=trusted),  # type: ignore[arg-type]  # a factory is all that is needed
            )
            for each in server.sockets:  # accepted sockets inherit it
                each.setsockopt(SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER)
            sweep = asyncio.get_running_loop().create_task(self._node.tasks.keep(self._sweep))
            try:
                yield server
            finally:
                sweep.cancel()
                server.close()
                await self._end(server)

    async def _end(self, server: Server) -> None:
        """Wait until all connections of ``server``, which is closing, have ended; end those whose clients do not."""
        if await _ended(server, GOODBYE):
            return
        for connection in self._open | {socket.connection for socket in self._sockets}:
            if connection.server is server:
                connection.end()
        if not await _ended(server, STOP_TIMEOUT):  # a bug must not keep the server from stopping
            log.error("a fault: connections have not ended with the server")

    # --- the opening handshake -----------------------------------------------------------------------------

    def _process_request(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP, and refuse clients that may not connect. None lets the handshake continue."""
        assert isinstance(socket, CountedConnection)
        socket.owner = self._address(socket, request)
        before = self.meter.switch(socket.owner)
        try:
            return self._answer(socket, request)
        finally:
            self.meter.switch(before)

    def _answer(self, socket: CountedConnection, request: Request) -> Response | None:
        asked = _split(request.path)
        kept, path = self._without_prefix(asked.path)
        if path == "/healthz":
            return self._serve_health(socket, request, parse_qs(asked.query).get("origin", []))
        if not self._known_host(socket, request):
            return socket.respond(http.HTTPStatus.FORBIDDEN, _OTHER_HOST)
        if path == "/metrics":
            return self._serve_metrics(socket, request)
        if "Upgrade" not in request.headers:
            known = kept or self._is_public(socket, request)
            return self._serve_page(socket, request, path, f"{self._prefix}/" if self._prefix and known else "")
        try:
            choose(_asked(request))
        except UnknownSubprotocol as error:
            return socket.respond(http.HTTPStatus.BAD_REQUEST, f"{error}\n")
        origins = request.headers.get_all("Origin")
        if not self._known_origins(request, origins):
            self._metrics.refused_origin()
            of, host = " ".join(origins)[:_LOGGED], " ".join(_hosts(request))[:_LOGGED]
            self._warn("pages are refused: their origin is not this server's", origin=of, host=host)
            return socket.respond(http.HTTPStatus.FORBIDDEN, _OTHER_ORIGIN)
        address = socket.owner or ""
        if self._addresses[address] >= self._settings.per_address:
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections from your address.\n")
        if len(self._sockets) >= self.limit:
            why = f"Too many connections: this server takes {self.limit}"
            why += f". {system.MORE_FILES}.\n" if self.limit < MAX_CONNECTIONS else ".\n"
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, why)
        return None

    def _serve_health(self, socket: CountedConnection, request: Request, origins: list[str]) -> Response:
        """Say that the server runs. A page that cannot connect asks with its origin why: a browser hides the answer."""
        if not self._known_origins(request, origins):
            return socket.respond(http.HTTPStatus.FORBIDDEN, _OTHER_ORIGIN)
        again = "".join(f"starting again: {what}\n" for what in sorted(self._metrics.down))
        return socket.respond(http.HTTPStatus.OK, f"ok\n{again}")

    def _without_prefix(self, path: str) -> tuple[bool, str]:
        """Return whether a proxy has kept the prefix of the public URL, and the path below it."""
        if not self._prefix or not f"{path}/".startswith(f"{self._prefix}/"):
            return False, path
        return True, path.removeprefix(self._prefix) or "/"

    def _is_public(self, socket: CountedConnection, request: Request) -> bool:
        """Whether a request comes by the public URL."""
        if "X-Forwarded-For" in request.headers and self._is_trusted(socket):
            return True
        return self._public is not None and any(map(self._public.is_at, _hosts(request)))

    def _serve_page(self, socket: CountedConnection, request: Request, path: str, prefix: str) -> Response:
        if not self._settings.web:
            return socket.respond(http.HTTPStatus.UPGRADE_REQUIRED, "This is a parlour game server: use WebSocket.\n")
        asked = {name: ",".join(request.headers.get_all(name)) for name in REQUEST_HEADERS}
        answer = _pages().answer(request.method, path, asked, self._node.lobby.game_of, prefix)
        response = socket.respond(answer.status, "")
        for name in ("Content-Length", "Content-Type"):
            del response.headers[name]
        response.headers.update(answer.headers)
        response.body = answer.body
        return response

    def _serve_metrics(self, socket: CountedConnection, request: Request) -> Response:
        # requests that a proxy on this machine forwards come from loopback, too
        forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
        local = is_loopback(socket.peer) and not forwarded
        if not local and not self._is_admin(request):
            return socket.respond(http.HTTPStatus.FORBIDDEN, "Metrics need loopback or the admin token.\n")
        return socket.respond(http.HTTPStatus.OK, self._metrics.text(self._node.presence()))

    def _is_admin(self, request: Request) -> bool:
        given = [value.removeprefix("Bearer ") for value in request.headers.get_all("Authorization")]
        admin = self._node.lobby.admin.token
        return bool(admin) and len(given) == 1 and compare_digest(given[0].encode(), str(admin).encode())

    def _known_host(self, socket: CountedConnection, request: Request) -> bool:
        """Whether a request from this machine is for this server, not for a name that was rebound to loopback.

        Pages elsewhere that can reach the server might as well connect to it under its own address.
        """
        if "*" in self._settings.origin or not is_loopback(socket.peer):
            return True
        if "X-Forwarded-For" in request.headers and self._is_trusted(socket):
            return True
        return all(is_own(host, self._hosts) for host in _hosts(request))

    def _known_origins(self, request: Request, origins: list[str]) -> bool:
        """Whether a client may connect that names these origins; only browsers name one."""
        if not origins or "*" in self._settings.origin:
            return True
        origin = Origin.of(origins[0]) if len(origins) == 1 else None
        return origin is not None and (origin in self._origins or [*map(origin.is_at, _hosts(request))] == [True])

    def _address(self, socket: CountedConnection, request: Request | None) -> str:
        """Return the subscriber of a client, which each trusted proxy on the way has added to X-Forwarded-For."""
        address, trusted = socket.peer, self._is_trusted(socket)
        hops = ",".join(request.headers.get_all("X-Forwarded-For")).split(",") if request else []
        while hops and trusted:
            hop = hops.pop()
            found = address_in(hop)
            if found is None:
                if hop.strip():
                    self._warn(
                        "a proxy sends no address in X-Forwarded-For", proxy=address, sends=hop.strip()[:_LOGGED]
                    )
                break
            address, trusted = found, self._is_proxy(found)
        return subscriber(address)

    def _warn(self, event: str, **details: object) -> None:
        if event not in self._warned:
            self._warned.add(event)
            log.warning(event, **details)

    def _is_trusted(self, connection: CountedConnection) -> bool:
        return connection.trusted or self._is_proxy(connection.peer)

    def _is_proxy(self, peer: str) -> bool:
        return any(ipaddress.ip_address(peer) in network for network in self._proxies)

    # --- a connection ------------------------------------------------------------------------------------------

    async def _handle(self, connection: ServerConnection) -> None:
        assert isinstance(connection, CountedConnection)
        address = self._address(connection, connection.request)
        socket = Socket(connection, CODECS[connection.subprotocol or JSON], address)
        self._addresses[address] += 1
        self._sockets.add(socket)
        conn = self._node.connect(socket)
        try:
            await connection.receive_with(partial(self._node.receive_frame, conn))
        except Exception as error:
            self._metrics.fault("connection")
            log.error("a fault in a connection", error=type(error).__name__, where=place(error))
            socket.close(INTERNAL, "internal")
        finally:
            self._sockets.discard(socket)
            if is_loopback(address):
                self._uncount(address)
            else:
                asyncio.get_running_loop().call_later(LINGER, self._uncount, address)
            self._node.disconnect(conn)

    def _uncount(self, address: str) -> None:
        """Let an address have another connection."""
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    async def _sweep(self) -> None:
        """Cut clients that have not read for too long."""
        while True:
            await asyncio.sleep(STALL / 4)
            now = time.monotonic()
            self._node.sweep()
            for socket in list(self._sockets):
                socket.connection.controls = 0
                if socket.stalled_for(now) > STALL:
                    self.cut(socket.connection, "stall")


def _networks(settings: ServerSettings) -> tuple[Network, ...]:
    """Return where X-Forwarded-For is believed. Raises BadSettings."""
    try:
        return tuple(ipaddress.ip_network(text) for text in settings.trusted_proxy)
    except ValueError as error:
        raise BadSettings(f"--trusted-proxy: {error}; give an address or a network like 10.0.0.0/8") from None


def _checked_origins(settings: ServerSettings) -> tuple[str, ...]:
    """Return the origins whose pages may connect, besides those from the server's own host. Raises BadSettings."""
    for origin in settings.origin:
        scheme, host, *rest = urlsplit(origin)
        if origin != "*" and (not scheme or not host or any(rest)):
            raise BadSettings(f"--origin: {origin!a} is not an origin like https://example.org, nor *")
    return settings.origin


def _own_hosts(settings: ServerSettings) -> frozenset[str]:
    """Return the names under which the server knows itself, in lower case."""
    urls = (settings.public_url, settings.peer_url, *settings.origin)
    names = (plain(settings.bind), platform.node(), *(urlsplit(url).hostname for url in urls))
    return frozenset(name.lower() for name in names if name)


async def _ended(server: Server, within: float) -> bool:
    """Return whether all connections end in so many seconds.

    The library's own wait also waits for clients that have begun with TLS and say no more.
    """
    handling = list(server.handler_tasks)
    return not handling or not (await asyncio.wait(handling, timeout=within))[1]


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # brackets without an address
        return urlsplit("")


def _hosts(request: Request) -> list[str]:
    return request.headers.get_all("Host")


def _asked(request: Request) -> list[str]:
    values = request.headers.get_all("Sec-WebSocket-Protocol")
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _select(socket: ServerConnection, asked: Any) -> Subprotocol | None:
    return Subprotocol(choose(asked)) if asked else None
