"""A server under a path of a site with TLS, at addresses of both families: every spelling works in every client."""

import json
import os
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.deploy.proxies import TRUSTED, get
from tests.support.commands import run
from tests.support.nginx import nginx
from tests.support.ports import free_port, loopback_addresses
from tests.support.server import ServerProcess, environment, server_process
from tests.support.sockets import Socket, open_socket
from tests.support.tls import CERTIFICATE, KEY

from parlour_client.cli import server_checks

pytestmark = pytest.mark.proxy

SITE = """
    server {{ {plain} return 308 https://localhost:{https}$request_uri; }}
    server {{
        {secure} ssl_certificate {certificate}; ssl_certificate_key {key};
        location /games/ {{ proxy_pass {behind}; {passed} }}
        {exact}
    }}
    server {{ listen 127.0.0.1:{inner}; location / {{ proxy_pass {server}; {all} }} }}
"""
SOME = (
    "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;"
    " proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
)
ALL = f"{SOME} proxy_set_header Host $http_host;"
WAYS = {
    "stripped": {"behind": "{server}/", "passed": ALL},
    "stripped, no host": {"behind": "{server}/", "passed": SOME},
    "kept": {"behind": "{server}", "passed": ALL, "exact": f"location = /games {{{{ proxy_pass {{server}}; {ALL} }}}}"},
    "two proxies": {"behind": "http://127.0.0.1:{inner}/", "passed": ALL},
}
"""How nginx passes requests on."""


@attrs.frozen
class Site:
    """A server below ``/games`` of a site."""

    server: ServerProcess
    https: int
    http: int


@contextmanager
def _site(way: str, folder: Path) -> Iterator[Site]:
    https, http, inner = (free_port() for _ in range(3))
    public = ("--public-url", f"wss://localhost:{https}/games")
    with server_process(folder, "--trusted-proxy", "127.0.0.1", *public) as server:
        here = server.url.replace("ws", "http", 1)
        places = {"server": here.replace("localhost", "127.0.0.1"), "inner": str(inner)}
        parts = {"exact": "", **WAYS[way]}
        text = SITE.format(
            all=ALL,
            https=https,
            certificate=CERTIFICATE,
            key=KEY,
            plain=_listen(http, ""),
            secure=_listen(https, " ssl"),
            **places,
            **{name: part.format(**places) for name, part in parts.items()},
        )
        with nginx(folder, https, text):
            yield Site(server, https, http)


def _listen(port: int, flags: str) -> str:
    """Return how nginx listens at these addresses."""
    return " ".join(f"listen {f'[{each}]' if ':' in each else each}:{port}{flags};" for each in loopback_addresses())


@pytest.fixture(params=WAYS, scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with _site(request.param, tmp_path_factory.mktemp("site")) as found:
        yield found


def test_every_spelling_works_in_every_client(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.setattr(server_checks, "SLOW", float("inf"))
    env = environment(tmp_path, SSL_CERT_FILE=str(CERTIFICATE))
    secure, plain = f"localhost:{site.https}/games", f"localhost:{site.http}/games"
    spellings = [f"{scheme}://{secure}{end}" for scheme in ("wss", "https") for end in ("", "/")]
    for url in (*spellings, f"ws://{plain}", f"http://{plain}/"):
        listed = run("rooms", "--server", url, "--json", env=env)
        assert listed.returncode == 0, (url, listed.stderr)
        assert json.loads(listed.stdout)["rooms"][0]["room"] == site.server.room
        looked = {finding.check: finding for finding in server_checks.outside(url)}
        assert {finding.status for finding in looked.values()} == {"ok"}, (url, looked)


def test_what_is_missing_is_named(site: Site, tmp_path: Path) -> None:
    trusting = environment(tmp_path, SSL_CERT_FILE=str(CERTIFICATE))
    secure, plain = f"wss://localhost:{site.https}/games", f"localhost:{site.https}/games"
    for url, env, named in ((plain, trusting, secure), (secure, environment(tmp_path), "SSL_CERT_FILE")):
        listed = run("rooms", "--server", url, env=env)
        assert (listed.returncode, named in listed.stderr) == (3, True), listed.stderr


async def test_people_from_all_addresses_play_together(site: Site) -> None:
    async with AsyncExitStack() as stack:
        people: list[Socket] = []
        for address in (*loopback_addresses(), *loopback_addresses()):
            where: dict[str, Any] = {"ssl": TRUSTED, "host": address, "port": site.https}
            people.append(await stack.enter_async_context(open_socket(f"wss://localhost:{site.https}/games/", **where)))
            await people[-1].hello(f"p{len(people)}")
        host, *others = people
        seats = len(people)
        room = (await host.ask("create", "joined", game="minesweeper", options={"mode": "race"}, seats=seats))["room"]
        for each in others:
            await each.ask("join", "joined", room=room)
        await host.ask("start", "ok", room=room)
        for each in people:
            turn = await each.until("turn")
            await each.ask("act", "ok", "update", "over", room=room, rid=turn["rid"], act={"do": "resign"})
        assert (await host.until("over"))["result"]["ranks"].keys() == set(map(str, range(seats)))


@pytest.mark.parametrize("path", ["/games/", "/games", "/games/r/K7QD", "/games/r/K7QD/", "/games/nothing/here"])
def test_the_page_finds_its_files_at_every_path(site: Site, path: str) -> None:
    """Browsers resolve the links of the page by its path."""
    status, text = get(site.https, path, Accept="text/html")
    if status in (301, 308):
        status, text = get(site.https, f"{path}/", Accept="text/html")
    assert status == (404 if "nothing" in path else 200)
    found = text.partition('src="')[2].partition('"')[0]
    folder = os.path.dirname(path)
    script = os.path.normpath(found if found.startswith("/") else f"{folder}/{found}")
    assert script.startswith("/games/web/"), (path, found)
    assert get(site.https, script)[0] == 200
