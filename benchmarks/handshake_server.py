"""A WebSocket server that completes handshakes and does nothing else: the baseline for the cost of a connection.

``python -m benchmarks.handshake_server`` prints its URL and serves until its stdin closes.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol


async def hold(socket: ServerConnection) -> None:
    """Keep the connection open until the client closes it."""
    await socket.wait_closed()


async def serve_until_stdin_closes(handler: Callable[[ServerConnection], Awaitable[None]]) -> None:
    """Print the URL and run ``handler`` for each connection."""
    msgpack_v1 = [Subprotocol("parlour.v1.msgpack")]
    async with serve(handler, "127.0.0.1", 0, compression=None, subprotocols=msgpack_v1, backlog=4096) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        print(json.dumps({"url": url, "pid": os.getpid()}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        os._exit(0)


if __name__ == "__main__":
    uvloop.run(serve_until_stdin_closes(hold))
