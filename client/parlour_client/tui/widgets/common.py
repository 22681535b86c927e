"""What several screens are made of: a line, and the way to a room."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from rich.text import Text
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.errors import Fault
from parlour_client.play.entry import Entry
from parlour_client.tui.theme.theme import Look
from parlour_protocol.messages import Create, Join


class EnterRoom(Protocol):
    """Goes to a room, and calls ``back`` with what ended the visit."""

    def __call__(self, way: AbstractAsyncContextManager[Entry], back: Callable[[Fault | None], None]) -> None:
        """Go."""


class Hosting(Protocol):
    """Opens a server on this machine, for the network, for as long as the context lasts."""

    def __call__(self, enter: Create | Join, *, name: str, key: str | None) -> AbstractAsyncContextManager[Entry]:
        """Return the way into the room there that ``enter`` makes or names."""


class PersonClicked(Message):
    """Somebody is clicked at, by name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Line(Widget):
    """One line, told by a function of its width."""

    DEFAULT_CSS = "Line { height: 1; width: 100%; }"

    def __init__(self, look: Look, draw: Callable[[int], Text], ground: str) -> None:
        """``ground``: the role of the colour beneath."""
        super().__init__()
        self.look = look
        self._line = draw
        self._ground = ground

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        return self.look.strip(self._line(self.size.width), self.size.width, ground=self._ground)
