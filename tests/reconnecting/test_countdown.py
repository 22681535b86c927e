"""Line mode without a connection: it shows the reason, the time until the next try, and the return."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.line_mode.test_terminal import Person
from tests.support.proxy import Proxy
from tests.support.server import ServerProcess, server_process


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(tmp_path) as server:
        yield server


def joining(room: str, url: str) -> Person:
    return Person("join", room, "--server", url, "--name", "maria", "--plain")


async def sees(person: Person, *texts: str) -> None:
    for text in texts:
        await asyncio.to_thread(person.wait_for, text)


async def leaves(person: Person) -> None:
    person.type("leave\n")
    assert await asyncio.to_thread(person.play) == 0


async def test_lost_connection_shows_the_seconds_until_the_next_try(server: ServerProcess) -> None:
    async with Proxy(server.url) as proxy:
        with joining(server.room, proxy.url) as person:
            await sees(person, "Type ready to begin")
            proxy.break_off()
            await sees(person, "Connection lost: the connection broke off. Trying again in 1 s.", "Connected again.")
            await sees(person, f"Back in room {server.room}")
            assert proxy.sockets == 2
            await leaves(person)


async def test_stopping_server_announces_its_return(server: ServerProcess) -> None:
    with joining(server.room, server.url) as person:
        await sees(person, "Type ready to begin")
        server.signal(signal.SIGTERM)
        await sees(person, "The server says: the server is stopping; your seat is kept", "Trying again in 2 s.")
        await asyncio.to_thread(server.restart, same_port=True)
        await sees(person, "Connected again.", f"Back in room {server.room}")
        await leaves(person)
