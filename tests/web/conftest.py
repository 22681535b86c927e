"""A browser and a server for the tests of the web page. Each page is watched: no errors, no breach of its policy."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.support.chromium import chromium
from tests.support.server import ServerProcess, server_process
from tests.web.visitors import Visitors


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one for all tests of this folder; beside it, tests of asyncio would find its loop running."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots for all tests of this folder. Names are held for a while: each test has its own people.

    In its first room no match is to begin, and nobody is to keep a seat.
    """
    with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
        yield running


@pytest.fixture
def visitors(browser: Browser) -> Iterator[Visitors]:
    """People with a browser; in the end nothing may have been wrong in any of their pages."""
    people = Visitors(browser)
    yield people
    people.close()
    assert people.faults == []
