"""The example games on the page, with a module of their own or the widget for any game; replays of every game."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute
from tests.conftest import install_examples
from tests.support.plugins import install_example
from tests.support.server import ServerProcess, server_process
from tests.web.fake_server import FakeServer, entered, joined
from tests.web.running_matches import guests, wait_for_bots
from tests.web.visitors import OVER, PATIENCE, Visitors, accessibility_faults, address, faults, hear, play, rewrite

from parlour_bots.tools.scaffold import new_game
from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the example games, that of a new package, and bots."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        folder = tmp_path_factory.mktemp("examples")
        install_examples(folder, monkeypatch)
        new_game("twentyone", folder=(sources := tmp_path_factory.mktemp("sources")))
        install_example(folder, sources / "twentyone")
        with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
            wait_for_bots(running, "uno", "fourinarow", "goofspiel", "liarsdice")
            yield running


def replayed(page: Page) -> int:
    """Watch the match that is over again; return the number of its steps."""
    page.click("text=Watch replay")
    page.wait_for_selector("text=Unchanged")
    assert accessibility_faults(page) == []
    page.click("[aria-label='To the end']")
    page.wait_for_selector(".replay .ranks")
    return int(page.input_value("input[type=range]"))


def play_on(page: Page) -> None:
    """Open the room in which the match goes on from the step that the replay shows."""
    page.click("text=Play on from here")
    page.wait_for_url("**/r/*")


def test_a_match_with_a_module_of_the_game(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive(360)
    page.goto(address(server))
    page.click("text=Play Four in a row")
    page.wait_for_selector(".column:not([aria-disabled])")
    assert faults(page) == {}
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    hear(page, "You drop a disc at d")
    page.wait_for_selector(".column:not([aria-disabled])")
    page.keyboard.press("1")
    hear(page, "You drop a disc at a")
    play(page, (".column:not([aria-disabled])",))
    assert accessibility_faults(page) == []
    discs = page.locator(".column .disc").count()
    assert replayed(page) > discs
    assert page.locator(".replay .column .disc").count() == discs
    page.wait_for_selector("button:disabled >> text=Play on from here")
    page.click("[aria-label='To the start']")
    assert page.locator(".replay .column .disc").count() == 0
    page.click("[aria-label='Step forward']")
    page.click("[aria-label='Step forward']")
    play_on(page)
    page.wait_for_selector(".column:not([aria-disabled])")
    assert page.locator(".column .disc").count() in (2, 3), "it may be the turn of the bot"


def test_a_match_and_its_replay_by_the_widget_for_any_game(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    page.goto(address(server))
    page.wait_for_selector(".other-tile >> text=Everyone bids a hidden card")
    assert faults(page) == {}
    page.click("text=Play Goofspiel")
    play(page, (".any .hand .can",), OVER)
    last = replayed(page)
    page.click("[aria-label='To the start']")
    assert page.locator(".replay .any .hand .card").count() == 0
    page.select_option("[aria-label='Point of view']", "0")
    page.wait_for_selector(".replay .any .hand .card")
    assert "12 prizes to come" in page.inner_text(".replay")
    assert page.locator("input[type=range]").get_attribute("max") == str(last)
    assert faults(page) == {}
    play_on(page)
    page.wait_for_selector(".any .hand .can")
    held = page.locator(".any .hand .card").count()
    page.eval_on_selector(".any .hand .can", "card => card.click()")
    page.wait_for_function("held => document.querySelectorAll('.any .hand .card').length < held", arg=held)


def test_one_of_many_choices_is_chosen_by_its_fields(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive(360)
    page.goto(address(server))
    page.click("text=Play Liar's dice")
    page.wait_for_selector(".any .groups select")
    assert faults(page) == {}
    assert page.locator(".any .menu button").count() <= 1, "only to doubt"
    count, face = (page.locator(".any .groups select").nth(at) for at in (0, 1))
    lowest = int(count.locator("option").first.inner_text())
    count.select_option(index=1)
    face.select_option(index=face.locator("option").count() - 1)
    assert [each.input_value() for each in (count, face)] == [str(lowest + 1), "6"]
    count.select_option(index=2)
    assert [each.input_value() for each in (count, face)] == [str(lowest + 2), "6"]
    page.fill("[type=search]", f"{lowest + 2} 5")
    assert page.locator(".any .groups select").count() == 0
    [only] = page.locator(".any .menu button").all_inner_texts()
    assert only.endswith(f"Bid {lowest + 2} × 5")
    page.fill("[type=search]", "")
    page.click(".any .groups button")
    hear(page, f"You bid {lowest + 2} × 6.")


HAND = [*range(1, 14)]
BIDS: list[Plain] = [{"do": "bid", "card": card} for card in HAND]


def goofspiel(seats: int, **more: object) -> Plain:
    """Return the view of seat 0 in the second round of Goofspiel."""
    view = {"round": 2, "prize": 9, "carried": 0, "to_come": 11, "bidding": [*range(seats)], "placed": []}
    return {**view, "spent": [[4]] * seats, "scores": [12] * seats, "out": [], "hand": HAND, "bid": None, **more}


def twentyone(seats: int, **more: object) -> Plain:
    """Return the view of seat 0 in Twentyone, on its turn."""
    view = {"turn": 0, "deck": 30, "counts": [2] * seats, "done": [1], "hand": [9, 7], "worth": 16}
    return {**view, **more}


def at_table(
    visitors: Visitors, server: ServerProcess, room: Plain, mark: str, **more: object
) -> tuple[Page, FakeServer]:
    """Return a page in ``room``, which shows ``mark``, and its server."""
    return entered(visitors, server, room, mark, **{"width": 390, "locale": "de", **more})  # type: ignore[arg-type]


def acted(page: Page, fake: FakeServer) -> Plain:
    """Return the action that the page sends next."""
    for _ in range(PATIENCE // 10):
        if acts := fake.acts:
            break
        page.wait_for_timeout(10)
    else:
        raise AssertionError("nothing was chosen")
    fake.asked.clear()
    return acts[0]


def test_a_card_of_the_hand_is_played_by_mouse_finger_and_keys(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("goofspiel", goofspiel(2), 2, seat=0)
    page, fake = at_table(visitors, server, room, ".any .hand button", has_touch=True)
    fifth = page.get_by_role("button", name="5 bieten", exact=True)
    assert fifth.count() == 0, "not asked"
    fake.ask(BIDS)
    fifth.click(position={"x": 10, "y": 20})
    assert acted(page, fake) == {"do": "bid", "card": 5}
    fake.ask(BIDS)
    page.get_by_role("button", name="13 bieten").tap()
    assert acted(page, fake) == {"do": "bid", "card": 13}
    fake.ask(BIDS)
    page.wait_for_selector(".hand .can")
    page.keyboard.press("2")
    assert acted(page, fake) == {"do": "bid", "card": 2}
    fake.ask(BIDS)
    page.get_by_role("button", name="2 bieten", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert acted(page, fake) == {"do": "bid", "card": 3}
    assert page.locator(".menu button").count() == 0, "the hand is the choice"
    assert page.inner_text(".turn strong") == "DU BIST DRAN"


def test_a_pile_is_pressed_and_the_table_keeps_its_height(visitors: Visitors, server: ServerProcess) -> None:
    room, choices = joined("twentyone", twentyone(3), 3, seat=0), [{"do": "take"}, {"do": "stop"}]
    page, fake = at_table(visitors, server, room, ".any .hand button")
    fake.ask(choices)
    page.click(".pile.can button")
    assert acted(page, fake) == {"do": "take"}
    fake.ask(choices)
    page.click("text=Aufhören")
    assert acted(page, fake) == {"do": "stop"}
    assert page.inner_text(".pile figcaption") == "noch 30 Karten"
    assert page.locator("[data-key='1'] .badge").inner_text() == "fertig"
    assert page.locator(".seat .backs:not([hidden])").count() == 2
    heights = []
    for view in (
        twentyone(3, turn=1, done=[], hand=[9]),
        twentyone(3, hand=[9, 7, 5], worth=21),
        twentyone(3, turn=None, hands=[[9, 7], [8, 2], [10, 10]]),
    ):
        if view["turn"] == 0:
            fake.ask(choices, view=view)
        else:
            fake.update(view)
        page.wait_for_function("n => document.querySelectorAll('.hand li').length === n", arg=len(view["hand"]))
        heights.append(page.eval_on_selector(".felt", "felt => felt.getBoundingClientRect().height"))
    assert len(set(heights)) == 1
    assert page.locator("[data-key='1'] .before .card").count() == 2


@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.long), 5])
def test_tables_of_cards_fit_and_can_be_used_by_all(visitors: Visitors, server: ServerProcess, seats: int) -> None:
    view = goofspiel(seats, placed=[*range(1, seats)])
    page, fake = at_table(visitors, server, joined("goofspiel", view, seats, seat=0), ".any .hand button")
    fake.ask(BIDS)
    page.wait_for_selector(".hand .can")
    assert faults(page) == {}
    sizes = page.eval_on_selector_all(
        ".any :is(.who, .points, .facts li)", "all => all.map((each) => getComputedStyle(each).fontSize)"
    )
    assert all(float(size.removesuffix("px")) >= 14 for size in sizes)
    fake.set_room(joined("twentyone", twentyone(seats), seats, seat=0))
    page.reload()
    page.wait_for_selector(".any .pile")
    fake.ask([{"do": "take"}, {"do": "stop"}])
    page.wait_for_selector(".menu button")
    assert faults(page) == {}


TOPS = "all => all.map((each) => each.getBoundingClientRect().top)"
PARTS = ".felt, .any .turn, .choices, .hand, .face"
BID: Plain = {"seat": 1, "count": 3, "face": 4}


def liars_dice(bids: list[Plain]) -> Plain:
    """Return the view of a round of liar's dice in which it is the turn of another seat."""
    bid = bids[-1] if bids else None
    return {"turn": 1, "round": 1, "left": [5] * 3, "bid": bid, "bids": bids, "last_round": None, "dice": [1] * 5}


def test_lists_that_grow_move_nothing_else_and_can_be_read(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("liarsdice", liars_dice([]), 3, seat=0)
    page, fake = at_table(visitors, server, room, ".any .hand li", viewport={"width": 844, "height": 390})
    places = []
    for bids in (0, 1, 9):
        fake.update(liars_dice([BID] * bids))
        page.wait_for_function("n => document.querySelectorAll('.list tbody tr').length === n", arg=bids)
        places.append(page.eval_on_selector_all(PARTS, TOPS))
    assert places[1:] == places[:1] * 2
    [[spread, listed]] = [page.eval_on_selector_all(".spread, .list", TOPS)]
    assert listed >= spread


def test_many_choices_move_nothing_when_they_first_come(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("liarsdice", liars_dice([BID]), 3, seat=0)
    page, fake = at_table(visitors, server, room, ".any .hand li")
    higher = [(count, face) for count in range(3, 16) for face in range(1, 7) if (count, face) > (3, 4)]
    choices: list[Plain] = [{"do": "liar"}, *({"do": "bid", "count": count, "face": face} for count, face in higher)]
    for width, height in ((360, 740), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector(".any .hand li")
        before = page.eval_on_selector_all(PARTS, TOPS)
        fake.ask(choices)
        page.wait_for_selector(".groups select")
        assert page.eval_on_selector_all(PARTS, TOPS) == before
    assert faults(page) == {}


def test_a_sealed_bid_looks_the_same_whatever_it_is(visitors: Visitors, server: ServerProcess) -> None:
    deal = {"secret": "ab" * 32, "context": "seed/7", "nonces": []}
    seen = []
    for card in (3, 9):
        with guests(server, f"ada-{card}", f"bea-{card}", kind="bot") as people:
            ada, bea = people
            room = ada.ask(t="create", game="goofspiel", seats=2, clock=None, standin=False, deal=deal)["room"]
            bea.ask(t="join", room=room)
            ada.ask(t="start", room=room)
            page = visitors.arrive()
            page.goto(address(server, f"r/{room}"))
            page.wait_for_selector(".any .seat")
            ada.ask(t="act", room=room, rid=1, act={"do": "bid", "card": card})
            page.wait_for_selector("[data-key='0'] .before .deck")
            seen.append(page.inner_html("[data-key='0'] .before"))
    assert seen[0] == seen[1]


def watch_the_end(page: Page, server: ServerProcess, game: AnyGame, who: str) -> None:
    """Watch a match that its players, who are named after ``who``, give up."""
    seats, _ = game.seats(game.Options())
    with guests(server, *(f"{game.name}-{who}{seat}" for seat in range(seats))) as people:
        room = people[0].ask(t="create", game=game.name, seats=seats, clock=None, standin=False)["room"]
        for other in people[1:]:
            other.ask(t="join", room=room)
        people[0].ask(t="start", room=room)
        page.goto(address(server, f"r/{room}"))
        page.wait_for_selector("text=watching")
        for other in people[1:]:
            other.ask(t="leave", room=room)
        if seats == 1:
            people[0].ask(t="act", room=room, rid=1, act={"do": "resign"})
        page.wait_for_selector(OVER)


@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.long)])
def test_replays_of_all_games_begin_at_the_start(visitors: Visitors, server: ServerProcess, others: bool) -> None:
    page, few = visitors.arrive(), {"uno", "liarsdice"}
    assert {"minesweeper", "fourinarow", "goofspiel"} <= games().keys() - few
    for name in games().keys() - few if others else few:
        watch_the_end(page, server, games()[name], "a")
        page.click("text=Watch replay")
        page.wait_for_selector(".replay .ranks, .replay input[type=range]")
        page.keyboard.press("End")
        page.wait_for_selector("text=/^([2-9]|[0-9]{2,}) of/")
        page.reload()
        page.wait_for_selector("text=/^1 of/")
        assert page.input_value("input[type=range]") == "1"
    page.goto(address(server, f"#replay={'0' * 64}"))
    page.wait_for_selector(".wrong")


def test_a_page_without_replays_says_so(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()

    def without(_: WebSocketRoute, message: Plain) -> Plain:
        if message["t"] == "welcome":
            message["can"].remove("replay")
        return message

    rewrite(page, without)
    watch_the_end(page, server, games()["goofspiel"], "b")
    page.wait_for_selector("text=no replays of this game")
    assert page.locator("text=Watch replay").count() == 0
