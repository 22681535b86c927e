"""What the gateway and the relay need of websockets beyond its reference."""

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets import frames
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import CTRL_OPCODES, CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, Event
from websockets.typing import Subprotocol


class Recorder(ServerConnection):
    """A connection of the server that notes its events."""

    last: "Recorder"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.events: list[Event] = []
        self.selects = "select_subprotocol" in vars(self.protocol)
        Recorder.last = self

    def process_event(self, event: Event) -> None:
        self.events.append(event)
        super().process_event(event)


@asynccontextmanager
async def connected(cls: "type[Recorder]" = Recorder) -> AsyncIterator[tuple[Recorder, ClientConnection]]:
    """Yield both ends of an open connection; the server's end echoes."""

    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    options: Any = {"create_connection": cls, "select_subprotocol": lambda _, offered: Subprotocol(offered[0])}
    async with serve(echo, "127.0.0.1", 0, compression=None, **options) as server:
        port = server.sockets[0].getsockname()[1]
        url, name = f"ws://127.0.0.1:{port}", Subprotocol("contract")
        async with connect(url, subprotocols=[name], compression=None, proxy=None) as client:
            await client.send(b"hello")
            assert await client.recv() == b"hello"
            yield Recorder.last, client


async def test_the_server_makes_connections_with_the_factory_and_passes_them_every_event() -> None:
    async with connected() as (server, client):
        await (await client.ping())
        request, *received = server.events
        assert isinstance(request, Request)
        opcodes = [frame.opcode for frame in received if isinstance(frame, Frame)]
        assert opcodes == [Opcode.BINARY, Opcode.PING]
    assert {Opcode.PING, Opcode.PONG, Opcode.CLOSE} == set(CTRL_OPCODES)


async def test_a_frame_may_be_written_past_the_library_and_headers_freed_after_the_handshake() -> None:
    async with connected() as (server, client):
        assert isinstance(server, asyncio.Protocol)
        assert server.transport.get_write_buffer_size() == 0
        assert server.request is not None
        assert server.response is not None
        server.request.headers.clear()
        server.response.headers.clear()
        server.transport.write(b"\x81\x02hi")
        assert await client.recv() == "hi"
        await client.send("again")
        assert await client.recv() == "again"


@pytest.mark.parametrize(("end", "code"), [("send_close", 4003), ("fail", CloseCode.INVALID_DATA)])
async def test_a_close_frame_is_queued_by_the_protocol_and_sent_by_send_data(end: str, code: int) -> None:
    async with connected() as (server, client):
        assert server.protocol.state is OPEN
        getattr(server.protocol, end)(code, "why")
        server.send_data()
        assert server.protocol.state is not OPEN
        await client.wait_closed()
        assert (client.close_code, client.close_reason) == (code, "why")
        await server.wait_closed()
        assert server.connection_lost_waiter.done()


async def test_what_keeps_a_closed_connection_alive_can_be_released() -> None:
    async with connected() as (server, client):
        protocols = server.protocol, client.protocol
    await server.wait_closed()
    assert server.selects
    vars(server.protocol).pop("select_subprotocol")
    for protocol in protocols:
        assert inspect.isgenerator(protocol.parser)
        protocol.parser.close()


async def test_whole_frames_may_be_kept_from_the_library() -> None:
    apply_mask = frames.apply_mask  # type: ignore[attr-defined]
    kept: list[bytes] = []

    class Thief(Recorder):
        """Keeps the text frames that arrive in one piece."""

        def data_received(self, data: bytes) -> None:
            if data[:1] == b"\x81":
                size = data[1] & 127
                kept.append(apply_mask(data[6 : 6 + size], data[2:6]))
                data = data[6 + size :]
            if data:
                super().data_received(data)

    async with connected(Thief) as (_, client):
        await client.send("kept")
        await (await client.ping())
        assert kept == [b"kept"]
        await client.send(["in ", "pieces"])
        assert await client.recv() == "in pieces"
