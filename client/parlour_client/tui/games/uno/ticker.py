"""A line with the latest events, for screens without the log."""

from collections import deque

from rich.text import Text
from textual.strip import Strip

from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno import lines
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.canvas import Canvas
from parlour_protocol.messages import Plain

_KEPT = 6
_SILENT = ("deal", "round")
"""Events with long lines that are visible anyway."""


class Ticker(Canvas):
    """The latest events as text, as many as fit, the newest last and brightest."""

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self._lines_told: deque[str] = deque(maxlen=_KEPT)

    def add(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Add events. A new round starts empty."""
        for event in events:
            if event["e"] in _SILENT:
                self._lines_told.clear()
            elif line := lines.event(room, event):
                self._lines_told.append(line)
        self.repaint()

    def begin(self, line: str) -> None:
        """Begin again, with ``line``."""
        self._lines_told.clear()
        self._lines_told.append(line)
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the line."""
        shown = Text()
        for line in reversed(self._lines_told):
            newest = not shown
            if not newest and shown.cell_len + len(line) + 3 > width:
                break
            shown = self.look.joined(self.look.text((line, "ink" if newest else "dim")), shown, gap=2)
        return [self.look.strip(shown, width, ground=None, align="center")]
