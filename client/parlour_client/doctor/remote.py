"""Checks of a server from outside, one floor after the other: name, connection, TLS, HTTP, upgrade, hello.

The first floor that does not bear ends the visit: what stands on it could not be judged.
"""

import asyncio
import os
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from statistics import median

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault, Interrupted, Usage
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import is_loopback
from parlour_client.doctor.findings import Finding
from parlour_client.doctor.network import PATIENCE, Broken, Target, address, certificate, connect, get, since
from parlour_protocol.messages import Ping, Pong, Welcome
from parlour_protocol.version import JSON, MSGPACK

SKEW = 60.0
"""Seconds by which two clocks may differ."""
SLOW = 300.0
"""Milliseconds for a message there and back that players begin to feel."""
_PINGS = 5
_NO_SERVER_BEHIND = (502, 503, 504)
_SEE = "See deploy/ for the settings of HAProxy, nginx and Caddy"


def outside(text: str) -> Iterator[Finding]:
    """Yield how the server at the address ``text`` is seen from here."""
    try:
        target = Target.of(text)
        yield address(target)
        yield connect(target)
        if target.secure:
            yield certificate(target)
        yield from health(target)
        yield upgrade(target)
        yield from asyncio.run(hello(target))
        if not is_loopback(target.url):
            yield metrics(target)
    except Usage as fault:
        yield Finding("address", "fail", str(fault), "Give the address that players use")
    except Broken as broken:
        yield broken.finding


def health(target: Target) -> Iterator[Finding]:
    """Ask for /healthz, and compare the clocks. Raises Broken."""
    status, headers, body = get(target, "/healthz")
    if status in _NO_SERVER_BEHIND:
        next_ = "Is parlour serve running? Does the proxy know its right address?"
        raise Broken(Finding("health", "fail", f"a proxy is there, but no server behind it (HTTP {status})", next_))
    if status == 200 and body.strip() == "ok":
        yield Finding("health", "ok", "/healthz says ok")
    else:
        yield Finding("health", "warn", f"/healthz says HTTP {status}, not ok", f"Is this a parlour server? {_SEE}")
    if headers["Date"]:
        yield skew(headers["Date"], datetime.now(UTC))


def skew(date: str, now: datetime) -> Finding:
    """Compare the Date that a server gave with our clock."""
    try:
        seconds = (parsedate_to_datetime(date) - now).total_seconds()
    except (TypeError, ValueError):
        return Finding("clocks", "warn", f"the server's Date is none: {date[:40]!a}", "What answers there?")
    if abs(seconds) > SKEW:
        late = "behind" if seconds > 0 else "ahead of"
        says = f"this machine's is {abs(seconds):.0f} s {late} the server's"
        return Finding("clocks", "warn", says, "Let both be set by NTP: certificates depend on it, games do not")
    return Finding("clocks", "ok", "this machine's and the server's agree")


def upgrade(target: Target) -> Finding:
    """Ask for WebSocket as a client does, and tell why it is not given. Raises Broken."""
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Protocol": f"{MSGPACK}, {JSON}",
    }
    status, answer, body = get(target, "", headers)
    spoken = answer["Sec-WebSocket-Protocol"]
    if status == 101 and spoken in (MSGPACK, JSON):
        return Finding("upgrade", "ok", f"WebSocket, {spoken}")
    raise Broken(Finding("upgrade", "fail", *_no_upgrade(status, spoken, body)))


def _no_upgrade(status: int, spoken: str | None, body: str) -> tuple[str, str]:
    """Return why there is no WebSocket, and what to do."""
    if status == 101:
        return f"WebSocket, but it speaks {spoken}, not {MSGPACK}", "Something else than parlour answers there"
    if status in (200, 426):
        return (
            "the wish for WebSocket does not reach the server",
            f"Let the proxy pass Upgrade and Connection on. {_SEE}",
        )
    if status == 400:
        return f"the server speaks another version: {body.strip()[:200]}", "Update parlour on either side"
    if status in (301, 302, 307, 308):
        return f"it leads elsewhere (HTTP {status})", "Use the address it leads to, mostly wss:// instead of ws://"
    if status == 503 and "connections" in body:
        return "the server has too many connections from your address", "Wait; the host can raise --per-address"
    if status in _NO_SERVER_BEHIND:
        return f"a proxy is there, but no server behind it (HTTP {status})", "Start parlour serve behind it"
    return f"refused by HTTP {status}", f"Is the path right? {_SEE}"


async def hello(target: Target) -> list[Finding]:
    """Say hello as a client does, and measure how long a message takes there and back."""
    try:
        async with asyncio.timeout(PATIENCE * 2), visiting(target.url) as connection:
            server = await _welcomed(connection)
            times = [await _ping(connection) for _ in range(_PINGS)]
    except (Fault, TimeoutError) as fault:
        return [Finding("hello", "fail", str(fault) or "no answer in time", "The host's log may tell more")]
    return [Finding("hello", "ok", f"{server} welcomes you"), latency(times)]


def latency(times: list[float]) -> Finding:
    """Judge how many ms messages took there and back."""
    says = f"{median(times):.1f} ms there and back, {max(times):.1f} at worst"
    if median(times) > SLOW:
        return Finding(
            "latency", "warn", says, "Choose a server nearer to you, or a cable instead of a wireless network"
        )
    return Finding("latency", "ok", says)


async def _welcomed(connection: Connection) -> str:
    """Return what the server calls itself."""
    async for message in connection:
        if isinstance(message, Welcome):
            return message.server
    raise Interrupted("it hung up after the greeting")


async def _ping(connection: Connection) -> float:
    began = time.monotonic()
    await ask(connection, Ping(), Pong)
    return since(began)


def metrics(target: Target) -> Finding:
    """Look whether strangers get what only the operator should. Raises Broken."""
    status, _, body = get(target, "/metrics")
    if status == 200 and "parlour_" in body:
        next_ = "Let the proxy refuse /metrics, or at least name the client in X-Forwarded-For. " + _SEE
        return Finding("metrics", "warn", "anybody can read /metrics", next_)
    return Finding("metrics", "ok", f"closed to strangers (HTTP {status})")
