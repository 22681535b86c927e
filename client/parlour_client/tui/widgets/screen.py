"""The base of all screens: style classes for its size, and a notice if the terminal is too small."""

from typing import ClassVar, TypeVar

from textual import events
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.tui.theme.theme import Look

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

    def __init__(self, look: Look) -> None:
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

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def on_mount(self) -> None:
        """Mount the notice."""
        self.mount(TooSmall(self.look))

    def on_resize(self, event: events.Resize) -> None:
        """Set the classes for the size."""
        for name, columns, rows in _CLASSES:
            self.set_class(event.size.width < columns or event.size.height < rows, name)
        self.set_class(not self.has_class("narrow"), "wide")
        self.set_class(event.size.width >= _AMPLE, "ample")
