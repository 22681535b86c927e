"""``parlour serve``: host a server."""

import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import structlog
from cyclopts import Parameter
from cyclopts.validators import Number

from parlour_server.app import run
from parlour_server.config import (
    LEASE,
    LEASES,
    MOST_PACE,
    NEW_NAMES,
    PORT,
    UNPLAYED_HOURS,
    BadConfig,
    Config,
)
from parlour_server.engine.retention import KEEP_DAYS
from parlour_server.house_bots import PACE
from parlour_server.store.base import StoreError
from parlour_server.transport.gateway import MAX_PER_ADDRESS
from parlour_server.transport.listening import EVERYWHERE, LOOPBACK

USAGE = 2


def serve(
    *,
    host: Annotated[
        str,
        Parameter(help="Address or name to listen on; * for all, of IPv4 and IPv6; unix:/PATH for a Unix socket."),
    ] = LOOPBACK,
    port: Annotated[
        int, Parameter(validator=Number(gte=0, lte=65_535), help="Port to listen on; 0 picks a free one.")
    ] = PORT,
    lan: Annotated[bool, Parameter(negative="", help="Listen on all addresses, for the local network.")] = False,
    store: Annotated[
        str,
        Parameter(
            help="Where to store everything: sqlite:///FILE, or postgresql://USER@HOST/DATABASE, which several nodes"
            " can share. Default: a file in the platform's data folder."
        ),
    ] = "",
    house_bots: Annotated[
        bool, Parameter(help="Offer house bots: to invite, and to stand in for absent players.")
    ] = True,
    origin: Annotated[
        tuple[str, ...], Parameter(help="Origin of web pages that may connect, besides the server's own.")
    ] = (),
    trusted_proxy: Annotated[
        tuple[str, ...], Parameter(help="Address or network of a reverse proxy whose X-Forwarded-For is trusted.")
    ] = (),
    tls_cert: Annotated[Path | None, Parameter(help="Certificate chain (PEM), for wss://.")] = None,
    tls_key: Annotated[Path | None, Parameter(help="Private key (PEM) of the certificate.")] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Parameter(help="Log level. Logs go to stderr, as JSON unless that is a terminal."),
    ] = "info",
    per_address: Annotated[
        int,
        Parameter(
            validator=Number(gte=1),
            help="Connections, and open rooms, allowed for each address. Raise it for a school.",
        ),
    ] = MAX_PER_ADDRESS,
    new_names: Annotated[
        int,
        Parameter(
            validator=Number(gte=0),
            help="New names that one address may take in an hour, loopback aside; 0 allows any number."
            " Raise it for a school.",
        ),
    ] = NEW_NAMES,
    rate_same_address: Annotated[
        bool,
        Parameter(negative="", help="Rate matches between players from one address, too: for a school or a family."),
    ] = False,
    unplayed_hours: Annotated[
        int,
        Parameter(
            validator=Number(gte=0),
            help="Hours to keep a name with a key that has never finished a match; 0 keeps it forever.",
        ),
    ] = UNPLAYED_HOURS,
    require_key: Annotated[
        bool, Parameter(negative="", help="Accept only names reserved by a key; see: parlour identity")
    ] = False,
    keep_days: Annotated[
        int,
        Parameter(
            validator=Number(gte=0),
            help="Days to keep the records of finished matches; 0 keeps them forever. Results are always kept.",
        ),
    ] = KEEP_DAYS,
    web: Annotated[bool, Parameter(help="Serve the web client.")] = True,
    node: Annotated[
        str, Parameter(help="Stable name of this node among those that share the store. Default: the host name.")
    ] = "",
    public_url: Annotated[
        str,
        Parameter(
            help="Address of this server for clients (wss://…). Among several nodes clients are redirected to it for"
            " its rooms; without it, other nodes relay their messages."
        ),
    ] = "",
    peer_url: Annotated[
        str, Parameter(help="Address of this node for other nodes (ws://…). Default: where it listens.")
    ] = "",
    lease: Annotated[
        float,
        Parameter(
            validator=Number(gte=LEASES[0], lte=LEASES[1]),
            help="Seconds without a sign of life after which other nodes take over the rooms of this one.",
        ),
    ] = LEASE,
    pace: Annotated[
        float,
        Parameter(
            validator=Number(gte=0, lte=MOST_PACE),
            help="Seconds a house bot takes per card or click at a table with people; 0: no pauses.",
        ),
    ] = PACE,
    ladder: Annotated[
        tuple[str, ...],
        Parameter(help="GAME, or GAME:NAME=VALUE,…: let bots that are available play it all the time, for the ladder."),
    ] = (),
    webhooks: Annotated[
        bool,
        Parameter(
            negative="",
            help="Call the webhooks of players who are away when it is their turn. The server then connects to public"
            " addresses that players name.",
        ),
    ] = False,
    webhook_host: Annotated[
        tuple[str, ...],
        Parameter(
            help="HOST or HOST:PORT that webhooks may call although it is not public, such as an ntfy in your network."
            " All players with a key may send to it."
        ),
    ] = (),
    ready_json: Annotated[
        bool, Parameter(show=False, negative="", help="Print one JSON line when ready; stop when stdin closes.")
    ] = False,
) -> int:
    """Host a server. It prints its addresses, the code of an open room, and the command to join it.

    Examples:
    parlour serve                      for this machine only
    parlour serve --lan                for the local network
    parlour serve --port 8000 --store sqlite:///games.db
    parlour serve --keep-days 0        keep all records
    PARLOUR_PORT=8000 parlour serve    the same as --port 8000
    parlour serve --store postgresql://db/parlour --public-url wss://one.example
    """
    config = Config(
        EVERYWHERE if lan else host,
        port,
        store,
        house_bots,
        origin,
        trusted_proxy,
        tls_cert,
        tls_key,
        log_level,
        per_address,
        new_names,
        rate_same_address,
        unplayed_hours,
        require_key,
        keep_days,
        web,
        node,
        public_url,
        peer_url,
        lease,
        pace,
        ladder,
        webhooks,
        webhook_host,
    )
    _set_up_logging(log_level)
    if sys.stdin is None:  # started with it closed: no socket may become file 0
        sys.stdin = open(os.devnull, encoding="ascii")  # noqa: SIM115 - as long as the process
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(run(config, ready_json=ready_json))
    except (StoreError, BadConfig) as error:
        sys.stderr.write(f"parlour serve: {error}\n")
        return USAGE
    return 0


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # there is none on Windows
        return None
    return uvloop.Loop


def _set_up_logging(level: str) -> None:
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
