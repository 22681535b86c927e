"""The page with several nodes: each serves it, and leads to every room."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.nodes.processes import start
from tests.support.server import ServerProcess
from tests.web.test_connections import hand_of
from tests.web.visitors import OVER, UNO, Visitors, address, open_room, play, sit

pytestmark = [pytest.mark.chromium, pytest.mark.postgres]
MOVED = ".log p >> text=/^You (play|draw)/"
"""The log lines of our own moves."""


@pytest.fixture
def nodes(tmp_path: Path, database: str) -> Iterator[list[ServerProcess]]:
    """Two nodes with one database."""
    with ThreadPoolExecutor() as pool:
        starting = [pool.submit(start, tmp_path / name, name, database) for name in ("one", "two")]
    with ExitStack() as stack:
        for each in starting:
            if each.exception() is None:
                stack.callback(each.result().close)
        yield [each.result() for each in starting]


def test_a_link_works_on_any_node_after_the_owner_was_killed(visitors: Visitors, nodes: list[ServerProcess]) -> None:
    owner, other = nodes
    anna, bert = visitors.visit(address(owner, "#create")), visitors.arrive(800)
    room = open_room(anna, scoring="single", seats=2, clock="none")
    bert.goto(address(other, f"r/{room}"))
    bert.wait_for_selector("text=You are watching.")
    sit(bert, "bert")
    for page in (anna, bert):
        page.click("button.main >> text=Ready")
    for page in (anna, bert):
        page.wait_for_selector(".hand button")
    until_asked(bert, anna)
    hand = hand_of(bert)
    bert.reload()
    bert.wait_for_selector(".turn.mine ~ .hand button")
    assert (hand_of(bert), bert.url) == (hand, address(other, f"r/{room}"))
    owner.kill()
    anna.wait_for_selector("text=Your seat is held for")
    play(bert, UNO, until=f"{MOVED} >> nth={bert.locator(MOVED).count()}")
    bert.goto(address(other))
    bert.click(f".own a >> text={room}")
    bert.wait_for_selector(".hand button")


def until_asked(page: Page, other: Page) -> None:
    """Let ``other`` play until it is the turn of ``page``."""
    while not page.query_selector(".turn.mine"):
        play(other, UNO, until=".turn:not(.mine)")
        page.wait_for_selector(f".turn.mine, .turn strong:has-text('turn'), {OVER}")
        assert not page.query_selector(OVER)
