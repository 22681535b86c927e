"""A small server whose connections follow scripts: real sockets, no real waiting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from tests.client.messages import welcome
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol import wire
from parlour_protocol.codec import CODECS, JSON, SUBPROTOCOLS
from parlour_protocol.messages import ClientMessage, Hello, ServerMessage

MessageT = TypeVar("MessageT", bound=ClientMessage)
STUCK = 60.0
"""Seconds after which a conversation in which both sides wait for the other is given up."""


class ScriptedSocket:
    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self._codec = CODECS[socket.subprotocol or JSON]

    async def hear(self) -> ClientMessage:
        return wire.client_message(self._codec.decode(await self.socket.recv()))

    async def expect(self, kind: type[MessageT]) -> MessageT:
        message = await self.hear()
        assert isinstance(message, kind)
        return message

    async def say(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self.socket.send(self._codec.encode(wire.plain(message)))

    async def read_out(self) -> None:
        async for _ in self.socket:
            pass

    async def greet(self, *rooms: str) -> Hello:
        hello = await self.expect(Hello)
        await self.say(welcome(*rooms))
        return hello


Script = Callable[[ScriptedSocket], Awaitable[None]]


def saying(*messages: ServerMessage, greets: bool = True, stays: bool = False) -> Script:
    """Return a script that hears hello, ``greets``, says ``messages``, and hangs up or ``stays`` with the client."""

    async def script(it: ScriptedSocket) -> None:
        await (it.greet() if greets else it.hear())
        await it.say(*messages)
        if stays:
            await it.socket.wait_closed()

    return script


@asynccontextmanager
async def server(*scripts: Script, **options: Any) -> AsyncIterator[str]:
    """Serve each connection by the next script. A script that fails fails the test."""
    waiting, failed = iter(scripts), []

    async def handle(socket: ServerConnection) -> None:
        try:
            await next(waiting)(ScriptedSocket(socket))
        except Exception as error:
            failed.append(error)
            raise

    options.setdefault("subprotocols", [Subprotocol(name) for name in SUBPROTOCOLS])
    async with serve(handle, "127.0.0.1", 0, compression=None, **options) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        async with asyncio.timeout(STUCK):
            yield f"localhost:{port}"
    assert not failed
    assert next(waiting, None) is None, "a script had no connection"


class Waits:
    """Stands in for sleeping, and keeps count."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        assert len(self.seconds) < 20, "it should have given up"
        await asyncio.sleep(0)


def session() -> Session:
    return Session("maria", entropy=bytes)


def connection(url: str, **more: Any) -> Connection:
    return Connection(url, session(), **{"entropy": bytes, "sleep": Waits(), **more})
