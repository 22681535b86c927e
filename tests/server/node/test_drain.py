"""A server that is told to stop while twenty play: everybody is told when to come back, and nothing is lost."""

import asyncio
import random
import signal
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import attrs
import pytest
from tests.server.crash.audit import all_faults, stored_rooms
from tests.server.crash.players import House, Player, seated
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import Map, Socket, open_socket
from tests.support.stores import LONG_STORES, new_store
from websockets.exceptions import ConnectionClosed, InvalidHandshake

UNO: Map = {"breath": 10, "pause": 0, "target": 200}
TABLES: list[tuple[str, int, Map]] = [
    *[("uno", 4, UNO)] * 3,
    ("minesweeper", 4, {"mode": "race", "penalty": 1_000}),
    *[("minesweeper", 2, {"mode": "duel"})] * 2,
]
"""Game, seats, options; twenty seats."""
BUSY = 400
"""Messages that all players have received together when the server is told to stop."""
ENOUGH = 240
"""Seconds."""
CLIENTS = 20
"""Clients of each kind that do not read, come back again and again, or say half a greeting."""


@attrs.define(eq=False)
class Stopped(House):
    """A server that is asked to stop, and what it says to its guests."""

    byes: list[tuple[str, Map]] = attrs.field(factory=list)
    under_way: int = 0
    """Acts without an answer when the server had stopped."""

    async def stop(self, players: list[Player]) -> int:
        """Tell the server to stop in the thick of it, and start it again; return its exit code."""
        self._kill_in = BUSY
        await self._due.wait()
        self.up.clear()
        self.server.signal(signal.SIGTERM)
        code = await asyncio.to_thread(self.server.wait)  # which fails after a while
        self.under_way = sum(len(player.open) for player in players)
        self.closing = True
        await asyncio.to_thread(self.server.restart)
        self.up.set()
        return code


class Guest(Player):
    """A player who remembers how it was seen off."""

    async def _visit(self, socket: Socket) -> None:
        try:
            await super()._visit(socket)
        except ConnectionClosed:  # noticed in sending: the goodbye may have come and not been read
            await self._read_on(socket)

    async def _read_on(self, socket: Socket) -> None:
        with suppress(ConnectionClosed):
            while True:
                message = await socket.receive()
                if message["t"] == "bye":
                    await self._on_bye(socket, message)

    async def _on_bye(self, socket: Socket, message: Map) -> None:
        assert isinstance(self.house, Stopped)
        self.house.byes.append((self.name, message))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001


@pytest.fixture(params=LONG_STORES)
def database(request: pytest.FixtureRequest) -> str | None:
    return new_store(request)


async def test_twenty_players_are_told_when_to_come_back_and_go_on_where_they_were(
    tmp_path: Path, database: str | None, seed: int
) -> None:
    with server_process(tmp_path, "--log-level", "warning", "--lease", "60", store=database) as server:
        house = Stopped(server, random.Random(seed))
        players: list[Player] = [*seated(house, TABLES, Guest)]
        assert len(players) == 20
        async with asyncio.timeout(ENOUGH), asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play())
            house.up.set()
            assert await house.stop(players) == 0
        assert sorted(name for name, _ in house.byes) == sorted(player.name for player in players)
        assert {(bye["code"], bye["retry_after"]) for _, bye in house.byes} == {("drain", 500 if database else 2_000)}
        assert house.under_way > 0
        assert server.stop() == 0
        assert database or server.log() == ""  # a node tells of the rooms that it takes over
    rooms = await stored_rooms(server)
    assert {player.room for player in players} <= {room.code for room in rooms}
    assert all_faults(rooms, players) == []


async def test_a_server_stops_whatever_its_clients_do(tmp_path: Path) -> None:
    with server_process(tmp_path, "--log-level", "warning") as server:
        async with AsyncExitStack() as deaf:
            for number in range(CLIENTS):
                socket = await deaf.enter_async_context(open_socket(server.url, max_queue=1, close_timeout=0))
                await socket.hello(f"deaf{number}")
                socket.ws.transport.pause_reading()
            others = [asyncio.create_task(does(server)) for does in (_comes_back, _half_greets) * CLIENTS]
            async with open_socket(server.url) as socket:
                await socket.hello("last")
            server.signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.wait) == 0
        for client in others:
            client.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        assert server.log() == ""


async def _comes_back(server: ServerProcess) -> None:
    """Connect again and again, and say hello with what the last one gave."""
    token = None
    while True:
        with suppress(OSError, EOFError, ConnectionClosed, InvalidHandshake):
            async with open_socket(server.url, close_timeout=0) as socket:
                token = (await socket.hello(f"c{id(asyncio.current_task())}", token=token))["token"]
                await socket.send("create", game="uno")


async def _half_greets(server: ServerProcess) -> None:
    """Open a connection, and send half of a request."""
    address = urlsplit(server.url)
    _, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        await asyncio.Event().wait()
    finally:
        writer.close()
