"""The web page in a real browser with a real server: size, accessibility, and untrusted text."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute
from tests.support.server import ServerProcess, server_process
from tests.support.sessions import played
from tests.web.fake_server import IDLE, NO_ROOMS, Answer, entered
from tests.web.running_matches import guests, running_match
from tests.web.visitors import OVER, Visitors, accessibility_faults, address, faults, go, loaded, open_room, rewrite

from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
SMALL = 75_000
"""The limit for the bytes that a first view transfers, headers included."""
VIEWS = {
    "": ".list tbody tr",
    "#create": "#field-scoring",
    "#standings": "tbody tr, [role=status]:not(:empty)",
    "#ladder": "tbody tr, [role=status]:not(:empty)",
    f"#player={'w' * 20}": "[role=status]:not(:empty)",
    "#standings=none": "[data-code=no_contest]",
    "#replay": "input[type=file]",
    "r/ZZZZ": "[data-code=no_room]",
}
"""Views without other players, and a selector for when each is complete."""
HOSTILE = (
    "<img src=x onerror=window.hit=1>",
    "<script>window.hit=1</script>",
    '"><svg onload=window.hit=1>',
    "javascript:window.hit=1",
    "{{constructor.constructor('window.hit=1')()}}",
    "<iframe srcdoc='<script>parent.hit=1</script>'>",
    "</li><style>body{display:none}</style>",
    "<a href='javascript:window.hit=1' data-go='//evil.example'>x</a>",
)
TRUSTED = {
    *("t", "code", "room", "game", "state", "do", "e", "by", "mode", "phase", "level", "colour", "rows", "re", "kinds")
}
"""Fields whose values the page interprets; all others are only shown."""
RIGHT_TO_LEFT = "\u202e"
"""The right-to-left override: it reverses the text after it."""
SHOWS = """
character => [document.title, document.body.textContent, ...document.querySelectorAll("*")].filter((each) =>
    (each.attributes ? ["aria-label", "title", "data-line"].map((name) => each.getAttribute(name)) : [each])
        .some((shown) => shown?.includes(character)))
    .map((each) => each.outerHTML ?? each)
"""
"""Where the page shows a character."""


def test_first_views_are_small(visitors: Visitors, server: ServerProcess) -> None:
    coop = {"mode": "coop", "level": "expert"}
    with running_match(server, "uno", seats=4) as uno, running_match(server, "minesweeper", coop) as mines:
        marks = {uno: ".top .card", mines: ".grid button", server.room: ".wait form"}
        for path, mark in {"": ".list tr", **{f"r/{room}": mark for room, mark in marks.items()}}.items():
            page = visitors.visit(address(server, path))
            page.wait_for_selector(mark)
            wire, plain = loaded(page)
            assert 0 < wire < plain, path
            assert wire <= SMALL, path


@pytest.mark.parametrize(
    ("needed", "mark"),
    [
        ({"hello", "join", "widget.js", "cards.js", "table.css"}, ".top .card"),
        ({"hello", "played.js", "forms.css", "home.css"}, ".tiles button"),
    ],
)
def test_a_view_needs_nothing_more_after_the_server_has_answered(
    visitors: Visitors, server: ServerProcess, needed: set[str], mark: str
) -> None:
    """Messages and files are on their way before the server answers, so that few round trips follow each other."""
    page, asked, late = visitors.arrive(), set[str](), list[tuple[WebSocketRoute, str | bytes]]()

    def note(what: str) -> None:
        asked.add(what)
        if needed <= asked:
            for socket, said in late:
                socket.send(said)
            late.clear()

    def between(socket: WebSocketRoute) -> None:
        real = socket.connect_to_server()

        def hold(said: str | bytes) -> None:
            late.append((socket, said))
            note("an answer")

        def pass_on(said: str | bytes) -> None:
            real.send(said)
            note(json.loads(said)["t"])

        real.on_message(hold)
        socket.on_message(pass_on)

    page.route_web_socket("**", between)
    page.on("request", lambda request: note(request.url.rpartition("/")[2]))
    with running_match(server, "uno") as room:
        page.goto(address(server, f"r/{room}" if "join" in needed else ""))
        page.wait_for_selector(mark)


def test_every_view_is_accessible_and_fits(visitors: Visitors, server: ServerProcess) -> None:
    """In German, whose words are longer."""
    page = visitors.arrive(locale="de")
    page.goto(address(server, "rooms/all"))
    page.wait_for_selector("h1 >> text=Hier ist nichts")
    assert faults(page) == {}
    visitors.faults.remove("Failed to load resource: the server responded with a status of 404 (Not Found)")
    with running_match(server, "uno", seats=4):  # whose names may break at their hyphens
        for path, mark in VIEWS.items():
            go(page, address(server, path))
            page.wait_for_selector(mark)
            assert faults(page) == {}, path
    go(page, address(server))
    page.wait_for_selector(".rooms small >> text=wer zuerst 500 hat")
    go(page, address(server, f"r/{server.room}"))
    page.wait_for_selector("text=Du schaust zu.")
    assert faults(page) == {}
    page.keyboard.press("?")
    page.wait_for_selector("dialog")
    assert faults(page) == {}


def test_rooms_are_accessible_and_fit(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    with running_match(server, "uno", seats=4) as uno, running_match(server, "minesweeper", {"mode": "duel"}) as duel:
        for room, mark in ((uno, ".top .card"), (duel, ".grid button")):
            page.goto(address(server, f"r/{room}"))
            page.wait_for_selector(mark)
            page.evaluate("() => hints.append(...Array.from({length: 40}, () => hints.firstChild.cloneNode(true)))")
            assert faults(page) == {}


def saved(game: str, options: Plain, folder: Path) -> Path:
    """Play a match and write its file."""
    path = folder / f"{game}.jsonl"
    path.write_text("\n".join(played(game, 2, options)[0]) + "\n", encoding="utf-8")
    return path


def replay(page: Page, server: ServerProcess, path: Path) -> None:
    """Open a match file."""
    go(page, address(server, "#replay"))
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector("text=Verified")


def test_a_replay_from_any_point_of_view(visitors: Visitors, server: ServerProcess, tmp_path: Path) -> None:
    page = visitors.arrive()
    path = saved("uno", {"scoring": "single"}, tmp_path)
    replay(page, server, path)
    assert page.query_selector(".open .card") is None
    page.select_option("[aria-label='Point of view']", "1")
    assert len(page.query_selector_all(".open .card")) == 7
    page.select_option("[aria-label='Point of view']", "all")
    assert len(page.query_selector_all(".open .card")) == 14
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.click("[aria-label='Step back']")
    page.wait_for_selector("text=/^3 of/")
    page.select_option("[aria-label=Speed]", "fastest")
    page.click(".replay button.main")
    page.wait_for_selector(r"text=/^([6-9]|\d\d+) of/")
    page.keyboard.press("End")
    page.wait_for_selector(".ranks")
    page.wait_for_selector(".replay button.main >> text=Play")
    assert faults(page) == {}
    lines = path.read_text().splitlines()
    spoilt_path = tmp_path / "spoilt.jsonl"
    spoilt_path.write_text("\n".join([*lines[:3], *lines[4:]]) + "\n")
    page.set_input_files("input[type=file]", spoilt_path)
    page.wait_for_selector("text=✗ line 4: wrong hash or form")
    other_path = tmp_path / "picture.png"
    other_path.write_bytes(b"\x89PNG\r\n\x1a\n")
    page.set_input_files("input[type=file]", other_path)
    page.wait_for_selector("text=✗ line 1: not a line of a match file")
    replay(page, server, saved("minesweeper", {"mode": "race"}, tmp_path))
    assert faults(page) == {}


def test_a_replay_shows_the_reasons_of_bots(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    with guests(server, "trudy") as [mallory]:
        room = mallory.ask(t="create", game="minesweeper", options={"mode": "solo"})["room"]
        mallory.ask(t="start", room=room)
        mallory.ask(t="act", room=room, rid=1, act=40, why="<b>the middle</b>")
        page.goto(address(server, f"r/{room}"))
        page.wait_for_selector(".grid button")
        mallory.ask(t="act", room=room, rid=2, act={"do": "resign"})
        page.wait_for_selector(OVER)
        assert accessibility_faults(page) == []
        page.click("text=Watch replay")
        page.click("[aria-label='Step forward']")
        page.wait_for_selector("text=trudy: “<b>the middle</b>”")


def test_what_hostile_clients_write_stays_text(visitors: Visitors, server: ServerProcess) -> None:
    with guests(server, "mallory") as [mallory]:
        room = mallory.ask(t="create", game="uno", options={}, seats=2, clock=None)["room"]
        page = visitors.visit(address(server, f"r/{room}"))
        page.wait_for_selector("text=Host: mallory. 1 of 2 seats taken")
        for text in HOSTILE:
            mallory.ask(t="chat", room=room, text=text)
        page.wait_for_selector(f".log .said >> nth={len(HOSTILE) - 1}")
        said = page.eval_on_selector_all(".log .said q", "all => all.map((each) => each.textContent)")
        assert said == list(HOSTILE)
        mallory.ask(t="leave", room=room)
    assert page.query_selector(".log img, .log script, .log svg, .log iframe, .log b, .log style, .log a") is None
    assert page.evaluate("() => window.hit") is None


def spoilt(value: Any, payload: str, name: str = "") -> Any:
    """Return a message with ``RIGHT_TO_LEFT`` and ``payload`` in place of all text that is only shown."""
    if isinstance(value, dict):
        return {key: spoilt(each, payload, key) for key, each in value.items()}
    if isinstance(value, list):
        return [spoilt(each, payload, name) for each in value]
    return RIGHT_TO_LEFT + payload if isinstance(value, str) and name not in TRUSTED else value


def test_what_a_hostile_server_says_stays_text(visitors: Visitors, server: ServerProcess) -> None:
    page, payload = visitors.arrive(), " ".join(HOSTILE)
    rewrite(page, lambda _, message: spoilt(message, payload))
    with running_match(server, "uno") as uno, running_match(server, "minesweeper", {"mode": "coop"}) as mines:
        marks = {"": ".list tbody tr", "#standings": "main h1", f"r/{uno}": ".top .card", f"r/{mines}": ".grid button"}
        for path, mark in {**marks, "r/ZZZZ": "main h1", f"r/{server.room}": ".wait form"}.items():
            go(page, address(server, path))
            page.wait_for_selector(mark)
            assert not page.evaluate(SHOWS, RIGHT_TO_LEFT), path
        page.goto(address(server, f"r/{uno}"))
        page.wait_for_selector(".people li:nth-child(2)")
        assert payload in (page.text_content(".people li") or "")
        drawn = ".quarters b, .backs b"  # a wild, and the number of cards of a hand
        made = f"main :is(img, script, svg:not(.face svg), iframe, style, a[data-go], b:not({drawn})), header svg"
        assert page.query_selector(made) is None
        assert page.evaluate("() => window.hit") is None


def test_without_web_there_is_no_page(tmp_path: Path, visitors: Visitors) -> None:
    with server_process(tmp_path, "--no-web") as server:
        page = visitors.visit("about:blank")
        for path in ("", "r/K7QD"):
            assert page.request.get(address(server, path)).status == 426


def test_from_a_missing_room_into_one_that_still_loads_and_out(visitors: Visitors, server: ServerProcess) -> None:
    page, held = visitors.arrive(), list[Route]()
    page.route("**/games/uno/widget.js", lambda route: held.append(route))
    page.goto(address(server, "r/ZZZZ"))
    page.wait_for_selector("h1 >> text=Room ZZZZ")
    with running_match(server, "uno") as room:
        page.click("a >> text=Open rooms")
        with page.expect_request("**/games/uno/widget.js"):
            page.click(f"[aria-label='Watch {room}']")
        page.wait_for_selector(f"nav b >> text={room}")
        page.go_back()
        page.wait_for_selector("h1 >> text=Play")
        [route] = held
        page.unroute("**/games/uno/widget.js")  # which lets it go on
        page.evaluate("url => import(url).then(() => null)", route.request.url)
        page.click(f"[aria-label='Watch {room}']")
        page.wait_for_selector("text=You are watching.")
        page.go_back()
    page.wait_for_selector("h1 >> text=Play")


def test_a_seat_is_found_late_and_in_other_tabs(visitors: Visitors, server: ServerProcess) -> None:
    page, late = visitors.visit(address(server, "#create")), list[tuple[WebSocketRoute, Plain]]()
    room = open_room(page)

    def hold(socket: WebSocketRoute, message: Plain) -> Plain | None:
        if message["t"] != "joined":
            return message
        late.append((socket, message))
        return None

    rewrite(page, hold)
    go(page, address(server))
    page.wait_for_selector(f"[data-key='{room}']")
    [(socket, message)] = late
    socket.send(json.dumps(message))
    page.wait_for_selector(f".own a >> text={room}")
    tab = page.context.new_page()
    visitors.watch(tab)
    go(tab, address(server))
    tab.click(".own button >> text=Continue as")
    tab.click(f".own a >> text={room}")
    tab.wait_for_selector("button.main >> text=Ready")
    assert tab.locator("text=Ask for the seat").count() == 0, "others are free"
    page.close()
    tab.close()
    last = page.context.new_page()
    visitors.watch(last)
    last.goto(address(server, f"r/{room}"))
    last.click("button:has-text('You are ')")
    last.wait_for_selector("button.main >> text=Ready")


def test_the_lobby_tells_of_matches_that_ended_meanwhile(visitors: Visitors, server: ServerProcess) -> None:
    players = [{"name": "bert", "rank": 1}, {"name": "<b>", "rank": 2}]
    row = {"digest": "ab" * 32, "room": "K7QD", "game": "uno", "ago": 5, "rank": 2, "players": players}

    def missed(asked: Plain) -> Plain:
        return {"t": "missed", "matches": [] if "seen" in asked else [row, {**row, "digest": "cd" * 32, "void": True}]}

    answers: dict[str, Answer] = {"missed": missed, "list": NO_ROOMS}
    page, fake = entered(visitors, server, IDLE, f".own a[href='#replay={'ab' * 32}']", answers, path="")
    assert page.inner_text(".own").count("2. <b>") == 1
    assert "does not count" in page.inner_text(f".own li:has([href='#replay={'cd' * 32}'])")
    page.click(".own button >> text=Got it")
    page.wait_for_selector(".own", state="hidden")
    assert [each.get("seen") for each in fake.asked if each["t"] == "missed"] == [None, ["ab" * 32, "cd" * 32]]


def test_the_lobby_lists_and_finds_players(visitors: Visitors, server: ServerProcess) -> None:
    with guests(server, "gerda", "gustav") as [gerda, gustav], guests(server, "gadget", kind="bot") as [bot]:
        room = gerda.ask(t="create", game="uno", options={}, seats=3, clock=None)["room"]
        for guest in (gustav, bot):
            guest.ask(t="join", room=room)
        page = visitors.visit(address(server))
        page.wait_for_selector(f"[data-key='{room}'] td >> text=/^gerda \\(host\\), gustav, gadget \\(bot\\)$/")
        assert faults(page) == {}
        page.fill("[aria-label='Filter by code, game or name']", "gustav")
        page.wait_for_function("document.querySelectorAll('.rooms tbody tr').length === 1")
        assert page.text_content(".rooms tbody th") == room
        gerda.ask(t="manage", room=room, do="ban", name="gustav")
        page.wait_for_selector("text=No open rooms match.")


def test_help_waits_for_the_words_of_the_game(visitors: Visitors, server: ServerProcess) -> None:
    page, held = visitors.arrive(), list[Route]()
    page.route("**/games/uno/words.js", lambda route: held.append(route))
    with running_match(server, "uno") as room:
        page.goto(address(server, f"r/{room}"))
        page.wait_for_selector(".top .card")
        with page.expect_request("**/games/uno/words.js"), page.expect_request("**/views/room/menu.js") as desk:
            page.keyboard.press("?")
        page.evaluate("url => import(url).then(() => null)", desk.value.url)
        [route] = held
        route.continue_()
        page.wait_for_selector("dialog >> text=first to 500")
