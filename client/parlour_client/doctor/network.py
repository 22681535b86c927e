"""The layers below a server's protocol: DNS, TCP, TLS, HTTP. A check that fails raises Broken."""

import http.client
import socket
import ssl
import time
from contextlib import closing
from datetime import UTC, datetime
from urllib.parse import SplitResult, urlsplit

import attrs

from parlour_client.core.url import normalise_url
from parlour_client.doctor.findings import Finding
from parlour_games.plural import counted

PATIENCE = 10.0
"""Seconds for each answer."""
SOON = 14
"""Days before its expiry from which a certificate is reported."""
_DAY = 86_400


class Broken(Exception):
    """A layer does not work, so those above cannot be checked. Carries the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.says)
        self.finding = finding


@attrs.frozen
class Target:
    """The address of the server."""

    url: str
    parts: SplitResult

    @classmethod
    def of(cls, text: str) -> "Target":
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
        if self.secure:
            return http.client.HTTPSConnection(self.host, self.port, timeout=PATIENCE)
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)


def address(target: Target) -> Finding:
    """Resolve the host name. Raises Broken."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        next_ = "Check the spelling; a new DNS record takes a while to spread"
        raise Broken(
            Finding("address", "fail", f"{target.host} cannot be resolved: {error.strerror or error}", next_)
        ) from None
    addresses = sorted({str(each[4][0]) for each in found})
    return Finding("address", "ok", f"{target.host} is {', '.join(addresses[:4])}")


def connect(target: Target) -> Finding:
    """Open a connection. Raises Broken."""
    where, began = f"port {target.port} of {target.host}", time.monotonic()
    try:
        socket.create_connection((target.host, target.port), PATIENCE).close()
    except ConnectionRefusedError:
        next_ = "Check that the server or its proxy runs, and the port. On the host: parlour serve --lan"
        raise Broken(Finding("connection", "fail", f"{where} refuses the connection", next_)) from None
    except OSError as error:
        next_ = "Usually a firewall, or a router that does not forward this port: open it there"
        raise Broken(Finding("connection", "fail", f"{where} does not answer ({_describe(error)})", next_)) from None
    return Finding("connection", "ok", f"{where} answers in {since(began):.0f} ms")


def certificate(target: Target) -> Finding:
    """Check the TLS handshake and the certificate's expiry. Raises Broken."""
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection((target.host, target.port), PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname=target.host) as secure,
        ):
            shown, version = secure.getpeercert() or {}, secure.version()
    except ssl.SSLCertVerificationError as error:
        next_ = "Install a certificate for this name, with its whole chain; private authority: SSL_CERT_FILE=ca.pem"
        raise Broken(Finding("tls", "fail", f"the certificate is not valid: {error.verify_message}", next_)) from None
    except (ssl.SSLError, OSError) as error:
        next_ = "If the server does not use TLS, use ws:// instead of wss://"
        raise Broken(Finding("tls", "fail", f"the TLS handshake fails ({_describe(error)})", next_)) from None
    return expiry(ssl.cert_time_to_seconds(str(shown["notAfter"])), time.time(), str(version))


def expiry(end: float, now: float, version: str) -> Finding:
    """Report a certificate that expires at ``end``; both are seconds since 1970."""
    days = int((end - now) // _DAY)
    until = f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d} ({counted(days, 'day')})"
    says = f"{version}, the certificate is valid until {until}"
    if days < SOON:
        return Finding("tls", "warn", says, "Renew it now, and check why it was not renewed automatically")
    return Finding("tls", "ok", says)


def get(target: Target, path: str, headers: dict[str, str] | None = None) -> tuple[int, http.client.HTTPMessage, str]:
    """Return status, headers and the first 64 KiB of the body. Raises Broken."""
    full = (target.parts.path.rstrip("/") + path if path else target.parts.path) or "/"
    try:
        with closing(target.connection()) as talk:
            talk.request("GET", full, headers=headers or {})
            answer = talk.getresponse()
            body = b"" if answer.status == 101 else answer.read(65_536)
            return answer.status, answer.msg, body.decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        next_ = "If the server uses TLS, use wss:// instead of ws://"
        raise Broken(Finding("http", "fail", f"no response to {full} ({_describe(error)})", next_)) from None


def since(began: float) -> float:
    """Return the milliseconds since ``began``."""
    return (time.monotonic() - began) * 1000


def _describe(error: BaseException) -> str:
    return str(error) or type(error).__name__
