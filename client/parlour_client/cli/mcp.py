"""``parlour mcp``: an MCP server through which language models play."""

import asyncio
from typing import Annotated

from cyclopts import Parameter

from parlour_client.core.errors import Usage
from parlour_client.core.url import DEFAULT_URL, normalise_url
from parlour_protocol.installation import extra_hint


def mcp(
    *,
    server: Annotated[str, Parameter(help="The server to play on.", env_var="PARLOUR_SERVER")] = DEFAULT_URL,
    http: Annotated[
        int | None, Parameter(help="Serve streamable HTTP on this port, at /mcp. Default: standard input and output.")
    ] = None,
    host: Annotated[str, Parameter(help="The address to serve HTTP on.")] = "127.0.0.1",
) -> None:
    """Let language models play, by the Model Context Protocol.

    An MCP client starts this command and talks to it over standard input and output, or
    connects to it over HTTP. It needs the extra mcp.

    Examples:
    parlour mcp
    parlour mcp --server ws://10.0.0.4:7777
    parlour mcp --http 8000
    """
    try:
        from parlour_client.mcp.server import run  # of the extra mcp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "parlour_client":
            raise
        raise Usage(f"parlour mcp needs the package {error.name}. {extra_hint('mcp')}") from None
    asyncio.run(run(normalise_url(server), http, host))
