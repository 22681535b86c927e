"""The application in a room, with a connection that the test feeds."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any, ClassVar

import pytest
from rich.text import Text
from textual.app import ComposeResult
from textual.pilot import Pilot

from parlour_client.core.connection import ConnectionState
from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_client.play.entry import Entry
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.colors import DEFAULT, LIGHT, MONO, PALETTE_256
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.glyphs import ASCII, UNICODE
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.base import StartOptions
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.theme import Appearance
from parlour_protocol.messages import ClientMessage, Create, Join, ServerMessage

URL = "ws://localhost:7777"
LOOKS = {
    "truecolour": Appearance(UNICODE, DEFAULT, "truecolour"),
    "256": Appearance(UNICODE, PALETTE_256, "256"),
    "light": Appearance(UNICODE, LIGHT, "light"),
    "mono": Appearance(UNICODE, MONO, "mono"),
    "ascii": Appearance(ASCII, DEFAULT, "truecolour"),
    "plain": Appearance(ASCII, MONO, "mono"),
}
ON_START_SCREEN = StartOptions(URL, "maria")
SHEETS: dict[str, list[str]] = {
    "start": [],
    "help": ["question_mark"],
    "lobby": ["down", "down", "enter"],
    "create": ["down", "down", "down", "enter"],
    "saved": ["up", "up", "enter"],
    "settings": ["up", "enter"],
    "palette": ["ctrl+p"],
}
"""Screens before a room, with the keys that lead there."""
SIZES = [(60, 20), (80, 24), (100, 30), (120, 40)]


class BlankWidget(GameWidget):
    """A game that shows nothing but its turn line: for pictures of what is around it."""

    KEYS: ClassVar[list[tuple[str, str]]] = [("space", "do what can be done")]

    def compose(self) -> ComposeResult:
        yield self.turn

    def show(self, room: JoinedRoom) -> None:
        left = room.question.left if room.question else None
        self.turn.set("YOUR TURN" if room.question else "", left, self.look.text("do something"), bool(room.question))

    def standings(self, room: JoinedRoom) -> list[Text]:
        return [self.look.text(f"{row['name']} took part") for row in room.table["seats"]]


class ScriptedConnection:
    """A connection without a server: the test feeds messages, and ``sent`` holds what the screen sends."""

    def __init__(self) -> None:
        self.url = URL
        self.session = Session("maria", entropy=bytes)
        self.session.hello()
        self.state = ConnectionState("open")
        self.sent: list[ClientMessage] = []
        self._told: Callable[[ConnectionState], None] = lambda state: None
        self._coming: asyncio.Queue[ServerMessage | Exception | None] = asyncio.Queue()

    @asynccontextmanager
    async def connected(
        self, entry: Entry, on_state: Callable[[ConnectionState], None]
    ) -> AsyncIterator["ScriptedConnection"]:
        """Replace ``play.entry.connected``."""
        self._told = on_state
        yield self

    def say(self, *told: ServerMessage | Exception | None) -> None:
        """Say messages, or end the connection: by an error or, with None, by closing it."""
        for each in told:
            self._coming.put_nowait(each)

    async def tell(self, pilot: Pilot[int], *told: ServerMessage | Exception | None) -> None:
        """Say something, and let the application settle."""
        self.say(*told)
        await pilot.pause()

    def become(self, name: Any, reason: str = "", retry_in: float = 0.0) -> None:
        """Let the connection be lost, or open again."""
        self.state = ConnectionState(name, reason, retry_in)
        self._told(self.state)

    async def send(self, message: ClientMessage) -> None:
        out = self.session.outgoing(message)
        if out is not None:
            self.sent.append(out)

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        while (message := await self._coming.get()) is not None:
            if isinstance(message, Exception):
                raise message
            if self.session.is_news(message):
                self.sent += self.session.receive(message)
                yield message

    def heard(self, kind: type[ClientMessage]) -> list[Any]:
        """Return what was sent of one kind."""
        return [message for message in self.sent if isinstance(message, kind)]


class Seen:
    """A room on the screen. ``screen`` is that of the room."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int], far: ScriptedConnection) -> None:
        self.app = app
        self.pilot = pilot
        self.far = far
        screen = app.screen
        assert isinstance(screen, RoomScreen)
        self.screen = screen

    async def hear(self, *told: ServerMessage | Exception | None) -> None:
        """Let messages come in, or the connection end, and the screen settle."""
        await self.far.tell(self.pilot, *told)

    async def become(self, name: Any, reason: str = "", retry_in: float = 0.0) -> None:
        """Let the connection be lost, or open again, and the screen settle."""
        self.far.become(name, reason, retry_in)
        await self.settle()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def settle(self) -> None:
        await self.pilot.pause()


@asynccontextmanager
async def running(
    begin: Any = ON_START_SCREEN,
    size: tuple[int, int] = (80, 24),
    look: str = "truecolour",
    notifications: bool = False,
) -> AsyncIterator[tuple[ParlourApp, Pilot[int]]]:
    """Run the application, which begins with ``begin``."""
    app = ParlourApp(LOOKS[look], begin)
    async with app.run_test(size=size, notifications=notifications) as pilot:
        await pilot.pause()
        yield app, pilot


@asynccontextmanager
async def at_table(
    *messages: ServerMessage,
    enter: Create | Join | None = None,
    size: tuple[int, int] = (80, 24),
    look: str = "truecolour",
    offer: bool = False,
    **more: Any,
) -> AsyncIterator[Seen]:
    """Be in a room in which ``messages`` have come in. ``offer``: its rules are shown before one enters it."""
    far = ScriptedConnection()
    entry = Entry(URL, enter or Join("K7QD"), "maria", look=offer, **more)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room_base, "connected", far.connected)
        async with running(nullcontext(entry), size, look, notifications=True) as (app, pilot):
            seen = Seen(app, pilot, far)
            await seen.hear(*messages)
            yield seen
