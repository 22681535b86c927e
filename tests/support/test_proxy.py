"""The bad network itself, between a client and a server that sends everything back."""

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
    """A server that remembers what it heard; ``bye`` makes it close the socket with 4001."""

    def __init__(self) -> None:
        self.heard: list[str | bytes] = []
        self.ended = asyncio.Event()

    async def talk(self, socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                self.heard.append(await socket.recv())
                if self.heard[-1] == "bye":
                    await socket.close(4001, "replaced")
                else:
                    await socket.send(self.heard[-1])
        self.ended.set()


@asynccontextmanager
async def behind(*faults: Fault) -> AsyncIterator[tuple[Echo, Proxy, ClientConnection]]:
    echo = Echo()
    async with asyncio.timeout(PATIENCE), serve(echo.talk, "127.0.0.1", 0) as server:
        url = "ws://127.0.0.1:{1}".format(*next(iter(server.sockets)).getsockname())
        async with Proxy(url, faults) as proxy, connect(proxy.url, proxy=None) as client:
            yield echo, proxy, client


async def ask(client: ClientConnection, *frames: str) -> list[str | bytes]:
    """Send frames one by one; return what comes back for each, until the socket breaks."""
    answers: list[str | bytes] = []
    try:
        for frame in frames:
            await client.send(frame)
            answers.append(await client.recv())
    except ConnectionClosed as closed:
        answers += [] if closed.rcvd is None else ["a goodbye"]
    return answers


async def test_without_faults_everything_passes_in_order() -> None:
    async with behind() as (echo, proxy, client):
        assert await ask(client, "a", "b") == ["a", "b"]
        assert (proxy.passed, proxy.sockets, proxy.failed) == ({"up": 2, "down": 2}, 1, 0)
        await client.send(b"\0")
        assert await client.recv() == b"\0"
        assert echo.heard == ["a", "b", b"\0"]


@pytest.mark.parametrize(
    ("fault", "heard", "answers"),
    [
        (Fault("up", 1, "lose"), ["a"], ["a"]),
        (Fault("up", 1, "cut"), ["a", "b"], ["a"]),
        (Fault("down", 1, "lose"), ["a", "b"], ["a"]),
    ],
)
async def test_a_cut_is_where_it_was_wanted(fault: Fault, heard: list[str], answers: list[str]) -> None:
    async with behind(fault) as (echo, proxy, client):
        assert await ask(client, "a", "b", "c") == answers
        await echo.ended.wait()
        assert (echo.heard, proxy.failed) == (heard, 1)


async def test_frames_come_twice_or_late_but_in_order() -> None:
    async with behind(Fault("up", 0, "twice"), Fault("down", 1, "late")) as (echo, _, client):
        await client.send("a")
        await client.send("b")
        assert [await client.recv() for _ in range(3)] == ["a", "a", "b"]
        assert echo.heard == ["a", "a", "b"]


async def test_what_is_held_waits_and_breaks_nothing() -> None:
    async with behind() as (echo, proxy, client):
        proxy.hold()
        await client.send("a")
        pong = await client.ping()
        await pong
        assert echo.heard == []
        proxy.release()
        assert await client.recv() == "a"


async def test_close_codes_are_passed_on() -> None:
    async with behind() as (_, _, client):
        await client.send("bye")
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "replaced")


async def test_without_a_server_sockets_break() -> None:
    async with serve(Echo().talk, "127.0.0.1", 0) as server:
        url = "ws://127.0.0.1:{1}".format(*next(iter(server.sockets)).getsockname())
    async with asyncio.timeout(PATIENCE), Proxy(url) as proxy, connect(proxy.url, proxy=None) as client:
        assert await ask(client, "a") == []
