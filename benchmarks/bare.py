"""The bare handshake: websockets and uvloop, which let anybody in, and no more. Prints its URL; ends with its stdin."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol


async def let_in(socket: ServerConnection) -> None:
    """Do nothing for a client as long as it is there."""
    await socket.wait_closed()


async def serve_until_stdin_closes(play: Callable[[ServerConnection], Awaitable[None]]) -> None:
    """Print the URL, and let ``play`` have each socket."""
    msgpack_v1 = [Subprotocol("parlour.v1.msgpack")]
    async with serve(play, "127.0.0.1", 0, compression=None, subprotocols=msgpack_v1, backlog=4096) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        print(json.dumps({"url": url, "pid": os.getpid()}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        os._exit(0)


if __name__ == "__main__":
    uvloop.run(serve_until_stdin_closes(let_in))
