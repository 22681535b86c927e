"""The ways to play: on the screens, in line mode, and for language models by ``parlour mcp``. Only one is loaded."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from parlour_client.cli.verbs import CONTINUATION, HOSTING, PRACTICE, load
from parlour_client.core.errors import Usage
from parlour_client.core.url import DEFAULT_URL, normalise_url
from parlour_protocol.installation import extra_hint

if TYPE_CHECKING:
    from parlour_client.play.entry import Entry


def on_a_screen() -> bool:
    """Return whether standard input and output are a terminal that can draw."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def use_look(look: str | None) -> None:
    """Use the look for the screens of this process, if one is given."""
    if look is not None:
        os.environ["PARLOUR_LOOK"] = look


def play(entry: "Entry", plain: bool) -> int:
    """Enter a room and play there as in ``visit``. Return the exit code."""
    return visit(nullcontext(entry), plain)


def visit(room: "AbstractAsyncContextManager[Entry]", plain: bool) -> int:
    """Play in ``room``, on the screens or, if ``plain`` or without a terminal, in line mode. Return the exit code."""
    if not plain and on_a_screen():
        from parlour_client.tui.app import run_room
    else:
        from parlour_client.line_mode import run_room
    return asyncio.run(run_room(room))


def _later(target: str) -> Callable[..., Any]:
    """Return the function ``module:name``, which is loaded when it is called."""

    def function(*arguments: Any, **named: Any) -> Any:
        return load(target)(*arguments, **named)

    return function


practice = _later(PRACTICE)
"""Starts a match against bots on a server of this process's own."""
hosting = _later(HOSTING)
"""Starts a server for the local network."""
continuing = _later(CONTINUATION)
"""Continues a saved match against bots on a server of this process's own."""


def mcp(
    *,
    server: Annotated[str, Parameter(help="The server to play on.", env_var="PARLOUR_SERVER")] = DEFAULT_URL,
    http: Annotated[
        int | None, Parameter(help="Serve streamable HTTP on this port, at /mcp. Default: standard input and output.")
    ] = None,
    host: Annotated[str, Parameter(help="The address to serve HTTP on.")] = "127.0.0.1",
) -> None:
    """Let language models play over the Model Context Protocol.

    An MCP client starts this command and talks to it over standard input and output, or
    connects to it over HTTP. It needs the extra mcp.

    Examples:
    parlour mcp
    parlour mcp --server ws://10.0.0.4:7777
    parlour mcp --http 8000
    """
    try:
        from parlour_client.mcp import run  # of the extra mcp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "parlour_client":
            raise
        raise Usage(f"parlour mcp needs the package {error.name}. {extra_hint('mcp')}") from None
    asyncio.run(run(normalise_url(server), http, host))
