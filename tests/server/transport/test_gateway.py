"""The gateway's door over real sockets: who may come in, how many, what plain HTTP is told."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.server.transport.gateways import Host, hosting
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, until
from websockets.asyncio.client import unix_connect
from websockets.exceptions import InvalidStatus

from parlour_protocol.codec import JSON, MSGPACK, SUBPROTOCOLS
from parlour_server.settings import ServerSettings
from parlour_server.transport.connection import CountedConnection
from parlour_server.transport.gateway import LINGER

LOOPBACK = "127.0.0.0/8"
OPERATOR = "operator"


@pytest.fixture
async def proxied(tmp_path: Path) -> AsyncIterator[Host]:
    """A server that believes what a proxy on loopback says."""
    async with hosting(tmp_path / "proxied.db", ServerSettings(trusted_proxy=(LOOPBACK,))) as host:
        yield host


@pytest.mark.parametrize("asked", [[], [MSGPACK, JSON], ["parlour.v9.cbor", JSON]])
async def test_subprotocol_is_the_first_of_the_clients_that_is_known(host: Host, asked: list[str]) -> None:
    async with open_socket(host.url, *asked) as client:
        assert client.ws.subprotocol == next((each for each in asked if each in SUBPROTOCOLS), None)
        assert (await client.hello("anna"))["name"] == "anna"


async def test_refusal_of_unknown_subprotocols_lists_the_known_ones(host: Host) -> None:
    status, body = await host.raw(_request("/", "Host: x", *UPGRADE, "Sec-WebSocket-Protocol: parlour.v9.cbor, chat"))
    assert (status, [each for each in SUBPROTOCOLS if each not in body]) == (400, [])


async def test_nothing_is_compressed_even_if_asked_for(host: Host) -> None:
    async with open_socket(host.url, compression="deflate") as client:
        assert client.ws.response is not None
        assert "Sec-WebSocket-Extensions" not in client.ws.response.headers
        assert "Server" not in client.ws.response.headers


async def test_plain_http_is_told_what_this_is(host: Host) -> None:
    status, body = await host.get("/")
    assert (status, "WebSocket" in body) == (426, True)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        ("http://{host}", 101),
        ("https://{host}", 101),
        ("https://friend.example", 101),
        ("https://evil.example", 403),
        ("http://friend.example", 403),
        ("https://{host}.evil.example", 403),
        ("null", 403),
        ("", 403),
        ("https://friend.example|https://evil.example", 403),
    ],
)
async def test_origins(tmp_path: Path, origin: str | None, status: int) -> None:
    async with hosting(tmp_path / "parlour.db", ServerSettings(origin=("https://friend.example",))) as host:
        origins = [] if origin is None else origin.replace("{host}", host.url.removeprefix("ws://")).split("|")
        assert await _status(host, *(f"Origin: {each}" for each in origins)) == status


@pytest.mark.parametrize(
    ("host_field", "origin", "status"),
    [
        ("games.test:443", "https://games.test", 101),
        ("127.0.0.1:7777", "https://public.test", 101),
        ("127.0.0.1:7777", "https://other.test", 403),
        ("games.test:80", "https://games.test", 403),
    ],
)
async def test_origins_behind_a_proxy(tmp_path: Path, host_field: str, origin: str, status: int) -> None:
    settings = ServerSettings(public_url="wss://public.test/games", trusted_proxy=(LOOPBACK,))
    fields = f"Host: {host_field}", "X-Forwarded-For: 192.0.2.1"
    async with hosting(tmp_path / "parlour.db", settings) as host:
        assert await _status(host, *fields, f"Origin: {origin}") == status
        asked = _request(f"/healthz?origin={origin}", *fields)
        assert (await host.raw(asked))[0] == (200 if status == 101 else 403)
        metrics = host.metrics.text(host.node.presence())
        assert f"parlour_origins_refused_total {float(status == 403)}\n" in metrics


async def test_star_lets_every_origin_in(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db", ServerSettings(origin=("*",))) as host:
        assert await _status(host, "Origin: https://anybody.example") == 101


@pytest.mark.parametrize(
    ("settings", "forwarded", "status"),
    [
        (ServerSettings(), False, 403),
        (ServerSettings(), True, 403),
        (ServerSettings(trusted_proxy=(LOOPBACK,)), False, 403),
        (ServerSettings(trusted_proxy=(LOOPBACK,)), True, 101),
        (ServerSettings(host="games.example"), False, 101),
        (ServerSettings(origin=("*",)), False, 101),
    ],
)
async def test_a_page_whose_name_was_rebound_to_loopback_is_refused(
    tmp_path: Path, settings: ServerSettings, forwarded: bool, status: int
) -> None:
    headers = ["Host: games.example", "Origin: http://games.example", *["X-Forwarded-For: 192.0.2.1"] * forwarded]
    async with hosting(tmp_path / "parlour.db", settings) as host:
        assert await _status(host, *headers) == status
        for path in ("/", "/metrics"):
            refused, body = await host.raw(_request(path, *headers))
            assert (refused == 403) is (status == 403 or (forwarded and path == "/metrics"))
            assert ("--public-url" in body) is (status == 403)
        assert await host.raw(_request("/healthz", *headers)) == (200, "ok\n")


UPGRADE = (
    *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


def _request(path: str, *fields: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", *fields, "", ""]).encode()


async def _status(host: Host, *fields: str) -> int:
    """Return the status of a handshake with these fields and no others, except ``Host`` if it is not among them."""
    if not any(field.startswith("Host:") for field in fields):
        fields = ("Host: {}:{}".format(*host.address), *fields)
    reader, writer = await asyncio.open_connection(*host.address)
    writer.write(_request("/", *fields, *UPGRADE))
    async with asyncio.timeout(PATIENCE):
        status = int((await reader.readline()).split()[1])
    writer.close()
    return status


async def test_health(host: Host) -> None:
    assert await host.get("/healthz") == (200, "ok\n")
    host.metrics.ended("reviews")
    assert await host.get("/healthz") == (200, "ok\nstarting again: reviews\n")


async def test_metrics_on_loopback(host: Host) -> None:
    async with open_socket(host.url) as client:
        await client.hello("anna")
        await client.ask("create", "joined", game="uno")
        await client.ask("act", "error", room="ZZZZ", rid=1, act=0)
        status, body = await host.get("/metrics?x=1")
    assert status == 200
    assert {
        "parlour_connections 1.0",
        'parlour_rooms{game="uno",state="waiting"} 1.0',
        'parlour_received_total{type="hello"} 1.0',
        'parlour_sent_total{type="joined"} 1.0',
        'parlour_refusals_total{code="not_here"} 1.0',
    } <= set(body.splitlines())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": "Bearer wrong"}, 200),
        ({"X_Forwarded_For": "127.0.0.1"}, 403),
        ({"X_Forwarded_For": "127.0.0.1, 192.0.2.1"}, 403),
        ({"X_Forwarded_For": "127.0.0.1|192.0.2.1"}, 403),
        ({"X_Forwarded_For": "192.0.2.1", "Authorization": f"Bearer {OPERATOR}"}, 200),
        ({"X_Forwarded_For": "192.0.2.1", "Authorization": "Bearer wrong"}, 403),
        ({"X_Forwarded_For": "192.0.2.1", "Authorization": "Bearer ü"}, 403),
        ({"X_Forwarded_For": "192.0.2.1", "Authorization": f"Bearer x|Bearer {OPERATOR}"}, 403),
        ({"X_Forwarded_For": "192.0.2.1", "Authorization": "Bearer "}, 403),
    ],
)
async def test_metrics_are_for_loopback_or_the_operator(proxied: Host, headers: dict[str, str], status: int) -> None:
    assert (await proxied.get("/metrics", **headers))[0] == status


@pytest.mark.parametrize("field", ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1"])
async def test_metrics_behind_a_proxy_that_nobody_told_of(host: Host, field: str) -> None:
    """It makes every request come from loopback: one that was handed on is from elsewhere."""
    assert (await host.raw(_request("/metrics", "Host: localhost", field)))[0] == 403


async def test_without_operator_no_token_opens_the_metrics(proxied: Host) -> None:
    proxied.node.lobby.admin.token = None
    for token in ("", "None"):
        headers = {"X_Forwarded_For": "192.0.2.1", "Authorization": f"Bearer {token}"}
        assert (await proxied.get("/metrics", **headers))[0] == 403


def _let_in(host: Host, per_address: int) -> None:
    host.gateway._settings = attrs.evolve(host.gateway._settings, per_address=per_address)


async def test_connections_of_one_address_and_in_all_are_limited(host: Host) -> None:
    _let_in(host, 2)
    async with open_socket(host.url) as bystander:
        async with open_socket(host.url):
            assert await _status(host) == 503
        await host.until(1)
        assert await _status(host) == 101
        await bystander.hello("anna")
        _let_in(host, 99)
        host.gateway.limit = 1
        assert await _status(host) == 503


@pytest.mark.parametrize("politely", [True, False])
async def test_closed_connections_leave_nothing_behind_and_wait_for_no_garbage_collection(
    host: Host, politely: bool
) -> None:
    _, writer = await asyncio.open_connection(*host.address)
    writer.write(SHAKE)
    await until(lambda: bool(host.gateway._open))
    writer.close()
    gc.disable()
    try:
        async with open_socket(host.url, MSGPACK) as client:
            await client.hello("anna")
            [found] = host.gateway._sockets
            connection, protocol = weakref.ref(found.connection), weakref.ref(found.connection.protocol)
            del found
            if not politely:
                client.ws.transport.abort()
        await until(lambda: connection() is None and protocol() is None)
    finally:
        gc.enable()
    await until(lambda: not host.gateway._open)
    assert not host.gateway._per_peer
    assert not host.gateway._addresses
    assert not host.gateway._sockets
    assert not host.node.lobby.connections.sessions


SHAKE = _request("/", "Host: x", *UPGRADE).removesuffix(b"\r\n")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(SHAKE, id="half-a-handshake"),
        pytest.param(b"HELO\r\n\r\n", id="no-http"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", id="tls"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n\r\n", id="plain-http"),
        pytest.param(SHAKE + b"Origin: https://evil.example\r\n\r\n", id="refused"),
        pytest.param(SHAKE + b"\r\n", id="handshake"),
        pytest.param(SHAKE + b"\r\n\x81\x02{}", id="against-the-standard"),
        pytest.param(SHAKE + b"\r\n\x81\xff" + b"\xff" * 12, id="too-long"),
        pytest.param(SHAKE + b"\r\n\x88\x80" + bytes(4), id="closes"),
    ],
)
@pytest.mark.parametrize("politely", [True, False])
async def test_whatever_has_been_said_no_connection_waits_for_a_garbage_collection(
    host: Host, monkeypatch: pytest.MonkeyPatch, said: bytes, politely: bool
) -> None:
    came: list[weakref.ref[Any]] = []

    def accepted(connection: CountedConnection) -> None:
        came.extend([weakref.ref(connection), weakref.ref(connection.protocol)])

    monkeypatch.setattr(host.gateway, "accepted", accepted)
    monkeypatch.setattr(host.gateway, "closed", lambda _: None)
    gc.disable()
    try:
        _, writer = await asyncio.open_connection(*host.address)
        writer.write(said)
        await writer.drain()
        await until(lambda: len(came) == 2)
        if politely:
            writer.close()
        else:
            writer.transport.abort()
        await until(lambda: all(each() is None for each in came))
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "forwarded",
    ["192.0.2.{n}", "10.0.0.9|192.0.2.{n}", "[2001:db8:0:{n}::1]:5000", "10.0.0.9, 192.0.2.{n}|127.0.0.9:80"],
)
async def test_limit_counts_who_is_behind_a_trusted_proxy(proxied: Host, forwarded: str) -> None:
    _let_in(proxied, 1)
    one, two = ([("X-Forwarded-For", line.replace("{n}", str(n))) for line in forwarded.split("|")] for n in (1, 2))
    async with open_socket(proxied.url, additional_headers=one), open_socket(proxied.url, additional_headers=two):
        assert await _status(proxied, *(": ".join(field) for field in two)) == 503


async def test_limit_counts_who_comes_by_a_trusted_listener_alone(host: Host, short_path: Path) -> None:
    _let_in(host, 1)
    place = str(short_path / "trusted")
    first, second = ([("X-Forwarded-For", f"192.0.2.{n}")] for n in (1, 2))
    async with (
        host.gateway.listen(f"unix:{place}", 0, trusted=True),
        unix_connect(place, additional_headers=first),
        unix_connect(place, additional_headers=second),
        open_socket(host.url, additional_headers=second),  # counts as loopback
    ):
        for headers in (first, second):
            with pytest.raises(InvalidStatus):
                async with unix_connect(place, additional_headers=headers):
                    pass
        assert await _status(host, "X-Forwarded-For: 192.0.2.3") == 503


async def test_a_network_of_ipv6_counts_as_one_address(proxied: Host) -> None:
    _let_in(proxied, 1)
    async with open_socket(proxied.url, additional_headers=[("X-Forwarded-For", "2001:db8::1")]):
        assert await _status(proxied, "X-Forwarded-For: 2001:db8::2") == 503


async def test_closed_connection_counts_for_its_address_a_little_longer(
    proxied: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    _let_in(proxied, 1)
    later = asyncio.Event()
    loop = asyncio.get_running_loop()
    uncount: list[Callable[[], object]] = []
    call_later = loop.call_later

    def hold(delay: float, call: Any, *args: Any, **more: Any) -> Any:
        if delay != LINGER or call.__name__ != "_uncount":
            return call_later(delay, call, *args, **more)
        uncount.append(partial(call, *args))
        later.set()
        return None

    monkeypatch.setattr(loop, "call_later", hold)
    address = "X-Forwarded-For: 192.0.2.1"
    assert await _status(proxied, address) == 101
    await later.wait()
    assert await _status(proxied, address) == 503
    uncount.pop()()
    assert await _status(proxied, address) == 101


@pytest.mark.parametrize(
    ("trusted", "forwarded"),
    [(True, ""), (True, "unknown"), (True, "192.0.2.1:4711, x"), (True, "<script>"), (False, "192.0.2.1")],
)
async def test_nonsense_and_what_others_say_is_not_believed(
    host: Host, proxied: Host, trusted: bool, forwarded: str
) -> None:
    asked = proxied if trusted else host
    _let_in(asked, 1)
    async with open_socket(asked.url, additional_headers=[("X-Forwarded-For", forwarded)]):
        assert await _status(asked) == 503
