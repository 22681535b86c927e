import asyncio
import http.client
import http.server
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.support.server import ServerProcess, server_process
from tests.support.tls import CERTIFICATE, KEY

from parlour_client.cli import server_checks
from parlour_client.cli.local_checks import Finding
from parlour_client.cli.server_checks import SLOW, ServerAddress, expiry, latency, skew
from parlour_client.core.connection import Connection
from parlour_protocol.codec import MSGPACK


def _look(url: str) -> dict[str, Finding]:
    return {finding.check: finding for finding in server_checks.outside(url)}


def _fails(url: str, check: str, *words: str) -> None:
    """Assert that the last check of a server is this one, and fails with a finding that holds ``words``."""
    found = list(server_checks.outside(url))[-1]
    assert (found.check, found.status) == (check, "fail")
    assert [word for word in words if word not in f"{found.says} {found.next}"] == []


TLS = ("--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY))


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("secure"), *TLS) as server:
        yield server


@pytest.fixture
def _at_any_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """How busy this machine is says nothing of the code."""
    monkeypatch.setattr(server_checks, "SLOW", float("inf"))


@pytest.mark.usefixtures("_at_any_speed")
def test_good_server(server: ServerProcess) -> None:
    found = _look(server.url)
    assert list(found) == ["address", "connection", "health", "clocks", "upgrade", "page", "hello", "latency"]
    assert {finding.status for finding in found.values()} == {"ok"}
    assert MSGPACK in found["upgrade"].says
    assert found["hello"].says.startswith("parlour ")


@pytest.mark.usefixtures("_at_any_speed")
def test_good_server_by_tls(secure: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    found = _look(secure.url)
    assert {finding.status for finding in found.values()} == {"ok"}
    assert "2126-10-28" in found["tls"].says


def test_certificate_that_nobody_vouches_for(secure: ServerProcess) -> None:
    _fails(secure.url, "tls", "self-signed", "SSL_CERT_FILE")


def test_certificate_for_another_name(secure: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    _fails(secure.url.replace("localhost", "127.0.0.2"), "connection")  # it listens on 127.0.0.1 alone
    with server_process(tmp_path, "--host", "127.0.0.2", *TLS) as server:
        _fails(server.url, "tls", "127.0.0.2")


def test_tls_where_there_is_none_and_none_where_there_is(server: ServerProcess, secure: ServerProcess) -> None:
    _fails(server.url.replace("ws:", "wss:"), "tls", " ws://")
    _fails(secure.url.replace("wss:", "ws:"), "http", "wss://")


@pytest.mark.parametrize(
    ("url", "check", "words"), [("localhost:1", "connection", "parlour serve"), ("a b", "address", "a b")]
)
def test_nobody_there(url: str, check: str, words: str) -> None:
    _fails(url, check, words)


@pytest.mark.parametrize(
    ("function", "error", "check", "words"),
    [
        ("create_connection", TimeoutError("timed out"), "connection", "firewall"),
        ("getaddrinfo", OSError(-2, "Name or service not known"), "address", "games.example.org"),
    ],
)
def test_network_fails(function: str, error: OSError, check: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"socket.{function}", Mock(side_effect=error))
    _fails("games.example.org" if function == "getaddrinfo" else "localhost:1", check, words)


Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def _answering(answers: Callable[[str, Mapping[str, str]], Answer]) -> Iterator[str]:
    """Run a web server that answers a path and the fields of a request as told."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = answers(self.path, dict(self.headers))
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _healthy(upgrade: Answer) -> AbstractContextManager[str]:
    return _answering(lambda path, fields: upgrade if "Upgrade" in fields else (200, {}, b"ok\n"))


@pytest.mark.parametrize(
    ("answer", "says", "next_"),
    [
        ((426, {}, b"use WebSocket"), "does not reach", "Upgrade and Connection"),
        ((200, {}, b"<html>"), "does not reach the server", "/deploy"),
        ((400, {}, b"known: parlour.v9.json"), "parlour.v9.json", "Update parlour"),
        ((403, {}, b""), "HTTP 403", "Check the path"),
        ((404, {}, b""), "HTTP 404", "Check the path"),
        ((301, {"Location": "https://x"}, b""), "redirected", "Use the address"),
        ((502, {}, b""), "HTTP 502", "Start parlour serve"),
        ((503, {}, b"Too many connections from your address.\n"), "too many connections", "--per-address"),
        ((503, {}, b"Too many connections: this server takes 32. ulimit\n"), "too many connections", "ulimit"),
        ((101, {"Sec-WebSocket-Protocol": "chat"}, b""), "chat", "not a parlour server"),
    ],
)
def test_no_upgrade(answer: Answer, says: str, next_: str) -> None:
    with _healthy(answer) as url:
        _fails(url, "upgrade", says, next_)


def test_a_proxy_that_hides_the_name_keeps_pages_out() -> None:
    welcome = {"Sec-WebSocket-Protocol": MSGPACK}
    with _answering(lambda path, fields: (403 if "Origin" in fields else 101, welcome, b"")) as url:
        found = _look(url)["page"]
    assert found.status == "fail"
    assert f"--public-url {url}" in found.next


@pytest.mark.parametrize(("status", "judged"), [(502, "fail"), (504, "fail"), (404, "warn"), (500, "warn")])
def test_no_health(status: int, judged: str) -> None:
    with _answering(lambda *_: (status, {}, b"")) as url:
        assert _look(url)["health"].status == judged


@pytest.mark.parametrize(
    "body",
    [
        b"<center>The plain HTTP request was sent to HTTPS port</center>",
        b"Client sent an HTTP request to an HTTPS server.",
    ],
    ids=["nginx", "caddy"],
)
def test_port_that_speaks_tls(body: bytes) -> None:
    with _answering(lambda path, fields: (400, {}, body)) as url:
        _fails(url, "health", f"Use {url.replace('ws', 'wss', 1)}")


def test_server_that_hangs_up_after_the_upgrade() -> None:
    with _healthy((101, {"Sec-WebSocket-Protocol": MSGPACK}, b"")) as url:
        _fails(url, "hello")


def test_server_that_never_answers_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_checks, "PATIENCE", 0.01)

    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Connection, "__aenter__", never)
    [found] = asyncio.run(server_checks.hello(ServerAddress.of("localhost")))
    assert (found.status, found.says) == ("fail", "no answer in time")


@pytest.mark.parametrize(("body", "status"), [(b"parlour_rooms 3\n", "warn"), (b"another page", "ok")])
def test_metrics_that_anybody_can_read(body: bytes, status: str) -> None:
    with _answering(lambda *_: (200, {}, body)) as url:
        assert server_checks.metrics(ServerAddress.of(url)).status == status


@pytest.mark.parametrize(("days", "status"), [(365, "ok"), (14, "ok"), (13, "warn"), (0, "warn")])
def test_certificates_end(days: int, status: str) -> None:
    found = expiry(1_800_000_000 + days * 86_400, 1_800_000_000, "TLSv1.3")
    assert found.status == status
    assert f"({days} days)" in found.says


@pytest.mark.parametrize(
    ("ours", "status", "word"),
    [(0, "ok", "agree"), (59, "ok", "agree"), (90, "warn", "ahead of"), (-90, "warn", "behind")],
)
def test_clocks(ours: int, status: str, word: str) -> None:
    theirs = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
    now = datetime.fromtimestamp(theirs.timestamp() + ours, UTC)
    found = skew(format_datetime(theirs, usegmt=True), now)
    assert (found.status, word in found.says) == (status, True)


@pytest.mark.parametrize("date", ["noon", "Sat, 21 Nov 2026 12:00:00"])
def test_date_that_is_none(date: str) -> None:
    assert skew(date, datetime.now(UTC)).status == "warn"


@pytest.mark.parametrize(("times", "status"), [([1.0, 2.0, 900.0], "ok"), ([SLOW + 1] * 5, "warn")])
def test_latency(times: list[float], status: str) -> None:
    assert latency(times).status == status


def test_path_is_kept_and_default_ports_are_known() -> None:
    target = ServerAddress.of("wss://games.example.org/a")
    assert (target.secure, target.port, target.parts.path) == (True, 443, "/a")
    assert isinstance(target.connection(), http.client.HTTPSConnection)
    assert ServerAddress.of("ws://games.example.org").port == 80
    assert ServerAddress.of("::1").host == "::1"
