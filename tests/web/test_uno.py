"""UNO in a browser: by keyboard alone; the host's actions, and chat."""

import json

import pytest
from playwright.sync_api import Page
from tests.support.server import ServerProcess
from tests.web.fake_server import ROOM, entered, joined, uno
from tests.web.visitors import Visitors, address, hear, invite, open_room, settle, sit

from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
_KEYS = """() => [
    ...[...document.querySelectorAll(".hand .can")].map((card) => card.dataset.hot),
    ...[...document.querySelectorAll(".menu button kbd")].map((key) => key.textContent),
]"""
"""Return the keys that the page shows, those of cards and those of buttons."""
DRAW: Plain = {"do": "draw"}
PENALTY: list[Plain] = [{"do": "accept"}, {"do": "challenge"}]
WILD: list[Plain] = [{"do": "play", "card": 101, "colour": colour} for colour in ("red", "yellow", "green", "blue")]
KEYS: tuple[tuple[tuple[str, ...], list[Plain], list[Plain], Plain], ...] = (
    (("1",), [{"do": "play", "card": 1}, DRAW], [], {"do": "play", "card": 1}),
    (("3",), [{"do": "play", "card": 27}], [], {"do": "play", "card": 27}),
    (("d",), [DRAW], [], DRAW),
    (("p",), [{"do": "pass"}], [], {"do": "pass"}),
    (("a",), PENALTY, [], {"do": "accept"}),
    (("x",), PENALTY, [], {"do": "challenge"}),
    (("4", "g"), WILD, [], WILD[2]),
    (("4", "4"), WILD, [], WILD[3]),
    (("4", "Escape", "d"), [*WILD, DRAW], [], DRAW),
    (("u",), [DRAW], [{"do": "uno"}], {"do": "uno"}),
    (("c",), [DRAW], [{"do": "catch", "seat": 1}], {"do": "catch", "seat": 1}),
    (("j",), [DRAW], [{"do": "jump", "card": 2}], {"do": "jump", "card": 2}),
)
"""Keys, legal actions, reactions, and the action that results."""


def echo(asked: Plain) -> Plain:
    """Return an error whose message holds the act."""
    why = {"code": "brand_new", "msg": json.dumps(asked["act"]), "hint": ""}
    return {"t": "error", "room": ROOM, "rid": asked["rid"], **why}


def test_every_key_does_what_the_page_says(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(2, [1, 2, 27, 101], turn=0), 2, seat=0)
    page, fake = entered(visitors, server, room, ".hand button", {"act": echo})
    for number, (keys, legal, offers, act) in enumerate(KEYS):
        fake.ask(legal, [{"rid": 100 + number, "legal": offers}] if offers else [])
        fake.chat("otto", f"case {number}")
        page.wait_for_selector(f".said >> text='case {number}'")
        settle(page)
        assert keys[0] in page.evaluate(_KEYS), "it shows the key"
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_function("act => document.querySelector('.rule').textContent === act", arg=json.dumps(act) + ".")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_dealt_card_has_its_name_before_its_face_comes(
    visitors: Visitors, server: ServerProcess, motion: str
) -> None:
    room = joined("uno", uno(2, [], turn=1), 2, seat=0)
    page, fake = entered(visitors, server, room, ".hand", width=390, reduced_motion=motion)
    time = page.context.new_cdp_session(page)
    time.send("Animation.enable")
    time.send("Animation.setPlaybackRate", {"playbackRate": 0})
    dealt = {"e": "deal", "round": 1, "dealer": 0, "top": 5, "colour": "red", "hands": [3, 3]}
    fake.update(uno(2, [1, 19, 27], turn=0), dealt)
    page.wait_for_selector(".hand button >> nth=2")
    cards = page.get_by_role("list", name="Your hand").get_by_role("button")
    assert [card.get_attribute("aria-label") for card in cards.all()] == ["red 1", "red skip", "yellow 1"]
    seen = "all => all.map((each) => getComputedStyle(each).contentVisibility)"
    hidden = "hidden" if motion == "no-preference" else "visible"
    assert page.eval_on_selector_all(".hand button", seen) == [hidden] * 3
    settle(page)
    assert page.eval_on_selector_all(".hand button", seen) == ["visible"] * 3


def test_the_table_keeps_its_height_whoever_has_the_turn(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(4, [1, 19], turn=1), 4, seat=0)  # the longest name
    page, fake = entered(visitors, server, room, ".hand button", width=390)
    height = "felt => felt.getBoundingClientRect().height"
    before = page.eval_on_selector(".felt", height)
    fake.update(uno(4, [1, 19], turn=2), {"e": "pass", "seat": 1})
    page.wait_for_function("() => document.querySelector('.seat:nth-child(2)').matches('.on')")
    assert page.eval_on_selector(".felt", height) == before


def test_a_host_mutes_and_removes_players_and_makes_another_host(visitors: Visitors, server: ServerProcess) -> None:
    host = visitors.visit(address(server, "#create"))
    room = open_room(host, seats=4)
    others = []
    for name in ("olga", "paula"):
        page = visitors.visit(address(server, f"r/{room}"))
        sit(page, name)
        others.append(page)
    olga, paula = others
    manage(host, "olga", "mute")
    talk(host, "order!")  # which comes behind it
    olga.wait_for_selector(".said >> text=order!")
    talk(olga, "hello?")
    olga.wait_for_selector(".toast[data-code=muted]")
    manage(host, "olga", "kick")
    olga.wait_for_selector(".toast[data-code=kicked]")
    invite(host, 1, 2)
    host.click(".people li:nth-child(2) [aria-label^='Manage ']")  # in olga's seat
    host.wait_for_selector("dialog button[data-do=kick]")
    assert host.query_selector("dialog button[data-do=host]") is None, "a bot"
    host.keyboard.press("Escape")
    manage(host, "paula", "host")
    host.wait_for_selector("text=paula is now the host.")
    paula.wait_for_selector("button >> text=Start now")
    host.wait_for_selector("button >> text=Start now", state="hidden")
    host.wait_for_selector("[aria-label='Manage paula']", state="detached")


def talk(page: Page, words: str) -> None:
    """Send a chat message."""
    page.fill("input[name=chat]", words)
    page.press("input[name=chat]", "Enter")


def manage(page: Page, name: str, what: str) -> None:
    """Do one of the host's actions."""
    page.click(f"[aria-label='Manage {name}']")
    page.click(f"dialog button[data-do={what}]")
    page.wait_for_selector("dialog", state="detached")


def test_chat(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, f"r/{server.room}"))
    sit(page, "maria")
    other = visitors.visit(address(server, f"r/{server.room}"))
    other.wait_for_selector("text=You are watching.")
    page.keyboard.press("t")
    page.keyboard.type("good evening")
    page.keyboard.press("Enter")
    other.wait_for_selector(".said >> text=good evening")
    hear(other, "maria says: good evening")
    other.fill("input[name=name]", "os")
    page.click("text=Leave")
    page.wait_for_selector("h1 >> text=Play")
    other.wait_for_selector(".note >> text=maria left.")
    other.keyboard.type("car")  # the field keeps its focus while the room changes
    assert other.input_value("input[name=name]") == "oscar"
