"""The screens in front of a table, of a file, or of nothing yet: opened without a terminal, and driven by keys."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

from docs.studio.svg import Shot, shot
from docs.studio.table import Table
from textual.pilot import Pilot

from parlour_bots.hosting import host, practice
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.tui.app import MatchFile, ParlourApp, StartOptions
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.theme.colors import DEFAULT
from parlour_client.tui.theme.glyphs import UNICODE
from parlour_client.tui.theme.theme import Look
from parlour_protocol.messages import Plain

Size = tuple[int, int]
"""Columns and rows."""
_LOOK = Look(UNICODE, DEFAULT, "truecolour")
_NAME = "maria"


class Seen:
    """An application on its screen."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until their work is done."""
        await self._pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that is under way has been drawn."""
        for _ in range(3):
            await self._pilot.pause()

    async def shot(self) -> Shot:
        """Return what can be seen now: the clocks, too, which are otherwise drawn once a second."""
        for widget in self.app.screen.query("*"):
            widget.refresh()
        await self.settle()
        ground = self.app.current_theme.background
        assert ground is not None
        return shot(self.app, ground)


class SeenRoom(Seen):
    """The person's screen at a table."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int], screen: RoomScreen, table: Table) -> None:
        super().__init__(app, pilot)
        self.screen = screen
        self.table = table

    @property
    def room(self) -> JoinedRoom:
        """The room as the person knows it."""
        assert self.screen.room is not None
        return self.screen.room

    async def step(self, ms: int) -> bool:
        """Let time pass and the bots act once; return whether one did."""
        acted = self.table.step(ms)
        await self.settle()
        return acted

    async def act(self, act: int | Plain | None = None) -> None:
        """Answer what is asked: as advised, if no ``act`` is given."""
        assert self.room.question is not None
        rid = self.room.question.rid
        await self.screen.on_game_widget_chosen(
            GameWidget.Chosen(rid, self.table.advice(rid).act if act is None else act)
        )
        await self.settle()


@asynccontextmanager
async def opened(size: Size) -> AsyncIterator[Seen]:
    """Show the start screen."""
    app = ParlourApp(_LOOK, StartOptions("localhost", _NAME, practice=practice.at_home, hosting=host.at_home))
    async with app.run_test(size=size) as pilot:
        seen = Seen(app, pilot)
        await seen.settle()
        yield seen


@asynccontextmanager
async def at(table: Table, size: Size) -> AsyncIterator[SeenRoom]:
    """Show a match that has just begun."""
    entry = Entry(table.wire.url, table.create, table.name, keep=False)
    screen = RoomScreen(_LOOK, nullcontext(entry), now=table.now)
    with patch.object(room_base, "connected", table.wire.connected):
        async with opened(size) as start:
            await start.app.push_screen(screen)
            seen = SeenRoom(start.app, start._pilot, screen, table)
            await seen.settle()
            table.begin()
            await seen.settle()
            yield seen


@asynccontextmanager
async def looking_back(path: Path, size: Size, viewer: int | str | None = None) -> AsyncIterator[Seen]:
    """Show a game file, read and checked."""
    app = ParlourApp(_LOOK, MatchFile(path, viewer))
    async with app.run_test(size=size) as pilot:
        seen = Seen(app, pilot)
        await seen.settle()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await app.workers.wait_for_complete()
        await seen.settle()
        yield seen
