"""UNO in a browser: with people at terminals, with bots, by keys alone; and what a host may do."""

from threading import Thread

import pytest
from playwright.sync_api import Page
from tests.client.test_pty_round import Person
from tests.support.server import ServerProcess
from tests.web.visitors import OVER, Visitors, accessibility_faults, address, invite, meanwhile, open_room, play, sit

pytestmark = pytest.mark.chromium
_KEYS = """
() => {
    const buttons = [...document.querySelectorAll(".menu button:not([aria-pressed])")];
    if (document.querySelector(".turn.mine ~ .menu > span")) return ["1"]; // the first of what is asked
    const cards = [...document.querySelectorAll(".turn.mine ~ .hand .can")].map((card) => card.dataset.hot);
    return [...cards, ...buttons.map((button) => button.querySelector("kbd")?.textContent)].filter(Boolean);
}
"""
"""What the page says can be pressed: cards first, then what answers."""


def test_a_browser_a_terminal_and_two_bots_play_a_whole_match(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    room = open_room(page, scoring="single")
    invite(page, 2, 1)
    place = ("join", room, "--server", server.url, "--plain", "--name", "otto")
    with Person(*place, cues={"Type ready to begin": "ready\n", "The match is over": "quit\n"}) as otto:
        terminal = Thread(target=otto.play)
        terminal.start()
        page.wait_for_selector("text=otto (human) sits down.")
        page.click("button.main >> text=Ready")
        play(page)
        page.wait_for_selector("text=Fair: the secret behind the deals fits its commitment")
        assert accessibility_faults(page) == []
        terminal.join()
    assert "The match is over" in otto.screen
    page.click("text=See it again")
    page.wait_for_selector("text=Verified")
    page.go_back()
    page.wait_for_selector("button.main >> text=Play again")


def test_turns_by_keys_alone(visitors: Visitors, server: ServerProcess) -> None:
    """Every key is one that the page names: at the buttons, beneath the cards."""
    page = visitors.visit(address(server))
    open_room(page, scoring="single", preset="chaos")
    invite(page, 1, 1)
    page.focus("button.main")
    page.keyboard.press("Enter")
    for _ in meanwhile(page, until=f":nth-match(.log p:has-text('You play'), 4), {OVER}"):
        page.wait_for_selector(f".turn.mine, {OVER}")
        keys = page.evaluate(_KEYS)
        page.keyboard.press(keys[0] if keys else "ArrowRight")
        if not keys:
            page.keyboard.press("Enter")


def test_another_match_at_the_same_table(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    open_room(page, scoring="single")
    invite(page, 1, 1)
    digests = set()
    for press in ("Ready", "Play again"):
        page.click(f"button.main >> text={press}")
        page.wait_for_selector(OVER, state="hidden")
        page.wait_for_selector(".hand button")
        play(page)
        digests.add(page.text_content(".digest"))
    assert len(digests) == 2


def test_cards_and_buttons_have_names_that_say_all(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server))
    open_room(page)
    invite(page, 1, 1)
    page.click("button.main >> text=Ready")
    page.wait_for_selector(".turn.mine ~ .hand button")
    names = page.eval_on_selector_all(".hand button", "all => all.map((each) => each.getAttribute('aria-label'))")
    assert len(names) >= 7
    for name in names:
        assert name.split(", ")[0].split()[0] in ("red", "yellow", "green", "blue", "wild")
    page.wait_for_selector("#say:not(:empty)", state="attached")
    assert page.get_attribute(".log", "aria-live") == "off"
    page.focus(".hand button[tabindex='0']")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.closest('.hand') !== null")
    assert len(page.query_selector_all(".hand button[tabindex='0']")) == 1


def test_a_host_puts_people_out_and_hands_the_room_on(visitors: Visitors, server: ServerProcess) -> None:
    host = visitors.visit(address(server))
    room = open_room(host, seats=4)
    others = []
    for name in ("olga", "paula"):
        page = visitors.visit(address(server, f"r/{room}"))
        sit(page, name)
        others.append(page)
    olga, paula = others
    manage(host, "olga", "Mute")
    olga.fill("input[name=chat]", "hello?")
    olga.keyboard.press("Enter")
    olga.wait_for_selector(".toast")
    manage(host, "olga", "Put out")
    olga.wait_for_selector("text=The host has put you out of the room.")
    manage(host, "paula", "Make host")
    host.wait_for_selector("text=paula is the host now.")
    paula.wait_for_selector("button >> text=Start now")
    assert host.query_selector("button >> text=Start now") is None
    assert host.query_selector("[aria-label='Deal with paula']") is None


def manage(page: Page, name: str, what: str) -> None:
    """Use a power of the host."""
    page.click(f"[aria-label='Deal with {name}']")
    page.click(f"dialog button >> text='{what}'")
    page.wait_for_selector("dialog", state="detached")


def test_people_talk(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "maria")
    other = visitors.visit(address(server, f"r/{server.room}"))
    other.wait_for_selector("text=You are watching.")
    page.keyboard.press("t")
    page.keyboard.type("good evening")
    page.keyboard.press("Enter")
    other.wait_for_selector(".said >> text=good evening")
    other.wait_for_selector("#say:has-text('maria says: good evening')", state="attached")
    page.click("text=Leave")
    page.wait_for_selector("h1 >> text=The open rooms")
    other.wait_for_selector(".note >> text=maria has left.")
