"""The network side of a session: a WebSocket connection that reconnects automatically.

::

    async with Connection("localhost", Session("maria", entropy=os.urandom)) as connection:
        await connection.send(Join("K7QD"))
        async for message in connection:  # from the first welcome on, across any number of sockets
            ...

Entering connects once and raises CannotConnect, WrongProtocol or Refused. Iterating yields messages. When the socket
is lost, it reconnects with growing delays. The iteration ends when the connection is closed by ``close`` or replaced by
another socket of the same identity. It raises Refused, WrongProtocol, or Interrupted after ``patience`` seconds without
a connection. No other module of the client imports the WebSocket library.
"""

import asyncio
import contextlib
import errno
import os
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Literal, Self

import attrs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus, ProxyError, WebSocketException
from websockets.typing import Subprotocol

from parlour_client.core.errors import CannotConnect, Interrupted, Refused, WrongProtocol
from parlour_client.core.phrases import refused_by, say
from parlour_client.core.session import PASSING, Entropy, Gap, Session
from parlour_client.core.side_sockets import FOR_GOOD, DetachedRoom, RedirectLimit, SideSockets, SocketLost
from parlour_client.core.url import DEFAULT_URL, is_loopback, normalise_url, redirected
from parlour_protocol import wire
from parlour_protocol.codec import CODECS, FROM_SERVER, MAX_SERVER_FRAME, MSGPACK, Codec
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import Admin, Bye, ClientMessage, Error, Joined, Redirect, ServerMessage, Welcome

_FIRST_WAIT, _LONGEST_WAIT = 0.25, 15.0
_STEADY = 10.0
"""Seconds after which a socket counts as stable and the delay starts over."""
_CLOSE_TIMEOUT = 2.0
MOST_REDIRECTS = 5
_ERRNO = re.compile(r"\[Errno (\d+)\]")
_WANTS_TLS = re.compile("HTTPS (port|server)|SSL-enabled")
_UNREACHABLE = 5
"""Failed attempts to reach the server of a room before we ask the main server to relay its messages."""

_HINTS = {"name_taken": "choose another with --name"}
"""Hints for people that replace those written for programs, by error code."""


@attrs.frozen
class ConnectionState:
    """The state of a connection. ``retry_in``: seconds until the next attempt, while it is lost."""

    name: Literal["connecting", "open", "lost", "closed"]
    reason: str = ""
    retry_in: float = 0.0


class Connection:
    """A session's connection to its server. Only one task may iterate it; any task may ``send``."""

    def __init__(
        self,
        url: str,
        session: Session,
        *,
        encoding: str = MSGPACK,
        entropy: Entropy = os.urandom,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        on_state: Callable[[ConnectionState], None] | None = None,
        patience: float = float("inf"),
    ) -> None:
        self.url = normalise_url(url)
        self.session = session
        if _route:
            session.stop_redirects()
        self.state = ConnectionState("connecting")
        self.traffic = Traffic()
        self._codec = CODECS[encoding]
        self._entropy = entropy
        self._sleep = sleep
        self._on_state = on_state
        self._patience = patience
        self._socket: CodecSocket | None = None
        self._redirects = RedirectLimit()
        self._sides = SideSockets(session, self._connect, self._redirects)
        self._delayed: set[asyncio.Task[None]] = set()
        self.can: list[str] = []
        """The abilities of the server, including the names of its games."""
        self._welcome: Welcome | None = None
        self._bye: Bye | None = None
        self._tries = 0
        self._opened_at = 0.0

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException as error:
            await self._end(str(error))
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection for good. The iteration ends."""
        await self._end(self.state.reason)

    async def send(self, message: ClientMessage) -> None:
        """Send ``message``. While the connection is lost, keep it for later if it is safe to repeat."""
        out = self.session.outgoing(message)
        if out is not None:
            await self._write(out)

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        while not self._ended:
            if self._welcome is not None:
                welcome, self._welcome = self._welcome, None
                yield welcome
                continue
            if self.session.left:
                yield self.session.left.pop(0)
                continue
            try:
                message = await self._next()
            except (SocketLost, Gap) as error:
                await self._reconnect(error)
                continue
            if message is None:
                continue
            if isinstance(message, Bye):
                self._bye = message
            yield message

    async def _next(self) -> ServerMessage | None:
        """Return the next message of any socket, None if it is not news. Raises SocketLost, Gap, WrongProtocol."""
        if self._socket is None:
            raise SocketLost("closed")
        message = await self._sides.next(self._socket)
        if isinstance(message, DetachedRoom):
            self._reroute(message)
            return None
        if message is None or not self.session.is_news(message):
            return None
        if isinstance(message, Error) and (astray := self.session.rejoin_refused(message)):
            self._reroute(DetachedRoom(astray, 1))
            return None
        if isinstance(message, Error) and (early := self.session.postponed(message)):
            self._later(self._repeat(early, (message.retry_after or 0) / 1000))
            return None
        replies = self.session.receive(message)
        self._follow(message)
        for reply in replies:
            await self._write(reply)
        return None if isinstance(message, Redirect) else message

    def _follow(self, message: ServerMessage) -> None:
        """Open or drop a side socket if ``message`` says that a room lives elsewhere or is left.

        Raises Gap if the server redirects us too often: we come back without following any redirect.
        """
        room = getattr(message, "room", None)
        if isinstance(message, Redirect):
            if "redirect" not in self.session.can:
                raise WrongProtocol(say("fault.redirected", url=self.url))
            if not self._sides.follow(message):
                self.session.stop_redirects()
                raise Gap(say("fault.redirects", url=self.url))
        elif isinstance(message, Joined):
            self._sides.joined(message.room)
        elif room is not None and room in self._sides and not self.session.follows(room):
            self._sides.drop(room)

    # --- the main socket ---

    async def _open(self) -> None:
        """Open a socket and greet. Raises CannotConnect, WrongProtocol, Refused."""
        self._socket, self._bye = await self._connect(self.url), None
        if self._ended:  # by ``close``, while it was connecting
            return
        self._sides = SideSockets(self.session, self._connect, self._redirects)
        await self._socket.write(self.session.hello())
        try:
            while self._welcome is None:
                await self._handle_greeting(self._socket, await self._socket.read())
        except SocketLost as lost:
            raise CannotConnect(say("fault.hung_up", url=self.url, why=lost)) from None
        self._opened_at = asyncio.get_running_loop().time()
        self._set(ConnectionState("open"))

    async def _handle_greeting(self, socket: "CodecSocket", message: ServerMessage | None) -> None:
        if message is None:
            return
        replies = self.session.receive(message)
        for reply in replies:
            await socket.write(reply)
        match message:
            case Welcome():
                self._welcome, self.can = message, message.can
            case Error() if not replies:
                hint = _HINTS.get(message.code, message.hint)
                raise Refused(message.code, refused_by(self.url, message, hint))
            case Bye():
                raise Refused(message.code, refused_by(self.url, Error(message.code, message.msg)))

    async def _connect(self, url: str) -> "CodecSocket":
        return await open_socket(normalise_url(url), self._codec, self.traffic)

    async def _write(self, message: ClientMessage) -> None:
        room = None if isinstance(message, Admin) else getattr(message, "room", None)
        if room is not None and room in self._sides:
            await self._sides.write(room, message)
        elif self._socket is not None:
            await self._socket.write(message)

    async def _drop_sockets(self) -> None:
        socket, self._socket = self._socket, None
        await self._sides.close()
        if socket is not None:
            await socket.close()

    # --- reconnecting ---

    def _reroute(self, stray: DetachedRoom) -> None:
        """Ask the main server after a delay where a room lives. Raises Gap if it cannot be reached from here."""
        if stray.tries >= _UNREACHABLE:
            self.session.stop_redirects()
            raise Gap(f"{stray.room} cannot be reached where it lives; asking {self.url} to pass its messages on")
        self._later(self._request_route(stray))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._delayed.add(task)
        task.add_done_callback(self._delayed.discard)

    async def _repeat(self, request: ClientMessage, seconds: float) -> None:
        await self._sleep(seconds)
        await self.send(request)

    async def _request_route(self, stray: DetachedRoom) -> None:
        main = self._socket
        await self._sleep(self._jittered(stray.tries - 1))
        if main is None or main is not self._socket:
            return
        request = self.session.rejoin(stray.room)
        if request is None:
            self._sides.drop(stray.room)
        else:
            await main.write(request)

    async def _reconnect(self, error: SocketLost | Gap) -> None:
        """Reconnect unless the connection was closed on purpose. Raises Refused, WrongProtocol, Interrupted."""
        await self._drop_sockets()
        reason = self._bye.msg if self._bye else str(error)
        if isinstance(error, SocketLost) and error.code in FOR_GOOD:
            await self._end(reason)
        if asyncio.get_running_loop().time() - self._opened_at > _STEADY:
            self._tries = 0
        at_least = (self._bye.retry_after or 0) / 1000 if self._bye else 0.0
        waited = 0.0
        while not self._ended and waited < self._patience:
            delay = max(at_least, self._back_off())
            self._set(ConnectionState("lost", reason, delay))
            await self._sleep(delay)
            waited += delay
            failed = await self._try_again(reason)
            if failed is None:
                return
            reason = failed
        if not self._ended:
            await self._end(reason)
            raise Interrupted(say("fault.lost", url=self.url, why=reason))

    async def _try_again(self, reason: str) -> str | None:
        """Try to open a socket. Returns the reason of a temporary failure. Raises Refused, WrongProtocol."""
        if self._ended:
            return None
        self._set(ConnectionState("connecting", reason))
        failed: str | None = None
        try:
            await self._open()
        except CannotConnect as fault:
            failed = str(fault)
        except Refused as fault:
            if fault.code not in PASSING:
                await self._end(str(fault))
                raise
            failed = str(fault)
        if failed or self._ended:
            await self._drop_sockets()
        return failed

    async def _end(self, reason: str) -> None:
        self._set(ConnectionState("closed", reason))
        for task in self._delayed:
            task.cancel()
        await self._drop_sockets()

    @property
    def _ended(self) -> bool:
        return self.state.name == "closed"

    def _back_off(self) -> float:
        """Return the delay before the next attempt: exponential, bounded, with jitter down to a half."""
        self._tries += 1
        return self._jittered(self._tries - 1)

    def _jittered(self, tries: int) -> float:
        longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(tries, 10))
        return longest * (0.5 + int.from_bytes(self._entropy(4), "big") / 2**33)

    def _set(self, state: ConnectionState) -> None:
        if state != self.state and not self._ended:
            self.state = state
            if self._on_state is not None:
                self._on_state(state)


@attrs.define
class Traffic:
    """Bytes of frames received and sent."""

    bytes_in: int = 0
    bytes_out: int = 0


@attrs.define(eq=False)
class CodecSocket:
    """An open WebSocket with the codec negotiated for it."""

    _url: str
    _raw: ClientConnection
    _codec: Codec
    _traffic: Traffic

    async def read(self) -> ServerMessage | None:
        """Return the next message, None for one of an unknown type. Raises SocketLost, WrongProtocol."""
        try:
            frame = await self._raw.recv()
        except ConnectionClosed as closed:
            raise SocketLost(_describe(closed), closed.rcvd.code if closed.rcvd else None) from None
        self._traffic.bytes_in += len(frame)
        try:
            return wire.server_message(self._codec.decode(frame, FROM_SERVER))
        except Refusal as fault:
            raise WrongProtocol(say("fault.not_allowed", url=self._url, why=fault.msg)) from None

    async def write(self, message: ClientMessage) -> None:
        """Send a message. On a closed socket this does nothing: reading reports the loss."""
        with contextlib.suppress(ConnectionClosed):
            frame = self._codec.encode(wire.plain(message))
            self._traffic.bytes_out += len(frame)
            await self._raw.send(frame)

    async def close(self) -> None:
        """Close the socket."""
        await self._raw.close()


_route: dict[str, Any] = {}
"""How this process connects, in place of the URL's host."""


def route_through(path: str, address: str) -> None:
    """Let this process connect to no other server than that at the Unix socket ``path``, for a client at ``address``.

    A visitor's process does so, who could otherwise reach other servers from the host's machine.
    """
    _route.update(unix=True, path=path, additional_headers={"X-Forwarded-For": address})


def is_visitor() -> bool:
    """Whether this process plays for a person at another machine, who may not read the files of this one."""
    return bool(_route)


class _Connect(connect):
    """The library's connect, which follows no redirect: it knows no ``https://`` and would go to any host."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Report the redirect."""
        return exc


async def open_socket(url: str, codec: Codec, traffic: Traffic, redirects: int = MOST_REDIRECTS) -> CodecSocket:
    """Open a socket, following ``redirects`` of the same host at most. Raises CannotConnect, WrongProtocol."""
    try:
        raw = await _Connect(
            DEFAULT_URL if _route else url,
            subprotocols=[Subprotocol(codec.name)],
            compression=None,
            max_size=MAX_SERVER_FRAME,
            proxy=None if is_loopback(url) else True,
            close_timeout=_CLOSE_TIMEOUT,
            **_route,
        )
    except InvalidStatus as refused:
        answer = refused.response
        if redirects and (onward := redirected(url, answer.status_code, answer.headers.get("Location"))):
            return await open_socket(onward, codec, traffic, redirects - 1)
        raise _unwelcome(url, refused) from None
    except (OSError, EOFError, ProxyError) as error:
        raise no_server(url, error) from None
    except WebSocketException as error:
        if isinstance(error, InvalidMessage) and isinstance(error.__cause__, EOFError):
            raise no_server(url, error) from None
        raise WrongProtocol(say("fault.other_protocol", url=url, why=error)) from None
    if raw.subprotocol != codec.name:
        await raw.close()
        raise WrongProtocol(say("fault.no_codec", url=url, codec=codec.name))
    return CodecSocket(url, raw, codec, traffic)


def wants_tls(body: str) -> bool:
    """Whether a web server's answer by HTTP 400 means that the port speaks TLS: that of nginx, Caddy or Apache."""
    return _WANTS_TLS.search(body) is not None


def secured(url: str) -> str:
    """Return the same address with TLS."""
    return url.replace("ws:", "wss:", 1)


def _unwelcome(url: str, refused: InvalidStatus) -> CannotConnect | WrongProtocol:
    status = refused.response.status_code
    body = (refused.response.body or b"").decode(errors="replace").strip()[:300]
    body = refused.response.headers.get("Location", body)[:300]
    if status == 400 and wants_tls(body):
        return CannotConnect(say("fault.wants_tls", url=url, secure=secured(url)))
    if status == 400:
        return WrongProtocol(say("fault.version", url=url, why=body))
    return CannotConnect(say("fault.http", url=url, status=status, body=body or None))


def no_server(url: str, error: Exception) -> CannotConnect:
    """Return the fault for an address where no server answers, or none that we trust, with a hint."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return CannotConnect(say("fault.certificate", url=url, why=error.verify_message))
    return CannotConnect(say("fault.no_server", url=url, why=_describe(error), here=is_loopback(url)))


def _describe(error: BaseException) -> str:
    if isinstance(error, ConnectionClosed):
        close = error.rcvd
        return (close.reason or say("fault.closed", code=close.code)) if close else say("fault.broke_off")
    if isinstance(error, socket.gaierror):
        return say("fault.no_host")
    # a host with several addresses causes several errors
    numbers = dict.fromkeys(int(number) for number in _ERRNO.findall(str(error)))
    known = (say("fault.unreachable", code=errno.errorcode.get(n, "")) or os.strerror(n).lower() for n in numbers)
    return ", ".join(known) or str(error) or type(error).__name__
