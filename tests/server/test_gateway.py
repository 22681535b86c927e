"""The gateway over real sockets: who may come in, what is cut, and that others go on."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.nodes import House
from tests.support.sockets import Socket, open_socket
from tests.support.waiting import PATIENCE, until
from websockets.exceptions import InvalidStatus

from parlour_protocol.codec import MAX_CLIENT_FRAME
from parlour_protocol.messages import FileLines, Pong
from parlour_protocol.version import JSON, MSGPACK
from parlour_server import gateway as gateway_module
from parlour_server.gateway import Door, Gateway, Link
from parlour_server.metrics import Metrics
from parlour_server.node import Node

LOOPBACK = ip_network("127.0.0.0/8")
OPERATOR = "0123456789abcdef"


@attrs.define
class Host:
    """A server in the test's own loop."""

    address: tuple[str, int]
    gateway: Gateway
    node: Node

    @property
    def url(self) -> str:
        return "ws://{}:{}".format(*self.address)

    async def until(self, links: int) -> None:
        """Wait until so many sockets are open."""
        await until(lambda: len(self.node.links) == links)

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return status and body of a plain HTTP request."""
        head = [f"GET {path} HTTP/1.1", "Host: {}:{}".format(*self.address)]
        head += [f"{name.replace('_', '-')}: {line}" for name, value in headers.items() for line in value.split("|")]
        return await self.raw("\r\n".join([*head, "", ""]).encode())

    async def raw(self, request: bytes) -> tuple[int, str]:
        """Return status and body of what answers these bytes; 0 if nothing does."""
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(request)
        async with asyncio.timeout(PATIENCE):
            answer = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]) if head else 0, body


@asynccontextmanager
async def hosting(path: Path, door: Door) -> AsyncIterator[Host]:
    house, metrics = House(path), Metrics()
    gateway = Gateway(door, metrics)
    gateway.node = node = Node(house.lobby, house.store, gateway.post, metrics)
    await node.start()
    try:
        async with gateway.listen("127.0.0.1", 0) as server:
            yield Host(server.sockets[0].getsockname(), gateway, node)
    finally:
        await node.stop(0)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(tmp_path / "parlour.db", Door(admin=OPERATOR)) as host:
        yield host


@pytest.fixture
async def proxied(tmp_path: Path) -> AsyncIterator[Host]:
    """A server that believes what a proxy on loopback says."""
    async with hosting(tmp_path / "parlour.db", Door(trusted_proxies=(LOOPBACK,), admin=OPERATOR)) as host:
        yield host


async def alive(bystander: Socket) -> None:
    """Assert that the server still answers somebody who has done nothing wrong."""
    assert await bystander.ask("ping", "pong", id="alive?") == {"t": "pong", "re": "alive?"}


# --- the opening handshake ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ([], None),
        ([JSON], JSON),
        ([MSGPACK], MSGPACK),
        ([JSON, MSGPACK], JSON),
        ([MSGPACK, JSON], MSGPACK),
        (["parlour.v9.cbor", JSON], JSON),
    ],
)
async def test_subprotocol_is_the_first_of_the_clients_that_is_known(
    host: Host, asked: list[str], chosen: str | None
) -> None:
    async with open_socket(host.url, *asked) as client:
        assert client.ws.subprotocol == chosen
        assert (await client.hello("anna"))["name"] == "anna"


async def test_refusal_of_unknown_subprotocols_lists_the_known_ones(host: Host) -> None:
    with pytest.raises(InvalidStatus) as caught:
        async with open_socket(host.url, "parlour.v9.cbor", "chat"):
            pass
    body = (caught.value.response.body or b"").decode()
    assert caught.value.response.status_code == 400
    assert JSON in body
    assert MSGPACK in body


async def test_nothing_is_compressed_even_if_asked_for(host: Host) -> None:
    async with open_socket(host.url, compression="deflate") as client:
        assert client.ws.response is not None
        assert "Sec-WebSocket-Extensions" not in client.ws.response.headers
        assert "Server" not in client.ws.response.headers


async def test_plain_http_is_told_what_this_is(host: Host) -> None:
    status, body = await host.get("/")
    assert status == 426
    assert "WebSocket" in body


@pytest.mark.parametrize(
    "request_", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\n\r\n"]
)
async def test_what_is_not_a_handshake_harms_nobody(host: Host, request_: bytes) -> None:
    async with open_socket(host.url) as bystander:
        await bystander.hello("anna")
        reader, writer = await asyncio.open_connection(*host.address)
        writer.write(request_)
        writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
        await writer.wait_closed()
        await alive(bystander)


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
    async with hosting(tmp_path / "parlour.db", Door(("https://friend.example",))) as host:
        assert await _handshake(host, origin) == status


async def test_star_lets_every_origin_in(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db", Door(("*",))) as host:
        assert await _handshake(host, "https://anybody.example") == 101


async def _handshake(host: Host, origin: str | None) -> int:
    name = "{}:{}".format(*host.address)
    headers = [("Origin", each.replace("{host}", name)) for each in origin.split("|")] if origin is not None else []
    try:
        async with open_socket(host.url, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


# --- /healthz and /metrics ---------------------------------------------------------------------------------


async def test_health(host: Host) -> None:
    assert await host.get("/healthz") == (200, "ok\n")


async def test_metrics_on_loopback(host: Host) -> None:
    async with open_socket(host.url) as client:
        await client.hello("anna")
        await client.ask("create", "joined", game="uno")
        await client.ask("act", "error", room="ZZZZ", rid=1, act=0)
        status, body = await host.get("/metrics?x=1")
    assert status == 200
    for line in (
        "parlour_connections 1.0",
        "parlour_rooms 1.0",
        "parlour_received_total 3.0",
        'parlour_sent_total{type="joined"} 1.0',
        'parlour_refusals_total{code="not_here"} 1.0',
    ):
        assert f"{line}\n" in body
    assert "parlour_rows_total" in body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": "Bearer wrong"}, 200),
        ({"X_Forwarded_For": "127.0.0.1"}, 403),
        ({"X_Forwarded_For": "192.0.2.1"}, 403),
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


async def test_metrics_behind_a_proxy_that_nobody_told_of(host: Host) -> None:
    """It makes every request come from loopback: one that was handed on is from elsewhere."""
    assert (await host.get("/metrics", X_Forwarded_For="192.0.2.1"))[0] == 403
    assert (await host.get("/metrics", Forwarded="for=192.0.2.1"))[0] == 403


async def test_without_operator_no_token_opens_the_metrics(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db", Door(trusted_proxies=(LOOPBACK,))) as host:
        for token in ("", "None"):
            headers = {"X_Forwarded_For": "192.0.2.1", "Authorization": f"Bearer {token}"}
            assert (await host.get("/metrics", **headers))[0] == 403


# --- how many ----------------------------------------------------------------------------------------------


async def test_connections_of_one_address_are_limited(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "PER_ADDRESS", 2)
    async with open_socket(host.url) as bystander:
        async with open_socket(host.url):
            assert await _handshake(host, None) == 503
        await host.until(1)
        assert await _handshake(host, None) == 101
        await bystander.hello("anna")


async def test_limit_holds_for_those_who_come_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "PER_ADDRESS", 3)
    async with AsyncExitStack() as stack:
        opening = (stack.enter_async_context(open_socket(host.url)) for _ in range(12))
        opened = await asyncio.gather(*opening, return_exceptions=True)
        assert len([each for each in opened if isinstance(each, Socket)]) == 3
        assert len([each for each in opened if isinstance(each, InvalidStatus)]) == 9


async def test_connections_in_all_are_limited(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db", Door(limit=1)) as host, open_socket(host.url):
        assert await _handshake(host, None) == 503


async def test_closed_connections_leave_nothing_behind(host: Host) -> None:
    for number in range(3):
        async with open_socket(host.url) as client:
            await client.hello(f"n{number}")
    await host.until(0)
    assert not host.gateway._addresses
    assert not host.gateway._links
    assert not host.node.lobby.sessions


@pytest.mark.parametrize("forwarded", ["192.0.2.{n}", "10.0.0.9, 192.0.2.{n}", "10.0.0.9|192.0.2.{n}", "2001:db8::{n}"])
async def test_limit_counts_who_is_behind_a_trusted_proxy(
    proxied: Host, monkeypatch: pytest.MonkeyPatch, forwarded: str
) -> None:
    monkeypatch.setattr(gateway_module, "PER_ADDRESS", 1)

    def headers(n: int) -> list[tuple[str, str]]:
        return [("X-Forwarded-For", line.replace("{n}", str(n))) for line in forwarded.split("|")]

    async with (
        open_socket(proxied.url, additional_headers=headers(1)),
        open_socket(proxied.url, additional_headers=headers(2)),
    ):
        with pytest.raises(InvalidStatus):
            async with open_socket(proxied.url, additional_headers=headers(2)):
                pass


@pytest.mark.parametrize("forwarded", ["", "unknown", "192.0.2.1:4711, x", "<script>"])
async def test_nonsense_from_a_trusted_proxy_counts_as_the_proxy(
    proxied: Host, monkeypatch: pytest.MonkeyPatch, forwarded: str
) -> None:
    monkeypatch.setattr(gateway_module, "PER_ADDRESS", 1)
    async with open_socket(proxied.url, additional_headers=[("X-Forwarded-For", forwarded)]):
        assert await _handshake(proxied, None) == 503


async def test_others_are_not_believed_whom_they_forward_for(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "PER_ADDRESS", 1)
    async with open_socket(host.url, additional_headers=[("X-Forwarded-For", "192.0.2.1")]):
        assert await _handshake(host, None) == 503


# --- frames ------------------------------------------------------------------------------------------------


async def test_largest_frame_is_answered(host: Host) -> None:
    async with open_socket(host.url) as client:
        frame = '{"t":"ping","id":1}'
        await client.ws.send(frame + " " * (MAX_CLIENT_FRAME - len(frame)))
        assert (await client.receive())["re"] == 1


@pytest.mark.parametrize("pieces", [1, 5])
async def test_larger_frame_closes_the_socket(host: Host, pieces: int) -> None:
    async with open_socket(host.url) as client, open_socket(host.url) as bystander:
        await bystander.hello("anna")
        text = "x" * (MAX_CLIENT_FRAME + 1)
        size = len(text) // pieces + 1
        await client.ws.send([text[at : at + size] for at in range(0, len(text), size)] if pieces > 1 else text)
        assert await client.closed() == 1009
        await alive(bystander)


@pytest.mark.parametrize(("subprotocol", "frame"), [(JSON, b'{"t":"ping"}'), (MSGPACK, '{"t":"ping"}')])
async def test_wrong_kind_of_frame_is_a_bad_frame(host: Host, subprotocol: str, frame: str | bytes) -> None:
    async with open_socket(host.url, subprotocol) as client:
        await client.ws.send(frame)
        error = await client.receive()
        assert (error["t"], error["code"], error["strikes"]) == ("error", "bad_frame", [1, 20])
        assert "re" not in error
        await client.hello("anna")


async def test_text_that_is_not_utf8_closes_the_socket(host: Host) -> None:
    async with open_socket(host.url) as client, open_socket(host.url) as bystander:
        client.ws.protocol.send_text(b'{"t":"\xff"}')
        client.ws.send_data()
        assert await client.closed() == 1007
        await bystander.hello("anna")


async def test_twenty_strikes_end_the_connection(host: Host) -> None:
    async with open_socket(host.url) as client, open_socket(host.url) as bystander:
        await bystander.hello("anna")
        for strike in range(1, 21):
            await client.ws.send("{")
            error = await client.receive()
            assert (error["code"], error["strikes"]) == ("bad_frame", [strike, 20])
        bye = await client.receive()
        assert (bye["t"], bye["code"]) == ("bye", "strikes")
        assert await client.closed() == 4008
        await alive(bystander)


# --- who does not talk, who does not read ------------------------------------------------------------------


async def test_silent_connection_is_closed(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_socket(host.url) as client, open_socket(host.url) as bystander:
        await bystander.hello("anna")
        monkeypatch.setattr("parlour_server.rooms.lobby.SILENT", -1)
        host.node.sweep()
        assert (await client.receive())["code"] == "hello_first"
        assert await client.closed() == 4008
        await alive(bystander)


async def test_silent_are_looked_for_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.rooms.lobby.SILENT", 50)
    monkeypatch.setattr(gateway_module, "STALL", 0.04)
    async with hosting(tmp_path / "parlour.db", Door()) as host, open_socket(host.url) as client:
        assert await client.closed() == 4008


@asynccontextmanager
async def _deaf(host: Host) -> AsyncIterator[Link]:
    """A client that has said hello and reads nothing any more, as the server knows it."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    own.setblocking(False)
    await asyncio.get_running_loop().sock_connect(own, host.address)
    async with open_socket(host.url, sock=own, max_queue=1, ping_interval=None) as client:
        await client.hello("deaf")
        [conn] = host.node.lobby.main.values()
        client.ws.transport.pause_reading()
        link: Any = host.node.links[conn]
        yield link
        client.ws.transport.abort()


_MUCH = FileLines("d", ["x" * 50_000])


async def test_reader_who_never_reads_is_cut_and_others_go_on(host: Host) -> None:
    async with _deaf(host) as link, open_socket(host.url) as bystander:
        await bystander.hello("anna")
        posted = 0
        while not link.socket.transport.is_closing():
            host.gateway.post([link], _MUCH)
            posted += 50_000
            assert posted < 50_000_000
            await alive(bystander)
        assert link.socket.transport.get_write_buffer_size() <= gateway_module.MAX_OUTBOX + 51_000
        await host.until(1)
        assert 'cut_total{why="overflow"} 1.0' in (await host.get("/metrics"))[1]
        host.gateway.post([link], _MUCH)
        await alive(bystander)


async def test_burst_to_a_deaf_reader_within_one_tick(host: Host) -> None:
    async with _deaf(host) as link:
        for _ in range(1_000):
            host.gateway.post([link], _MUCH)
        assert link.socket.transport.is_closing()
        await host.until(0)


async def test_reader_who_has_stalled_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "STALL", 0.1)
    monkeypatch.setattr(gateway_module, "MAX_OUTBOX", 1 << 30)
    async with (
        hosting(tmp_path / "parlour.db", Door()) as host,
        _deaf(host) as link,
        open_socket(host.url) as bystander,
    ):
        await bystander.hello("anna")
        while not link.socket.transport.get_write_buffer_size():
            host.gateway.post([link], _MUCH)
        await host.until(1)
        assert 'cut_total{why="stall"} 1.0' in (await host.get("/metrics"))[1]
        await alive(bystander)


async def test_reader_who_catches_up_is_not_cut(host: Host) -> None:
    async with open_socket(host.url) as client:
        await client.hello("anna")
        [link] = host.node.links.values()
        client.ws.transport.pause_reading()
        while not link.stalled_since:  # type: ignore[attr-defined]
            host.gateway.post([link], _MUCH)  # type: ignore[list-item]
        client.ws.transport.resume_reading()
        host.gateway.post([link], Pong("last"))  # type: ignore[list-item]
        while (await client.receive()).get("re") != "last":
            pass
        await alive(client)
        assert link.stalled_since is None  # type: ignore[attr-defined]


# --- our own faults ----------------------------------------------------------------------------------------


async def test_fault_ends_one_connection_and_is_logged_without_its_words(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("the next card is a red 7")

    async with open_socket(host.url) as client, open_socket(host.url) as bystander:
        await bystander.hello("anna")
        with monkeypatch.context() as patch, capture_logs() as logs:
            patch.setattr("parlour_server.rooms.reception.receive", broken)
            await client.send("ping")
            assert await client.closed() == 1011
        assert logs == [
            {"event": "a fault in a connection", "error": "ValueError", "where": logs[0]["where"], "log_level": "error"}
        ]
        assert logs[0]["where"].startswith("test_gateway.py:")
        assert "red 7" not in caplog.text
        await alive(bystander)


# --- sending -----------------------------------------------------------------------------------------------


async def test_message_is_encoded_once_for_each_subprotocol(host: Host) -> None:
    async with AsyncExitStack() as stack:
        names = (JSON, MSGPACK, JSON, MSGPACK)
        clients = [await stack.enter_async_context(open_socket(host.url, name)) for name in names]
        await host.until(4)
        encoded: list[str] = []
        links: list[Any] = list(host.node.links.values())
        for link in links:
            link.codec = attrs.evolve(link.codec, encode=_counted(link.codec, encoded))
        host.gateway.post(links, Pong(5))
        assert [await client.receive() for client in clients] == [{"t": "pong", "re": 5}] * 4
        assert sorted(encoded) == sorted({JSON, MSGPACK})


def _counted(codec: Any, encoded: list[str]) -> Any:
    def encode(data: Any) -> Any:
        encoded.append(codec.name)
        return codec.encode(data)

    return encode


async def test_goodbye_comes_before_the_close(host: Host) -> None:
    async with open_socket(host.url) as client:
        await client.hello("anna")
        host.node.perform(host.node.lobby.drain(2_000))
        bye = await client.receive()
        assert (bye["t"], bye["code"], bye["retry_after"]) == ("bye", "drain", 2_000)
        assert await client.closed() == 1001


async def test_newer_socket_takes_the_place_of_the_older(host: Host) -> None:
    async with open_socket(host.url) as older, open_socket(host.url) as newer:
        token = (await older.hello("anna"))["token"]
        await newer.hello("anna", token=token)
        assert (await older.receive())["code"] == "replaced"
        assert await older.closed() == 4001
        await alive(newer)
