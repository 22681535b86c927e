"""The connection of the page: a server that is killed and restarted, two tabs, and a proxy with TLS and a prefix."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute
from tests.support.nginx import nginx
from tests.support.ports import free_port
from tests.support.server import ServerProcess, server_process
from tests.support.tls import CERTIFICATE, KEY
from tests.web.running_matches import guests
from tests.web.visitors import Visitors, address, faults, open_room, sit

pytestmark = pytest.mark.chromium
PREFIXED = """
server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; ssl_certificate_key {key};
    location /games/parlour/ {{
        proxy_pass {server}/; proxy_set_header Host {host};
        proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;
    }}
}}
"""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of the test's own, which it may kill."""
    with server_process(tmp_path) as running:
        yield running


def test_a_player_and_a_spectator_who_waits_survive_a_kill(visitors: Visitors, own_server: ServerProcess) -> None:
    with guests(own_server, "otto", "vera", "jill") as [otto, vera, jill]:
        room = otto.ask(t="create", game="uno", options={}, seats=2, clock=None)["room"]
        player = visitors.visit(address(own_server, f"r/{room}"))
        sit(player, "maria")
        otto.ask(t="start", room=room)
        player.wait_for_selector(".hand button")
        hand = hand_of(player)
        opened = vera.ask(t="create", game="uno", seats=2, seat_code=True, clock=None)
        room, code = opened["room"], opened["seat_code"]
        jill.ask(t="join", room=room, seat_code=code)
        page = visitors.visit(address(own_server, f"r/{room}"), 360)
        page.click("button.drawer")
        page.fill("input[name=queue_code]", "WRONG")
        page.click(".people ~ p >> text=Wait for a seat")
        page.wait_for_selector(".toast[data-code=seat_code]")
        page.fill("input[name=queue_code]", f" {code.lower()} ")
        assert faults(page) == {}
        page.click(".people ~ p >> text=Wait for a seat")
        page.wait_for_selector("text=Stop waiting")
        [waiting] = jill.ask(t="join", room=room, seat_code=code)["table"]["queue"]
        page.wait_for_selector("input[name=queue_code]", state="detached")
        own_server.kill()
    player.wait_for_selector("text=Your seat is held for")
    page.wait_for_selector("#lamp:visible")
    own_server.restart(same_port=True)
    for each in (player, page):
        each.wait_for_selector("#lamp", state="hidden")
    page.wait_for_selector("text=Stop waiting")
    assert waiting in page.inner_text("aside")
    assert hand_of(player) == hand
    player.reload()
    player.wait_for_selector(".hand button")
    assert hand_of(player) == hand


def test_a_page_of_an_older_version_offers_to_reload(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    page.wait_for_selector("h1 >> text=Play")
    page.route(page.url, lambda asked: asked.fulfill(body='<script type="module" src="web/newer/shell/app.js">'))
    page.context.set_offline(True)
    page.wait_for_selector("#lamp >> text=Reconnect")
    page.context.set_offline(False)
    page.wait_for_selector("#banner[data-code=upgraded]")
    page.unroute(page.url)
    page.click("#banner button")
    page.wait_for_selector("#banner", state="hidden")
    page.wait_for_selector("h1 >> text=Play")


def test_the_newer_of_two_tabs_with_one_token_wins(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "tabea")
    kept = page.evaluate("() => JSON.stringify({...sessionStorage})")
    other = page.context.new_page()
    visitors.watch(other)
    other.add_init_script(f"if (!sessionStorage.length) Object.assign(sessionStorage, {kept})")
    other.goto(page.url)
    other.wait_for_selector("button >> text=Ready")
    page.wait_for_selector("text=You are connected in another tab")
    assert "token" not in other.url
    page.click("text=Continue as a guest")
    page.wait_for_selector("text=You are watching.")
    assert other.query_selector("button >> text=Ready") is not None
    other.click("text=Leave")
    other.wait_for_selector("h1 >> text=Play")


@pytest.mark.proxy
def test_behind_a_proxy_with_a_prefix_and_tls(visitors: Visitors, own_server: ServerProcess, tmp_path: Path) -> None:
    with prefixing(own_server, tmp_path) as url:
        page = visitors.arrive(ignore_https_errors=True)
        with page.expect_websocket() as socket_made:
            page.goto(f"{url}/r/{own_server.room}")
        assert socket_made.value.url == f"{url.replace('https', 'wss')}/"
        page.wait_for_selector("text=You are watching.")
        page.click("a.brand")
        page.wait_for_selector("h1 >> text=Play")
        assert page.url == f"{url}/"
        room = make_a_move(page)
        assert page.url == f"{url}/r/{room}"
        page.click("a.brand")
        page.click(f"a >> text={room}")
        page.wait_for_selector(".grid button")
        assert page.url == f"{url}/r/{room}"


@pytest.mark.proxy
def test_a_page_that_may_not_connect_says_why(visitors: Visitors, own_server: ServerProcess, tmp_path: Path) -> None:
    with prefixing(own_server, tmp_path, host="inside") as url:
        page = visitors.visit(url + "/", ignore_https_errors=True)
        page.wait_for_selector("[data-code=origin]")
    assert all("403" in fault for fault in visitors.faults)
    visitors.faults.clear()


def make_a_move(page: Page) -> str:
    """Create a solo room from the lobby, and make a first move. Returns its code."""
    page.click("text=New room")
    room = open_room(page, "minesweeper", mode="solo", level="beginner", seats=1)
    page.click("text=Start now")
    page.wait_for_selector(".turn.mine")
    page.click("[aria-label='e5 closed']")
    page.wait_for_selector("[aria-label='e5 empty']")
    return room


@contextmanager
def prefixing(server: ServerProcess, folder: Path, host: str = "$http_host") -> Iterator[str]:
    """Run nginx with TLS, which serves ``server`` under a prefix as ``host``. Yields the URL of the page."""
    port = free_port()
    places = {"port": port, "certificate": CERTIFICATE, "key": KEY, "server": address(server).rstrip("/")}
    with nginx(folder, port, PREFIXED.format(**places, host=host)):
        yield f"https://localhost:{port}/games/parlour"


def hand_of(page: Page) -> list[str]:
    """Return the names of the cards in hand."""
    labels = page.eval_on_selector_all(".hand button", "all => all.map((each) => each.getAttribute('aria-label'))")
    return [label.partition(",")[0] for label in labels]


def test_a_page_whose_first_connection_fails_waits_for_its_words(visitors: Visitors, server: ServerProcess) -> None:
    page, held, tried = visitors.arrive(), list[Route](), list[WebSocketRoute]()

    def refuse(socket: WebSocketRoute) -> None:
        tried.append(socket)
        socket.close()

    page.route_web_socket("**", refuse)
    page.route("**/phrases/en/page.js", lambda route: held.append(route))
    page.goto(address(server))
    while not (held and len(tried) > 1):  # it has failed, and tries again
        page.wait_for_timeout(20)
    held[0].continue_()
    page.wait_for_selector("#lamp:visible")
    page.wait_for_selector("main h1")
    shown = page.inner_text("body")
    assert "page." not in shown, shown
