"""``parlour serve``."""

import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import structlog
from cyclopts import App, Parameter
from cyclopts.config import Env, Toml
from cyclopts.validators import Number
from platformdirs import user_config_path

from parlour_server.app import run
from parlour_server.config import EVERYWHERE, LEASE, LEASES, LOOPBACK, PORT, BadConfig, Config
from parlour_server.engine.retention import KEEP_DAYS
from parlour_server.store.base import StoreError
from parlour_server.transport.gateway import PER_ADDRESS

CONFIG = user_config_path("parlour", appauthor=False) / "parlour.toml"
USAGE = 2
_EXAMPLES = """
Examples:

    parlour serve                      for this machine only
    parlour serve --lan                for the local network
    parlour serve --port 8000 --store sqlite:///games.db
    parlour serve --keep-days 0        forgets no match, ever
    PARLOUR_PORT=8000 parlour serve    the same by the environment
    parlour serve --store postgresql://db/parlour --public-url wss://one.example
"""

serve = App(
    name="parlour serve",
    help="Host a server: prints every address, a room that is open, and the line to join it.",
    help_epilogue=_EXAMPLES,
    config=[Env("PARLOUR_", command=False), Toml(CONFIG, root_keys=["serve"], must_exist=False)],
    result_action="return_value",
)


@serve.default
def _serve(
    *,
    host: str = LOOPBACK,
    port: Annotated[int, Parameter(validator=Number(gte=0, lte=65_535))] = PORT,
    lan: Annotated[bool, Parameter(negative="")] = False,
    store: str = "",
    house_bots: bool = True,
    origin: tuple[str, ...] = (),
    trusted_proxy: tuple[str, ...] = (),
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    log_level: Literal["debug", "info", "warning", "error"] = "info",
    per_address: Annotated[int, Parameter(validator=Number(gte=1))] = PER_ADDRESS,
    require_key: Annotated[bool, Parameter(negative="")] = False,
    keep_days: Annotated[int, Parameter(validator=Number(gte=0))] = KEEP_DAYS,
    web: bool = True,
    node: str = "",
    public_url: str = "",
    peer_url: str = "",
    lease: Annotated[float, Parameter(validator=Number(gte=LEASES[0], lte=LEASES[1]))] = LEASE,
    ready_json: Annotated[bool, Parameter(show=False, negative="")] = False,
) -> int:
    """Host a server.

    Parameters
    ----------
    host:
        Address to listen on.
    port:
        Port to listen on; 0 takes a free one.
    lan:
        Listen on every address of this machine, so that others in the network can join.
    store:
        Where to remember everything: sqlite:///FILE, or postgresql://USER@HOST/DATABASE, which several servers may
        share as nodes. A file in the platform's data folder unless told.
    house_bots:
        Whether bots of the house can be invited and stand in for absent players.
    origin:
        Origin of web pages that may connect, besides the server's own host.
    trusted_proxy:
        Address or network of a reverse proxy whose X-Forwarded-For is believed.
    tls_cert:
        Certificate chain (PEM), for wss://.
    tls_key:
        Its private key (PEM).
    log_level:
        How much to log, to stderr; JSON when that is not a terminal.
    per_address:
        How many connections one address may have, and how many open rooms it may have asked for: more for a school.
    require_key:
        Welcome only names that are protected by a key: parlour identity makes one.
    keep_days:
        How many days to keep the records of finished matches; 0 keeps them for ever. Results stay.
    web:
        Whether browsers get a page to watch and play in.
    node:
        Name of this node among those that share a store, always the same; the machine's name unless told.
    public_url:
        Address of this very node for clients (wss://…): they are sent to it for its rooms. Without it the node that
        they came to passes on what they say.
    peer_url:
        Address of this node for other nodes (ws://…); where it listens unless told.
    lease:
        Seconds after which the others take over the rooms of this node, if they do not hear of it.
    ready_json:
        Print one JSON line when ready; stop when stdin closes.
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
        require_key,
        keep_days,
        web,
        node,
        public_url,
        peer_url,
        lease,
    )
    _set_up_logging(log_level)
    if sys.stdin is None:  # started with it closed: no socket may become file 0
        sys.stdin = open(os.devnull)  # noqa: SIM115 - as long as the process
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
