"""Where a server listens: at an address or name, at all addresses of this machine, or at a Unix socket; and its TLS."""

import errno
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from parlour_server.settings import EVERYWHERE, LOOPBACK, UNIX, BadSettings, Settings

_EVERYWHERE = (EVERYWHERE, "", "::")
_ALL_OF_A_FAMILY = (*_EVERYWHERE, "0.0.0.0")
_ELSEWHERE = ((socket.AF_INET, "10.255.255.255"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of other machines, whatever they are."""


def plain(host: str) -> str:
    """Return ``host`` without the brackets of an IPv6 address."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def is_loopback(host: str) -> bool:
    """Whether a server at ``host`` can be reached from this machine alone."""
    return plain(host) in (LOOPBACK, "::1", "localhost")


def is_everywhere(host: str) -> bool:
    """Whether a server at ``host`` can be reached by the addresses of this machine in its networks."""
    return plain(host) in _ALL_OF_A_FAMILY


@contextmanager
def listening(host: str, port: int) -> Iterator[dict[str, Any]]:
    """Yield the arguments with which asyncio listens there. Raises OSError."""
    host = plain(host)
    if host.startswith(UNIX):
        with _unix(Path(host.removeprefix(UNIX))) as found:
            yield {"sock": found, "unix": True}
    elif host in _EVERYWHERE:
        with closing(_everywhere(port)) as found:
            yield {"sock": found}
    else:
        yield {"host": host, "port": port}


@contextmanager
def _unix(path: Path) -> Iterator[socket.socket]:
    """Yield a Unix socket that every user may connect to, in place of one that a killed server has left."""
    if not hasattr(socket, "AF_UNIX"):
        raise OSError("this system has no Unix sockets")
    with socket.socket(socket.AF_UNIX) as found:
        if path.is_socket():
            with suppress(ConnectionRefusedError), socket.socket(socket.AF_UNIX) as other:
                other.connect(str(path))
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            path.unlink()
        found.bind(str(path))
        try:
            path.chmod(0o666)  # the folder decides who gets there
            yield found
        finally:
            with suppress(OSError):
                path.unlink()


def _everywhere(port: int) -> socket.socket:
    """Return one socket for both families, so that port 0 is the same port in both; of IPv4 where there is no other."""
    if socket.has_dualstack_ipv6():
        with suppress(OSError):
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("", port))


def addresses(host: str, port: int, scheme: str) -> list[str]:
    """Return the URLs at which a server that listens at ``host`` can be reached; none for a Unix socket."""
    if host.startswith(UNIX):
        return []
    hosts = [LOOPBACK, *own_addresses()] if is_everywhere(host) else [host]
    return [f"{scheme}://{'localhost' if each == LOOPBACK else in_url(each)}:{port}" for each in hosts]


def in_url(host: str) -> str:
    """Return ``host`` as URLs write it."""
    return f"[{plain(host)}]" if ":" in host else host


def own_addresses() -> list[str]:
    """Return this machine's address in its network, of IPv4 if it has one. Nothing is sent."""
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 1))
            return [str(probe.getsockname()[0])]
    return []


def tls(settings: Settings) -> ssl.SSLContext | None:
    """Return the TLS context, if a certificate was given. Raises BadSettings."""
    if settings.tls_cert is None and settings.tls_key is None:
        return None
    if settings.tls_cert is None or settings.tls_key is None:
        raise BadSettings("--tls-cert and --tls-key go together")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # Debian's Python leaves it to the system
    renew(context, settings)
    return context


def renew(context: ssl.SSLContext, settings: Settings) -> None:
    """Let a context use the certificate that is in the files now. Raises BadSettings, and then changes nothing."""
    try:
        for each in (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), context):  # a key of another certificate harms the first
            each.load_cert_chain(str(settings.tls_cert), settings.tls_key)
    except OSError as error:
        raise BadSettings(f"the TLS certificate cannot be used: {error}") from None
