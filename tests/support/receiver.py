"""A receiver of webhooks on loopback: it keeps what it is sent, and answers as a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
from tests.support.waiting import PATIENCE

NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"


@attrs.frozen
class Request:
    """A request as it came."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@attrs.define
class Receiver:
    """``answer`` is sent in return; None: nothing, and the connection stays open."""

    port: int = 0
    answer: bytes | None = NO_CONTENT
    requests: "asyncio.Queue[Request]" = attrs.field(factory=asyncio.Queue)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/secret-path?token=hush"

    @property
    def host(self) -> str:
        """What the operator of a server allows."""
        return f"127.0.0.1:{self.port}"

    async def received(self) -> Request:
        """Return the next request."""
        async with asyncio.timeout(PATIENCE):
            return await self.requests.get()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            line, *rest = head.split("\r\n")
            headers = dict(each.split(": ", 1) for each in rest if each)
            body = await reader.readexactly(int(headers["Content-Length"]))
            self.requests.put_nowait(Request(line, headers, body))
            if self.answer is None:
                await reader.read()
            else:
                writer.write(self.answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the other side has closed
        finally:
            writer.close()


@asynccontextmanager
async def receiving(answer: bytes | None = NO_CONTENT) -> AsyncIterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(answer=answer)
    server = await asyncio.start_server(receiver._serve, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
