"""Attacks before hello: too many connections, slow ones, and ambiguous HTTP."""

import asyncio
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.attacks.harness import Raw, attacked, bystander, new_address, new_name, person, run_many, tcp, upgrade
from tests.support.server import SERVE, ServerProcess, server_process
from tests.support.sockets import open_socket
from websockets.exceptions import InvalidHandshake

FILES = 160
"""Open files of the server ``poor``, 64 of them reserved."""


@pytest.fixture
def poor(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with a low limit of open files."""
    limits = f"import resource as r, os, sys; r.setrlimit(r.RLIMIT_NOFILE, ({FILES}, {FILES}))"
    program = (sys.executable, "-c", f"{limits}; os.execv(sys.argv[1], sys.argv[1:])", *SERVE)
    with server_process(tmp_path, program=program) as server:
        assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (FILES, FILES)
        yield server


async def _kept(raw: Raw) -> bool:
    """Return whether the server keeps this connection open."""
    try:
        async with asyncio.timeout(0.5):
            return bool(await raw.reader.read(1))
    except TimeoutError:
        return True
    except ConnectionError:
        return False


async def _opened(stack: AsyncExitStack, server: ServerProcess, addresses: list[str]) -> list[Raw]:
    """Open a silent connection from each address; return those that could be opened."""
    opening = [stack.enter_async_context(tcp(server, address)) for address in addresses]
    return [raw for raw in await asyncio.gather(*opening, return_exceptions=True) if isinstance(raw, Raw)]


async def _held(raws: list[Raw]) -> int:
    """Return how many of these connections the server keeps open."""
    return sum(await asyncio.gather(*map(_kept, raws)))


async def test_flood_of_silent_connections(server: ServerProcess) -> None:
    async with attacked(server), AsyncExitStack() as stack:
        raws = await _opened(stack, server, [new_address()] * 400)
        async with person(server) as newcomer:  # is accepted after all of them
            await newcomer.ask("list", "rooms")
            assert 0 < await _held(raws) <= 160


async def test_flood_of_handshakes_from_one_address(server: ServerProcess) -> None:
    address = new_address()

    async def come(_: int) -> str:
        ws = await stack.enter_async_context(open_socket(server.url, local_addr=(address, 0)))
        return str((await ws.hello(new_name()))["t"])

    async with bystander(server) as player, AsyncExitStack() as stack:
        assert (await player.during(run_many(300, come))).count("welcome") == 128
        async with person(server) as newcomer:
            await newcomer.ask("ping", "pong")
        with pytest.raises((InvalidHandshake, ConnectionError)):
            await come(0)


async def test_slow_handshake_times_out(server: ServerProcess) -> None:
    async def drip(_: int) -> None:
        async with tcp(server) as raw:
            for byte in upgrade(server)[:-1]:
                if not await raw.write(bytes([byte])):
                    return
                await asyncio.sleep(0.05)
                if raw.reader.at_eof():
                    return
            raise AssertionError("the server waited for all of it")

    async with bystander(server) as player:
        assert await player.during(run_many(30, drip)) == [None] * 30


async def test_files_run_out_for_attackers_only(poor: ServerProcess) -> None:
    async with bystander(poor) as player, AsyncExitStack() as stack:
        raws = await player.during(_opened(stack, poor, [new_address() for _ in range(400)]))
        assert await _held(raws) > 0
        assert len(os.listdir(f"/proc/{poor.pid}/fd")) < FILES
        await player.socket.send("leave", room=player.room)
        await player.socket.until("left")
    async with bystander(poor) as player:
        await player.act()


def _http(server: ServerProcess, *lines: str) -> bytes:
    return "\r\n".join([*lines, "", ""]).replace("{host}", urlsplit(server.url).netloc).encode("latin-1")


GET = "GET / HTTP/1.1"
HOST = "Host: {host}"
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((GET, HOST, "Content-Length: 5", "Content-Length: 50"), id="two-lengths"),
        pytest.param((GET, HOST, "Content-Length: 0", "Transfer-Encoding: chunked"), id="length-and-chunks"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Transfer-Encoding: chunked"), id="chunked-upgrade"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Content-Length: 40"), id="upgrade-with-a-body"),
        pytest.param((GET, HOST, *UPGRADE, KEY, KEY), id="two-keys"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Sec-WebSocket-Version: 8"), id="two-versions"),
        pytest.param(("POST / HTTP/1.1", HOST, *UPGRADE, KEY), id="post"),
        pytest.param(("GET / HTTP/0.9", HOST, *UPGRADE, KEY), id="old"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Folded: a\r\n b"), id="folded"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Bad : x"), id="space-in-a-name"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Nul: \0"), id="nul"),
        pytest.param((GET, HOST, *(f"H{n}: x" for n in range(1_000))), id="header-flood"),
        pytest.param((GET, HOST, "Big: " + "x" * 100_000), id="giant-header"),
        pytest.param(("GET /" + "x" * 100_000 + " HTTP/1.1", HOST), id="giant-request-line"),
        pytest.param(("GET http://[ HTTP/1.1", HOST), id="broken-absolute-uri"),
        pytest.param((GET, HOST, *UPGRADE, KEY, "Origin: http://["), id="broken-origin"),
        pytest.param((GET, HOST, "Host: evil.example", *UPGRADE, KEY, "Origin: http://evil.example"), id="two-hosts"),
    ],
)
async def test_invalid_requests_are_refused(server: ServerProcess, lines: tuple[str, ...]) -> None:
    logged = len(server.log())
    async with attacked(server), tcp(server) as raw:
        await raw.write(_http(server, *lines))
        assert (await raw.answer())[0] in (0, *range(400, 500))
        assert server.log().count("pages are refused") <= 1, "in the life of a server"
        assert [line for line in server.log()[logged:].splitlines() if "pages are refused" not in line] == []


@pytest.mark.parametrize("path", ["http://evil.example/healthz", "//evil.example/healthz", "/healthz?x=/metrics"])
async def test_only_the_path_selects_the_page(server: ServerProcess, path: str) -> None:
    async with tcp(server) as raw:
        await raw.write(_http(server, f"GET {path} HTTP/1.1", HOST))
        status, answer = await raw.answer()
        assert (status, answer.endswith(b"ok\n")) == (200, True)


@pytest.mark.parametrize("first", ["GET / HTTP/1.1", "GET /healthz HTTP/1.1", "HEAD /healthz HTTP/1.1"])
async def test_bytes_after_a_request_are_no_second_request(server: ServerProcess, first: str) -> None:
    """A connection gets at most one answer, and no line in the log, which attackers could fill."""
    async with bystander(server) as player:
        logged = len(server.log())
        for _ in range(5):
            async with tcp(server) as raw:
                await raw.write(_http(server, first, HOST), _http(server, "GET /metrics HTTP/1.1", HOST))
                _, answer = await raw.answer()
                assert answer.count(b"HTTP/1.1 ") <= 1
                assert b"parlour_" not in answer
        await player.act()
        assert len(server.log()) == logged


async def test_endless_request_is_ended(server: ServerProcess) -> None:
    async with attacked(server), tcp(server) as raw:
        sent, line = 0, b"A: " + b"x" * 4_000 + b"\r\n"
        await raw.write(b"GET / HTTP/1.1\r\n")
        while sent < 100 and await raw.write(line * 10):
            sent += 1
        await raw.rest()
