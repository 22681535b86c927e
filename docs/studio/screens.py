"""The screens of the client, opened without a terminal and driven by keys: start, room and replay."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from unittest.mock import patch

from docs.studio.staged_match import StagedMatch

from parlour_bots.hosting import child_server, practice
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.colors import DEFAULT
from parlour_client.tui.filming import RunningApp, Size, running
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.glyphs import UNICODE
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.base import StartOptions
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.theme import Appearance
from parlour_protocol.messages import Plain

LOOK = Appearance(UNICODE, DEFAULT, "truecolour")
_NAME = "maria"


class SeenRoom(RunningApp):
    """The screen of a room, as the person sees it."""

    def __init__(self, seen: RunningApp, screen: RoomScreen, match: StagedMatch) -> None:
        super().__init__(seen.app, seen.pilot)
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
async def opened(size: Size, look: Appearance = LOOK) -> AsyncIterator[RunningApp]:
    """Open the start screen."""
    app = ParlourApp(look, StartOptions("localhost", _NAME, practice=practice.at_home, hosting=child_server.at_home))
    async with running(app, size) as seen:
        yield seen


@asynccontextmanager
async def at(match: StagedMatch, size: Size, look: Appearance = LOOK) -> AsyncIterator[SeenRoom]:
    """Open the screen of a match that has just begun."""
    entry = Entry(match.connection.url, match.create, match.name, keep=False)
    screen = RoomScreen(look, nullcontext(entry), now=match.now)
    with patch.object(room_base, "connected", match.connection.connected):
        async with opened(size, look) as start:
            await start.app.push_screen(screen)
            seen = SeenRoom(start, screen, match)
            await seen.settle()
            match.begin()
            await seen.settle()
            yield seen
