"""Serve the terminal's screens by ssh: in a child process, whose visitors connect at a Unix socket like any client."""

import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from parlour_protocol.installation import extra_hint
from parlour_server.children import keep_child
from parlour_server.metrics import Metrics
from parlour_server.settings import UNIX, BadSettings, ServerSettings
from parlour_server.transport.gateway import Gateway
from parlour_server.transport.listening import addresses, in_url, is_loopback, tcp_socket

BANNER = b"SSH-2.0-parlour"
"""The identification string of the ssh server: RFC 4253, section 4.2."""
_USUAL = 22
"""The default port of ssh."""


def check(settings: ServerSettings) -> None:
    """Raise BadSettings if this machine cannot serve by ssh, although it should."""
    if settings.ssh_place() is None:
        return
    if not hasattr(os, "fork"):
        raise BadSettings("--ssh needs Linux or macOS; on Windows it runs in WSL")
    if find_spec("asyncssh") is None:
        raise BadSettings(f"--ssh: asyncssh is missing. {extra_hint('ssh')}")


async def visitors(
    stack: AsyncExitStack, gateway: Gateway, settings: ServerSettings, key: Path, url: str, metrics: Metrics
) -> tuple[Callable[[], Awaitable[None]], int] | None:
    """Listen, in ``stack``, for visitors by ssh; return what serves them, and the port. None if that is off.

    ``key``: the file of the host key, which is made at the first start. ``url``: what visitors call the server.
    Raises BadSettings.
    """
    place = settings.ssh_place()
    if place is None:
        return None
    host, port = place
    try:
        listener = stack.enter_context(tcp_socket(host, port))
    except OSError as error:
        where = f"{in_url(host)}:{port}"
        raise BadSettings(f"--ssh: cannot listen on {where}: {error.strerror or error}. Try --ssh 0") from error
    folder = stack.enter_context(TemporaryDirectory(prefix="parlour-"))  # no other user can enter it
    route = Path(folder, "server")
    await stack.enter_async_context(gateway.listen(f"{UNIX}{route}", 0, trusted=True))
    orders = {
        "file": listener.fileno(),
        "key": str(key),
        "route": str(route),
        "url": url,
        "visitors": settings.max_ssh,
        "per_address": settings.per_address,
        "idle": settings.ssh_idle,
    }
    work = partial(keep_child, "ssh", "parlour_client.ssh", lambda: orders, metrics, files=(listener.fileno(),))
    return work, listener.getsockname()[1]


def commands(settings: ServerSettings, port: int, *words: str) -> list[str]:
    """Return what friends type to visit a server, one for each of its addresses; ``words``: what they want there."""
    place = settings.ssh_place()
    bind = place[0] if place else settings.bind
    public = urlsplit(settings.public_url).hostname
    urls = [] if public and not is_loopback(bind) else addresses(bind, port, "ssh")
    hosts = [urlsplit(each).hostname or "" for each in urls] or [public or ""]
    options = [*(["-t"] if words else []), *([] if port == _USUAL else ["-p", str(port)])]
    return [" ".join(["ssh", *options, host, *words]) for host in hosts]
