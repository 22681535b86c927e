"""What lies above or beside the other screens as pictures: the palette, the saved matches, the gate."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.tui.match_files import written
from tests.client.tui.scripted_app import ON_START_SCREEN, running
from tests.client.tui.snapshots import assert_plain, check, shows
from textual.widgets import Input

from parlour_client.tui.screens import saved_matches
from parlour_client.tui.screens.start import StartScreen

DAY = 86_400
BEGAN = 1_767_225_600
"""The first of January 2026, in UTC."""


@pytest.fixture(autouse=True)
def _matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Save three matches, and be in UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for day, (game, seed) in enumerate([("uno", 1), ("minesweeper", 1), ("uno", 2)]):
        path = written(tmp_path, game, seed)
        os.utime(path, (BEGAN + day * DAY, BEGAN + day * DAY))
    monkeypatch.setattr(saved_matches, "folder", lambda: tmp_path)
    yield
    monkeypatch.undo()
    time.tzset()


async def test_the_palette() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+p")
        app.screen.query_one(Input).cursor_blink = False
        await pilot.press(*"se")
        await app.workers.wait_for_complete()
        await pilot.pause()
        check(app, "palette-truecolour")


async def test_the_saved_matches() -> None:
    for look, size in (("truecolour", (80, 24)), ("plain", (60, 20))):
        async with running(size=size, look=look) as (app, pilot):
            app.screen.post_message(StartScreen.Wanted("replays", ON_START_SCREEN))
            await pilot.press("down")
            if look == "truecolour":
                check(app, "saved-truecolour")
            else:
                assert_plain(app)
                assert shows(app, "> Minesweeper coop")


async def test_a_terminal_that_is_too_small_says_what_is_needed() -> None:
    async with running(size=(59, 19)) as (app, _):
        check(app, "gate-truecolour")
