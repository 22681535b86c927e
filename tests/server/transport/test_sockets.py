"""The gateway's open sockets: frames, clients who do not talk or read, and that others go on."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.transport.gateways import Host, alive, bystander, hosting
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, EarlyTimeout, limit, until

from parlour_protocol.codec import JSON, MAX_CLIENT_FRAME, MSGPACK, Codec, Frame
from parlour_protocol.messages import FileLines, Pong, ServerMessage
from parlour_server.effects import Post
from parlour_server.transport import gateway as gateway_module
from parlour_server.transport.connection import MAX_OUTBOX, Socket


async def test_largest_frame_is_answered(host: Host) -> None:
    async with open_socket(host.url) as client:
        frame = '{"t":"ping","id":1}'
        await client.ws.send(frame + " " * (MAX_CLIENT_FRAME - len(frame)))
        assert (await client.receive())["re"] == 1


async def test_silent_are_looked_for_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.directory.sessions.SILENT", 50)
    monkeypatch.setattr(gateway_module, "STALL", 0.04)
    async with hosting(tmp_path / "parlour.db") as host, open_socket(host.url) as client:
        assert await client.closed() == 4008


@asynccontextmanager
async def _deaf(host: Host) -> AsyncIterator[Socket]:
    """A client that has said hello and reads nothing any more, as the server knows it."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    own.setblocking(False)
    await asyncio.get_running_loop().sock_connect(own, host.address)
    async with open_socket(host.url, sock=own, max_queue=1) as client:
        await client.hello("deaf")
        [conn] = host.node.lobby.connections.main.values()
        client.ws.transport.pause_reading()
        found = host.node.sockets.get(conn)
        assert isinstance(found, Socket)
        yield found
        client.ws.transport.abort()


_MUCH = FileLines("d", ["x" * 50_000])


def post(host: Host, socket: Socket, message: ServerMessage) -> None:
    """Send a message to one socket, if it is still there."""
    conns = [conn for conn in host.node.lobby.connections.sessions if host.node.sockets.get(conn) is socket]
    host.node.sockets.send(Post(tuple(conns), message))


async def test_reader_who_never_reads_is_cut_and_others_go_on(host: Host) -> None:
    async with _deaf(host) as deaf, bystander(host) as other:
        posted = 0
        while not deaf.connection.transport.is_closing():
            post(host, deaf, _MUCH)
            posted += 50_000
            assert posted < 50_000_000
            await alive(other)
        assert deaf.connection.transport.get_write_buffer_size() <= MAX_OUTBOX + 51_000
        await host.until(1)
        assert 'cut_total{why="overflow"} 1.0' in (await host.get("/metrics"))[1]
        post(host, deaf, _MUCH)


async def test_burst_to_a_deaf_reader_within_one_tick(host: Host) -> None:
    async with _deaf(host) as deaf:
        for _ in range(1_000):
            post(host, deaf, _MUCH)
        assert deaf.connection.transport.is_closing()
        await host.until(0)


async def test_reader_who_has_stalled_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "STALL", 0.1)
    monkeypatch.setattr(gateway_module, "MAX_OUTBOX", 1 << 30)
    async with hosting(tmp_path / "parlour.db") as host, _deaf(host) as deaf, bystander(host):
        while not deaf.connection.transport.get_write_buffer_size():
            post(host, deaf, _MUCH)
        await host.until(1)
        assert 'cut_total{why="stall"} 1.0' in (await host.get("/metrics"))[1]


async def test_reader_who_catches_up_is_not_cut(host: Host) -> None:
    async with open_socket(host.url) as client:
        await client.hello("anna")
        [reader] = host.gateway._sockets
        client.ws.transport.pause_reading()
        while not reader.connection.transport.get_write_buffer_size():
            post(host, reader, _MUCH)
            await asyncio.sleep(0)
        assert (reader.stalled_for(1.0), reader.stalled_for(3.0)) == (0.0, 2.0)
        client.ws.transport.resume_reading()
        post(host, reader, Pong(re="last"))
        while (await client.receive()).get("re") != "last":
            pass
        await alive(client)
        assert (reader.stalled_for(4.0), reader.stalled_for(6.0)) == (0.0, 0.0)


async def test_fault_ends_one_connection_and_is_logged_without_its_words(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("the next card is a red 7")

    async with open_socket(host.url) as client, bystander(host):
        with monkeypatch.context() as patch, capture_logs() as logs:
            patch.setattr("parlour_server.lobby.lobby.Lobby.receive", broken)
            await client.send("ping")
            assert await client.closed() == 1011
        [told] = logs
        assert (told["event"], told["error"], told["log_level"]) == ("a fault in a connection", "ValueError", "error")
        assert told["where"].startswith("test_sockets.py:")
        assert "red 7" not in f"{told}{caplog.text}"


@pytest.mark.parametrize("client", ["in the handshake", "deaf", "paused", "waiting for a task"])
async def test_no_client_holds_up_the_end_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    monkeypatch.setattr(gateway_module, "GOODBYE", 0.05)
    heard, never = asyncio.Event(), asyncio.Event()

    async def wait(work: Awaitable[object]) -> None:
        heard.set()
        await work

    async with AsyncExitStack() as clients:
        with capture_logs() as logs:
            async with hosting(tmp_path / "parlour.db") as host:
                if client == "in the handshake":
                    _, writer = await asyncio.open_connection(*host.address)
                    clients.callback(writer.close)
                    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                    await until(lambda: bool(host.gateway._open))
                elif client == "deaf":
                    await clients.enter_async_context(_deaf(host))
                else:
                    work = never.wait() if client == "paused" else host.node.tasks.spawn(wait(never.wait()))
                    monkeypatch.setattr("parlour_server.node.node.Node.receive", lambda *_: wait(work))
                    opened = await clients.enter_async_context(open_socket(host.url))
                    await opened.send("ping")
                    await heard.wait()
                await host.node.tasks.close()
    assert logs == []


async def test_a_bug_in_a_connection_does_not_hold_up_the_end_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, never = asyncio.Event(), asyncio.Event()

    async def stuck(*_: object) -> None:
        while not never.is_set():
            heard.set()
            with suppress(asyncio.CancelledError):
                await never.wait()

    for seconds in ("GOODBYE", "STOP_TIMEOUT"):
        monkeypatch.setattr(gateway_module, seconds, 0.05)
    monkeypatch.setattr(asyncio, "timeout", EarlyTimeout.after)
    task = asyncio.current_task()
    assert task is not None
    monkeypatch.setattr("parlour_server.node.node.Node.receive", stuck)
    async with limit(PATIENCE, "the end of the server"), AsyncExitStack() as clients:
        with capture_logs() as logs:
            async with hosting(tmp_path / "parlour.db") as host:
                client = await clients.enter_async_context(open_socket(host.url))
                await client.send("ping")
                await heard.wait()
                task.cancel()  # what the server does at its end it also does in a task that was cancelled
                with suppress(asyncio.CancelledError):
                    await never.wait()
        task.uncancel()
        assert [entry["event"] for entry in logs] == ["a fault: connections have not ended with the server"]
        never.set()


async def test_message_is_encoded_once_for_each_subprotocol(host: Host) -> None:
    async with AsyncExitStack() as stack:
        names = (JSON, MSGPACK, JSON, MSGPACK)
        clients = [await stack.enter_async_context(open_socket(host.url, name)) for name in names]
        await host.until(4)
        encoded: list[str] = []

        def counted(codec: Codec, data: Any) -> Frame:
            encoded.append(codec.name)
            return codec.encode(data)

        for found in host.gateway._sockets:
            found.codec = attrs.evolve(found.codec, encode=partial(counted, found.codec))
        host.node.sockets.send(Post(tuple(host.node.lobby.connections.sessions), Pong(re=5)))
        assert [await client.receive() for client in clients] == [{"t": "pong", "re": 5}] * 4
        assert sorted(encoded) == sorted({JSON, MSGPACK})
