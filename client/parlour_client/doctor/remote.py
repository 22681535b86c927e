"""Checks of a remote server, layer by layer: DNS, TCP, TLS, HTTP, WebSocket upgrade, hello.

The first layer that fails ends the checks, because those above depend on it.
"""

import asyncio
import os
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPMessage
from statistics import median

from parlour_client.core.connection import MOST_REDIRECTS, Connection, secured, wants_tls
from parlour_client.core.errors import Fault, Interrupted, Usage
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import is_loopback, redirected
from parlour_client.doctor.findings import Finding
from parlour_client.doctor.network import PATIENCE, Broken, Target, address, certificate, connect, get, since
from parlour_protocol.installation import document_url
from parlour_protocol.messages import Ping, Welcome
from parlour_protocol.version import JSON, MSGPACK

SKEW = 60.0
"""Seconds by which two clocks may differ."""
SLOW = 300.0
"""Milliseconds of round trip that players notice."""
_PINGS = 5
_NO_SERVER_BEHIND = (502, 503, 504)


def outside(text: str) -> Iterator[Finding]:
    """Yield the findings about the server at the address ``text``."""
    try:
        target = Target.of(text)
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
    except Broken as broken:
        yield broken.finding


def transport(target: Target) -> Iterator[Finding]:
    """Check the layers below HTTP. Raises Broken."""
    yield address(target)
    yield connect(target)
    if target.secure:
        yield certificate(target)


def redirect(target: Target) -> Target | None:
    """Return where the server redirects clients, if they follow it. Raises Broken."""
    status, headers, _ = _request_upgrade(target)
    url = redirected(target.url, status, headers["Location"])
    return Target.of(url) if url else None


def health(target: Target) -> Iterator[Finding]:
    """Check /healthz and the clocks. Raises Broken."""
    status, headers, body = get(target, "/healthz")
    if status in _NO_SERVER_BEHIND:
        next_ = "Check that parlour serve runs, and the address in the proxy's settings"
        raise Broken(
            Finding("health", "fail", f"the proxy answers, but the server behind it does not (HTTP {status})", next_)
        )
    if status == 400 and wants_tls(body):
        says = "the port speaks TLS, and this address does not ask for it"
        raise Broken(Finding("health", "fail", says, f"Use {secured(target.url)}"))
    if status == 200 and body.strip() == "ok":
        yield Finding("health", "ok", "/healthz says ok")
    elif status == 200 and body.startswith("ok\n"):
        says = ", ".join(body.split("\n")[1:-1])
        yield Finding("health", "warn", f"the server runs, but not all of it: {says}", "Its log says why they ended")
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


def upgrade(target: Target) -> Finding:
    """Check the WebSocket upgrade as a client requests it. Raises Broken with the reason."""
    status, answer, body = _request_upgrade(target)
    spoken = answer["Sec-WebSocket-Protocol"]
    if status == 101 and spoken in (MSGPACK, JSON):
        return Finding("upgrade", "ok", f"WebSocket, {spoken}")
    raise Broken(Finding("upgrade", "fail", *_no_upgrade(status, spoken, body)))


def page(target: Target) -> Finding:
    """Check the upgrade as a browser requests it for the page at this address."""
    origin = f"{'https' if target.secure else 'http'}://{target.parts.netloc}"
    status, _, _ = _request_upgrade(target, Origin=origin)
    if status == 101:
        return Finding("page", "ok", f"pages from {origin} may connect")
    next_ = f"Start the server with --public-url {target.url}, or make the proxy pass on the header Host. {_see()}"
    return Finding("page", "fail", f"pages from {origin} are refused (HTTP {status})", next_)


def _request_upgrade(target: Target, **more: str) -> tuple[int, HTTPMessage, str]:
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


async def hello(target: Target) -> list[Finding]:
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
    """Return the server's name and version."""
    async for message in connection:
        if isinstance(message, Welcome):
            return message.server
    raise Interrupted("the server closed the connection after hello")


async def _ping(connection: Connection) -> float:
    began = time.monotonic()
    await ask(connection, Ping())
    return since(began)


def metrics(target: Target) -> Finding:
    """Check that /metrics is not public. Raises Broken."""
    status, _, body = get(target, "/metrics")
    if status == 200 and "parlour_" in body:
        next_ = "Make the proxy refuse /metrics, or at least send X-Forwarded-For. " + _see()
        return Finding("metrics", "warn", "/metrics is public", next_)
    return Finding("metrics", "ok", f"not public (HTTP {status})")


def _see() -> str:
    return f"Example settings for HAProxy, nginx and Caddy: {document_url('deploy')}"
