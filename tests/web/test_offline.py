"""The page without a network: what its worker keeps, and boards to practise on, which do not count."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.conftest import install_examples
from tests.support.ports import free_port
from tests.support.server import ServerProcess, server_process
from tests.web.visitors import MINES, Visitors, address, faults, go, hear, play

pytestmark = pytest.mark.chromium
KEPT = """
async () => Object.fromEntries(await Promise.all((await caches.keys()).map(
    async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => url)])))
"""
"""The URLs that the worker keeps, by the name of their cache."""
MATCHES = "() => Object.entries(localStorage).filter(([key]) => key.endsWith(' matches'))"
"""The finished matches that the browser keeps."""


def kept(page: Page, home: str) -> dict[str, list[str]]:
    """Return what the worker keeps, once it keeps the start page at ``home``."""
    return until(page, lambda found: any(home in urls for urls in found.values()))


def until(page: Page, done: Callable[[dict[str, list[str]]], bool]) -> dict[str, list[str]]:
    """Return what the worker keeps, once it is ``done``."""
    while not done(found := page.evaluate(KEPT)):
        page.wait_for_timeout(50)
    return found  # type: ignore[no-any-return]


def play_a_board(page: Page, home: str) -> None:
    """Play a board that counts to its end: who does so may want to play without a network."""
    page.goto(home)
    page.click(".mines-tile >> text=beginner")
    play(page, MINES)
    go(page, home)
    page.wait_for_selector(".mines-tile")


def test_boards_practised_without_a_server_do_not_count(visitors: Visitors, tmp_path: Path) -> None:
    port = free_port()
    with server_process(tmp_path, "--public-url", f"ws://127.0.0.1:{port}/games", port=port) as server:
        home = address(server, "games/")
        page = visitors.arrive(390, service_workers="allow")
        play_a_board(page, home)
        [(name, files)] = kept(page, home).items()
        version = name.rpartition(" ")[2]
        assert {url for url in files if not url.startswith(f"{home}web/{version}/")} == {home}
        before = page.evaluate(MATCHES)
        assert len(before) == 1
        server.kill()
        page.reload()
        page.wait_for_selector("#lamp >> text=Connection lost")
        page.wait_for_selector("text=These boards do not count")
        assert (faults(page), page.query_selector("dialog")) == ({}, None)
        page.click("main >> text=beginner")
        page.wait_for_selector(MINES[0])
        assert faults(page) == {}
        play(page, MINES)
        page.wait_for_selector("text=Practice does not count")
        page.wait_for_selector("text=3BV/s")
        assert faults(page) == {}
        page.click(".results >> text=New board")
        page.wait_for_selector(MINES[0])
        server.restart(same_port=True)
        hear(page, "Connected again")
        page.wait_for_selector("#lamp", state="hidden")
        play(page, MINES)  # the new connection has left the board as it is
        assert page.evaluate(MATCHES) == before
        page.click("text=Back to the games")
        page.wait_for_selector("h1 >> text=Play")
        go(page, f"{home}#player")
        page.wait_for_selector("text=1 played")


def test_a_lost_connection_offers_practice_and_a_new_version_replaces_the_old_one(
    visitors: Visitors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server_process(tmp_path) as server:
        page, home = visitors.arrive(service_workers="allow"), address(server)
        play_a_board(page, home)
        [old] = kept(page, home)
        page.context.set_offline(True)
        page.wait_for_selector("#lamp:visible")
        hear(page, "Connection lost")
        assert (page.is_hidden("#banner"), page.query_selector("dialog")) == (True, None)
        page.click(".shelf >> text=expert")
        page.wait_for_selector(".toast[data-code=lost]")
        page.click(".mines-tile >> text=beginner")
        page.wait_for_selector("text=you can practise here")
        page.wait_for_selector(MINES[0])
        page.context.set_offline(False)
        page.wait_for_selector("#lamp", state="hidden")
        page.wait_for_selector("text=Connected again. These boards do not count.")
        page.click("text=Back to the games")
        page.click(".mines-tile >> text=beginner")
        page.wait_for_selector(MINES[0])
        assert "/r/" in page.url
        other = f"parlour {home}games/ 0123456789abcdef"
        page.evaluate("name => caches.open(name)", other)
        install_examples(tmp_path, monkeypatch)
        server.restart(same_port=True)
        go(page, home)
        page.click("text=Four in a row")  # only the new version has its tile
        names = until(page, lambda found: old not in found)
        assert other in names
        assert len(names.keys() - {other}) == 1


def test_who_has_never_played_a_board_keeps_none_for_later(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive(service_workers="allow")
    with page.expect_request("**/shell/offline.js"):
        page.goto(address(server))
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    page.context.set_offline(True)
    page.wait_for_selector("#lamp:visible")
    page.click(".mines-tile >> text=beginner")
    page.wait_for_selector(".toast[data-code=lost] >> text=Connection lost")
