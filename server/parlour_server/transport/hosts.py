"""Host names: whether a request from this machine names a host that is this server.

A web page whose name is rebound to loopback reaches a server on the visitor's machine, and is of the server's own
origin for the browser. Its requests can be told by their ``Host``. Addresses, local names and names without a dot are
always the server's, because no one can register them.
"""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

_LOCAL = (".localhost", ".local", ".internal", ".home.arpa")
"""Domains that are not in the public DNS."""


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether ``host``, the value of a ``Host`` field, is this server; ``names``: what it is called, in lower case."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        if name in names or "." not in name or name.endswith(_LOCAL):
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
