"""A browser and a server for the tests of the web page. Each page is watched: no errors, no breach of its policy."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.support.groups import program
from tests.support.server import ServerProcess, server_process
from tests.web.visitors import Visitors

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one for all tests of a module."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots for all tests of a module. Names are held for a while: each test has its own people."""
    with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
        yield running


@pytest.fixture
def visitors(browser: Browser) -> Iterator[Visitors]:
    """People with a browser; in the end nothing may have been wrong in any of their pages."""
    people = Visitors(browser)
    yield people
    people.close()
    assert people.faults == []
