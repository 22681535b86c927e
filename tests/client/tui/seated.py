"""A match on a real server in process, what each seat knows of it, and an app that is nothing but the face of one."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Generic, Self, TypeVar

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.colors import DEFAULT
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.glyphs import UNICODE
from parlour_client.tui.theme import Appearance
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Kind, Plain, Ready, ServerMessage
from parlour_server.local import Local, Peer


class Seats:
    """A match on a real server. ``rooms`` are what each seat knows."""

    def __init__(self, hall: Local, create: Create, people: Sequence[tuple[str, Kind]]) -> None:
        """``people``: names and kinds by seat; the first of them opens the room."""
        self.hall = hall
        self.peers = [hall.connect(name, kind) for name, kind in people]
        self.rooms: dict[str, JoinedRoom] = {}
        self.peers[0].send(create)
        self.code = next(message.room for message in self.peers[0].inbox if isinstance(message, Joined))
        for peer in self.peers[1:]:
            peer.send(Join(self.code))
        for peer in self.peers:
            peer.send(Ready(self.code))

    @property
    def match(self) -> Any:
        """What is behind the views: the state of the game."""
        match = self.hall.lobby.rooms.loaded[self.code].room.match
        assert match
        return match.state

    def watch(self, name: str = "wim") -> Peer:
        peer = self.hall.connect(name, "human")
        peer.send(Join(self.code, as_="spectator"))
        self.peers.append(peer)
        return peer

    def read(self, peer: Peer) -> Iterable[ServerMessage]:
        """Yield what ``peer`` has been told, after its room has taken it in."""
        while peer.inbox:
            message = peer.inbox.popleft()
            if isinstance(message, Joined):
                self.rooms[peer.name] = JoinedRoom.of(message)
            elif peer.name in self.rooms:
                self.rooms[peer.name].apply(message)
            yield message

    def room(self, seat: int = 0) -> JoinedRoom:
        peer = self.peers[seat]
        list(self.read(peer))
        return self.rooms[peer.name]


WidgetT = TypeVar("WidgetT", bound=Widget)


class Time:
    """Seconds that go on when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Alone(App[int], Generic[WidgetT]):
    CSS = "Screen > * { width: 100%; height: 100%; }"

    def __init__(self, widget: WidgetT) -> None:
        super().__init__()
        self.widget = widget

    def compose(self) -> ComposeResult:
        yield self.widget


class Seated(App[int]):
    """A face on a screen of its own, at a seat of a table. ``delay``: acts stay under way until ``deliver``."""

    FACE: ClassVar[type[GameWidget]]
    LOOK = Appearance(UNICODE, DEFAULT, "truecolour")

    def __init__(self, table: Seats, seat: int = 0, look: Appearance | None = None, *, delay: bool = False) -> None:
        look = look or self.LOOK
        super().__init__(ansi_color=not look.coloured)
        self.table, self.seat, self.look, self.delay = table, seat, look, delay
        self.now = 0.0
        self.acts: list[Plain | int] = []
        self.refusals: list[str] = []
        self._away: list[Act] = []
        self.game_widget = self.FACE(look, now=lambda: self.now)
        self.register_theme(look.theme("parlour"))
        self.theme = "parlour"

    @asynccontextmanager
    async def shown(self, size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[Self, Pilot[int]]]:
        async with self.run_test(size=size) as self.pilot:
            await self.pilot.pause()
            yield self, self.pilot

    def compose(self) -> ComposeResult:
        yield self.game_widget

    def on_mount(self) -> None:
        self.game_widget.focus()
        self.hear()

    def hear(self) -> None:
        """Take in what the server has told, as the screen of a room does."""
        peer = self.table.peers[self.seat]
        for message in self.table.read(peer):
            room = self.table.rooms[peer.name]
            if isinstance(message, Error):
                self.refusals.append(message.msg)
                self.game_widget.show_refusal(room, message.why or message.msg)
            elif room.events:
                self.game_widget.handle_events(room, room.events)
            self.game_widget.show(room)
        self.game_widget.show(self.table.rooms[peer.name])

    async def news(self) -> None:
        """Take in what the server has told, and draw it."""
        self.hear()
        await self.pilot.pause()

    def on_game_widget_chosen(self, event: GameWidget.Chosen) -> None:
        self.acts.append(event.act)
        self.game_widget.show_pending(event.rid)
        self._away.append(Act(self.table.code, event.rid, event.act))
        if not self.delay:
            self.deliver()

    def deliver(self) -> None:
        """Let the acts arrive, and the answers come back."""
        away, self._away = self._away, []
        for act in away:
            self.table.peers[self.seat].send(act)
            self.hear()
            self.game_widget.show_pending(None)

    @property
    def said(self) -> str:
        """The words of the turn line."""
        return self.game_widget.turn.words
