"""What the page looks like at tables that are full: nothing is cut, nothing lies on something else."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict
from playwright.sync_api import Page
from tests.support.server import ServerProcess
from tests.web.staged import OPTIONS, ROOM, Staged, joined, uno
from tests.web.visitors import Visitors, accessibility_faults, address

from parlour_games.registry import games
from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
WIDTHS = (360, 480, 640, 800, 1024, 1280, 1920)
HAND = [*range(1, 100, 4), 100, 101, 104, 105, 106]
HOUSE_RULES = [name for name, value in asdict(games()["uno"].Options()).items() if value is False]
CUT = Path(__file__).with_name("cut.js").read_text(encoding="utf-8")


def staged(visitors: Visitors, server: ServerProcess, room: Plain, mark: str) -> tuple[Page, Staged]:
    """Return the page of somebody in ``room``, and who says what is said there."""
    page = visitors.arrive()
    stage = Staged(page, room)
    page.goto(address(server, f"r/{ROOM}"))
    page.wait_for_selector(mark)
    return page, stage


def cut(page: Page) -> dict[int, Any]:
    """Return by width what is wrong on ``page``."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found[width] = page.evaluate(CUT)
    return {width: wrong for width, wrong in found.items() if wrong}


@pytest.mark.parametrize("seats", range(2, 11))
def test_no_label_of_uno_is_cut(visitors: Visitors, server: ServerProcess, seats: int) -> None:
    view = uno(seats, phase="challenge", pending=12)
    watched, _ = staged(visitors, server, joined("uno", view, seats, clocks={"1": 14_000}), ".top .card")
    assert cut(watched) == {}
    kinds = watched.eval_on_selector_all(".seat .dim", "all => all.map((each) => each.textContent.trim())")
    assert set(kinds) <= {"human", "bot", "away"}
    assert len(kinds) == seats


@pytest.mark.parametrize("cards", [1, 2, 7, 12, 30, 60])
def test_no_card_of_a_hand_is_out_of_reach(visitors: Visitors, server: ServerProcess, cards: int) -> None:
    hand = (HAND * 3)[:cards] if cards <= len(HAND) else list(range(cards))
    room = joined("uno", uno(4, hand, turn=0), 4, seat=0, clocks={"0": 14_000})
    page, stage = staged(visitors, server, room, ".hand button")
    legal = [{"do": "play", "card": card} for card in hand[:3]]
    stage.ask(legal)
    page.wait_for_selector(".hand .can")
    assert cut(page) == {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        lefts = page.eval_on_selector_all(
            ".hand li", "all => all.map((each) => each.getBoundingClientRect()).map(({ x, y }) => [y, x])"
        )
        steps = [after[1] - before[1] for before, after in pairwise(lefts) if after[0] == before[0]]
        assert min(steps, default=24) >= 23.9, width
    assert accessibility_faults(page) == []


def test_a_choice_among_many_fits(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(10, [14, 1], turn=0), 10, seat=0)
    room["table"]["options"] = {**OPTIONS["uno"], **dict.fromkeys(HOUSE_RULES, True), "false_call_penalty": 2}
    page, stage = staged(visitors, server, room, ".hand button")
    legal = [{"do": "play", "card": 14, "swap": seat} for seat in range(1, 10)]
    may = [{"rid": 2, "legal": [{"do": "catch", "seat": seat}]} for seat in (1, 2, 4)]
    stage.ask(legal, may)
    page.click("[data-key='14'] button")
    page.wait_for_selector("text=Swap hands with whom?")
    assert len(page.query_selector_all(".menu button")) == 3 + 9 + 1 + 1
    assert cut(page) == {}
    assert accessibility_faults(page) == []


@pytest.mark.parametrize("mode", ["race", "duel", "coop"])
def test_no_label_of_a_board_is_cut(visitors: Visitors, server: ServerProcess, mode: str) -> None:
    seats = 2 if mode == "duel" else 10
    told: dict[str, Plain] = {"race": {"ms": 1_234_567, "penalty": 120_000}, "duel": {"found": 12, "bomb": "ready"}}
    player = told.get(mode, {})
    players = [{"state": "done" if mode == "race" else "in", "open": 90, **player}] * seats
    rows = None if mode == "race" else ["." * 30] * 16
    view: Plain = {"mode": mode, "phase": "playing", "width": 30, "height": 16, "mines": 99, "safe": 381, "rows": rows}
    view |= {"lives": 3, "open": 90} if mode == "coop" else {"turn": 1} if mode == "duel" else {}
    room = joined("minesweeper", {**view, "players": players}, seats)
    page, _ = staged(visitors, server, room, ".counts .fact")
    assert cut(page) == {}


@pytest.mark.parametrize("path", ["", "#standings", "#create"])
def test_no_list_is_cut(visitors: Visitors, server: ServerProcess, path: str) -> None:
    name, row = "w" * 20, {"kind": "human", "games": 1_000, "wins": 999, "points": 123_456, "rating": 2_345}
    rooms = [
        {"room": f"{at:08}", "game": "minesweeper", "state": "finished", "seats": 10, "taken": 9, "kinds": "bots"}
        for at in range(30)
    ]
    answers: dict[str, Plain] = {
        "list": {"t": "rooms", "rooms": [{**each, "watch": True, "host": name} for each in rooms], "bots": []},
        "standings": {"t": "standings", "rows": [{"name": name, **row}] * 30, "after": "x"},
    }
    page = visitors.arrive()
    Staged(page, joined("uno", None, 2), answers)
    page.goto(address(server, path))
    page.wait_for_selector("tbody tr >> nth=29" if path != "#create" else "#field-scoring")
    assert cut(page) == {}


def test_the_form_of_a_room_shows_what_is_usual(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    page.wait_for_selector("#field-scoring")

    def usual(*names: str) -> list[str]:
        shown = "field => field.placeholder || field.options[0].textContent"
        return [page.locator(f"#field-{name}").evaluate(shown) for name in names]

    assert usual("seats", "scoring", "target", "stack2") == ["4", "usual: race", "500", "usual: no"]
    page.select_option("#field-preset", "chaos")
    assert usual("stack2", "no_bluff", "false_call_penalty") == ["usual: yes", "usual: no", "2"]
    page.select_option("#field-game", "minesweeper")
    assert usual("seats", "first", "lives") == ["1", "usual: opening", "1"]
    page.select_option("#field-mode", "duel")
    assert usual("seats") == ["2"]
    page.select_option("#field-level", "custom")
    page.click("text=Open the room")
    page.wait_for_selector("text=That does not go together. Width and height must be whole numbers from 2 to 100")


def test_refusals_are_told_in_the_words_of_the_page(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "r/ZZZZ"))
    page.wait_for_selector("text=There is no such room, or not any more.")
    page.goto(address(server, "#standings=none"))
    page.reload()
    page.wait_for_selector("text=There is no contest of that name.")
    first, second = (visitors.visit(address(server, f"r/{server.room}")) for _ in range(2))
    for each, told in ((first, "button >> text=Ready"), (second, "text=Somebody else has that name.")):
        each.fill("input[name=name]", "maria")
        each.click("text=Take a seat")
        each.wait_for_selector(told)


def test_a_refusal_of_a_kind_that_is_not_known_is_told_as_it_came(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    refusal = {"t": "error", "code": "brand_new", "msg": "no <b>luck</b>", "hint": "go"}
    Staged(page, joined("uno", None, 2), {"join": refusal})
    page.goto(address(server, f"r/{ROOM}"))
    page.wait_for_selector("text=No <b>luck</b> – go.")
    assert page.query_selector("main b") is None
