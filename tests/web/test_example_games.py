"""The example games on the page, with a module of their own or the widget for any game; replays of every game."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute
from tests.conftest import install_examples
from tests.support.server import ServerProcess, server_process
from tests.web.running_matches import guests
from tests.web.visitors import OVER, Visitors, accessibility_faults, address, cut, hear, play

from parlour_games.registry import AnyGame, games

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the example games and bots."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        install_examples(tmp_path_factory.mktemp("examples"), monkeypatch)
        with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
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
    assert (accessibility_faults(page), cut(page)) == ([], {})
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    hear(page, "You drop a disc at d")
    page.wait_for_selector(".column:not([aria-disabled])")
    page.keyboard.press("1")
    hear(page, "You drop a disc at a")
    play(page, (".column:not([aria-disabled])",))
    assert accessibility_faults(page) == []
    discs = page.locator(".column .first, .column .second").count()
    assert replayed(page) > discs
    assert page.locator(".replay .column .first, .replay .column .second").count() == discs
    page.wait_for_selector("button:disabled >> text=Play on from here")
    page.click("[aria-label='To the start']")
    assert page.locator(".replay .column .first, .replay .column .second").count() == 0
    page.click("[aria-label='Step forward']")
    page.click("[aria-label='Step forward']")
    play_on(page)
    page.wait_for_selector(".column:not([aria-disabled])")
    assert page.locator(".column .first, .column .second").count() in (2, 3), "it may be the turn of the bot"
    play(page, (".column:not([aria-disabled])",))
    page.wait_for_selector(".brought >> text=Practice: the deal was chosen")


def test_a_match_and_its_replay_by_the_widget_for_any_game(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    page.goto(address(server))
    page.wait_for_selector(".other-tile >> text=Everyone bids a hidden card")
    assert (accessibility_faults(page), cut(page)) == ([], {})
    page.click("text=Play Goofspiel")
    play(page, (".any .menu button",), OVER)
    last = replayed(page)
    page.click("[aria-label='To the start']")
    assert page.locator(".replay .any .card").count() == 0
    page.select_option("[aria-label='Point of view']", "0")
    page.wait_for_selector(".replay .any .card")
    assert "bid" in page.inner_text(".replay").lower()
    assert page.locator("input[type=range]").get_attribute("max") == str(last)
    assert (accessibility_faults(page), cut(page)) == ([], {})
    play_on(page)
    page.wait_for_selector(".any .menu button")
    play(page, (".any .menu button",), OVER)


def test_one_of_many_choices_is_chosen_by_its_fields(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive(360)
    page.goto(address(server))
    page.click("text=Play Liar's dice")
    page.wait_for_selector(".any .groups select")
    assert (accessibility_faults(page), cut(page)) == ([], {})
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
    assert [words.split("Bid ")[1] for words in page.locator(".any .menu button").all_inner_texts()] == [
        f"{lowest + 2} × 5"
    ]
    page.fill("[type=search]", "")
    page.click(".any .groups button")
    hear(page, f"You bid {lowest + 2} × 6.")
    play(page, (".any .menu button", ".any .groups button"), OVER)


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


def test_a_replay_of_every_installed_game_begins_at_the_start(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    assert {"uno", "minesweeper", "fourinarow", "goofspiel", "liarsdice"} <= games().keys()
    for game in games().values():
        watch_the_end(page, server, game, "a")
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

    def between(socket: WebSocketRoute) -> None:
        real = socket.connect_to_server()

        def pass_on(said: str | bytes) -> None:
            message = json.loads(said)
            if message["t"] == "welcome":
                message["can"].remove("replay")
            socket.send(json.dumps(message))

        real.on_message(pass_on)

    page.route_web_socket("**", between)
    watch_the_end(page, server, games()["goofspiel"], "b")
    page.wait_for_selector("text=no replays of this game")
    assert page.locator("text=Watch replay").count() == 0
