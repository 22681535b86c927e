"""Ways to the page: a server that dies and comes again, two tabs, TLS, and a proxy that puts it elsewhere."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.support.groups import program
from tests.support.server import STOPS_WITHIN, ServerProcess, server_process
from tests.support.tls import CERTIFICATE, KEY
from tests.web.visitors import UNO, Visitors, address, invite, play, sit

pytestmark = pytest.mark.chromium
PREFIXED = """
daemon off; pid {folder}/pid; error_log stderr; {user}
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder};
    scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; ssl_certificate_key {key};
        location /games/parlour/ {{
            proxy_pass {server}/; proxy_http_version 1.1; proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;
        }}
    }}
}}
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    with server_process(tmp_path, house_bots=True) as running:
        yield running


def test_the_page_goes_on_when_the_server_was_killed(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "maria")
    invite(page, 1, 1)
    page.click("button.main >> text=Ready")
    page.wait_for_selector(".turn.mine ~ .hand button")
    hand = hand_of(page)
    server.kill()
    page.wait_for_selector("text=Your seat is held for")
    server.restart(same_port=True)
    page.wait_for_selector("#banner", state="hidden")
    page.wait_for_selector(".turn.mine")
    assert hand_of(page) == hand
    page.reload()
    page.wait_for_selector(".turn.mine ~ .hand button")
    assert hand_of(page) == hand


def test_of_two_tabs_with_one_token_the_newer_wins(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "maria")
    kept = page.evaluate("() => JSON.stringify({...sessionStorage})")
    other = page.context.new_page()
    visitors.watch(other)
    other.add_init_script(f"if (!sessionStorage.length) Object.assign(sessionStorage, {kept})")
    other.goto(page.url)
    other.wait_for_selector("button >> text=Ready")
    page.wait_for_selector("text=You have come back in another tab")
    assert "token" not in other.url
    page.click("text=Watch here as a guest")
    page.wait_for_selector("text=You are watching.")
    assert other.query_selector("button >> text=Ready") is not None


def test_by_tls(visitors: Visitors, tmp_path: Path) -> None:
    with server_process(tmp_path, "--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY), house_bots=True) as server:
        url = server.url.replace("127.0.0.1", "localhost").replace("wss", "https")
        page = visitors.visit(f"{url}/r/{server.room}", ignore_https_errors=True)
        a_move_is_made(page)


@pytest.mark.proxy
def test_behind_a_proxy_with_a_prefix_and_tls(visitors: Visitors, server: ServerProcess, tmp_path: Path) -> None:
    with prefixing(server, tmp_path) as url:
        page = visitors.arrive(ignore_https_errors=True)
        with page.expect_websocket() as socket_made:
            page.goto(f"{url}/r/{server.room}", wait_until="networkidle")
        assert socket_made.value.url == f"{url.replace('https', 'wss')}/"
        a_move_is_made(page)
        page.click("a.brand")
        page.wait_for_selector("h1 >> text=The open rooms")
        assert page.url == f"{url}/"
        page.click(f"a >> text={server.room}")
        page.wait_for_selector(".hand button")
        assert page.url == f"{url}/r/{server.room}"


def a_move_is_made(page: Page) -> None:
    """Sit down and play until a first answer was taken."""
    sit(page, "maria")
    invite(page, 1, 1)
    page.click("button.main >> text=Ready")
    play(page, UNO, until=".log p >> text=/^You (play|draw)/")


@contextmanager
def prefixing(server: ServerProcess, folder: Path) -> Iterator[str]:
    """Run an nginx that has TLS, and puts ``server`` under a prefix. Yields the URL of the page there."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    places = {"folder": folder, "port": port, "certificate": CERTIFICATE, "key": KEY}
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(PREFIXED.format(**places, user=user, server=address(server).rstrip("/")))
    call = [str(program("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with (folder / "nginx.log").open("wb") as log:
        process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        while process.poll() is None and not listens(port):
            pass
        assert process.poll() is None, (folder / "nginx.log").read_text()
        yield f"https://localhost:{port}/games/parlour"
    finally:
        process.terminate()
        process.wait(STOPS_WITHIN)


def listens(port: int) -> bool:
    """Tell whether somebody listens on a port of loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True


def hand_of(page: Page) -> list[str]:
    """Return the names of the cards in hand."""
    labels = page.eval_on_selector_all(".hand button", "all => all.map((each) => each.getAttribute('aria-label'))")
    return [label.partition(",")[0] for label in labels]
