"""The screens of the client, opened without a terminal and driven by keys: start, room and replay."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

from docs.studio.staged_match import StagedMatch
from docs.studio.svg import Shot, shot
from textual.pilot import Pilot

from parlour_bots.hosting import child_server, practice
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.tui.app import MatchFile, ParlourApp, StartOptions
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.theme.colors import DEFAULT
from parlour_client.tui.theme.glyphs import UNICODE
from parlour_client.tui.theme.theme import Appearance
from parlour_protocol.messages import Plain

Size = tuple[int, int]
"""Columns and rows."""
_LOOK = Appearance(UNICODE, DEFAULT, "truecolour")
_NAME = "maria"


class Seen:
    """A running application."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys and wait until they are processed."""
        await self._pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until all pending changes are drawn."""
        for _ in range(3):
            await self._pilot.pause()

    async def shot(self) -> Shot:
        """Capture the screen. Refreshes all widgets first, since clocks are drawn only once a second."""
        for widget in self.app.screen.query("*"):
            widget.refresh()
        await self.settle()
        ground = self.app.current_theme.background
        assert ground is not None
        return shot(self.app, ground)


class SeenRoom(Seen):
    """The screen of a room, as the person sees it."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int], screen: RoomScreen, match: StagedMatch) -> None:
        super().__init__(app, pilot)
        self.screen = screen
        self.match = match

    @property
    def room(self) -> JoinedRoom:
        """The room in the person's client."""
        assert self.screen.room is not None
        return self.screen.room

    async def step(self, ms: int) -> bool:
        """Advance the time and let the bots act once; return whether one did."""
        acted = self.match.step(ms)
        await self.settle()
        return acted

    async def act(self, act: int | Plain | None = None) -> None:
        """Answer the current decision with ``act``, by default as advised."""
        assert self.room.question is not None
        rid = self.room.question.rid
        await self.screen.on_game_widget_chosen(
            GameWidget.Chosen(rid, self.match.advice(rid).act if act is None else act)
        )
        await self.settle()


@asynccontextmanager
async def opened(size: Size) -> AsyncIterator[Seen]:
    """Open the start screen."""
    app = ParlourApp(_LOOK, StartOptions("localhost", _NAME, practice=practice.at_home, hosting=child_server.at_home))
    async with app.run_test(size=size) as pilot:
        app.animation_level = "none"  # a picture shows no card on its way
        seen = Seen(app, pilot)
        await seen.settle()
        yield seen


@asynccontextmanager
async def at(match: StagedMatch, size: Size) -> AsyncIterator[SeenRoom]:
    """Open the screen of a match that has just begun."""
    entry = Entry(match.connection.url, match.create, match.name, keep=False)
    screen = RoomScreen(_LOOK, nullcontext(entry), now=match.now)
    with patch.object(room_base, "connected", match.connection.connected):
        async with opened(size) as start:
            await start.app.push_screen(screen)
            seen = SeenRoom(start.app, start._pilot, screen, match)
            await seen.settle()
            match.begin()
            await seen.settle()
            yield seen


@asynccontextmanager
async def replayed(path: Path, size: Size, viewer: int | str | None = None) -> AsyncIterator[Seen]:
    """Open a match file in the replay screen."""
    app = ParlourApp(_LOOK, MatchFile(path, viewer))
    async with app.run_test(size=size) as pilot:
        seen = Seen(app, pilot)
        await seen.settle()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await app.workers.wait_for_complete()
        await seen.settle()
        yield seen
