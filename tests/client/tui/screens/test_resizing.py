"""Whatever the size, and however often it changes: no screen fails, and what is too small says what it needs."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.client.conversations import excerpt, tapes
from tests.client.messages import VIEW, joined, table, turn, welcome
from tests.client.tui.match_files import shown, written
from tests.client.tui.scripted_app import LOOKS, SHEETS, at_table, running
from tests.client.tui.snapshots import shows
from tests.support.waiting import until
from textual.pilot import Pilot

from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens import saved_matches
from parlour_protocol.wire import server_message

MP = pytest.MonkeyPatch
CHANGES = 5
EDGES = [(1, 1), (20, 5), (59, 20), (60, 19), (300, 10), (80, 24)]
OVER: list[list[str]] = [[], ["question_mark"], ["t", "h"], ["o"], ["q"], ["ctrl+p"], ["L"]]
"""Keys that open something over a room."""


async def resize(app: ParlourApp, pilot: Pilot[int], rng: random.Random, *sizes: tuple[int, int]) -> None:
    """Take ``sizes``, else any from 20×5 to 200×60; below 60×20 it says so, unless something lies over it."""
    for width, height in sizes or [(rng.randint(20, 200), rng.randint(5, 60))]:
        await pilot.resize_terminal(width, height)

        def is_told(small: bool = width < 60 or height < 20, legible: bool = width >= 20) -> bool:
            covered = not app.is_running or len(app.screen_stack) != 2  # a key may do this at any time
            return covered or shows(app, f"60{app.look.glyphs.times}20 at least") is (small and legible)

        await until(is_told)


@pytest.mark.usefixtures("no_rooms")
@pytest.mark.parametrize(
    "place", [each if each in ("lobby", "palette") else pytest.param(each, marks=pytest.mark.long) for each in SHEETS]
)
async def test_screens_before_a_room(place: str, monkeypatch: MP, tmp_path: Path, seed: int) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(saved_matches, "folder", lambda: tmp_path)
    written(tmp_path, "uno", 1)
    rng = random.Random(f"{seed}/{place}")
    async with running(look=rng.choice(list(LOOKS))) as (app, pilot):
        await pilot.press(*SHEETS[place])
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


@pytest.mark.parametrize(
    "state", ["playing", *(pytest.param(each, marks=pytest.mark.long) for each in ("waiting", "pause", "finished"))]
)
async def test_a_room_at_the_edges(state: Any) -> None:
    view = None if state == "waiting" else VIEW
    async with at_table(welcome(), joined(table=table(state), view=view), turn(0, 7)) as seen:
        await resize(seen.app, seen.pilot, random.Random(), *EDGES)
        assert seen.app.is_running


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
async def test_a_replay(game: str, tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"{seed}/{game}")
    async with shown(written(tmp_path, game, 1)) as seen:
        for _ in range(CHANGES):
            await seen.press(rng.choice(["right", "shift+right", "v", "end", "home"]))
            await resize(seen.app, seen.pilot, rng)
        assert seen.app.is_running
