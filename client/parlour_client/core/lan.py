"""The address by which other machines in the local network reach a server on this one."""

import asyncio
import contextlib
import socket
from urllib.parse import urlsplit

from parlour_client.core.url import is_loopback

_REACHED_WITHIN = 1.0
"""Seconds."""


def own_address() -> str | None:
    """Return this machine's address in the local network, None if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("10.255.255.255", 1))
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
    return parts._replace(netloc=f"{own}:{parts.port or 80}").geturl()
