"""The layout of full rooms, long names and long lists: nothing is cut, nothing overlaps."""

from itertools import pairwise
from re import fullmatch

import pytest
from attrs import asdict
from playwright.sync_api import Page
from tests.support.server import ServerProcess
from tests.web.fake_server import IDLE, OPTIONS, ROOM, Answer, FakeServer, board, entered, joined, names, uno
from tests.web.running_matches import guests
from tests.web.visitors import (
    CUT,
    FREE_CHAIR,
    SIZES,
    Visitors,
    accessibility_faults,
    address,
    cut,
    dress,
    faults,
    go,
    resize,
    resized,
    unfold,
)

from parlour_games.registry import games
from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
HAND = [*range(1, 100, 4), 100, 101, 104, 105, 106]
HOUSE_RULES = [name for name, value in asdict(games()["uno"].Options()).items() if value is False]
TOLD: dict[str, Plain] = {
    "race": {"ms": 1_234_567, "penalty": 120_000},
    "duel": {"found": 12, "bomb": "ready"},
    "coop": {},
    "solo": {},
}
"""The fields of a player in the view of a board, by mode."""


def fake_room(
    visitors: Visitors, server: ServerProcess, room: Plain, mark: str, **answers: Plain
) -> tuple[Page, FakeServer]:
    """Return a page in ``room``, and its server; the words are German, which are longer."""
    return entered(visitors, server, room, mark, answers, locale="de")


def reloaded(page: Page, fake: FakeServer, room: Plain, mark: str) -> None:
    """Reload ``page`` in another room."""
    fake.set_room(room)
    page.reload()
    page.wait_for_selector(mark)


@pytest.mark.parametrize("counts", [(2, 10), pytest.param((3, 4, 5, 6, 7, 8, 9), marks=pytest.mark.long)])
def test_no_label_of_uno_is_cut(visitors: Visitors, server: ServerProcess, counts: tuple[int, ...]) -> None:
    page, fake = fake_room(visitors, server, joined("uno", None, 2), ".wait p")
    for seats in counts:
        view = uno(seats, phase="challenge", pending=12)
        reloaded(page, fake, joined("uno", view, seats, clocks={"1": 14_000}), ".top .card")
        assert cut(page) == {}, seats
        kinds = page.eval_on_selector_all(".seat .dim", "all => all.map((each) => each.textContent.trim())")
        assert set(kinds) <= {"Mensch", "Bot", "nicht da"}
        assert len(kinds) == seats


def test_seats_and_piles_stay_in_sight_on_low_screens(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(4, HAND[:7], turn=1), 4, seat=0, clocks={"1": 14_000})
    page, fake = fake_room(visitors, server, room, ".hand button")
    resize(page, 740, 360)
    dress(page)
    hidden = "all => all.filter((each) => each.scrollHeight > each.clientHeight + 1).map((each) => each.innerText)"
    assert page.eval_on_selector_all(".others", hidden) == []
    assert page.get_attribute(".seat .who", "title") == names(4)[1]
    reloaded(page, fake, joined("uno", uno(10, HAND[:7], turn=1), 10, seat=0), ".hand button")
    dress(page)
    for height, fans in ((760, 9), (620, 0)):
        resize(page, 1280, height)
        assert page.locator(".backs:visible").count() == fans, height
    ends = "all => all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    [[top, bottom], [line, _]] = page.eval_on_selector_all(".top, .uno .turn", ends)
    assert 0 < top < bottom <= line


@pytest.mark.parametrize("counts", [(7, 60), pytest.param((1, 2, 12, 30), marks=pytest.mark.long)])
def test_no_card_of_a_hand_is_out_of_reach(visitors: Visitors, server: ServerProcess, counts: tuple[int, ...]) -> None:
    page, fake = fake_room(visitors, server, joined("uno", None, 4, seat=0), ".wait button.main")
    for cards in counts:
        hand = (HAND * 3)[:cards] if cards <= len(HAND) else list(range(cards))
        room = joined("uno", uno(4, hand, turn=0), 4, seat=0, clocks={"0": 14_000})
        reloaded(page, fake, room, ".hand button")
        fake.ask([{"do": "play", "card": card} for card in hand[:3]])
        page.wait_for_selector(".hand .can")
        for size in resized(page):
            assert page.evaluate(CUT) == [], (cards, size)
            assert min(steps(page), default=24) >= 23.9, (cards, size)
        assert accessibility_faults(page) == [], cards
    room = joined("uno", uno(4, HAND[:7], turn=1), 4, seat=0)
    room["table"]["seats"][0]["by"] = "standin"
    reloaded(page, fake, room, ".hand button")
    assert cut(page) == {}


def steps(page: Page) -> list[float]:
    """Return the distances in pixels between neighbouring cards of the hand."""
    lefts = page.eval_on_selector_all(
        ".hand li", "all => all.map((each) => each.getBoundingClientRect()).map(({ x, y }) => [y, x])"
    )
    return [after[1] - before[1] for before, after in pairwise(lefts) if after[0] == before[0]]


def test_a_choice_of_ten_fits(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(10, [14, 1], turn=0), 10, seat=0)
    room["table"]["options"] = {**OPTIONS["uno"], **dict.fromkeys(HOUSE_RULES, True), "false_call_penalty": 2}
    page, fake = fake_room(visitors, server, room, ".hand button")
    legal = [{"do": "play", "card": 14, "swap": seat} for seat in range(1, 10)]
    may = [{"rid": 2, "legal": [{"do": "catch", "seat": seat}]} for seat in (1, 2, 4)]
    fake.ask(legal, may)
    page.click("[data-key='14'] button")
    page.wait_for_selector("text=Hand tauschen mit:")
    assert len(page.query_selector_all(".menu button")) == 9 + 1 + 1 + 1  # only seat 1 can be caught
    assert cut(page) == {}
    for size in resized(page):
        assert page.locator(".seat:visible").count() == 9, size
    assert accessibility_faults(page) == []


def test_no_label_of_a_board_is_cut(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = fake_room(visitors, server, joined("minesweeper", None, 2), ".wait p")
    for mode, told in TOLD.items():
        seats = {"duel": 2, "solo": 1}.get(mode, 10)
        players = [{"state": "done" if mode == "race" else "in", "open": 0, **told}] * seats
        more: Plain = {"lives": 3, "open": 30} if mode == "coop" else {"turn": 1} if mode == "duel" else {}
        rows = None if mode == "race" else ["0" * 30, *["." * 30] * 15]
        room = joined("minesweeper", board(30, 16, 99, mode=mode, rows=rows, players=players, **more), seats)
        reloaded(page, fake, room, ".counts .fact")
        assert cut(page) == {}, mode
        assert ("7 %" in page.inner_text(".counts")) == (mode in ("coop", "solo"))  # whoever has opened it


@pytest.mark.parametrize("seat", [0, pytest.param(None, marks=pytest.mark.long)])
def test_points_of_a_round_are_accessible_and_fit(visitors: Visitors, server: ServerProcess, seat: int | None) -> None:
    room = joined("uno", uno(10, None if seat is None else HAND[:7], turn=1), 10, seat=seat)
    page, fake = fake_room(visitors, server, room, ".top .card")
    points = [at * 60 for at in range(10)]
    view = uno(10, None if seat is None else HAND[:7], turn=None, phase="pause")
    ended = {"e": "round", "winner": 0, "points": points, "scores": view["scores"]}
    fake.update(view, ended)
    fake.send("seats", table={**room["table"], "state": "pause"})
    page.wait_for_selector(".results:not([aria-busy]) .ranks tbody tr >> nth=9")
    assert page.locator(".results button.main").count() == (seat is not None)
    assert faults(page) == {}


def test_no_list_is_cut(visitors: Visitors, server: ServerProcess) -> None:
    name, row = "w" * 20, {"kind": "human", "games": 1_000, "wins": 999, "points": 123_456, "rating": 2_345}
    full = {"game": "minesweeper", "state": "finished", "seats": 10, "taken": 9, "kinds": "all", "watch": True}
    sitting = {"host": name, "players": [{"name": name, "kind": "bot"}] * 9}
    rows = [{"name": name, **row}, {"name": name, **row, "kind": "bot", "style": "l" * 20}] * 15
    answers: dict[str, Plain] = {
        "list": {"t": "rooms", "rooms": [{"room": f"{at:08}", **full, **sitting} for at in range(30)], "bots": []},
        "standings": {"t": "standings", "rows": rows, "after": "x"},
    }
    page = visitors.arrive(locale="de")
    FakeServer(page, IDLE, answers)
    for path, mark in (("", "tbody tr >> nth=29"), ("#standings", "tbody tr >> nth=29"), ("#create", "#field-scoring")):
        go(page, address(server, path))
        page.wait_for_selector(mark)
        assert cut(page) == {}, path
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("() => document.querySelector('.rooms')?.closest('.frame').scrollWidth ?? 0") <= 360


def test_a_contest_shows_intervals_and_ranges_of_places(visitors: Visitors, server: ServerProcess) -> None:
    won = {"ada": 95, "bea": 50, "c" * 20: 49, "dov": 6}
    rows = [{"name": name, "kind": "bot", "games": 100, "wins": wins, "points": 3} for name, wins in won.items()]
    view: Plain = {"state": "running", "game": "uno", "format": "round-robin", "tables": 9, "done": 4, "playing": 0}
    view |= {"void": 0, "away": []}
    first, last = ({"t": "standings", "rows": part, "contest": view} for part in (rows[:2], rows[2:]))
    first["after"] = "2"
    last["rows"] = [*rows[2:], {**rows[0], "name": "eve", "games": 0, "wins": 0, "forfeits": 7}]
    answers: dict[str, Answer] = {"standings": lambda asked: last if asked.get("after") else first}
    page, fake = entered(visitors, server, IDLE, "tbody tr >> nth=4", answers, path="#standings=cup")
    cells = "all => all.map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))"
    assert page.eval_on_selector_all("tbody tr", cells) == [
        "1–2 | ada | 100 | 95 | 95.0% | 90% to 99% | 3 |  | ",
        "2–4 | bea | 100 | 50 | 50.0% | 40% to 60% | 3 |  | ",
        f"2–4 | {'c' * 20} | 100 | 49 | 49.0% | 39% to 59% | 3 |  | ",
        "4–5 | dov | 100 | 6 | 6.0% | 2% to 12% | 3 |  | ",
        "1–5 | eve | 0 | 0 | – | – | 3 | 7 | ",
    ]
    assert page.inner_text("p[role=status]").startswith("Not all have played the same number of matches")
    assert [asked.get("after") for asked in fake.asked if asked["t"] == "standings"][:2] == [None, "2"]
    assert faults(page) == {}


def test_a_ladder_shows_intervals_and_histories(visitors: Visitors, server: ServerProcess) -> None:
    row: Plain = {"kind": "bot", "games": 9, "wins": 5, "points": 3, "low": 1_400, "high": 1_700}
    rows = [
        {**row, "name": "ada", "rating": 1_550, "past": [1_500, 1_550]},
        {**row, "name": "b" * 20, "rating": 1_450, "past": [1_450]},
    ]
    answer = {"t": "standings", "rows": rows, "ago": [172_800_000, 0]}
    none = {**answer, "rows": [], "ago": []}
    answers: dict[str, Answer] = {"standings": lambda asked: answer if asked["ladder"] == "all" else none}
    page, _ = entered(visitors, server, IDLE, "tbody tr >> nth=1", answers, path="#ladder=uno")
    pictures = page.eval_on_selector_all("tbody svg", "all => all.map((svg) => svg.getAttribute('aria-label'))")
    assert pictures[:2] == ["1400 to 1700", "1500 to 1550, between 1500 and 1550, in 2 days"]
    assert faults(page) == {}
    page.select_option("select >> nth=1", "llm")
    page.wait_for_selector("[role=status] >> text=No rated match")


def test_the_form_for_a_room_shows_usual_values_and_what_applies(visitors: Visitors, server: ServerProcess) -> None:
    page, sent = visitors.arrive(), list[str | bytes]()
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(address(server, "#create"))
    page.wait_for_selector("#field-scoring")
    unfold(page)

    def usual(*names: str) -> list[str]:
        shown = "field => field.type === 'checkbox' ? String(field.checked) : field.value"
        return [page.locator(f"#field-{name}").evaluate(shown) for name in names]

    assert usual("seats", "scoring", "target", "stack2", "breath") == ["4", "race", "500", "false", "0.75"]
    page.check("[name=preset][value=chaos]")
    assert usual("stack2", "no_bluff", "false_call_penalty") == ["true", "false", "2"]
    page.select_option("#field-scoring", "single")
    assert not page.is_visible("#field-target")
    page.select_option("#field-game", "minesweeper")
    page.wait_for_selector("#field-level")
    assert usual("first") == ["opening"]
    assert [page.is_visible(f"#field-{name}") for name in ("seats", "lives", "width", "mines")] == [False] * 4
    page.check("[name=mode][value=coop]")
    assert [page.is_visible(f"#field-{name}") for name in ("seats", "lives", "penalty")] == [True, True, False]
    page.select_option("#field-level", "custom")
    page.fill("#field-deal", "7")
    page.click("text=Create room")
    page.wait_for_selector(".wrong[data-code=bad_options] >> text=/^width and height must be/")
    assert any('"context":"seed/7"' in str(each) for each in sent)


def test_guests_are_told_what_a_room_is_and_why_they_may_not_come_in(visitors: Visitors, server: ServerProcess) -> None:
    with guests(server, "moritz") as [moritz]:
        room = moritz.ask(t="create", game="uno", options={"target": 250}, seats=2, watch=False)["room"]
        first = visitors.visit(address(server, f"r/{room}"))
        first.wait_for_selector("[data-code=no_watching]")
        first.wait_for_selector("text=Host: moritz. 1 of 2 seats taken")
        first.wait_for_selector(".chips >> text=first to 250")
        first.wait_for_selector(".chips >> text=stand-ins play for absent players")
    go(first, address(server, f"r/{server.room}"))
    second = visitors.visit(address(server, f"r/{server.room}"))
    assert fullmatch("[a-z]+-[a-z]+(-[0-9]+)?", second.input_value("input[name=name]")), "proposed to a guest"
    second.fill("input[name=name]", " Jürgen  K ")
    second.dispatch_event("input[name=name]", "change")
    assert second.input_value("input[name=name]") == "Jürgen-K"
    for each, told in ((first, "button >> text=Ready"), (second, ".wrong[data-code=name_taken]")):
        each.fill("input[name=name]", "mona")
        each.click("text=Take a seat")
        each.wait_for_selector(told)
    first.click("text=Leave")
    first.wait_for_selector("h1 >> text=Play")


def test_whether_a_match_is_rated_is_shown_before_and_after_it(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", None, 2, seat=0)
    room["table"] |= {"standin": False, "unrated": "address"}
    page, fake = fake_room(visitors, server, room, ".wait .rules >> text=Keine Vertretung")
    why = "nicht gewertet (gleiche Adresse mehrerer Spieler)"
    assert why in page.inner_text(".wait .rules")
    result = {"ranks": {"0": 1, "1": 2}, "scores": {"0": 1, "1": 0}, "why": "round", "unrated": "address"}
    fake.end(uno(2, [], phase="over"), result)
    page.wait_for_selector(f".results >> text={why}")


def test_the_host_asks_for_a_bot_at_a_free_chair(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", None, 3, seat=0)
    room["table"] |= {"size": 5, "host": None}
    bots = [{"name": "ada", "games": ["uno"], "free": 2, "styles": ["hard", "easy", "guard"]}]
    bots += [{"name": name, "games": [game], "free": free} for name, game, free in (("x", "chess", 1), ("y", "uno", 0))]
    rooms = {"t": "rooms", "rooms": [], "bots": bots}
    page, fake = fake_room(visitors, server, room, ".chairs .free >> nth=1", list=rooms)
    faces = "() => [...document.querySelectorAll('.chairs svg')].filter((each) => each.checkVisibility()).length"
    page.wait_for_function(f"() => ({faces})() === 3")  # one's own is drawn again with its reactions
    assert page.locator(".chairs .free button").count() == 0
    [me] = {asked["name"] for asked in fake.asked if asked["t"] == "hello"}
    fake.send("seats", table={**room["table"], "host": me})
    page.click(f"{FREE_CHAIR} >> nth=1")
    assert [asked["room"] for asked in fake.asked if asked["t"] == "invite"] == [ROOM]
    assert faults(page) == {}
    page.click(".chairs .small >> nth=1")
    page.wait_for_selector("dialog")
    offered = page.eval_on_selector_all(".bots button", "all => all.map((each) => each.dataset.choice)")
    assert offered == ["easy", "hard", "guard"]
    assert faults(page) == {}
    page.click(".bots button >> nth=1")
    page.wait_for_selector("dialog", state="detached")
    assert [asked.get("style") for asked in fake.asked if asked["t"] == "invite"] == [None, "hard"]


@pytest.mark.parametrize("counts", [(2, 10), pytest.param((5, 6), marks=pytest.mark.long)])
def test_the_middle_covers_no_chair(visitors: Visitors, server: ServerProcess, counts: tuple[int, ...]) -> None:
    room = joined("uno", None, 2, seat=0)
    room["table"] |= {"host": names(2)[0], "options": OPTIONS["uno"] | dict.fromkeys(HOUSE_RULES, True)}
    page, fake = fake_room(visitors, server, room, ".chairs .own-seat")
    covered = """() => {
        const boxes = (all) => [...document.querySelectorAll(all)].map((each) => each.getBoundingClientRect()),
            chairs = boxes(".chairs li .portrait").filter((box) => box.height),
            [table] = boxes(".chairs"),
            meets = (one, other) => one.left < other.right && other.left < one.right
                && one.top < other.bottom && other.top < one.bottom;
        return boxes(".chairs .centre > *").filter((box) => box.height).filter((box) =>
            box.top < table.top || box.bottom > table.bottom || chairs.some((chair) => meets(box, chair))).length;
    }"""
    for seats in counts:
        reloaded(page, fake, {**room, "table": {**room["table"], "size": seats}}, ".chairs .own-seat")
        assert {size: page.evaluate(covered) for size in resized(page)} == dict.fromkeys(SIZES, 0), seats


def test_an_unknown_error_is_shown_as_text_of_the_server(visitors: Visitors, server: ServerProcess) -> None:
    refusal = {"t": "error", "code": "brand_new", "msg": "no <b>luck</b>", "hint": "go"}
    page, _ = entered(visitors, server, joined("uno", None, 2), "text=No <b>luck</b> – go.", {"join": refusal})
    assert page.query_selector("main b") is None
