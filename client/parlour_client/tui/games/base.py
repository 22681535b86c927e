"""What a game shows of itself: the base of all faces, and the table of them.

A face stands between the context bar and the key hints. It knows the room and nothing else: it never touches
the connection, but says by messages what the person has chosen.
"""

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.containers import Container
from textual.message import Message

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import presenter
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.turn_line import TurnLine
from parlour_protocol.messages import Plain


class GameWidget(Container):
    """A game on the screen. The methods here do nothing but keep the look and own the turn line."""

    KEYS: ClassVar[list[tuple[str, str]]] = []
    """(key, what it does) for the help screen."""
    RANKS: ClassVar[bool] = False
    """Whether ``standings`` at the end of a match names all players with their places and points."""

    class Chosen(Message):
        """The person has decided: ``act`` answers decision ``rid``."""

        def __init__(self, rid: int, act: int | Plain) -> None:
            super().__init__()
            self.rid = rid
            self.act = act

    class Remark(Message):
        """A word to the person, for the turn line. ``kind``: info or refused."""

        def __init__(self, text: str, kind: str) -> None:
            super().__init__()
            self.text = text
            self.kind = kind

    class Ready(Message):
        """All of the face is there: from now on it can be shown something."""

    def __init__(self, look: Look, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: seconds of any clock; in a replay it is that of the match, and may go back."""
        super().__init__()
        self.look = look
        self.turn = TurnLine(look, now=now)

    def on_mount(self) -> None:
        """Say that all of it is there."""
        self.post_message(self.Ready())

    def show(self, room: JoinedRoom) -> None:
        """Show the room as it stands. Called after each message; the view is whole."""

    def handle_events(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Take note of what has just happened, before ``show``. The log is written by the screen."""

    def show_refusal(self, room: JoinedRoom, reason: str) -> None:
        """Say why the server refused the act. The decision is still open."""
        self.turn.remark(reason, "refused")

    def show_pending(self, rid: int | None) -> None:
        """An act under ``rid`` is on its way; None: no more."""

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return (binding id, label) of the keys that make sense now, most important first."""
        return []

    def standings(self, room: JoinedRoom) -> list[Text]:
        """Return what the game adds to the results of a round or match, line by line."""
        return []


def widget_for(game: str) -> type[GameWidget]:
    """Return the widget class of ``game``. Raises WrongProtocol for a game that this client cannot show."""
    module = presenter(game, "parlour_client.tui.games.{}.widget")
    found: type[GameWidget] = getattr(module, f"{game.capitalize()}Widget")
    return found
