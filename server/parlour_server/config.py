"""The settings of a server: flag > environment (``PARLOUR_…``) > TOML file > default."""

import ipaddress
import json
import re
import secrets
import socket
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
from platformdirs import user_data_path

from parlour_games.game import BadOptions
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_protocol.wire import strict
from parlour_server.contests.matchmaker import Ladder
from parlour_server.engine.retention import KEEP_DAYS
from parlour_server.house_bots import PACE
from parlour_server.persistence import Member
from parlour_server.store.urls import POSTGRES
from parlour_server.system.open_files import connections
from parlour_server.transport.gateway import MAX_CONNECTIONS, MAX_PER_ADDRESS, AccessRules, Network
from parlour_server.transport.listening import LOOPBACK, UNIX, plain
from parlour_server.webhooks.targets import BadTarget, CallRules, named_host

PORT = 7777
LEASE = 2.0
"""Seconds after which other nodes consider a silent node dead."""
LEASES = 0.5, 60.0
MOST_PACE = 60.0
"""Seconds for a card or click of a house bot."""
NEW_NAMES = 300
"""New names that one address may take in an hour: five for each of a class of sixty."""
UNPLAYED_HOURS = 24
"""Hours for which a key that never finished a match is kept after its last visit."""
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,62}")


class BadConfig(ValueError):
    """The settings are invalid. The text says what is wrong and what is allowed."""


@attrs.frozen
class Config:
    """One server's settings."""

    host: str = LOOPBACK
    port: int = PORT
    store: str = ""
    house_bots: bool = True
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    tls_cert: Path | None = None
    tls_key: Path | None = None
    log_level: str = "info"
    per_address: int = MAX_PER_ADDRESS
    new_names: int = NEW_NAMES
    rate_same_address: bool = False
    unplayed_hours: int = UNPLAYED_HOURS
    require_key: bool = False
    keep_days: int = KEEP_DAYS
    web: bool = True
    node: str = ""
    public_url: str = ""
    peer_url: str = ""
    lease: float = LEASE
    pace: float = PACE
    ladders: tuple[str, ...] = ()
    webhooks: bool = False
    webhook_hosts: tuple[str, ...] = ()

    def all_ladders(self) -> list[Ladder]:
        """Return what bots play all the time. Raises BadConfig."""
        return [_ladder(text) for text in self.ladders]

    def call_rules(self) -> CallRules | None:
        """Return which webhooks may be called; None: none. Raises BadConfig."""
        if not self.webhooks:
            if self.webhook_hosts:
                raise BadConfig("--webhook-host allows more hosts to webhooks, which are off; add --webhooks")
            return None
        try:
            return CallRules(frozenset().union(*map(named_host, self.webhook_hosts)))
        except BadTarget as error:
            raise BadConfig(f"--webhook-host: {error}") from None

    def access_rules(self, admin: str) -> AccessRules:
        """Return who may connect. Raises BadConfig."""
        try:
            networks: tuple[Network, ...] = tuple(ipaddress.ip_network(text) for text in self.trusted_proxies)
        except ValueError as error:
            raise BadConfig(f"--trusted-proxy: {error}; give an address or a network like 10.0.0.0/8") from None
        for origin in self.origins:
            scheme, host, *rest = urlsplit(origin)
            if origin != "*" and (not scheme or not host or any(rest)):
                raise BadConfig(f"--origin: {origin!a} is not an origin like https://example.org, nor *")
        limit = connections(MAX_CONNECTIONS)
        return AccessRules(
            self.origins, self.public_url, self._hosts(), networks, admin, limit=limit, per_address=self.per_address
        )

    def _hosts(self) -> frozenset[str]:
        """Return the names under which the server knows itself, in lower case."""
        urls = (self.public_url, self.peer_url, *self.origins)
        names = (plain(self.host), socket.gethostname(), *(urlsplit(url).hostname for url in urls))
        return frozenset(name.lower() for name in names if name)

    def tls(self) -> ssl.SSLContext | None:
        """Return the TLS context, if a certificate was given. Raises BadConfig."""
        if self.tls_cert is None and self.tls_key is None:
            return None
        if self.tls_cert is None or self.tls_key is None:
            raise BadConfig("--tls-cert and --tls-key go together")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2  # Debian's Python leaves it to the system
        self.renew(context)
        return context

    def renew(self, context: ssl.SSLContext) -> None:
        """Let a context use the certificate that is in the files now. Raises BadConfig, and then changes nothing."""
        try:
            for each in (
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
                context,
            ):  # a key of another certificate harms the first
                each.load_cert_chain(str(self.tls_cert), self.tls_key)
        except OSError as error:
            raise BadConfig(f"the TLS certificate cannot be used: {error}") from None

    def store_url(self) -> str:
        """Return the store's URL: the platform's data folder unless told."""
        return self.store or f"sqlite:///{data_folder() / 'parlour.db'}"

    def member(self) -> Member:
        """Return how this server takes part in a store that several share. Raises BadConfig."""
        name = self.node or socket.gethostname()
        if not _NODE.fullmatch(name):
            raise BadConfig(f"--node: {name!a} is not a name; up to 63 letters, digits, dots and hyphens")
        if self.host.startswith(UNIX) and not self.public_url:
            raise BadConfig(f"--host {self.host}: players cannot connect to it; name the proxy with --public-url")
        for flag, url in (("--public-url", self.public_url), ("--peer-url", self.peer_url)):
            if url and urlsplit(url).scheme not in ("ws", "wss"):
                raise BadConfig(f"{flag}: {url!a} is not an address like wss://play.example.org")
        return Member(
            name, self.public_url, self.peer_url, round(self.lease * 1000), self.unplayed_hours * 3_600 or None
        )


def data_folder() -> Path:
    """Return the folder of the server's data."""
    return user_data_path("parlour", appauthor=False)


def admin_file(store_url: str) -> Path:
    """Return the file of the admin token: beside a SQLite store, else in the data folder."""
    shared = store_url.startswith(POSTGRES)  # each node has a token of its own
    store = data_folder() / "parlour" if shared else Path(store_url.removeprefix("sqlite:///")).expanduser()
    return store.with_suffix(".admin")


def admin_token(store_url: str) -> str:
    """Return the admin token, which is created at the first start, mode 0600. Raises BadConfig."""
    path = admin_file(store_url)
    try:
        token = path.read_text(encoding="utf-8").strip() if path.exists() else ""
        if not token:
            token = secrets.token_hex(24)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)
            path.write_text(token + "\n", encoding="utf-8", newline="\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path}, the admin token, cannot be used: {error}") from error
    return token


def without_password(url: str) -> str:
    """Return a store's URL without its password."""
    parts = urlsplit(url)
    if not url.startswith(POSTGRES) or "@" not in parts.netloc:
        return url if not parts.query else url.partition("?")[0]
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.partition(':')[0]}@{host}", query="").geturl()


def _ladder(text: str) -> Ladder:
    """Return the ladder of ``GAME`` or ``GAME:NAME=VALUE,…``. Raises BadConfig."""
    name, _, given = text.partition(":")
    game = games().get(name)
    if game is None:
        raise BadConfig(f"--ladder: there is no game {name!a}; there is {', '.join(sorted(games()))}")
    options: dict[str, Any] = {}
    for part in filter(None, given.split(",")):
        option, _, value = part.partition("=")
        try:
            options[option] = json.loads(value)
        except ValueError:
            options[option] = value
    try:
        least, most = game.seats(strict(game.Options)(options))
    except (BadOptions, BadMessage) as error:
        raise BadConfig(f"--ladder {text}: {error}") from None
    if not least <= 2 <= most:
        raise BadConfig(f"--ladder {text}: {name} with these options is not for two; try minesweeper:mode=duel")
    return Ladder(name, options)
