"""Minesweeper in a browser: every mode, with mouse, touch and keyboard."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, Route
from tests.support.server import ServerProcess
from tests.web.fake_server import ROOM, FakeServer, board, entered, joined
from tests.web.visitors import (
    CUT,
    MINES,
    OVER,
    Visitors,
    accessibility_faults,
    address,
    faults,
    hear,
    invite,
    meanwhile,
    open_room,
    play,
    sit,
)

from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
EXPERT = (30, 16, 99)
"""The width, the height and the mines of a large board."""
SHORT = 399
"""The longest short press, in milliseconds."""


def test_a_race_with_a_bot(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"), reduced_motion="no-preference")
    open_room(page, "minesweeper", mode="race", level="beginner", seats=2, penalty=1)
    invite(page, 1, 1)
    page.click("text=Start now")
    play(page, MINES)
    page.wait_for_selector(".ranks")
    assert len(page.query_selector_all(".racers li")) == 2
    assert accessibility_faults(page) == []


def alone(page: Page) -> None:
    """Start a solo match on an intermediate board. The form shows that the player opens the first cell by no number."""
    page.select_option("#field-game", "minesweeper")
    assert page.locator("#field-first_cell").input_value() == ""
    open_room(page, "minesweeper", mode="solo", level="intermediate", seats=1)
    page.click("text=Start now")
    page.wait_for_selector(".turn.mine ~ .frame .cclosed")


def test_the_turn_line_asks_for_a_move_only_when_a_press_counts(visitors: Visitors, server: ServerProcess) -> None:
    page, held = visitors.arrive(), list[Route]()
    page.route("**/games/minesweeper/controls.js", lambda route: held.append(route))
    refusal = {"t": "error", "room": ROOM, "code": "brand_new", "msg": "heard", "hint": ""}
    fake = FakeServer(page, joined("minesweeper", board(phase="new"), 1, seat=0), {"act": refusal})
    with page.expect_request("**/games/minesweeper/controls.js"):
        page.goto(address(server, f"r/{ROOM}"))
    fake.ask([])
    fake.chat("oscar", "quick!")
    page.wait_for_selector(".said >> text=quick!", state="attached")
    page.wait_for_selector(".grid button")
    assert (page.inner_text(".turn strong"), page.query_selector(".turn.mine")) == ("", None)
    [route] = held
    route.continue_()
    page.wait_for_selector(".turn.mine strong >> text=OPEN A FIRST CELL")
    page.click("[aria-label='e5 closed']")
    page.wait_for_selector(".rule >> text=Heard")
    assert fake.acts == [{"do": "open", "cells": [[4, 4]]}]


def test_the_clock_of_a_board_is_that_of_the_server(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_a_board(visitors, server, board(), clock=True)
    fake.update(board(), {"e": "board"})
    page.clock.run_for(3_000)
    page.wait_for_function("() => parseInt(document.querySelector('.seconds').textContent) >= 2")
    fake.update(board(phase="new"))
    page.wait_for_function("() => !document.querySelector('.seconds').textContent")
    fake.update(board(), {"e": "board"})
    page.clock.run_for(1_000)
    page.wait_for_selector(".seconds >> text=/^[12] s$/")
    fake.set_room(joined("minesweeper", board(), 1, seat=0, elapsed=60_000))
    page.reload()
    page.wait_for_selector(".grid button")
    page.clock.run_for(1_000)
    page.wait_for_function("() => parseInt(document.querySelector('.seconds').textContent) >= 61")
    fake.update(board(phase="over", players=[{"state": "out", "open": 0, "ms": 7_300}]))
    page.wait_for_selector(".seconds >> text=7.3 s")


def test_a_mouse_opens_flags_and_opens_around_numbers(visitors: Visitors, server: ServerProcess) -> None:
    page, held = visitors.arrive(), list[Route]()
    page.route("**/views/room/result.js", lambda route: held.append(route))
    page.goto(address(server, "#create"))
    alone(page)
    size = "cell => getComputedStyle(cell).getPropertyValue('--cell')"
    assert page.eval_on_selector(".grid button", size).endswith("px")  # or each cell computes it from the container
    page.click("[aria-label='h8 closed']")
    page.wait_for_selector("[aria-label='h8 empty']")
    page.wait_for_selector(".grid:not([aria-busy])")
    name = page.get_attribute(".grid .cclosed", "aria-label").split()[0]  # type: ignore[union-attr]
    page.click(f"[aria-label='{name} closed']", button="right")
    page.wait_for_selector(f"[aria-label='{name} flagged']")
    page.click(f"[aria-label='{name} flagged']")
    page.wait_for_selector("text=is flagged: take the flag away first")
    page.click(f"[aria-label='{name} flagged']", button="right")
    page.wait_for_selector(f"[aria-label='{name} closed']")
    page.click("[aria-label='h8 empty']", button="middle")
    page.wait_for_selector(".rule >> text=There is nothing left to open around h8")
    page.click("text=New board")  # before the result of the last one is loaded
    page.wait_for_selector(".turn strong >> text=OPEN A FIRST CELL")
    for route in held:
        route.continue_()
    page.evaluate("url => import(url).then(() => new Promise(requestAnimationFrame))", held[0].request.url)
    assert page.is_hidden(".results")


def test_a_board_is_reviewed(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    open_room(page, "minesweeper", mode="solo", level="beginner", seats=1)
    page.click("text=Start now")
    play(page, MINES)
    page.wait_for_selector(".fold[aria-expanded=true]")  # a lost board is seen first
    page.click("text=Watch replay")
    page.click(".replay button >> text=Review")
    page.wait_for_selector(".review li >> text=/decisions?, /")
    assert page.input_value("[aria-label='Point of view']") == "0"
    page.keyboard.press("End")
    page.wait_for_selector(".turn strong >> text=/^(LOST|CLEARED)$/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.click(".replay button >> text=Review")
    page.wait_for_function("() => document.querySelector('.review').getBoundingClientRect().top < innerHeight")
    assert faults(page) == {}


def at_a_board(visitors: Visitors, server: ServerProcess, view: Plain, **more: Any) -> tuple[Page, FakeServer]:
    """Return a page in a match that shows ``view``, and its server; ``more``: as for ``entered``."""
    room = joined("minesweeper", view, len(view["players"]), seat=0)
    return entered(visitors, server, room, ".menu button:visible", **more)


def solo(visitors: Visitors, server: ServerProcess, rows: list[str], **more: Any) -> tuple[Page, FakeServer]:
    """Return a page with a solo board of 30×16 that asks for a cell, and its server."""
    page, fake = at_a_board(visitors, server, board(*EXPERT, rows=rows), **more)
    fake.ask([])
    page.wait_for_selector(".turn.mine")
    return page, fake


def test_a_number_held_shows_what_it_opens_and_the_frame_what_is_left(
    visitors: Visitors, server: ServerProcess
) -> None:
    rows = [["."] * 30 for _ in range(16)]
    rows[4][4], rows[3][3] = "1", "F"
    page, fake = solo(visitors, server, ["".join(row) for row in rows])
    for button, shown in (("left", 7), ("middle", 7), ("right", 0)):
        page.hover("[aria-label='e5 1']")
        page.mouse.down(button=button)  # type: ignore[arg-type]
        assert page.locator(".grid .cclosed.near").count() == shown, button
        page.hover(".counts")
        page.mouse.up(button=button)  # type: ignore[arg-type]
        assert page.locator(".grid .near").count() == 0
    assert page.get_attribute(".frame", "data-more") is None
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector(".frame[data-more='right']")
    page.eval_on_selector(".frame", "frame => frame.scrollTo(99, 0)")
    page.wait_for_selector(".frame[data-more='left right']")
    page.eval_on_selector(".frame", "frame => frame.scrollTo(9_999, 0)")
    page.wait_for_selector(".frame[data-more='left']")
    assert fake.acts == []


HALF = ["F" + "1" * 14 + "." * 15, *["1" * 15 + "." * 15] * 15]
PLACE = "frame => [frame.scrollLeft, frame.scrollTop, frame.scrollWidth - frame.clientWidth]"


def test_a_map_shows_the_window_on_a_board_that_is_larger(visitors: Visitors, server: ServerProcess) -> None:
    phone: Plain = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page, fake = solo(visitors, server, HALF, **phone)
    page.wait_for_selector(".map:visible")
    assert page.get_attribute(".map", "aria-hidden") == "true"
    colours = """map => [0, 40, 100].map((x) => [...map.getContext("2d").getImageData(x, 0, 1, 1).data].join())"""
    page.wait_for_function("look => new Set(eval(look)(document.querySelector('.map canvas'))).size === 3", arg=colours)
    box = page.locator(".map").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + 9)
    page.wait_for_selector(".frame[data-more='left']")
    assert page.eval_on_selector(".map i", "part => parseFloat(part.style.left) + parseFloat(part.style.width)") > 99
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 9)
    page.wait_for_selector(".frame[data-more='left right']")
    page.focus(".grid [tabindex='0']")
    page.keyboard.press("End")  # keys need no map: the window follows them
    page.wait_for_selector(".frame[data-more='left']")
    assert (accessibility_faults(page), page.evaluate(CUT)) == ([], [])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".frame:not([data-more])")
    assert page.is_hidden(".map"), "all of the board is seen"
    page.click("text=Larger")
    page.wait_for_selector(".map:visible")
    assert fake.acts == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_board_is_dragged_and_glides_on(visitors: Visitors, server: ServerProcess, motion: str) -> None:
    page, fake = solo(visitors, server, HALF, reduced_motion=motion)
    page.click("text=Larger")
    page.wait_for_selector(".map:visible")
    page.eval_on_selector(".frame", "frame => frame.scrollTo(200, 0)")
    cell = page.locator("[aria-label='x8 closed']").bounding_box()
    assert cell is not None
    left = page.eval_on_selector(".frame", PLACE)[0]
    page.mouse.move(cell["x"] + 9, cell["y"] + 9)
    page.mouse.down()
    page.mouse.move(cell["x"] - 60, cell["y"] + 9, steps=4)
    page.mouse.up()
    page.wait_for_function("left => document.querySelector('.frame').scrollLeft > left + 40", arg=left)
    assert fake.acts == [], "a drag opens nothing"
    page.click("[aria-label='x9 closed']")
    page.wait_for_selector(".wait")
    page.evaluate(
        """() => {
            const frame = document.querySelector(".frame"),
                { x, y, width, height } = frame.getBoundingClientRect();
            const send = (type, by) => {
                const at = { clientX: x + width / 2 - by, clientY: y + height / 2, pointerId: 1, pointerType: "mouse" };
                frame.dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, buttons: 1 }));
            };
            frame.setPointerCapture = () => {};
            send("pointerdown", 0);
            frame.scrollTo(0, 0);
            for (let by = 2; by <= 100; by += 2) send("pointermove", by);
            window.dragged = frame.scrollLeft;
            send("pointerup", 100);
        }"""
    )
    dragged = page.evaluate("() => window.dragged")
    assert 80 <= dragged <= 100
    if motion == "no-preference":
        page.wait_for_function("() => document.querySelector('.frame').scrollLeft > window.dragged + 20")
    else:
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.eval_on_selector(".frame", PLACE)[0] == dragged


def test_a_long_press_flags_a_short_one_opens_and_two_fingers_zoom(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive(360, has_touch=True, is_mobile=True)
    page.clock.install()
    page.goto(address(server, "#create"))
    alone(page)
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1_000 + 1)
    fingers = page.context.new_cdp_session(page)

    def press(name: str, milliseconds: int) -> None:
        page.locator(f"[aria-label^='{name} ']").scroll_into_view_if_needed()
        box = page.locator(f"[aria-label^='{name} ']").bounding_box()
        assert box is not None
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.clock.run_for(milliseconds)

    def slip(name: str, by: int) -> None:
        box = page.locator(f"[aria-label^='{name} ']").bounding_box()
        assert box is not None
        point = {"x": box["x"] + box["width"] / 2 + by, "y": box["y"] + box["height"] / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})

    def lift() -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.clock.run_for(1)

    press("h8", SHORT)
    lift()
    page.wait_for_selector("[aria-label='h8 empty']")
    page.clock.run_for(500)
    page.wait_for_selector(".grid:not([aria-busy])")
    name = page.get_attribute(".grid .cclosed", "aria-label").split()[0]  # type: ignore[union-attr]
    press(name, SHORT + 1)
    page.wait_for_selector(f"[aria-label='{name} flagged']")
    lift()
    page.tap("text=⚑ Flag")
    press(name, SHORT)
    lift()
    page.wait_for_selector(f"[aria-label='{name} closed']")
    press("h8", SHORT)  # on an open cell, a press with the flag opens around it
    lift()
    page.wait_for_selector(".rule >> text=There is nothing left to open around h8")
    page.tap("text=⚑ Flag")
    for wobble, then in ((9, "flagged"), (30, "flagged"), (9, "closed")):  # a finger that slips far does nothing
        press(name, SHORT - 100)
        slip(name, wobble)
        page.clock.run_for(300)
        lift()
        page.wait_for_selector(f"[aria-label='{name} {then}']")
    page.tap("text=Help")
    page.locator("input[name=press]").fill("250")
    page.keyboard.press("Escape")
    page.clock.run_for(1)  # the dialog has gone
    press(name, 260)
    page.wait_for_selector(f"[aria-label='{name} flagged']")
    lift()
    grid = page.locator(".grid").bounding_box()
    assert grid is not None
    y, opened = grid["y"] + 60, page.locator(".grid .cclosed").count()
    for kind, apart in (("touchStart", 60), ("touchMove", 80), ("touchMove", 120)):
        points = [{"x": grid["x"] + 120 + side * apart / 2, "y": y, "id": side + 1} for side in (-1, 1)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_selector(".frame[style*='--scale: 2.00']")
    lift()
    assert page.locator(".grid .cclosed").count() == opened


def test_a_board_by_keyboard_and_screen_reader_alone(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    alone(page)
    assert 'gridcell "e5 closed"' in page.get_by_role("grid", name="Board").aria_snapshot()
    assert len(page.get_by_role("row").all()) == 16
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_selector(".grid .c0")
    page.keyboard.press("n")
    place = focused(page)
    assert place.endswith(" closed")
    page.keyboard.press("f")
    page.wait_for_selector(f"[aria-label='{place.split()[0]} flagged']")
    page.keyboard.press("Shift+F")  # as with Caps Lock
    page.wait_for_selector(f"[aria-label='{place}']")
    cyrillic = {"key": "а", "code": "KeyF", "text": "а"}
    page.context.new_cdp_session(page).send("Input.dispatchKeyEvent", {"type": "keyDown", **cyrillic})
    page.wait_for_selector(f"[aria-label='{place.split()[0]} flagged']")
    page.keyboard.press("f")
    page.keyboard.press("Home")
    assert focused(page).startswith("a")
    for _ in meanwhile(page):
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        assert focused(page)
    hear(page, "he board is")
    assert " ".join(page.evaluate("() => window.heard")).lower().count("the board is") == 1
    page.set_viewport_size({"width": 740, "height": 360})
    left = page.evaluate("() => document.querySelector('.panels').getBoundingClientRect().x")
    assert left >= page.evaluate("() => document.querySelector('.frame').getBoundingClientRect().width / 2")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".fold[aria-expanded='true']")
    page.keyboard.press("v")
    page.wait_for_selector(".fold[aria-expanded='false']")
    assert not page.is_visible("summary >> text=Details")
    page.keyboard.press("v")
    page.click("summary >> text=Details")
    page.wait_for_selector("text=3BV")
    assert accessibility_faults(page) == []
    page.get_by_role("button", name="Same board again").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(OVER, state="detached")
    page.wait_for_selector("[aria-label^='h8 ']:not(.cclosed)")  # the server has opened it
    assert focused(page)
    page.goto(address(server, "#player"))
    page.wait_for_selector("text=1 played")
    assert accessibility_faults(page) == []


def focused(page: Page) -> str:
    """Return the name of what has the focus; empty if it is lost."""
    focus = page.locator(":focus")
    return (focus.get_attribute("aria-label") or "unnamed") if focus.count() else ""


def test_a_duel_of_two_browsers(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    room = open_room(page, "minesweeper", mode="duel", level="custom", width=5, height=5, mines=11, seats=2)
    other = visitors.visit(address(server, f"r/{room}"), 800)
    sit(other, "oscar")
    other.click("button.main >> text=Ready")
    page.click("button.main >> text=Ready")
    for _ in meanwhile(other):
        page.wait_for_selector(f".turn.mine, {OVER}, .turn strong:has-text('oscar')")
        for each in (page, other):
            for first in (".turn.mine ~ .menu button:has-text('Bomb'):visible", MINES[0]):
                if found := each.query_selector(first):
                    found.evaluate("element => element.click()")
    assert page.query_selector(".grid .cA, .grid .cB") is not None
    assert page.inner_text(".racers li:nth-child(1) .count").endswith(("kept", "thrown", "ready"))


LOST: Plain = {"ranks": {"0": 1}, "scores": {"0": 0}, "why": "lost"}
_ORDER = """
() => {
    window.drawn = [];
    new MutationObserver((changes) => {
        const cells = changes.filter(({ attributeName: name }) => name === "aria-label").map(({ target }) => target);
        if (cells.length) window.drawn.push(cells.map(({ x, y }) => `${x},${y}`));
    }).observe(document.querySelector(".grid"), { subtree: true, attributes: true });
}
"""
"""Keep which cells are drawn, in batches."""


@pytest.mark.parametrize(
    ("mode", "state", "before", "result", "after"),
    [
        ("solo", "out", "LOST", {"ranks": {"0": 1}, "why": "lost"}, "LOST"),
        ("race", "done", "THE RACE IS OVER", {"ranks": {"0": 1, "1": 2}, "why": "race"}, "YOU WIN"),
        *(
            pytest.param(*more, marks=pytest.mark.long)
            for more in (
                ("solo", "done", "CLEARED", {"ranks": {"0": 1}, "why": "won"}, "CLEARED"),
                ("race", "out", "THE RACE IS OVER", {"ranks": {"0": 2, "1": 1}, "why": "race"}, "b[w]+ wins"),
                ("race", "done", "THE RACE IS OVER", {"ranks": {"0": 1, "1": 1}, "why": "race"}, "THE RACE IS OVER"),
                ("coop", "out", "OVER", {"ranks": {"0": 2, "1": 2}, "why": "lost"}, "LOST"),
            )
        ),
    ],
)
def test_the_turn_line_says_how_a_match_has_ended_also_before_its_result(
    visitors: Visitors, server: ServerProcess, mode: str, state: str, before: str, result: Plain, after: str
) -> None:
    seats = len(result["ranks"])
    page, fake = at_a_board(visitors, server, board(mode=mode, seats=seats, lives=1))
    view = board(mode=mode, phase="over", lives=1, players=[{"state": state, "open": 0, "ms": 900}] * seats)
    fake.update(view)
    page.wait_for_selector(f".turn strong >> text=/^{before}$/")
    fake.end(view, {**result, "scores": dict.fromkeys(result["ranks"], 0)})
    page.wait_for_selector(OVER)
    page.wait_for_selector(f".turn strong >> text=/^{after}$/")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cells_open_as_a_wave_and_mines_go_off_in_order(visitors: Visitors, server: ServerProcess, motion: str) -> None:
    page, fake = at_a_board(visitors, server, board(phase="open"), script=_STARTED, reduced_motion=motion)
    page.focus(".grid button")  # the first cell: the wave begins there
    page.evaluate(_ORDER)
    closed = ["." * 9] * 7
    fake.update(board(phase="open", rows=["0" * 9, "." * 9, *closed], players=[{"state": "in", "open": 9}]))
    page.wait_for_selector(".c0 >> nth=8")
    page.wait_for_selector(".grid:not([aria-busy])")
    out = [{"state": "out", "open": 9, "ms": 900}]
    fake.end(board(phase="over", rows=["0" * 9, ".*.M....M", *closed], players=out), LOST)
    page.wait_for_selector(".cM >> nth=1")
    drawn, batches = page.evaluate("() => [window.drawn.flat(), window.drawn.length]")
    assert drawn == [*(f"{x},0" for x in range(9)), "1,1", "3,1", "8,1"]
    assert (batches > 2) == (motion == "no-preference")  # else what comes with one message is drawn at once
    page.wait_for_selector(OVER)
    if motion == "no-preference":
        page.wait_for_function("() => window.started.includes('boom')")
    else:
        assert page.evaluate("() => window.started") == []


def test_a_press_shows_in_the_next_frame_while_a_wave_runs(visitors: Visitors, server: ServerProcess) -> None:
    """And the wave goes on as before: drawing all that is left of it at once would take longer than a frame."""
    page, fake = at_a_board(visitors, server, board(*EXPERT))
    page.focus(".grid button")  # the first cell: the wave begins there
    page.evaluate(_PRESS)
    fake.update(board(*EXPERT, rows=["0" * 29 + "."] * 16, players=[{"state": "in", "open": 464}]))
    page.wait_for_function("() => window.seen")
    flagged, busy, opened = page.evaluate("() => window.seen")
    assert flagged
    assert busy
    assert opened < 464
    page.wait_for_selector(".grid:not([aria-busy])")
    assert len(page.query_selector_all(".grid .c0")) == 464
    assert page.query_selector(".grid [role=row]:last-child .cF:last-child") is not None


_PRESS = """
() => new MutationObserver((_, watch) => {
    watch.disconnect();
    const grid = document.querySelector(".grid"), cell = grid.querySelector("[role=row]:last-child :last-child");
    cell.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
    requestAnimationFrame(() => {
        window.seen = [cell.matches(".cF"), grid.ariaBusy === "true", grid.querySelectorAll(".c0").length];
    });
}).observe(document.querySelector(".grid"), { attributeFilter: ["aria-busy"] })
"""
"""Flag the last cell when a wave begins, and keep what the board shows in the next frame."""


def test_a_race_of_four_shows_the_whole_board_and_all_racers(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("minesweeper", board(*EXPERT, mode="race", seats=4), 4, seat=0)
    for row, name in zip(room["table"]["seats"], ["maria", "ada", "bruno", "cleo"], strict=True):
        row["name"] = name
    page, _ = entered(visitors, server, room, ".menu button:visible")
    page.wait_for_function("() => !document.querySelector('.frame').dataset.more")
    assert page.eval_on_selector(".racers", "list => list.scrollHeight - list.clientHeight") <= 0


@pytest.mark.parametrize("why", ["lost", "won"])
def test_a_large_board_ends_with_few_things_that_move(visitors: Visitors, server: ServerProcess, why: str) -> None:
    page, fake = at_a_board(visitors, server, board(30, 16, 121, phase="open"), script=_MOVED, width=390)
    sign, state = ("F", "done") if why == "won" else ("M", "out")
    rows = [(f"{sign}..." * 8)[:30]] * 15 + ["." * 29 + ("." if why == "won" else "*")]  # what was hit is out of sight
    over = board(30, 16, 121, phase="over", rows=rows, players=[{"state": state, "open": 9, "ms": 900}])
    fake.end(over, {**LOST, "why": why})
    page.wait_for_selector(f".c{sign} >> nth=119")
    page.wait_for_selector(".grid:not([aria-busy])")
    page.wait_for_selector(".fire", state="detached")
    moved = page.evaluate("() => window.moved")
    assert Counter(moved) == ({"boom": 1, "fire": 1, "blast": 5} if why == "lost" else {})
    if why == "lost":
        page.wait_for_function(_IN_SIGHT)


def test_a_result_waits_until_the_last_wave_is_drawn(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_a_board(visitors, server, board(2, 1, 1, phase="open"))
    page.evaluate(_HOLD)
    done = board(2, 1, 1, phase="over", rows=["1F"], players=[{"state": "done", "open": 1, "ms": 900}])
    with page.expect_request("**/room/brought.js") as asked:
        fake.end(done, {"ranks": {"0": 1}, "scores": {"0": 1}, "why": "won"})
    page.evaluate("url => import(url).then(() => new Promise((done) => setTimeout(done)))", asked.value.url)
    assert page.query_selector(".results[hidden] ~ .wait[hidden]") is not None
    assert page.query_selector(".stage.ended") is None
    page.evaluate("() => window.release()")
    page.wait_for_selector(".stage.ended > .after > .results:not([hidden]):not([aria-busy]) ~ .wait:not([hidden])")


_HOLD = """
() => {
    const later = window.requestAnimationFrame, held = [];
    window.requestAnimationFrame = (draw) => held.push(draw);
    window.release = () => { window.requestAnimationFrame = later; held.forEach((draw) => later(draw)); };
}
"""
"""Let no frame begin until `release` is called."""
_STARTED = """
window.started = [];
addEventListener("animationstart", ({ animationName }) => started.push(animationName));
"""
"""Keep the animations that begin."""
_MOVED = """
window.moved = [];
addEventListener("animationstart", ({ animationName: name, target }) => target.closest(".grid") && moved.push(name));
new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).map(({ className }) => className);
    moved.push(...added.filter((name) => name === "fire" || name === "blast"));
}).observe(document, { subtree: true, childList: true });
"""
"""Keep what moves on the board."""
_IN_SIGHT = """
() => {
    const [cell, frame] = [".chit", ".frame"].map((name) => document.querySelector(name).getBoundingClientRect());
    return cell.left >= frame.left && cell.right <= frame.right;
}
"""
