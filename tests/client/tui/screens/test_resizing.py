"""Whatever the size, and however often it changes: no screen fails, and what is too small says what it needs."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client.conversations import excerpt, tapes
from tests.client.tui.match_files import shown, written
from tests.client.tui.scripted_app import LOOKS, URL, at_table
from tests.client.tui.snapshots import shows
from tests.support.waiting import until
from textual.pilot import Pilot

from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens import lobby, saved_matches
from parlour_client.tui.screens.base import StartOptions
from parlour_protocol.wire import server_message

MP = pytest.MonkeyPatch
CHANGES = 5
PLACES: dict[str, list[str]] = {
    "start": [],
    "its help": ["question_mark"],
    "lobby": ["down", "down", "enter"],
    "create": ["down", "down", "down", "enter"],
    "saved": ["up", "up", "enter"],
    "settings": ["up", "enter"],
    "palette": ["ctrl+p"],
}
"""Screen → the keys that lead there."""
OVER: list[list[str]] = [[], ["question_mark"], ["t", "h"], ["o"], ["q"], ["ctrl+p"], ["L"]]
"""Keys that open something over a room."""


async def resize(app: ParlourApp, pilot: Pilot[int], rng: random.Random) -> None:
    """Take any size from 20×5 to 200×60; what is smaller than 60×20 says so, unless something lies over it."""
    width, height = rng.randint(20, 200), rng.randint(5, 60)
    await pilot.resize_terminal(width, height)

    def is_told() -> bool:
        covered = not app.is_running or len(app.screen_stack) != 2  # a key may do this at any time
        return covered or shows(app, f"60{app.look.glyphs.times}20 at least") is (width < 60 or height < 20)

    await until(is_told)


@asynccontextmanager
async def nowhere(_: str) -> AsyncIterator[None]:
    yield


async def nothing(_: object) -> tuple[list[Any], list[Any]]:
    return [], []


@pytest.mark.parametrize(
    "place", [each if each in ("lobby", "palette") else pytest.param(each, marks=pytest.mark.long) for each in PLACES]
)
async def test_screens_before_a_room(place: str, monkeypatch: MP, tmp_path: Path, seed: int) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(lobby, "visiting", nowhere)
    monkeypatch.setattr(lobby, "listed", nothing)
    monkeypatch.setattr(saved_matches, "folder", lambda: tmp_path)
    written(tmp_path, "uno", 1)
    rng = random.Random(f"{seed}/{place}")
    app = ParlourApp(LOOKS[rng.choice(list(LOOKS))], StartOptions(URL, "maria"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*PLACES[place])
        for _ in range(CHANGES):
            await resize(app, pilot, rng)
        assert app.is_running


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
async def test_a_room_while_a_match_goes_on(game: str, seed: int) -> None:
    rng = random.Random(f"{seed}/{game}")
    told = [server_message(data) for data in excerpt(rng.choice(tapes(game)), rng, 12)]
    async with at_table(look=rng.choice(list(LOOKS))) as seen:
        for number, message in enumerate(told):
            await seen.hear(*filter(None, [message]))
            if not seen.app.is_running:
                break
            if number % 3 == 0:
                await seen.press(*rng.choice(OVER))
                await resize(seen.app, seen.pilot, rng)
                await seen.press("escape")
    assert seen.app.return_code in (None, 0, 6), "nothing failed"


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
async def test_a_replay(game: str, monkeypatch: MP, tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"{seed}/{game}")
    async with shown(monkeypatch, written(tmp_path, game, 1)) as seen:
        for _ in range(CHANGES):
            await seen.press(rng.choice(["right", "shift+right", "v", "end", "home"]))
            await resize(seen.app, seen.pilot, rng)
        assert seen.app.is_running
