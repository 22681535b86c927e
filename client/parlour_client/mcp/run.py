"""Run the MCP server over standard input and output, or over HTTP."""

from parlour_client.mcp.seats import Seats
from parlour_client.mcp.server import make_server


async def run(url: str, port: int | None, host: str) -> None:
    """Serve until standard input ends, or over HTTP on ``port`` until interrupted.

    Raises BrokenPipeError if standard output has no reader.
    """
    async with Seats(url) as seats:
        server = make_server(seats)
        if port is None:
            try:
                await server.run_stdio_async()
            except ExceptionGroup as group:
                if group.split(BrokenPipeError)[1] is not None:
                    raise
                raise BrokenPipeError("the client has gone") from group
        else:
            await server.run_streamable_http_async(host=host, port=port, json_response=True, stateless_http=True)
