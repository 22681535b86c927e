"""Addresses of servers as people write them, links to rooms, codes of rooms, and this machine's own address."""

import asyncio
import contextlib
import ipaddress
import socket
from urllib.parse import urljoin, urlsplit

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_protocol.messages import Join, Role


def entering(code: str, role: Role = "player", style: str | None = None) -> Join:
    """Return the request to enter the room with this code. ``style``: how a bot plays."""
    room, _, seat_code = code.strip().upper().partition("-")
    return Join(room, role, style, seat_code or None)


def whole_code(room: str, seat_code: str | None) -> str:
    """Return a room's code, with the code for its seats if it is known."""
    return f"{room}-{seat_code}" if seat_code else room


DEFAULT_PORT = 7777
DEFAULT_URL = f"ws://localhost:{DEFAULT_PORT}"

_REDIRECTS = (301, 302, 307, 308)
"""Statuses of HTTP that name another URL for the same request."""
_SCHEMES = {"": "ws", "ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


def normalise_url(text: str) -> str:
    """Return the WebSocket URL for ``host``, ``host:port``, or a ws, wss, http or https URL.

    The port defaults to 7777 if there is no scheme. Raises Usage.
    """
    scheme, given, rest = text.strip().rpartition("://")
    with contextlib.suppress(ValueError):
        rest = f"[{ipaddress.IPv6Address(rest)}]"
    try:
        parts = urlsplit(f"{_SCHEMES[scheme.lower()]}://{rest}")
        port = parts.port or (None if given else DEFAULT_PORT)
    except (KeyError, ValueError):
        raise _not_an_address(text) from None
    if not parts.hostname or "@" in parts.netloc or not parts.netloc.isascii() or any(map(str.isspace, rest)):
        raise _not_an_address(text)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = (parts.path if parts.path.strip("/") else "") + (f"?{parts.query}" if parts.query else "")
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"


def room_at(said: str, server: str) -> tuple[str, str]:
    """Return the code and the server of a room. A code refers to ``server``; a link contains both. Raises Usage.

    The server of a link is the folder in which the room's page lies.

    The code for the seats, if it is given, follows that of the room and a ``-``.
    """
    where, _, code = said.strip().rstrip("/").rpartition("/r/")
    if where:
        has_path = "/" in where.rpartition("://")[2]
        return code.replace("#seat=", "-"), f"{where}/" if has_path else where
    if "://" in said:
        raise Usage(say("fault.no_code", said=ascii(said), server=said))
    return said, server


def redirected(url: str, status: int, location: str | None) -> str | None:
    """Return the URL to which a server at ``url`` redirects by HTTP; None for another host, or one without TLS."""
    if location is None or status not in _REDIRECTS:
        return None
    try:
        before, after = urlsplit(url), urlsplit(urljoin(url.replace("ws", "http", 1), location))
        followed = normalise_url(after.geturl())
    except (Usage, ValueError):
        return None
    same = after.hostname == before.hostname and followed != url
    return followed if same and (before.scheme == "ws" or after.scheme == "https") else None


def is_loopback(url: str) -> bool:
    """Return whether ``url`` is a loopback address."""
    host = urlsplit(url).hostname or ""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _not_an_address(text: str) -> Usage:
    return Usage(say("fault.address", said=ascii(text), url=DEFAULT_URL))


_ELSEWHERE = ((socket.AF_INET, "10.255.255.255"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of other machines, whatever they are."""
_REACHED_WITHIN = 1.0
"""Seconds."""


def own_address() -> str | None:
    """Return this machine's address in the local network, of IPv4 if it has one; None: it has none. Nothing is sent."""
    for family, elsewhere in _ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 1))
            return str(probe.getsockname()[0])
    return None


def page_of(url: str, code: str) -> str:
    """Return the link to a room on the page of the server at ``url``."""
    return f"{url.replace('ws', 'http', 1).rstrip('/')}/r/{code}"


def replay_of(url: str, digest: str) -> str:
    """Return the link to the replay of a match on the page of the server at ``url``."""
    return f"{url.replace('ws', 'http', 1).rstrip('/')}/#replay={digest}"


def ssh_to(url: str, port: int, code: str) -> str:
    """Return the command that visits a room by ssh, at ``port`` of the host of ``url``."""
    return f"ssh -t -p {port} {urlsplit(url).hostname} {code}"


async def shared_url(url: str) -> str:
    """Return the URL by which others in the network reach the server at ``url``.

    It differs from ``url`` only if ``url`` is a loopback address and the server also listens on the network.
    """
    own, parts = own_address(), urlsplit(url)
    if own is None or parts.scheme != "ws" or not is_loopback(url):
        return url
    try:
        async with asyncio.timeout(_REACHED_WITHIN):
            _, writer = await asyncio.open_connection(own, parts.port or 80)
    except OSError:
        return url
    writer.close()
    return parts._replace(netloc=f"{f'[{own}]' if ':' in own else own}:{parts.port or 80}").geturl()
