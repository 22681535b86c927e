"""Checks of a remote server, layer by layer: DNS, TCP, TLS, HTTP, WebSocket upgrade, hello.

The first layer that fails ends the checks, because those above depend on it.
"""

import asyncio
import http.client
import os
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPMessage
from statistics import median
from urllib.parse import SplitResult, urlsplit

import attrs

from parlour_client.cli.local_checks import Finding
from parlour_client.core.connection import MOST_REDIRECTS, Connection, secured, wants_tls
from parlour_client.core.errors import Fault, Interrupted, Usage
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import is_loopback, normalise_url, redirected
from parlour_games.plural import counted
from parlour_protocol.codec import JSON, MSGPACK
from parlour_protocol.installation import document_url
from parlour_protocol.messages import Ping, Welcome

PATIENCE = 10.0
"""Seconds for each answer."""
SOON = 14
"""Days before its expiry from which a certificate is reported."""
_DAY = 86_400


class BrokenLayer(Exception):
    """A layer does not work, so those above cannot be checked. Carries the finding: what fails, and what to do."""

    def __init__(self, check: str, says: str, next_: str) -> None:
        super().__init__(says)
        self.finding = Finding(check, "fail", says, next_)


@attrs.frozen
class ServerAddress:
    """The address of the server."""

    url: str
    parts: SplitResult

    @classmethod
    def of(cls, text: str) -> "ServerAddress":
        """Parse an address. Raises Usage."""
        url = normalise_url(text)
        return cls(url, urlsplit(url))

    @property
    def secure(self) -> bool:
        """Whether it uses TLS."""
        return self.parts.scheme == "wss"

    @property
    def host(self) -> str:
        """Its host, without the brackets of an IPv6 address."""
        return self.parts.hostname or ""

    @property
    def port(self) -> int:
        """Its port."""
        return self.parts.port or (443 if self.secure else 80)

    def connection(self) -> http.client.HTTPConnection:
        """Return a connection for one request."""
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        return kind(self.host, self.port, timeout=PATIENCE)


def address(target: ServerAddress) -> Finding:
    """Resolve the host name. Raises BrokenLayer."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        next_ = "Check the spelling; a new DNS record takes a while to spread"
        raise BrokenLayer("address", f"{target.host} cannot be resolved: {error.strerror or error}", next_) from None
    addresses = sorted({str(each[4][0]) for each in found})
    return Finding("address", "ok", f"{target.host} is {', '.join(addresses[:4])}")


def connect(target: ServerAddress) -> Finding:
    """Open a connection. Raises BrokenLayer."""
    where, began = f"port {target.port} of {target.host}", time.monotonic()
    try:
        socket.create_connection((target.host, target.port), PATIENCE).close()
    except ConnectionRefusedError:
        next_ = "Check that the server or its proxy runs, and the port. On the host: parlour serve --lan"
        raise BrokenLayer("connection", f"{where} refuses the connection", next_) from None
    except OSError as error:
        next_ = "Usually a firewall, or a router that does not forward this port: open it there"
        raise BrokenLayer("connection", f"{where} does not answer ({_describe(error)})", next_) from None
    return Finding("connection", "ok", f"{where} answers in {since(began):.0f} ms")


def certificate(target: ServerAddress) -> Finding:
    """Check the TLS handshake and the certificate's expiry. Raises BrokenLayer."""
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection((target.host, target.port), PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname=target.host) as secure,
        ):
            shown, version = secure.getpeercert() or {}, secure.version()
    except ssl.SSLCertVerificationError as error:
        next_ = "Install a certificate for this name, with its whole chain; private authority: SSL_CERT_FILE=ca.pem"
        raise BrokenLayer("tls", f"the certificate is not valid: {error.verify_message}", next_) from None
    except (ssl.SSLError, OSError) as error:
        next_ = "If the server does not use TLS, use ws:// instead of wss://"
        raise BrokenLayer("tls", f"the TLS handshake fails ({_describe(error)})", next_) from None
    return expiry(ssl.cert_time_to_seconds(str(shown["notAfter"])), time.time(), str(version))


def expiry(end: float, now: float, version: str) -> Finding:
    """Report a certificate that expires at ``end``; both are seconds since 1970."""
    days = int((end - now) // _DAY)
    until = f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d} ({counted(days, 'day')})"
    says = f"{version}, the certificate is valid until {until}"
    if days < SOON:
        return Finding("tls", "warn", says, "Renew it now, and check why it was not renewed automatically")
    return Finding("tls", "ok", says)


def get(
    target: ServerAddress, path: str, headers: dict[str, str] | None = None
) -> tuple[int, http.client.HTTPMessage, str]:
    """Return status, headers and the first 64 KiB of the body. Raises BrokenLayer."""
    full = (target.parts.path.rstrip("/") + path if path else target.parts.path) or "/"
    try:
        with closing(target.connection()) as talk:
            talk.request("GET", full, headers=headers or {})
            answer = talk.getresponse()
            body = b"" if answer.status == 101 else answer.read(65_536)
            return answer.status, answer.msg, body.decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        next_ = "If the server uses TLS, use wss:// instead of ws://"
        raise BrokenLayer("http", f"no response to {full} ({_describe(error)})", next_) from None


def since(began: float) -> float:
    """Return the milliseconds since ``began``."""
    return (time.monotonic() - began) * 1000


def _describe(error: BaseException) -> str:
    return str(error) or type(error).__name__


SKEW = 60.0
"""Seconds by which two clocks may differ."""
SLOW = 300.0
"""Milliseconds of round trip that players notice."""
_PINGS = 5
_NO_SERVER_BEHIND = (502, 503, 504)


def outside(text: str) -> Iterator[Finding]:
    """Yield the findings about the server at the address ``text``."""
    try:
        target = ServerAddress.of(text)
        yield from transport(target)
        for _ in range(MOST_REDIRECTS):
            onward = redirect(target)
            if onward is None:
                break
            yield Finding("redirect", "ok", f"clients follow a redirect to {onward.url}")
            if (onward.host, onward.port) != (target.host, target.port):
                yield from transport(onward)
            target = onward
        yield from health(target)
        yield upgrade(target)
        yield page(target)
        yield from asyncio.run(hello(target))
        if not is_loopback(target.url):
            yield metrics(target)
    except Usage as fault:
        yield Finding("address", "fail", str(fault), "Use the address that players use")
    except BrokenLayer as broken:
        yield broken.finding


def transport(target: ServerAddress) -> Iterator[Finding]:
    """Check the layers below HTTP. Raises BrokenLayer."""
    yield address(target)
    yield connect(target)
    if target.secure:
        yield certificate(target)


def redirect(target: ServerAddress) -> ServerAddress | None:
    """Return where the server redirects clients, if they follow it. Raises BrokenLayer."""
    status, headers, _ = _request_upgrade(target)
    url = redirected(target.url, status, headers["Location"])
    return ServerAddress.of(url) if url else None


def health(target: ServerAddress) -> Iterator[Finding]:
    """Check /healthz and the clocks. Raises BrokenLayer."""
    status, headers, body = get(target, "/healthz")
    if status in _NO_SERVER_BEHIND:
        next_ = "Check that parlour serve runs, and the address in the proxy's settings"
        raise BrokenLayer("health", f"the proxy answers, but the server behind it does not (HTTP {status})", next_)
    if status == 400 and wants_tls(body):
        says = "the port speaks TLS, and this address does not ask for it"
        raise BrokenLayer("health", says, f"Use {secured(target.url)}")
    if status == 200 and body.strip() == "ok":
        yield Finding("health", "ok", "/healthz says ok")
    elif status == 200 and body.startswith("ok\n"):
        says = ", ".join(body.split("\n")[1:-1])
        yield Finding("health", "warn", f"the server runs, but parts have ended: {says}", "Its log says why they ended")
    else:
        yield Finding("health", "warn", f"/healthz says HTTP {status}, not ok", f"Is this a parlour server? {_see()}")
    if headers["Date"]:
        yield skew(headers["Date"], datetime.now(UTC))


def skew(date: str, now: datetime) -> Finding:
    """Compare the server's Date header with this machine's clock."""
    try:
        seconds = (parsedate_to_datetime(date) - now).total_seconds()
    except (TypeError, ValueError):
        return Finding(
            "clocks", "warn", f"the server sends an invalid Date: {date[:40]!a}", "Is this a parlour server?"
        )
    if abs(seconds) > SKEW:
        late = "behind" if seconds > 0 else "ahead of"
        says = f"this machine's clock is {abs(seconds):.0f} s {late} the server's"
        return Finding("clocks", "warn", says, "Set both by NTP: certificates depend on it, games do not")
    return Finding("clocks", "ok", "this machine's clock and the server's agree")


def upgrade(target: ServerAddress) -> Finding:
    """Check the WebSocket upgrade as a client requests it. Raises BrokenLayer with the reason."""
    status, answer, body = _request_upgrade(target)
    spoken = answer["Sec-WebSocket-Protocol"]
    if status == 101 and spoken in (MSGPACK, JSON):
        return Finding("upgrade", "ok", f"WebSocket, {spoken}")
    raise BrokenLayer("upgrade", *_no_upgrade(status, spoken, body))


def page(target: ServerAddress) -> Finding:
    """Check the upgrade as a browser requests it for the page at this address."""
    origin = f"{'https' if target.secure else 'http'}://{target.parts.netloc}"
    status, _, _ = _request_upgrade(target, Origin=origin)
    if status == 101:
        return Finding("page", "ok", f"pages from {origin} may connect")
    next_ = f"Start the server with --public-url {target.url}, or make the proxy pass on the header Host. {_see()}"
    return Finding("page", "fail", f"pages from {origin} are refused (HTTP {status})", next_)


def _request_upgrade(target: ServerAddress, **more: str) -> tuple[int, HTTPMessage, str]:
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Protocol": f"{MSGPACK}, {JSON}",
    }
    return get(target, "", {**headers, **more})


def _no_upgrade(status: int, spoken: str | None, body: str) -> tuple[str, str]:
    """Return the reason for a failed upgrade, and what to do."""
    if status == 101:
        return f"WebSocket, but with subprotocol {spoken}, not {MSGPACK}", "The server is not a parlour server"
    if status in (200, 426):
        return (
            "the upgrade request does not reach the server",
            f"Make the proxy forward the headers Upgrade and Connection. {_see()}",
        )
    if status == 400:
        return f"the server speaks another version: {body.strip()[:200]}", "Update parlour here or on the server"
    if status in (301, 302, 307, 308):
        return f"redirected again or elsewhere (HTTP {status})", "Use the address it redirects to"
    if status == 503 and "from your address" in body:
        return "the server has too many connections from your address", "Wait; the host can raise --per-address"
    if status == 503 and "connections" in body:
        return "the server has too many connections", body.strip()[:200]
    if status in _NO_SERVER_BEHIND:
        return f"the proxy answers, but the server behind it does not (HTTP {status})", "Start parlour serve behind it"
    return f"refused with HTTP {status}", f"Check the path. {_see()}"


async def hello(target: ServerAddress) -> list[Finding]:
    """Say hello as a client does, and measure the round trip."""
    try:
        async with asyncio.timeout(PATIENCE * 2), visiting(target.url) as connection:
            server = await _welcomed(connection)
            times = [await _ping(connection) for _ in range(_PINGS)]
    except (Fault, TimeoutError) as fault:
        return [Finding("hello", "fail", str(fault) or "no answer in time", "The server's log may say more")]
    return [Finding("hello", "ok", f"{server} accepts clients"), latency(times)]


def latency(times: list[float]) -> Finding:
    """Report round trips, in milliseconds."""
    says = f"round trip {median(times):.1f} ms, at worst {max(times):.1f} ms"
    if median(times) > SLOW:
        return Finding("latency", "warn", says, "Choose a nearer server, or a wired network")
    return Finding("latency", "ok", says)


async def _welcomed(connection: Connection) -> str:
    async for message in connection:
        if isinstance(message, Welcome):
            return message.server
    raise Interrupted("the server closed the connection after hello")


async def _ping(connection: Connection) -> float:
    began = time.monotonic()
    await ask(connection, Ping())
    return since(began)


def metrics(target: ServerAddress) -> Finding:
    """Check that /metrics is not public. Raises BrokenLayer."""
    status, _, body = get(target, "/metrics")
    if status == 200 and "parlour_" in body:
        next_ = "Make the proxy refuse /metrics, or at least send X-Forwarded-For. " + _see()
        return Finding("metrics", "warn", "/metrics is public", next_)
    return Finding("metrics", "ok", f"not public (HTTP {status})")


def _see() -> str:
    return f"Example settings for HAProxy, nginx and Caddy: {document_url('deploy')}"
