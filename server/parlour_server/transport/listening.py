"""Addresses: where a server listens, who a client is, which page it runs in, and whether a request names this server.



A web page whose name is rebound to loopback reaches a server on the visitor's machine, and is of the server's own
origin for the browser. Its requests can be told by their ``Host``. Addresses, local names and names without a dot are
always the server's, because no one can register them.
"""

import errno
import ipaddress
import os
import socket
import ssl
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from parlour_server.settings import EVERYWHERE, LOOPBACK, UNIX, BadSettings, ServerSettings

_LOCAL = (".localhost", ".local", ".internal", ".home.arpa")
"""Domains that are not in the public DNS."""
_PAGES = {"http": ("http", 80), "ws": ("http", 80), "https": ("https", 443), "wss": ("https", 443)}
"""By the scheme of a URL that of a page there, and its default port."""


class Origin(NamedTuple):
    """Where a page comes from. The name is in lower case; a default port is the same as none."""

    scheme: str
    name: str
    port: int

    @classmethod
    def of(cls, url: str) -> "Origin | None":
        """Return the origin of pages at an http, https, ws or wss URL; None for anything else, such as ``null``."""
        try:
            parts = urlsplit(url)
            scheme, default = _PAGES[parts.scheme]
            return cls(scheme, parts.hostname, parts.port or default) if parts.hostname else None
        except (KeyError, ValueError):
            return None

    def is_at(self, host: str) -> bool:
        """Whether ``host``, the value of a ``Host`` field, names this site. Proxies may leave out its port."""
        try:
            parts = urlsplit(f"//{host}")
            return parts.hostname == self.name and parts.port in (None, self.port)
        except ValueError:
            return False


def address_in(text: str) -> str | None:
    """Return the address in an entry of ``X-Forwarded-For``, which may have a port; None: it holds none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return str((found.version == 6 and found.ipv4_mapped) or found)


@lru_cache(maxsize=1024)
def subscriber(address: str) -> str:
    """Return the first of the addresses that one client may have: one of IPv4, or a network of 64 bits of IPv6."""
    found = ipaddress.ip_address(address)
    if found.version == 4 or found.is_loopback:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether ``host``, the value of a ``Host`` field, is this server; ``names``: what it is called, in lower case."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        if name in names or name.endswith(_LOCAL) or (name and "." not in name):
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


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
def tcp_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket that listens at the first address of a host. Raises OSError."""
    host = plain(host)
    if host in _EVERYWHERE:
        found = _everywhere(port)
    else:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server((host, port), family=family)
    with closing(found):
        yield found


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


def tls(settings: ServerSettings) -> ssl.SSLContext | None:
    """Return the TLS context, if a certificate was given. Raises BadSettings."""
    if settings.tls_cert is None and settings.tls_key is None:
        return None
    if settings.tls_cert is None or settings.tls_key is None:
        raise BadSettings("--tls-cert and --tls-key go together")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # Debian's Python leaves it to the system
    renew(context, settings)
    return context


def renew(context: ssl.SSLContext, settings: ServerSettings) -> None:
    """Let a context use the certificate that is in the files now. Raises BadSettings, and then changes nothing."""
    try:
        for each in (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), context):  # a key of another certificate harms the first
            each.load_cert_chain(str(settings.tls_cert), settings.tls_key)
    except OSError as error:
        raise BadSettings(f"the TLS certificate cannot be used: {error}") from None
