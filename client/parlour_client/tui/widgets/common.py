"""What screens share: their base with a notice if the terminal is too small, small widgets, messages and protocols."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from rich.text import Text
from textual import events
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.play.entry import Entry
from parlour_client.tui.theme import Appearance
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
    """A person was clicked, by name. ``kick``: to put them out of the room."""

    def __init__(self, name: str, *, kick: bool = False) -> None:
        super().__init__()
        self.name = name
        self.kick = kick


def heading(look: Appearance, *words: str | Text | tuple[str, str]) -> Text:
    """Return the first line of a screen: the program, then ``words`` as ``Appearance.text`` takes them."""
    between = (f"  {look.glyphs.arrow}  ", "dim")
    return look.text(look.text((" parlour", "gold"), bold=True), between, *words)


class Line(Widget):
    """One line, drawn by a function of its width."""

    DEFAULT_CSS = "Line { height: 1; width: 100%; }"

    def __init__(self, look: Appearance, draw: Callable[[int], Text], ground: str) -> None:
        """``ground``: the role of the colour beneath."""
        super().__init__()
        self.look = look
        self._line = draw
        self._ground = ground

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        return self.look.strip(self._line(self.size.width), self.size.width, ground=self._ground)


LEAST = (60, 20)
"""Columns and rows below which nothing can be shown."""
_CLASSES = (("narrow", 100, 0), ("short", 0, 30), ("tight", 80, 24), ("few", 90, 0), ("small", *LEAST))
"""(class, columns, rows): set while the screen has fewer of either."""
_AMPLE = 116
"""Columns from which the log is wider."""

ResultT = TypeVar("ResultT")


class TooSmall(Widget):
    """Covers a screen that is too small, and names the size needed. The screen beneath keeps running."""

    DEFAULT_CSS = """
    TooSmall { layer: gate; dock: top; width: 100%; height: 100%; background: $table; display: none; }
    """

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look

    def render_line(self, y: int) -> Strip:
        """Return a line; the notice is in the middle."""
        width, height = self.size
        times = self._look.glyphs.times
        least = say("tui.too_small.least", size=f"{LEAST[0]}{times}{LEAST[1]}")
        words = [say("tui.too_small"), least, say("tui.too_small.is", size=f"{width}{times}{height}")]
        line = y - (height - len(words)) // 2
        said = words[line] if 0 <= line < len(words) else ""
        return self._look.strip(self._look.text((said, "gold")), width, align="center")


class ParlourScreen(Screen[ResultT]):
    """A screen with classes for its size: wide or narrow, ample, short, tight, few, small."""

    DEFAULT_CSS = """
    ParlourScreen { layers: base above gate; background: $table; color: $ink; }
    ParlourScreen.small > TooSmall { display: block; }
    """
    AUTO_FOCUS: ClassVar[str | None] = None

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look

    def on_mount(self) -> None:
        """Mount the notice."""
        self.mount(TooSmall(self.look))

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """Set the classes for the size."""
        for name, columns, rows in _CLASSES:
            self.set_class(event.size.width < columns or event.size.height < rows, name)
        self.set_class(not self.has_class("narrow"), "wide")
        self.set_class(event.size.width >= _AMPLE, "ample")
