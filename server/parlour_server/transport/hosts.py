"""Addresses and names in requests: who a client is, which page it runs in, and whether it names this server.

A web page whose name is rebound to loopback reaches a server on the visitor's machine, and is of the server's own
origin for the browser. Its requests can be told by their ``Host``. Addresses, local names and names without a dot are
always the server's, because no one can register them.
"""

import ipaddress
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

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
