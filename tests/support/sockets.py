"""A client without our client code: it sends and receives plain maps over a WebSocket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
from tests.support.waiting import PATIENCE, limit
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour_protocol.codec import CODECS, FROM_SERVER, JSON, MAX_SERVER_FRAME, Codec

Map = dict[str, Any]


@attrs.define(eq=False)
class Socket:
    """An open connection."""

    ws: ClientConnection
    codec: Codec

    async def send(self, t: str, **fields: Any) -> None:
        """Send a message."""
        await self.ws.send(self.codec.encode({"t": t, **fields}))

    async def receive(self, within: float = PATIENCE) -> Map:
        """Return the next message. Raises ConnectionClosed, or TimeoutError after ``within`` seconds."""
        return await self._next("any message", within)

    async def _next(self, wanted: str, within: float = PATIENCE) -> Map:
        async with limit(within, wanted):
            frame = await self.ws.recv()
        return self.codec.decode(frame, FROM_SERVER)

    async def until(self, *types: str) -> Map:
        """Return the next message of one of these types; skip others."""
        while (message := await self._next(" or ".join(types)))["t"] not in types:
            pass
        return message

    async def ask(self, t: str, *types: str, **fields: Any) -> Map:
        """Send a message and return the next one of one of these types. An error that is not one of them fails."""
        await self.send(t, **fields)
        answer = await self.until(*types, "error")
        assert answer["t"] in types, answer
        return answer

    async def hello(self, name: str, kind: str = "human", **fields: Any) -> Map:
        """Say hello; return the welcome."""
        return await self.ask("hello", "welcome", name=name, kind=kind, **fields)

    async def file(self, digest: str) -> list[str]:
        """Return the lines of a match file."""
        lines: list[str] = []
        after: int | None = 0
        while after is not None:
            page = await self.ask("file", "file", digest=digest, after=after)
            lines, after = lines + page["lines"], page.get("after")
        return lines

    async def closed(self) -> int:
        """Wait until the server closes the connection and return the close code; skip messages."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


async def first_turn(*clients: Socket) -> tuple[int, Map]:
    """Wait until one of the clients gets a turn; return its position and the turn."""
    waiting = [asyncio.create_task(client.until("turn")) for client in clients]
    done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    first = done.pop()
    return waiting.index(first), first.result()


@asynccontextmanager
async def open_socket(url: str, *subprotocols: str, **options: Any) -> AsyncIterator[Socket]:
    """Open a connection while in the context; ``options`` are passed to websockets' connect.

    Raises ConnectionError if no server answers, InvalidHandshake, or EOFError.
    """
    asked = [Subprotocol(name) for name in subprotocols] or None
    usual = {
        "compression": None,
        "max_size": MAX_SERVER_FRAME,
        "open_timeout": PATIENCE,
        "ping_interval": None,
        "proxy": None,
    }
    async with AsyncExitStack() as stack:
        try:
            ws = await stack.enter_async_context(connect(url, subprotocols=asked, **{**usual, **options}))
        except OSError as error:
            if error.errno is not None or isinstance(error, TimeoutError):
                raise
            raise ConnectionRefusedError(str(error)) from error  # asyncio's error for a name with several addresses
        yield Socket(ws, CODECS[ws.subprotocol or JSON])
