"""Small widgets, messages and protocols that several screens share."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
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
    """Opens a room, and calls ``back`` at the end with the fault, if any."""

    def __call__(self, way: AbstractAsyncContextManager[Entry], back: Callable[[Fault | None], None]) -> None:
        """Open the room that ``way`` opens into."""


class Hosting(Protocol):
    """Runs a server on this machine for the network while the context is open."""

    def __call__(self, enter: Create | Join, *, name: str, key: str | None) -> AbstractAsyncContextManager[Entry]:
        """Return the context that opens into the entry for ``enter`` on that server."""


class Continuing(Protocol):
    """Runs a private server on which a saved match goes on, with bots, while the context is open."""

    def __call__(self, file: Path, act: int, viewer: str | None) -> AbstractAsyncContextManager[Entry]:
        """Return the context that opens into the entry of seat ``viewer``, before act number ``act``."""


class PersonClicked(Message):
    """A person was clicked, by name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def heading(look: Look, *words: str | Text | tuple[str, str]) -> Text:
    """Return the first line of a screen: the program, then ``words`` as ``Look.text`` takes them."""
    between = (f"  {look.glyphs.arrow}  ", "dim")
    return look.text(look.text((" parlour", "gold"), bold=True), between, *words)


class Line(Widget):
    """One line, drawn by a function of its width."""

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
