"""``parlour serve``: host a server."""

import asyncio
import json
import logging
import os
import sys
from pathlib import Path

import structlog
from cyclopts import App, Argument

from parlour_server.app import run
from parlour_server.settings import SERVE, BadSettings, ServerSettings
from parlour_server.store.base import StoreError, without_password

USAGE = 2


def serve(*, settings: ServerSettings = ServerSettings()) -> int:
    """Host a server. It prints its addresses, the code of an open room, and the command to join it.

    Examples:
    parlour serve                      for this machine only
    parlour serve --lan                for the local network
    parlour serve --port 8000 --store sqlite:///games.db
    parlour serve --keep-days 0        keep all records
    PARLOUR_PORT=8000 parlour serve    the same as --port 8000
    parlour serve --store postgresql://db/parlour --public-url wss://one.example
    """
    _set_up_logging(settings.log_level)
    if sys.stdin is None:  # started with it closed: no socket may become file 0
        sys.stdin = open(os.devnull, encoding="ascii")  # noqa: SIM115 - as long as the process
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(run(settings))
    except (StoreError, BadSettings) as error:
        sys.stderr.write(f"parlour serve: {error}\n")
        return USAGE
    return 0


def settings() -> None:
    """Print the settings of parlour serve: each with its value in force, and where that comes from.

    Examples:
    parlour serve settings
    PARLOUR_PORT=8000 parlour serve settings
    """
    app = App()
    app.default(serve)
    found = app.assemble_argument_collection(parse_docstring=False)
    with app.app_stack([]):
        for source in SERVE:
            source(app, (), found)
    rows = [(each.name, _value(each), _source(each)) for each in found if each.show and each.name != "*"]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        sys.stdout.write("  ".join(map(str.ljust, row, widths)).rstrip() + "\n")


def _value(setting: Argument) -> str:
    """Return the value in force as ``parlour.toml`` writes it, a store without its password."""
    value = setting.convert_and_validate() if setting.tokens else setting.field_info.default
    if value is None or isinstance(value, Path):
        value = str(value or "")
    return json.dumps(without_password(value) if setting.name == "--store" else value, ensure_ascii=False)


def _source(setting: Argument) -> str:
    """Return the variable or the file that a setting comes from."""
    if not setting.tokens:
        return "default"
    [token, *_] = setting.tokens
    return str(token.keyword) if token.source == "env" else token.source


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
