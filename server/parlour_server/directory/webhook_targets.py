"""Targets: the URLs of webhooks, and the addresses that a server may call for its players.

A server that calls any URL lets strangers reach what only it can reach: services on its own machine, in its network, of
its cloud. So it calls public addresses alone, and hosts that its operator has named. The rules here resolve no names:
``node/webhook_calls.py`` does, and asks ``CallRules.admits`` about each address before it connects to that address.
"""

import ipaddress
import re
from urllib.parse import urlsplit

import attrs

from parlour_server.settings import BadSettings, ServerSettings

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_.])?")
_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_UNPRIVILEGED = 1024


class BadTarget(ValueError):
    """A URL or host is not one to call. The text says what is wrong and what is allowed; it never holds the URL."""


@attrs.frozen
class Target:
    """Where a webhook is. ``path`` includes the query; both may hold secrets."""

    secure: bool
    host: str
    port: int
    path: str = attrs.field(repr=False)

    @property
    def host_header(self) -> str:
        """The value of the header ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS["https" if self.secure else "http"] else f"{host}:{self.port}"


def target(url: str) -> Target:
    """Return the target of a URL. Raises BadTarget."""
    if not url.isascii() or not url.isprintable() or set(url) & set(' \\"<>'):
        raise BadTarget("the URL must be ASCII without spaces; write other characters as %XX, and hosts in Punycode")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadTarget("the URL has no valid host and port") from None
    if parts.scheme not in _PORTS:
        raise BadTarget("the URL must begin with https:// or http://")
    if "@" in parts.netloc:
        raise BadTarget("the URL must not hold a user or password")
    if _literal(host) is None and not _NAME.fullmatch(host):
        raise BadTarget("the URL has no valid host")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, _PORTS[parts.scheme] if port is None else port, path)


@attrs.frozen
class CallRules:
    """The targets that a server may call: public ones, and ``named`` hosts with their ports, wherever they are."""

    named: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def of(cls, settings: ServerSettings) -> "CallRules | None":
        """Return which webhooks may be called; None: none. Raises BadSettings."""
        if not settings.webhooks:
            if settings.webhook_host:
                raise BadSettings("--webhook-host allows more hosts to webhooks, which are off; add --webhooks")
            return None
        try:
            return cls(frozenset().union(*map(named_host, settings.webhook_host)))
        except BadTarget as error:
            raise BadSettings(f"--webhook-host: {error}") from None

    def check(self, where: Target) -> None:
        """Refuse what is no target by its host or port alone. Raises BadTarget."""
        if self._is_named(where):
            return
        if where.port < _UNPRIVILEGED and where.port not in _PORTS.values():
            raise BadTarget("the port must be 80, 443, or 1024 and more")
        if _literal(where.host) is not None and not is_public(where.host):
            raise BadTarget("the host must be public; the operator of this server can allow others: --webhook-host")

    def admits(self, where: Target, address: str) -> bool:
        """Return whether the server may connect to ``address``, to which the host of ``where`` resolves."""
        return self._is_named(where) or is_public(address)

    def _is_named(self, where: Target) -> bool:
        return (where.host, where.port) in self.named


def named_host(text: str) -> set[tuple[str, int]]:
    """Return the host and the ports of ``HOST`` or ``HOST:PORT``. Raises BadTarget."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if set(text) & set("/?#@ ") or (_literal(host) is None and not _NAME.fullmatch(host)):
        raise BadTarget(f"{text!a} is not a host like ntfy.lan or 10.0.0.5:8080")
    return {(host, port)} if port is not None else {(host, each) for each in _PORTS.values()}


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public Internet: not private, local, multicast or reserved.

    An IPv6 address that stands for an IPv4 address is as public as that one.
    """
    found = _literal(address)
    if isinstance(found, ipaddress.IPv6Address):
        if found.teredo is not None:
            return False
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found.is_site_local or not found.is_global or int(found) >> 125 != 1:  # 2000::/3 is all that is given out
            return False
    return (
        found is not None
        and found.is_global
        and not (found.is_multicast or found.is_private or found.is_reserved or found.is_unspecified)
    )


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that ``host`` is; None: it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
