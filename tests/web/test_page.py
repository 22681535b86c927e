"""The web page in a real browser, against a real server: a link is enough to watch and to play."""

import json
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page
from tests.client.test_pty_round import Person
from tests.support.server import ServerProcess, server_process
from tests.web.visitors import Visitors, accessibility_faults, address, invite, play_uno, sit
from websockets.sync.client import connect

pytestmark = pytest.mark.chromium
HOSTILE = (
    "<img src=x onerror=window.hit=1>",
    "<script>window.hit=1</script>",
    '"><svg onload=window.hit=1>',
    "javascript:window.hit=1",
    "{{constructor.constructor('window.hit=1')()}}",
    "<iframe srcdoc='<script>parent.hit=1</script>'>",
    "\u202e<b>bold</b>",
    "</li><style>body{display:none}</style>",
)


def test_a_link_paints_a_table_at_once(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    page.wait_for_selector("text=You are watching.")
    loaded = page.evaluate("() => performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)")
    assert 0 < loaded <= 60 * 1024
    assert accessibility_faults(page) == []


def test_a_browser_a_terminal_and_two_bots_play_a_whole_match(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    page.click("text=New room")
    page.select_option("#field-scoring", "single")
    page.click("text=Open the room")
    invite(page, 2, 1)
    room = page.url.rpartition("/")[2]
    end = {"The match is over": "quit\n"}
    place = ("join", room, "--server", server.url, "--plain", "--name", "otto")
    with Person(*place, cues={"Type ready to begin": "ready\n", **end}) as otto:
        terminal = Thread(target=otto.play)
        terminal.start()
        page.wait_for_selector("text=otto (human) sits down.")
        page.click("button.main >> text=Ready")
        play_uno(page, ".results:not([hidden])")
        page.wait_for_selector("text=Fair: the secret behind the deals fits its commitment")
        assert accessibility_faults(page) == []
        terminal.join()
    assert "The match is over" in otto.screen
    page.click("text=See it again")
    page.wait_for_selector("text=The chain is right, and the secret fits its commitment")


@pytest.mark.parametrize("mode", ["race", "coop"])
def test_boards_with_a_bot(visitors: Visitors, server: ServerProcess, mode: str) -> None:
    page = visitors.visit(address(server))
    page.click("text=New room")
    page.select_option("#field-game", "minesweeper")
    page.select_option("#field-mode", mode)
    page.select_option("#field-level", "expert")
    if mode == "coop":
        page.fill("#field-lives", "90")
    page.fill("#field-seats", "2")
    page.click("text=Open the room")
    invite(page, 1, 1)
    page.click("text=Start now")
    page.wait_for_selector(".grid button")
    opened = 0
    while not page.query_selector(".results:not([hidden])"):
        page.wait_for_selector(".turn.mine, .results:not([hidden]), .turn:not(.mine)")
        cell = page.query_selector(".turn.mine ~ .frame .cclosed:not(.wait)")
        if cell is not None:
            cell.evaluate("button => button.click()")
            opened += 1
        page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    assert opened
    assert page.query_selector(".ranks") is not None
    assert accessibility_faults(page) == []


def test_the_page_goes_on_when_the_server_was_killed(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "maria")
    invite(page, 1, 1)
    page.click("button.main >> text=Ready")
    page.wait_for_selector(".turn.mine")
    hand = hand_of(page)
    server.kill()
    page.wait_for_selector("text=Your seat is held for")
    server.restart(same_port=True)
    page.wait_for_selector("#banner", state="hidden")
    page.wait_for_selector(".turn.mine")
    assert hand_of(page) == hand
    page.reload()
    page.wait_for_selector(".turn.mine")
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


def test_what_hostile_clients_write_stays_text(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    page.wait_for_selector("text=You are watching.")
    with connect(server.url, proxy=None) as socket:
        socket.send(json.dumps({"t": "hello", "name": "mallory", "kind": "human"}))
        socket.send(json.dumps({"t": "join", "room": server.room}))
        for text in HOSTILE:
            socket.send(json.dumps({"t": "chat", "room": server.room, "text": text.replace("\u202e", "")}))
        page.wait_for_selector(f".log .said >> nth={len(HOSTILE) - 1}")
        said = page.eval_on_selector_all(".log .said q", "all => all.map((each) => each.textContent)")
        assert said == [text.replace("\u202e", "") for text in HOSTILE]
        assert page.query_selector(".log img, .log script, .log svg, .log iframe, .log b, .log style") is None
        assert page.evaluate("() => window.hit") is None


@pytest.mark.parametrize("width", [360, 800, 1280])
@pytest.mark.parametrize("path", ["", "#create", "#standings", "#replay"])
def test_every_view_is_accessible_and_fits(visitors: Visitors, server: ServerProcess, path: str, width: int) -> None:
    page = visitors.visit(address(server, path), width, color_scheme="dark" if width == 800 else "light")
    page.wait_for_selector("main h1")
    assert accessibility_faults(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_without_web_there_is_no_page(tmp_path: Path, visitors: Visitors) -> None:
    with server_process(tmp_path, "--no-web") as server:
        page = visitors.visit("about:blank")
        answer = page.request.get(address(server))
        assert answer.status == 426


def hand_of(page: Page) -> list[str]:
    """Return the names of the cards in hand."""
    labels = page.eval_on_selector_all(".hand button", "all => all.map((each) => each.getAttribute('aria-label'))")
    return [label.partition(",")[0] for label in labels]
