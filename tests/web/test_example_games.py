"""The example games on the page: one with a module of its own, one by the widget for any game, and their replays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from tests.conftest import install_examples
from tests.support.server import ServerProcess, server_process
from tests.web.visitors import OVER, Visitors, accessibility_faults, address, cut, hear, play

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
    page.click("[aria-label='To the start']")
    assert page.locator(".replay .column .first, .replay .column .second").count() == 0


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
