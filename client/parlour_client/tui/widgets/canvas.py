"""A widget that paints its whole picture and redraws only changed lines.

``paint`` returns the picture as lines, which is cheap if parts of it are cached; only lines that differ from the
previous picture are sent to the terminal.

What can be clicked is drawn in a style with ``{TARGET: what}`` as metadata: ``target`` returns what the mouse is on.
"""

from collections.abc import Iterable
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.tui.theme import Appearance

TARGET = "target"


def target(event: events.MouseEvent) -> Any:
    """Return what the mouse is on, None if it is on nothing that can be clicked."""
    return event.style.meta.get(TARGET)


class Canvas(Widget):
    """A widget that paints lines."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look
        self._lines: list[Strip] = []
        self.pointed: Any = None
        """The target under the mouse."""

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the picture, line by line. Missing or short lines are filled with the background."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Paint again, and draw the lines that have changed."""
        width, height = self.size
        if not (width and height):
            return
        base = self.look.style("ink", "table")
        painted = [
            line.crop(0, width).extend_cell_length(width).apply_style(base) for line in self.paint(width, height)
        ]
        before, self._lines = self._lines, painted
        if len(before) != len(self._lines):
            self.refresh()
            return
        changed = [y for y, (old, new) in enumerate(zip(before, self._lines, strict=True)) if old != new]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def automatic_refresh(self) -> None:
        """Paint again, every second while the widget ticks."""
        self.repaint()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Paint what the mouse is on."""
        self._point(target(event))

    def on_leave(self) -> None:
        """Paint without the mouse."""
        self._point(None)

    def _point(self, pointed: Any) -> None:
        if pointed != self.pointed:
            self.pointed = pointed
            self.repaint()

    def on_resize(self) -> None:
        """Paint again for the new size."""
        self.repaint()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return line ``y`` of the picture."""
        if y < len(self._lines):
            return self._lines[y]
        return Strip.blank(self.size.width, self.look.style("ink", "table"))


def line(*pieces: tuple[str, Style]) -> Strip:
    """Return a line of styled pieces of text."""
    return Strip([Segment(text, style) for text, style in pieces])


def placed(pieces: Iterable[tuple[int, Strip]]) -> Strip:
    """Return a line with ``pieces`` (column, strip), in ascending order, on the background."""
    segments: list[Segment] = []
    at = 0
    for column, piece in pieces:
        if column > at:
            segments.append(Segment(" " * (column - at)))
        segments += piece
        at = max(at, column) + piece.cell_length
    return Strip(segments, at)


def scroll_bar(look: Appearance, y: int, top: int, height: int, count: int) -> str:
    """Return the part in line ``y`` of a scroll bar beside ``height`` of ``count`` rows, from ``top``.

    Its block is as long as the visible share of the rows.
    """
    length = max(1, height * height // count)
    start = top * (height - length) // (count - height)
    return look.glyphs.block if start <= y < start + length else look.glyphs.box[5]


FLIGHT = 0.2
"""Seconds that a card travels."""
FLASH = 0.35
"""Seconds for which the next player is highlighted."""
CONFETTI = 0.1
"""Seconds between the pictures of a celebration."""


def tick(widget: Widget, running: bool) -> None:
    """Draw ``widget`` again every second while a clock on it is running."""
    if running != (widget.auto_refresh is not None):
        widget.auto_refresh = 1.0 if running else None


def moves(widget: Widget) -> bool:
    """Return whether things may move on the screen of ``widget``."""
    return widget.is_mounted and widget.app.animation_level != "none"
