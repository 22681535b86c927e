"""The progress bar of a replay; the mouse seeks in it."""

from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.tui.theme.theme import Look


class Scrubber(Widget, can_focus=True):
    """One line: state and speed, the bar with a mark for each round, and the position."""

    DEFAULT_CSS = "Scrubber { height: 1; width: 100%; background: $panel; }"

    class Moved(Message):
        """The player seeks to the position after ``at`` acts."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._at = self._last = 0
        self._marks: list[int] = []
        self._before = self._behind = ""
        self._left, self._length = 0, 1
        self._dragging = False

    def show(self, at: int, last: int, marks: list[int], before: str, behind: str) -> None:
        """Show act ``at`` of ``last``. Rounds start at ``marks``. Texts stand before and after the bar."""
        self._at, self._last, self._marks = at, last, marks
        self._before, self._behind = before, behind
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line, and remember the position of its bar."""
        look, width = self.look, self.size.width
        before = look.text((f" {self._before}  ", "gold"))
        behind = look.text(f"  {self._behind} ")
        self._left = before.cell_len
        self._length = max(1, width - before.cell_len - behind.cell_len)
        return look.strip(look.text(before, self._bar(), behind), width, ground="panel")

    def _bar(self) -> Text:
        look, glyphs = self.look, self.look.glyphs
        here, marks = self._column(self._at), {self._column(mark) for mark in self._marks}
        bar = Text(end="")
        for column in range(self._length):
            role = "gold" if column <= here else "edge"
            if column == here:
                bar.append(glyphs.block, look.style("gold", bold=True))
            elif column in marks:
                bar.append(glyphs.box[5], look.style("ink"))
            else:
                bar.append(glyphs.bar_full if column < here else glyphs.bar_empty, look.style(role))
        return bar

    def _column(self, at: int) -> int:
        return round(at / self._last * (self._length - 1)) if self._last else 0

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to drag."""
        self._dragging = True
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Seek while dragging."""
        if self._dragging:
            self._go(event.x)

    def on_mouse_up(self) -> None:
        """Let go."""
        self._dragging = False
        self.release_mouse()

    def _go(self, x: int) -> None:
        share = (x - self._left) / max(1, self._length - 1)
        at = round(max(0.0, min(1.0, share)) * self._last)
        if at != self._at:
            self.post_message(self.Moved(at))
