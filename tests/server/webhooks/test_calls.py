"""Calls of webhooks: real requests on loopback, which the operator allows, and all that must not happen."""

import asyncio
import ssl
from collections.abc import Sequence
from functools import partial

import pytest
from tests.support.receiver import Receiver, receiving
from tests.support.tls import CERTIFICATE, KEY
from tests.support.waiting import PATIENCE

from parlour_server.directory.webhook_targets import CallRules, named_host, target
from parlour_server.node.webhook_calls import LOOKUPS, Caller, CallFailed, Payload, Resolve

HELLO = Payload({"Content-Type": "text/plain", "Title": "parlour"}, "grüß dich".encode())


def caller(*named: str, resolve: Resolve | None = None, within: float = PATIENCE) -> Caller:
    rules = CallRules(frozenset().union(*map(named_host, named)))
    return Caller(rules, within=within) if resolve is None else Caller(rules, resolve, within)


async def fault(caller: Caller, url: str) -> str | None:
    """Call ``url``; return what was wrong."""
    try:
        await caller.call(target(url), HELLO)
    except CallFailed as found:
        return str(found)
    return None


async def test_request_has_headers_and_body() -> None:
    async with receiving() as receiver:
        assert await fault(caller(receiver.host), receiver.url) is None
        request = await receiver.received()
        assert request.line == "POST /secret-path?token=hush HTTP/1.1"
        assert request.headers["Host"] == receiver.host
        assert request.headers["Title"] == "parlour"
        assert request.body == HELLO.body


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", None), (b"HTTP/1.0 204 \r\n\r\n", None), (b"HTTP/1.1 404 No\r\n\r\n", "404"),
        (b"HTTP/1.1 500 Oh\r\n\r\n", "500"), (b"SSH-2.0-OpenSSH\r\n", "answer"), (b"", "answer"),
        (b"HTTP/1.1 200", None), (b"HTTP/1.1 200 OK\r\n" + b"x" * 50_000_000, None),
        (b"HTTP/1.1 20", "answer"), (b"HTTP/1.1 200 " + b"x" * 100_000, "answer"), (b"HTTP/2 200\r\n", "answer"),
    ],
)  # fmt: skip
async def test_only_the_status_of_the_answer_counts(answer: bytes, found: str | None) -> None:
    async with receiving(answer) as receiver:
        assert await fault(caller(receiver.host), receiver.url) == found


async def test_redirects_are_not_followed() -> None:
    async with receiving() as inside, receiving() as receiver:
        receiver.answer = f"HTTP/1.1 307 Elsewhere\r\nLocation: {inside.url}\r\n\r\n".encode()
        assert await fault(caller(receiver.host, inside.host), receiver.url) == "307"
        assert inside.connections == 0


async def test_silence_ends_after_a_while() -> None:
    async with receiving(None) as receiver:
        assert await fault(caller(receiver.host, within=0.05), receiver.url) == "timeout"


async def test_neither_a_private_address_is_called_nor_a_name_that_has_one() -> None:
    def given(found: Sequence[str], host: str, port: int) -> Sequence[str]:
        return found

    async with receiving() as receiver:
        evil = f"http://evil.example:{receiver.port}/"
        for host in ("localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"):
            assert await fault(caller(), f"http://{host}:{receiver.port}/") in ("address", "unresolved"), host
        for found in (["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["10.0.0.1", "1.1.1.1"], ["::ffff:127.0.0.1"]):
            assert await fault(caller(resolve=partial(given, found)), evil) == "address", found
        assert receiver.connections == 0


async def test_a_name_is_resolved_once_and_its_checked_address_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the first answer is checked and connected to, whatever the second one would be."""
    asked: list[str] = []
    connected: list[str] = []

    def rebind(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["1.1.1.1"] if len(asked) == 1 else ["127.0.0.1"]

    async def connect(host: str, port: int, **more: object) -> None:
        connected.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    assert await fault(caller(resolve=rebind), "http://evil.example/") == "unreachable"
    assert (asked, connected) == (["evil.example"], ["1.1.1.1"])


async def test_unknown_host_and_closed_port_are_told_apart() -> None:
    def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError

    assert await fault(caller(resolve=unknown), "http://nowhere.example/") == "unresolved"
    async with receiving() as receiver:
        pass
    assert await fault(caller(receiver.host), receiver.url) == "unreachable"


async def test_second_address_is_tried() -> None:
    async with receiving() as receiver:
        named = f"two.example:{receiver.port}"
        calls = caller(named, resolve=lambda host, port: ["::1", "127.0.0.1"])
        assert await fault(calls, f"http://{named}/") is None


async def test_hanging_names_take_a_few_threads_and_no_blame() -> None:
    released = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(host: str, port: int) -> Sequence[str]:
        asyncio.run_coroutine_threadsafe(released.wait(), loop).result(PATIENCE)
        return ()

    calls = caller(resolve=hang, within=0.05)
    found = await asyncio.gather(*(fault(calls, "http://slow.example/") for _ in range(LOOKUPS + 1)))
    assert set(found) == {"busy"}
    released.set()


async def test_certificate_must_be_valid() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    receiver = Receiver()
    server = await asyncio.start_server(receiver._serve, "127.0.0.1", 0, ssl=context)
    async with server:
        port = server.sockets[0].getsockname()[1]
        calls = caller(f"localhost:{port}", resolve=lambda host, port: ["127.0.0.1"])
        assert await fault(calls, f"https://localhost:{port}/") == "tls"
        calls._tls = ssl.create_default_context(cafile=CERTIFICATE)
        assert await fault(calls, f"https://localhost:{port}/") is None
