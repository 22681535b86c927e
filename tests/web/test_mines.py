"""Minesweeper in a browser: every mode, by mouse, by touch and by keys."""

import pytest
from playwright.sync_api import Page
from tests.support.server import ServerProcess
from tests.web.visitors import (
    MINES,
    OVER,
    Visitors,
    accessibility_faults,
    address,
    invite,
    meanwhile,
    open_room,
    play,
    sit,
)

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(("mode", "more"), [("race", {"penalty": 1_000}), ("coop", {"lives": 90})])
def test_boards_with_a_bot(visitors: Visitors, server: ServerProcess, mode: str, more: dict[str, int]) -> None:
    page = visitors.visit(address(server))
    open_room(page, "minesweeper", mode=mode, level="expert", seats=2, **more)
    invite(page, 1, 1)
    page.click("text=Start now")
    play(page, MINES)
    page.wait_for_selector(".ranks")
    assert len(page.query_selector_all(".racers li")) == 2
    assert accessibility_faults(page) == []


def alone(visitors: Visitors, server: ServerProcess, **more: object) -> Page:
    """Return the page of somebody alone at a new board of the middle size, with the middle open."""
    page = visitors.visit(address(server), **more)  # type: ignore[arg-type]
    open_room(page, "minesweeper", mode="solo", level="intermediate", seats=1)
    page.click("text=Start now")
    page.wait_for_selector(".turn.mine ~ .frame .cclosed")
    return page


def cell(page: Page, name: str) -> str:
    """Return what a cell is said to be, without its place."""
    label = page.get_attribute(f".grid button[aria-label^='{name} ']", "aria-label")
    assert label is not None
    return label.removeprefix(f"{name} ")


def test_a_mouse_opens_flags_and_opens_around_numbers(visitors: Visitors, server: ServerProcess) -> None:
    page = alone(visitors, server)
    page.click("[aria-label='h8 closed']")
    page.wait_for_selector("[aria-label='h8 empty']")
    name = page.get_attribute(".grid .cclosed", "aria-label").split()[0]  # type: ignore[union-attr]
    page.click(f"[aria-label='{name} closed']", button="right")
    page.wait_for_selector(f"[aria-label='{name} flagged']")
    page.click(f"[aria-label='{name} flagged']")
    page.wait_for_selector("text=is flagged: take the flag away first")
    page.click(f"[aria-label='{name} flagged']", button="right")
    page.wait_for_selector(f"[aria-label='{name} closed']")
    page.click("[aria-label='h8 empty']", button="middle")
    page.wait_for_selector("text=h8 is open.")


def test_a_long_press_flags_and_a_short_one_opens(visitors: Visitors, server: ServerProcess) -> None:
    page = alone(visitors, server, width=360, has_touch=True, is_mobile=True)
    fingers = page.context.new_cdp_session(page)

    def press(name: str, lift: bool) -> None:
        page.locator(f"[aria-label^='{name} ']").scroll_into_view_if_needed()
        box = page.locator(f"[aria-label^='{name} ']").bounding_box()
        assert box is not None
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        if lift:
            fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    press("h8", lift=True)
    page.wait_for_selector("[aria-label='h8 empty']")
    name = page.get_attribute(".grid .cclosed", "aria-label").split()[0]  # type: ignore[union-attr]
    press(name, lift=False)
    page.wait_for_selector(f"[aria-label='{name} flagged']")
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.tap("text=⚑ Flag")
    press(name, lift=True)
    page.wait_for_selector(f"[aria-label='{name} closed']")


def test_a_board_by_keys_alone(visitors: Visitors, server: ServerProcess) -> None:
    page = alone(visitors, server)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_selector(".grid .c0")
    page.keyboard.press("n")
    place = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert place.endswith(" closed")
    page.keyboard.press("f")
    page.wait_for_selector(f"[aria-label='{place.split()[0]} flagged']")
    page.keyboard.press("f")
    page.keyboard.press("Home")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')").startswith("a")
    for _ in meanwhile(page):
        page.keyboard.press("n")
        page.keyboard.press("Enter")
    page.wait_for_selector("text=3BV")
    assert accessibility_faults(page) == []


def test_a_duel_of_two_browsers(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    room = open_room(page, "minesweeper", mode="duel", level="custom", width=5, height=5, mines=11, seats=2)
    other = visitors.visit(address(server, f"r/{room}"), 800)
    sit(other, "otto")
    other.click("button.main >> text=Ready")
    page.click("button.main >> text=Ready")
    for _ in meanwhile(other):
        page.wait_for_selector(f".turn.mine, {OVER}, .turn strong:has-text('otto')")
        for each in (page, other):
            if each.query_selector(".turn.mine") and (
                bomb := each.query_selector(".menu button:has-text('Bomb'):visible")
            ):
                bomb.evaluate("button => button.click()")
            press_closed(each)
    assert page.query_selector(".grid .cA, .grid .cB") is not None
    assert page.inner_text(".racers li:nth-child(1) .count").endswith(("kept", "thrown", "ready"))


def press_closed(page: Page) -> None:
    """Look for a mine under the first closed cell, if it is our turn."""
    found = page.query_selector(MINES[0])
    if found is not None:
        found.evaluate("cell => cell.click()")
