"""The settings of a server: flag > environment (``PARLOUR_…``) > TOML file > default.

A field of ``ServerSettings`` is a flag of ``parlour serve``, a variable, a key of the file, and a row of the table in
``deploy/README.md``. The services of a server get all settings, and each reads its own.
"""

import platform
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import attrs
from cyclopts import Group, Parameter
from cyclopts.config import Env, Toml
from cyclopts.validators import Number
from platformdirs import user_config_path, user_data_path

from parlour_server.persistence import Member

LOOPBACK = "127.0.0.1"
EVERYWHERE = "*"
"""All addresses of this machine, of IPv4 and IPv6."""
UNIX = "unix:"
"""What precedes the path of a Unix socket."""
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,62}")

FILE = user_config_path("parlour", appauthor=False) / "parlour.toml"
SERVE = (Env("PARLOUR_", command=False), Toml(FILE, root_keys=["serve"], must_exist=False))
"""Where ``parlour serve`` takes options from that are not given. It refuses keys that it does not know."""
STORE = (Toml(FILE, root_keys=["serve"], must_exist=False, allow_unknown=True, use_commands_as_keys=False),)
"""The same for the verbs that share a few settings, such as the store."""
Store = Annotated[
    str, Parameter(env_var="PARLOUR_STORE", help="The store: sqlite:///FILE. Default: that of parlour serve.")
]
"""The option of these verbs."""


class BadSettings(ValueError):
    """The settings are invalid. The text says what is wrong and what is allowed."""


_NETWORK, _DATA, _ACCESS, _BOTS, _WEBHOOKS, _NODES, _LOG = (
    Group.create_ordered(name)
    for name in ("Network", "Data", "Access", "House bots", "Webhooks", "Several nodes", "Log")
)


def _in(group: Group, text: str, least: float | None = None, most: float | None = None) -> Parameter:
    """Return how a setting is documented, and its range, both ends included."""
    return Parameter(group=group, help=text, validator=() if least is None else Number(gte=least, lte=most))


def _switch(group: Group, text: str, **more: Any) -> Parameter:
    """Return how a setting that is off by default is documented."""
    return Parameter(group=group, help=text, negative="", **more)


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class ServerSettings:
    """One server's settings."""

    host: Annotated[
        str, _in(_NETWORK, "Address or name to listen on; * for all, of IPv4 and IPv6; unix:/PATH for a Unix socket.")
    ] = LOOPBACK
    port: Annotated[int, _in(_NETWORK, "Port to listen on; 0 picks a free one.", 0, 65_535)] = 7777
    lan: Annotated[bool, _switch(_NETWORK, "Listen on all addresses, for the local network.")] = False
    tls_cert: Annotated[Path | None, _in(_NETWORK, "Certificate chain (PEM), for wss://.")] = None
    tls_key: Annotated[Path | None, _in(_NETWORK, "Private key (PEM) of the certificate.")] = None
    origin: Annotated[
        tuple[str, ...], _in(_NETWORK, "Origin of web pages that may connect, besides the server's own.")
    ] = ()
    trusted_proxy: Annotated[
        tuple[str, ...], _in(_NETWORK, "Address or network of a reverse proxy whose X-Forwarded-For is trusted.")
    ] = ()
    web: Annotated[bool, _in(_NETWORK, "Serve the web client.")] = True
    ssh: Annotated[
        str,
        _in(
            _NETWORK,
            "Serve the terminal's screens by ssh: PORT, or ADDRESS:PORT to listen elsewhere than --host, such as"
            " *:2222.",
        ),
    ] = ""
    max_ssh: Annotated[
        int, _in(_NETWORK, "Visitors by ssh at a time. Each takes about 17 MB of memory.", 1, 10_000)
    ] = 50
    ssh_idle: Annotated[
        int, _in(_NETWORK, "Seconds without a key press after which a visitor by ssh is sent away.", 1, 86_400)
    ] = 3_600

    store: Annotated[
        str,
        _in(
            _DATA,
            "Where to store everything: sqlite:///FILE, or postgresql://USER@HOST/DATABASE, which several nodes"
            " can share. Default: a file in the platform's data folder.",
        ),
    ] = ""
    keep_days: Annotated[
        int,
        _in(_DATA, "Days to keep the records of finished matches; 0 keeps them forever. Results are always kept.", 0),
    ] = 90
    unplayed_hours: Annotated[
        int, _in(_DATA, "Hours to keep a name with a key that has never finished a match; 0 keeps it forever.", 0)
    ] = 24

    require_key: Annotated[bool, _switch(_ACCESS, "Accept only names reserved by a key; see: parlour identity")] = False
    per_address: Annotated[
        int, _in(_ACCESS, "Connections, and open rooms, allowed for each address. Raise it for a school.", 1)
    ] = 128
    new_names: Annotated[
        int,
        _in(
            _ACCESS,
            "New names that one address may take in an hour, loopback aside; 0 allows any number."
            " Raise it for a school.",
            0,
        ),
    ] = 300  # five for each of a class of sixty
    rate_same_address: Annotated[
        bool, _switch(_ACCESS, "Rate matches between players from one address, too: for a school or a family.")
    ] = False

    house_bots: Annotated[bool, _in(_BOTS, "Offer house bots: to invite, and to stand in for absent players.")] = True
    pace: Annotated[
        float, _in(_BOTS, "Seconds a house bot takes per card or click at a table with people; 0: no pauses.", 0, 60)
    ] = 0.8
    ladder: Annotated[
        tuple[str, ...],
        _in(_BOTS, "GAME, or GAME:NAME=VALUE,…: let available bots play it all the time, for the ladder."),
    ] = ()

    webhooks: Annotated[
        bool,
        _switch(
            _WEBHOOKS,
            "Call the webhooks of players who are away when it is their turn. The server then connects to public"
            " addresses that players name.",
        ),
    ] = False
    webhook_host: Annotated[
        tuple[str, ...],
        _in(
            _WEBHOOKS,
            "HOST or HOST:PORT that webhooks may call although it is not public, such as ntfy in your network."
            " All players with a key may send to it.",
        ),
    ] = ()

    node: Annotated[
        str, _in(_NODES, "Stable name of this node among those that share the store. Default: the host name.")
    ] = ""
    public_url: Annotated[
        str,
        _in(
            _NODES,
            "Address of this server for clients (wss://…). Among several nodes clients are redirected to it for"
            " its rooms; without it, other nodes relay their messages.",
        ),
    ] = ""
    peer_url: Annotated[
        str, _in(_NODES, "Address of this node for other nodes (ws://…). Default: where it listens.")
    ] = ""
    lease: Annotated[
        float,
        _in(_NODES, "Seconds without a sign of life after which other nodes take over the rooms of this one.", 0.5, 60),
    ] = 2.0

    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _in(_LOG, "Log level. Logs go to stderr, as JSON unless that is a terminal."),
    ] = "info"
    ready_json: Annotated[
        bool, _switch(_LOG, "Print one JSON line when ready; stop when stdin closes.", show=False)
    ] = False

    @property
    def bind(self) -> str:
        """The address or name to listen on."""
        return EVERYWHERE if self.lan else self.host

    @property
    def has_socket_file(self) -> bool:
        """Whether the server listens at a Unix socket."""
        return self.bind.startswith(UNIX)

    def ssh_place(self) -> tuple[str, int] | None:
        """Return the address and the port to serve by ssh at, None if off. Raises BadSettings."""
        if not self.ssh:
            return None
        host, _, port = self.ssh.rpartition(":")
        if not port.isdecimal() or int(port) > 65_535:
            raise BadSettings(f"--ssh: {self.ssh!a} is not a port like 2222, nor an address and a port like *:2222")
        if not host and self.has_socket_file:
            raise BadSettings(f"--ssh: with --host {self.host} give an address, too, such as *:{port}")
        return host or self.bind, int(port)

    def store_url(self) -> str:
        """Return the store's URL: by default a file in the platform's data folder."""
        return self.store or f"sqlite:///{data_folder() / 'parlour.db'}"

    def member(self) -> Member:
        """Return how this server takes part in a store that several share. Raises BadSettings."""
        name = self.node or platform.node()
        if not _NODE.fullmatch(name):
            raise BadSettings(f"--node: {name!a} is not a name; up to 63 letters, digits, dots and hyphens")
        if self.has_socket_file and not self.public_url:
            raise BadSettings(f"--host {self.host}: players cannot connect to it; name the proxy with --public-url")
        for flag, url in (("--public-url", self.public_url), ("--peer-url", self.peer_url)):
            if url and urlsplit(url).scheme not in ("ws", "wss"):
                raise BadSettings(f"{flag}: {url!a} is not an address like wss://play.example.org")
        return Member(
            name, self.public_url, self.peer_url, round(self.lease * 1000), self.unplayed_hours * 3_600 or None
        )


def data_folder() -> Path:
    """Return the folder of the server's data."""
    return user_data_path("parlour", appauthor=False)
