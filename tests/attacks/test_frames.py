"""Attacks by frames: too many, too small, too long, never read. Memory stays bounded and others play on."""

import asyncio
import re
import time
from pathlib import Path

import pytest
from tests.attacks.harness import (
    BINARY,
    BUDGET,
    CONT,
    PING,
    PONG,
    TEXT,
    Memory,
    Raw,
    attacked,
    bystander,
    frame,
    new_name,
    open_board,
    person,
    raw_socket,
    run_many,
    tcp,
    text,
    uno,
)
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import open_socket
from tests.support.waiting import STILL, until

from parlour_protocol.codec import MAX_CLIENT_FRAME
from parlour_server.transport.connection import MAX_OUTBOX

PIECE = 240_000
"""Bytes per write."""
MOST = 12_000_000
"""Bytes after which an attacker gives up."""

FLOODS = ("ping", "list", "unknown", "unreadable")
"""The kinds of messages in floods, as labelled in the server's metrics."""
EMPTY_FRAGMENTS = frame(TEXT, fin=False) + frame(CONT, fin=False) * 6_000


async def pour(raw: Raw, data: bytes, *, deaf: bool) -> None:
    """Write ``data`` repeatedly until the server closes or stops reading."""
    reading = asyncio.ensure_future(asyncio.sleep(0) if deaf else _drop(raw))
    written, piece = 0, data * max(1, PIECE // len(data))
    while written < MOST and await raw.write(piece):
        written += len(piece)
    reading.cancel()


async def counted(server: ServerProcess, *metrics: str) -> int:
    """Return the sum of the values of some metrics, each with its label."""
    async with tcp(server, "127.0.0.1") as raw:
        await raw.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        names = "|".join(map(re.escape, metrics))
        found = re.findall(rf"^parlour_(?:{names}) (\d+)", (await raw.rest()).decode(), re.MULTILINE)
        return sum(map(int, found))


async def cuts(server: ServerProcess, why: str) -> int:
    return await counted(server, f'outbox_cut_total{{why="{why}"}}')


async def heard(server: ServerProcess) -> int:
    """Return the number of received messages of floods, from the metrics."""
    return await counted(server, *(f'received_total{{type="{kind}"}}' for kind in FLOODS))


async def at_rest(server: ServerProcess) -> int:
    """Return the number of flood messages received, after the backlog is processed."""
    found = [await heard(server)]

    async def nothing_new() -> bool:
        found.append(await heard(server))
        return found[-1] == found[-2]

    await until(nothing_new, every=0.3, within=STILL)
    return found[-1]


def allowed(sockets: int, seconds: float) -> float:
    """Return the most messages that the server processes: about 200 a second per socket."""
    return sockets * (400 + 300 * seconds)


async def _drop(raw: Raw) -> None:
    while await raw.reader.read(65_536):
        pass


@pytest.mark.parametrize(
    ("flood", "deaf"),
    [
        pytest.param(text('{"t":"ping"}'), False, id="tiny-messages", marks=pytest.mark.long),
        pytest.param(text('{"t":"ping"}'), True, id="tiny-messages-unread"),
        pytest.param(text('{"t":"list"}'), True, id="lists-unread"),
        pytest.param(text("{}"), False, id="tiny-nonsense", marks=pytest.mark.long),
        pytest.param(frame(TEXT), False, id="empty-messages"),
        pytest.param(frame(PING, b"x" * 125), False, id="pings", marks=pytest.mark.long),
        pytest.param(frame(PING, b"x" * 125), True, id="pings-unread"),
        pytest.param(frame(PONG), False, id="pongs", marks=pytest.mark.long),
        pytest.param(EMPTY_FRAGMENTS, False, id="empty-fragments"),
    ],
)
async def test_floods_of_frames(server: ServerProcess, flood: bytes, deaf: bool) -> None:
    async with attacked(server) as player, raw_socket(server) as raw:
        before, began = await at_rest(server), time.monotonic()
        await player.during(pour(raw, flood, deaf=deaf))
        assert await heard(server) - before <= allowed(1, time.monotonic() - began)


@pytest.mark.parametrize("number", [12, pytest.param(60, marks=pytest.mark.long)])
async def test_many_floods_at_once(server: ServerProcess, number: int) -> None:
    floods = (text('{"t":"ping"}'), frame(TEXT), frame(PING), EMPTY_FRAGMENTS)

    async def attack(n: int) -> None:
        async with raw_socket(server) as raw:
            await pour(raw, floods[n % len(floods)], deaf=n % 3 == 0)

    async with attacked(server, 3 * BUDGET) as player:  # on a slow machine more lists wait for each client
        before, began = await at_rest(server), time.monotonic()
        await player.during(run_many(number, attack))
        assert await heard(server) - before <= allowed(number, time.monotonic() - began)


async def test_frames_after_the_last_strike_are_ignored(server: ServerProcess) -> None:
    async with attacked(server), raw_socket(server) as raw:
        before = await cuts(server, "flood")
        await raw.write(frame(TEXT) * 20)
        said = b""
        while b'"t":"bye"' not in said:
            said += await raw.reader.read(1_000)
        assert said.count(b"bad_frame") == 20
        await raw.write(frame(TEXT) * 200)
        await raw.rest()
        assert await cuts(server, "flood") == before + 1


async def test_ping_flood_is_bounded(server: ServerProcess) -> None:
    before = await cuts(server, "flood")
    async with raw_socket(server) as raw:
        await raw.write(*(frame(PING, b"%03d" % n) for n in range(20)))
        await raw.reader.readuntil(b"019")
        await raw.write(frame(PING) * 5_000)
        await raw.rest()
    assert await cuts(server, "flood") == before + 1


@pytest.mark.parametrize(
    "broken",
    [
        *(frame(opcode, b"x" * 100, length=n) for opcode in (TEXT, BINARY) for n in (16_385, 2**31, 2**63, 2**64 - 1)),
        pytest.param(frame(PING, b"x" * 126), id="long-ping"),
        pytest.param(frame(PING, fin=False), id="ping-in-fragments"),
        pytest.param(frame(CONT), id="nothing-to-continue"),
        pytest.param(frame(3), id="unknown-opcode"),
        pytest.param(frame(TEXT, b"{}", rsv=0x40), id="compressed"),
        pytest.param(b"\x81\x02{}", id="unmasked"),
        pytest.param(frame(TEXT, fin=False) + frame(TEXT), id="two-at-once"),
        pytest.param(frame(TEXT, b"x" * MAX_CLIENT_FRAME, fin=False) + frame(CONT, b"x"), id="too-long-in-fragments"),
        pytest.param(frame(TEXT, b'{"t":"\xff"}'), id="not-utf-8"),
    ],
)
async def test_huge_and_invalid_frames_close_their_socket_only(server: ServerProcess, broken: bytes) -> None:
    async with attacked(server), raw_socket(server) as raw:
        await raw.write(broken)
        assert b"\x88" in await raw.rest()


@pytest.mark.parametrize("reads", [0, 200], ids=["never-reading", "slow"])
async def test_slow_spectator_is_disconnected(server: ServerProcess, reads: int) -> None:
    """It gets more than its outbox and the socket buffers hold, and is disconnected. Other players do not wait."""
    async with person(server) as host, raw_socket(server) as raw:
        watched = await open_board(host, level="custom", width=100, height=100, mines=1_000)
        await raw.write(text(f'{{"t":"join","room":"{watched.room}","as":"spectator"}}'))
        await host.until("seats")
        memory, before = Memory.of(server.pid), await cuts(server, "overflow")
        while await cuts(server, "overflow") == before:
            for _ in range(25):
                await watched.act()
            if reads:
                await raw.reader.read(reads)
            assert watched.acts < 3_000
        assert memory.peak < BUDGET


async def test_lists_that_are_not_read_take_little_memory(tmp_path: Path) -> None:
    """Each client exceeds its rate limit, 40 lists and 20 a second, and reads nothing."""
    over, rooms, clients = asyncio.Event(), 4, 40

    with server_process(tmp_path) as server:

        async def attack(n: int) -> None:
            async with raw_socket(server) as raw:
                await raw.write(text('{"t":"list"}') * 400)
                await over.wait()

        async with bystander(server) as player, person(server) as crowd:
            for _ in range(rooms):
                await uno(crowd, seats=4)
            memory, began = Memory.of(server.pid), time.monotonic()
            before = await counted(server, 'sent_total{type="rooms"}')
            task = asyncio.ensure_future(run_many(clients, attack))
            for _ in range(200):
                await player.act()
            told = await counted(server, 'sent_total{type="rooms"}') - before
            over.set()
            await task
            assert memory.peak < BUDGET + clients * MAX_OUTBOX // 1024
            assert 0 < told <= clients * (45 + 25 * (time.monotonic() - began))


@pytest.mark.parametrize(
    ("subprotocol", "payload"),
    [
        pytest.param("json", "[" * 16_000, id="deep-json"),
        pytest.param("json", '{"t":"ping","x":[' + ",".join(["[]"] * 5_000) + "]}", id="many-lists"),
        pytest.param("msgpack", b"\x91" * 16_000, id="nested-msgpack"),
        pytest.param("msgpack", b"\xdd\xff\xff\xff\xff", id="array-of-four-thousand-million"),
        pytest.param("msgpack", b"\xdc\x40\x00" + b"\xdc\x40\x00" * 5_000, id="arrays-of-arrays"),
    ],
)
async def test_malformed_payloads_cost_a_strike_each(
    server: ServerProcess, subprotocol: str, payload: str | bytes
) -> None:
    async with attacked(server), open_socket(server.url, f"parlour.v1.{subprotocol}") as client:
        await client.hello(new_name())
        for strike in range(1, 20):
            await client.ws.send(payload)
            error = await client.receive()
            assert (error["code"], error["strikes"]) == ("bad_frame", [strike, 20])
        await client.ask("ping", "pong")
        await client.ws.send(payload)
        assert await client.closed() == 4008
