"""The profile and the board of the day, opened from the start screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
from tests.client.messages import joined, welcome
from tests.client.tui.scripted_app import URL, ScriptedConnection, running
from tests.client.tui.snapshots import assert_plain, shows
from textual.pilot import Pilot

from parlour_client.core import queries
from parlour_client.core.errors import CannotConnect, Refused
from parlour_client.core.queries import OwnGames
from parlour_client.core.session import Session
from parlour_client.storage.credentials import held
from parlour_client.storage.history import count_match
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens.sheets import DailyScreen, ProfileScreen
from parlour_client.tui.widgets.list_view import Menu, MenuEntry
from parlour_games.statistics import Finish
from parlour_protocol.messages import Daily, DailyRows, Left, MissedRow, ProfileRow, ProfileRows

MP = pytest.MonkeyPatch


@asynccontextmanager
async def opened(what: str, look: str = "truecolour") -> AsyncIterator[tuple[ParlourApp, Pilot[int]]]:
    async with running(look=look) as (app, pilot):
        app.screen.query_one(Menu).post_message(Menu.Chosen(MenuEntry(what, what)))
        await pilot.pause()
        yield app, pilot


DAILY = {
    "t": "daily", "day": "2026-11-22", "commit": "c0ffee", "context": "daily/2026-11-22", "left": 1,
    "rows": [{"name": "evil\x1b[2J", "kind": "human", "ms": 61_000, "digest": "d"}],
}  # fmt: skip


async def test_a_profile_shows_ones_own_table_and_the_server(monkeypatch: MP) -> None:
    async def profile(url: str, name: str) -> ProfileRows:
        assert (url, name) == (URL, "maria")
        row = {"game": "uno", "matches": 4, "wins": 3, "streak": 2, "longest": 2, "times": [], "last": []}
        return ProfileRows("maria", "human", [msgspec.convert(row, ProfileRow)])

    async def own_games(url: str, session: Session) -> OwnGames:
        assert session.token == "mine"
        row: MissedRow = {"digest": "d1", "room": "X9QR", "game": "uno", "ago": 5, "rank": 1, "players": []}
        return OwnGames([], [row])

    monkeypatch.setattr(queries, "own_games", own_games)
    with held(URL, "maria") as mine:
        mine.keep("mine")
    monkeypatch.setattr(queries, "profile", profile)
    count_match("minesweeper", Finish(at=0, rank=1, players=1, score=1))
    async with opened("profile", "plain") as (app, pilot):
        assert_plain(app)
        assert shows(app, "Minesweeper: 1 match, 1 won")
        assert shows(app, "UNO: 4 matches, 3 won")
        assert shows(app, f"Your matches on {URL}:")
        assert shows(app, "X9QR")
        await pilot.press("escape")
        assert not isinstance(app.screen, ProfileScreen)


async def test_without_a_server_ones_own_table_is_still_there(monkeypatch: MP) -> None:
    async def profile(url: str, name: str) -> ProfileRows:
        raise CannotConnect("no server answers")

    monkeypatch.setattr(queries, "profile", profile)
    async with opened("profile") as (app, _):
        assert shows(app, "Your own table: no finished matches yet.")
        assert shows(app, "no server answers")


async def test_the_board_of_the_day_is_shown_by_level_and_played(monkeypatch: MP, far: ScriptedConnection) -> None:
    async def daily(url: str, board: str, day: str | None) -> DailyRows:
        return msgspec.convert({**DAILY, "board": board}, DailyRows)

    monkeypatch.setattr(queries, "daily", daily)
    async with opened("daily") as (app, pilot):
        assert shows(app, "Match of the day, 22 Nov, beginner: 1 player has cleared it.")
        await pilot.press("left")
        assert shows(app, "Match of the day, 22 Nov, expert")
        await pilot.press("enter")
        await far.tell(pilot, welcome())
        assert [(daily.board, daily.play) for daily in far.heard(Daily)] == [("expert", True)]
        await far.tell(pilot, joined())
        await pilot.press("q")
        await far.tell(pilot, Left("K7QD", "left"))
        assert isinstance(app.screen, DailyScreen)


async def test_why_there_is_no_board_of_the_day_is_shown(monkeypatch: MP) -> None:
    async def daily(url: str, board: str, day: str | None) -> DailyRows:
        raise Refused("unknown_type", f"{url} refuses: no daily boards here")

    monkeypatch.setattr(queries, "daily", daily)
    async with opened("daily") as (app, _):
        assert shows(app, "refuses: no daily boards here")
