"""The address by which other machines in the local network reach a server on this one."""

import asyncio
import contextlib
import socket
from urllib.parse import urlsplit

from parlour_client.core.url import is_loopback

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
