"""Fixtures for the web page: a browser, a server, and visitors whose pages may log no errors."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.support.chromium import chromium
from tests.support.server import ServerProcess, server_process
from tests.web.running_matches import wait_for_bots
from tests.web.visitors import Visitors


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, shared by this folder. Its event loop would disturb asyncio tests that run beside it."""
    with chromium("--js-flags=--no-opt") as found:  # pages that live for seconds are not worth optimizing
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots, shared by this folder. Names stay reserved for a while, so each test uses its own.

    Tests must not start a match in its first room, or keep a seat there.
    """
    with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
        wait_for_bots(running, "uno", "minesweeper")
        yield running


@pytest.fixture
def visitors(browser: Browser) -> Iterator[Visitors]:
    """Visitors with browsers. Fails after the test if any of their pages logged an error."""
    people = Visitors(browser)
    yield people
    people.close()
    assert people.faults == []
