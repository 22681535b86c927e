"""The fault-injecting proxy, between a client and an echo server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from tests.support.proxy import Fault, Proxy
from tests.support.waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


class Echo:
    """An echo server that records frames; on ``bye`` it closes the connection with 4001."""

    def __init__(self) -> None:
        self.received: list[str | bytes] = []
        self.ended = asyncio.Event()

    async def handle(self, socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                self.received.append(await socket.recv())
                if self.received[-1] == "bye":
                    await socket.close(4001, "replaced")
                else:
                    await socket.send(self.received[-1])
        self.ended.set()


@asynccontextmanager
async def behind(*faults: Fault) -> AsyncIterator[tuple[Echo, Proxy, ClientConnection]]:
    echo = Echo()
    async with asyncio.timeout(PATIENCE), serve(echo.handle, "127.0.0.1", 0) as server:
        url = "ws://127.0.0.1:{1}".format(*next(iter(server.sockets)).getsockname())
        async with Proxy(url, faults) as proxy, connect(proxy.url, proxy=None) as client:
            yield echo, proxy, client


async def ask(client: ClientConnection, *frames: str) -> list[str | bytes]:
    """Send frames one at a time; return the answers until the connection breaks."""
    answers: list[str | bytes] = []
    try:
        for frame in frames:
            await client.send(frame)
            answers.append(await client.recv())
    except ConnectionClosed as closed:
        answers += [] if closed.rcvd is None else ["close frame"]
    return answers


async def test_without_faults_frames_pass_in_order() -> None:
    async with behind() as (echo, proxy, client):
        assert await ask(client, "a", "b") == ["a", "b"]
        assert (proxy.passed, proxy.sockets, proxy.failed) == ({"up": 2, "down": 2}, 1, 0)
        await client.send(b"\0")
        assert await client.recv() == b"\0"
        assert echo.received == ["a", "b", b"\0"]


@pytest.mark.parametrize(
    ("fault", "received", "answers"),
    [
        (Fault("up", 1, "lose"), ["a"], ["a"]),
        (Fault("up", 1, "cut"), ["a", "b"], ["a"]),
        (Fault("down", 1, "lose"), ["a", "b"], ["a"]),
    ],
)
async def test_connection_breaks_at_the_fault(fault: Fault, received: list[str], answers: list[str]) -> None:
    async with behind(fault) as (echo, proxy, client):
        assert await ask(client, "a", "b", "c") == answers
        await echo.ended.wait()
        assert (echo.received, proxy.failed) == (received, 1)


async def test_repeated_and_late_frames_stay_in_order() -> None:
    async with behind(Fault("up", 0, "twice"), Fault("down", 1, "late")) as (echo, _, client):
        await client.send("a")
        await client.send("b")
        assert [await client.recv() for _ in range(3)] == ["a", "a", "b"]
        assert echo.received == ["a", "a", "b"]


async def test_held_frames_wait_connections_stay_open_and_close_codes_are_forwarded() -> None:
    async with behind() as (echo, proxy, client):
        proxy.hold()
        await client.send("a")
        await (await client.ping())
        assert echo.received == []
        proxy.release()
        assert await client.recv() == "a"
        await client.send("bye")
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "replaced")


async def test_without_a_server_connections_break() -> None:
    async with serve(Echo().handle, "127.0.0.1", 0) as server:
        url = "ws://127.0.0.1:{1}".format(*next(iter(server.sockets)).getsockname())
    async with asyncio.timeout(PATIENCE), Proxy(url) as proxy, connect(proxy.url, proxy=None) as client:
        assert await ask(client, "a") == []
