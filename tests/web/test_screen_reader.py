"""The page with a screen reader and a keyboard: roles and names, announcements, and the focus."""

from collections import Counter

import pytest
from playwright.sync_api import Page
from tests.support.server import ServerProcess
from tests.web.fake_server import entered, joined, uno
from tests.web.visitors import OVER, UNO, Visitors, address, hear, invite, meanwhile, open_room, unfold

pytestmark = pytest.mark.chromium
_LOST = "() => document.activeElement === document.body"
_COVERED = """() => {
    const [seat, result] = [".own-seat", ".panels"].map((each) => document.querySelector(each).getBoundingClientRect()),
        [x, y] = [seat.x + seat.width / 2, seat.y + seat.height / 2];
    return x > result.right || document.elementFromPoint(x, y).closest(".panels") !== null;
}"""
"""Whether our seat is beside the result or below it, never on it."""


def roles(page: Page, part: str = "body") -> str:
    """Return the accessibility tree of ``part``, as indented lines."""
    return page.locator(part).aria_snapshot()


def press(page: Page, role: str, name: str) -> None:
    """Focus a button or a link, found by role and name, and press Enter."""
    page.get_by_role(role, name=name, exact=True).first.focus()  # type: ignore[arg-type]
    page.keyboard.press("Enter")


def test_a_match_of_uno_and_a_second_one_in_the_same_room(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    page.wait_for_selector(".list tbody tr")
    assert page.evaluate(_LOST)
    page.evaluate("() => { location.hash = 'create'; }")
    page.get_by_role("main", name="New room").wait_for()
    page.wait_for_selector("main:focus")
    page.go_back()
    press(page, "button", "New room")
    page.get_by_role("main", name="New room").wait_for()
    assert not page.evaluate(_LOST)
    unfold(page)
    page.get_by_label("Scoring").select_option("single")
    page.get_by_label("Time to call UNO").fill("0")
    press(page, "button", "Create room")
    page.get_by_role("button", name="Ready", exact=True).wait_for()
    assert not page.evaluate(_LOST)
    invite(page, 3, 1)  # with more players a round takes fewer turns
    press(page, "button", "Ready")
    page.get_by_role("list", name="Your hand").wait_for()
    tree = roles(page, "main")
    for part in ('list "Players"', 'list "Your hand"', 'group "Actions"', 'log "Log and chat"', "timer"):
        assert part in tree, tree
    for _ in meanwhile(page):
        page.wait_for_selector(f".turn.mine, {OVER}")
        assert not page.evaluate(_LOST), roles(page, "main")
        found = page.evaluate(
            "(all) => all.map((each) => document.querySelector(each)).find(Boolean)?.focus()", list(UNO)
        )
        assert found is None
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="win").wait_for()
    assert not page.evaluate(_LOST)
    announced_once(page)
    press(page, "button", "Watch replay")
    page.get_by_role("slider", name="Position in the match").wait_for()
    assert not page.evaluate(_LOST)
    page.click(".replay button >> text=Review")
    page.wait_for_selector(".review li >> text=/decisions?, /")
    page.go_back()
    page.wait_for_selector(OVER)
    for width, height in ((360, 740), (740, 360), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        again, same = (page.locator(f"text={words}").bounding_box() for words in ("Play again", "Same cards again"))
        assert again is not None
        assert same is not None
        assert again["y"] + again["height"] <= min(height, same["y"])
        assert width != 740 or page.evaluate(_COVERED)
    page.click("summary >> text=Details")
    page.wait_for_selector("[data-fair=true]")
    press(page, "button", "Same cards again")
    page.wait_for_selector(OVER, state="detached")
    page.wait_for_selector(".hand button")


def announced_once(page: Page) -> None:
    """Check that each log line was announced at most once, our plays always, and none with symbols."""
    hear(page, "a single round was played")
    said = " ".join(page.evaluate("() => window.heard"))
    lines = Counter(page.evaluate("() => window.written"))
    assert lines
    for line, times in lines.items():
        assert said.count(line) <= sum(lines[other] for other in lines if line in other), line
        assert said.count(line) or not line.startswith("You play"), (line, times)
    assert not set(said) & set("▲■●◆✦⊘↺▮▴✓")


def test_dialogs_return_the_focus(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    open_room(page)
    invite(page, 1, 1)
    for name in ("Leave", "Link"):
        page.get_by_role("button", name=name, exact=True).focus()
        here = page.evaluate("() => document.activeElement.textContent")
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Help").wait_for()
        assert page.evaluate("() => document.querySelector('dialog').scrollTop") == 0
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        assert page.evaluate("() => document.activeElement.textContent") == here
    bot = page.get_by_role("button", name="Manage").get_attribute("aria-label")
    assert bot is not None
    press(page, "button", bot)
    page.get_by_role("dialog").wait_for()
    assert page.get_by_role("button", name="Unmute").count() == 0
    press(page, "button", "Mute")
    page.wait_for_selector("dialog", state="detached")
    press(page, "button", bot)
    page.get_by_role("button", name="Unmute").wait_for()
    assert page.get_by_role("button", name="Mute", exact=True).count() == 0
    press(page, "button", "Remove")
    page.get_by_role("button", name=bot).wait_for(state="detached")
    assert not page.evaluate(_LOST)


def test_cards_have_names_and_announcements_no_symbols(visitors: Visitors, server: ServerProcess) -> None:
    hand = [1, 19, 104]
    page, fake = entered(visitors, server, joined("uno", uno(2, hand, turn=0, top=19), 2, seat=0), ".hand button")
    fake.ask([{"do": "play", "card": 1}, {"do": "draw"}])
    hear(page, "YOUR TURN. match red or skip.")
    names = page.eval_on_selector_all(".hand button", "all => all.map((each) => each.getAttribute('aria-label'))")
    assert names == ["red 1, can be played", "red skip", "wild draw four"]
    assert page.get_by_role("button", name="Draw from the deck of 41").count() == 1
    press(page, "button", "wild draw four")
    hear(page, "cannot play that wild draw four")
    press(page, "button", "red skip")
    hear(page, "Red skip does not fit: match red or skip.")
    page.wait_for_selector(".rule >> text=red skip does not fit: match ▲ red or ⊘.")
    assert page.get_attribute(".log", "aria-live") == "off"
    page.focus(".hand button[tabindex='0']")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.closest('.hand') !== null")
    assert len(page.query_selector_all(".hand button[tabindex='0']")) == 1
