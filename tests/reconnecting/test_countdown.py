"""Line mode without a connection: it shows the reason, the time until the next try, and the return."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import attrs
import pytest
from tests.support.proxy import Proxy
from tests.support.server import ServerProcess, environment, server_process
from tests.support.waiting import PATIENCE

COMMAND = (sys.executable, "-m", "parlour_client.cli.main", "join")


@attrs.define(eq=False)
class Person:
    """``parlour join`` with pipes for its terminal."""

    process: asyncio.subprocess.Process
    seen: list[str] = attrs.field(factory=list)

    @classmethod
    @asynccontextmanager
    async def joining(cls, room: str, url: str, folder: Path) -> AsyncIterator[Self]:
        """Join a room at ``url``."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(*COMMAND, room, "--server", url, "--name", "maria", "--plain"),
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(folder, PYTHONUNBUFFERED="1", PYTHONPATH=os.pathsep.join(sys.path)),
        )
        try:
            yield cls(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    async def sees(self, pattern: str) -> str:
        """Wait for a line that matches ``pattern``; return the match."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while line := (await self.process.stdout.readline()).decode():
                self.seen.append(line)
                if found := re.search(pattern, line):
                    return found[0]
        raise AssertionError(f"{pattern!r} is not in {''.join(self.seen)}")

    async def leaves(self) -> int | None:
        """Type ``leave``; return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"leave\n")
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(tmp_path) as server:
        yield server


async def test_lost_connection_shows_the_seconds_until_the_next_try(server: ServerProcess, tmp_path: Path) -> None:
    async with Proxy(server.url) as proxy, Person.joining(server.room, proxy.url, tmp_path) as person:
        await person.sees("Type ready to begin")
        proxy.break_off()
        assert (
            await person.sees(r"Connection lost: .*")
            == "Connection lost: the connection broke off. Trying again in 1 s."
        )
        await person.sees(r"Connected again\.")
        await person.sees(f"Back in room {server.room}")
        assert proxy.sockets == 2
        assert await person.leaves() == 0


async def test_stopping_server_announces_its_return(server: ServerProcess, tmp_path: Path) -> None:
    async with Person.joining(server.room, server.url, tmp_path) as person:
        await person.sees("Type ready to begin")
        server.signal(signal.SIGTERM)
        await person.sees("The server says: the server is stopping; your seat is kept")
        await person.sees(r"Trying again in 2 s\.")
        await asyncio.to_thread(server.restart, same_port=True)
        await person.sees(r"Connected again\.")
        await person.sees(f"Back in room {server.room}")
        assert await person.leaves() == 0
