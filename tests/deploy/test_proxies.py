"""A real server behind a real HAProxy, nginx and Caddy, with the files of deploy/."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.deploy.proxies import NAMES, TRUSTED, RunningProxy, get, proxy
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import Socket, first_turn, open_socket
from tests.support.tls import CERTIFICATE
from tests.support.waiting import PATIENCE
from websockets.exceptions import InvalidStatus

from parlour_client.cli import server_checks
from parlour_client.cli.server_checks import ServerAddress
from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.session import Session
from parlour_protocol.messages import Create, Joined, ServerMessage

pytestmark = pytest.mark.proxy

FASTER = 100
"""The factor by which the proxies' timeouts are shorter than in deploy/."""
IDLE = 300.0
"""Seconds that a player may stay silent in a match."""
TRUST = ("--trusted-proxy", "127.0.0.1")
"""Flags of the server."""


@attrs.frozen
class Site:
    """A server and the proxy in front of it."""

    server: ServerProcess
    proxy: RunningProxy

    def open(self, path: str = "", **options: Any) -> Any:
        """Open a WebSocket through the proxy."""
        return open_socket(self.proxy.url + path, ssl=TRUSTED, **options)


Behind = Callable[..., Any]


@pytest.fixture(params=NAMES)
def behind(request: pytest.FixtureRequest, tmp_path: Path) -> Behind:
    """Return a context manager for a server of one's own behind each proxy: ``async with behind() as site``."""
    return partial(_behind, request.param, tmp_path)


@pytest.fixture(params=NAMES, scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server behind each proxy, shared by this module: tests use names and rooms of their own and never stop it."""
    folder = tmp_path_factory.mktemp("site")
    with server_process(folder, *TRUST) as server, proxy(request.param, folder, server) as running:
        yield Site(server, running)


def _own(name: str) -> str:
    """Return a name that no other test uses."""
    return f"{name}-{os.urandom(4).hex()}"


@asynccontextmanager
async def _behind(name: str, folder: Path, *flags: str, faster: int = 1) -> AsyncIterator[Site]:
    with server_process(folder, *TRUST, *flags) as server, proxy(name, folder, server, faster) as running:
        yield Site(server, running)


async def _quiet(client: Socket, seconds: float) -> None:
    """Expect no message for ``seconds``."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(seconds):
            await client.ws.recv()


@pytest.mark.parametrize("encoding", ["parlour.v1.json", "parlour.v1.msgpack"])
async def test_clients_play_over_tls(site: Site, encoding: str) -> None:
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(open_socket(site.proxy.url, encoding, ssl=TRUSTED)) for _ in range(2)
        ]
        for name, client in zip(("anna", "bert"), clients, strict=True):
            await client.hello(_own(name))
        room = (await clients[0].ask("create", "joined", game="uno"))["room"]
        await clients[1].ask("join", "joined", room=room)
        await clients[0].ask("start", "ok", room=room)
        assert (await first_turn(*clients))[1]["legal"]


async def test_each_node_has_its_own_path(site: Site) -> None:
    async with site.open("/a") as client:
        assert (await client.hello(_own("anna")))["server"].startswith("parlour ")
    async with site.open("/a/") as client:
        await client.hello(_own("bert"))
    for elsewhere in ("/b", "/b/"):
        with pytest.raises(InvalidStatus, match=r"50[234]"):
            await site.open(elsewhere).__aenter__()


def test_health_is_public_and_metrics_are_not(site: Site) -> None:
    port = site.proxy.place.https
    assert get(port, "/healthz") == (200, "ok\n")
    for path in ("/metrics", "/a/metrics", "/metrics?x=1"):
        assert get(port, path)[0] == 403
        assert get(port, path, Authorization=f"Bearer {site.server.admin}")[0] == 403
    for path in ("//metrics", "/./metrics", "/a/../metrics", "/%6detrics", "/a//metrics"):
        status, body = get(port, path)
        assert "parlour_" not in body, path
        assert status != 200 or "<" in body, path


def test_plain_http_redirects_to_https(site: Site) -> None:
    with closing(HTTPConnection("localhost", site.proxy.place.http, timeout=PATIENCE)) as connection:
        connection.request("GET", "/r/K7QD")
        answer = connection.getresponse()
    assert answer.status == 308
    assert str(answer.getheader("Location")).startswith("https://localhost")


async def test_limits_apply_to_the_address_of_the_client(behind: Behind) -> None:
    async with behind("--per-address", "2") as site, AsyncExitStack() as stack:
        for address in ("127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"):
            await stack.enter_async_context(site.open(local_addr=(address, 0)))
        for claimed in ({}, {"X-Forwarded-For": "192.0.2.1"}, {"Forwarded": "for=192.0.2.1"}):
            with pytest.raises(InvalidStatus, match="503"):
                await site.open(local_addr=("127.0.0.2", 0), additional_headers=claimed).__aenter__()


async def test_only_pages_of_the_same_host_may_connect(site: Site) -> None:
    async with site.open(origin=f"https://localhost:{site.proxy.place.https}") as client:
        await client.hello(_own("anna"))
    with pytest.raises(InvalidStatus, match="403"):
        await site.open(origin="https://elsewhere.example").__aenter__()


async def test_idle_match_stays_connected(behind: Behind) -> None:
    async with behind(faster=FASTER) as site, site.open() as client:
        await client.hello("anna")
        await _quiet(client, IDLE / FASTER)
        assert (await client.ask("ping", "pong"))["t"] == "pong"


@pytest.mark.torture
async def test_idle_matches_stay_connected_for_five_minutes_behind_each_proxy(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        clients: list[Socket] = []
        for name in NAMES:
            folder = tmp_path / name
            folder.mkdir()
            site = await stack.enter_async_context(_behind(name, folder))
            clients.append(await stack.enter_async_context(site.open()))
            await clients[-1].hello("anna")
            await clients[-1].ask("join", "joined", room=site.server.room)
            await clients[-1].ask("ping", "pong")
        await asyncio.gather(*(_quiet(client, IDLE) for client in clients))
        for client in clients:
            assert (await client.ask("ping", "pong"))["t"] == "pong"


async def test_client_reconnects_after_a_restart_of_the_proxy(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    states: list[ConnectionState] = []
    session = Session(_own("anna"), entropy=os.urandom)
    async with Connection(site.proxy.url, session, on_state=states.append, patience=PATIENCE) as client:
        messages = aiter(client)
        await client.send(Create("uno", {}))
        assert (await _joined(messages)).why == "join"
        await asyncio.to_thread(site.proxy.stop)
        site.proxy.start()
        back = await _joined(messages)
        assert (back.why, back.seat) == ("resume", 0)
    assert "lost" in [state.name for state in states]


async def test_client_reconnects_after_a_restart_of_the_server(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    session = Session(_own("anna"), entropy=os.urandom)
    async with behind() as site, Connection(site.proxy.url, session, patience=PATIENCE) as client:
        messages = aiter(client)
        await client.send(Create("uno", {}))
        await _joined(messages)
        await asyncio.to_thread(partial(site.server.restart, same_port=True))
        assert (await _joined(messages)).why == "resume"


def test_doctor_finds_no_problem(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    for url in (site.proxy.url, site.proxy.url + "/a"):
        found = list(server_checks.outside(url))
        assert [each.check for each in found][-2:] == ["hello", "latency"], found
        assert {each.status for each in found if each.check != "latency"} == {"ok"}, found
        assert server_checks.metrics(ServerAddress.of(url)).status == "ok"
    [*_, last] = server_checks.outside(site.proxy.url + "/b")
    assert (last.check, last.status) == ("health", "fail")


async def _joined(messages: AsyncIterator[ServerMessage]) -> Joined:
    async with asyncio.timeout(2 * PATIENCE):
        async for message in messages:
            if isinstance(message, Joined):
                return message
    raise AssertionError("the connection ended")
