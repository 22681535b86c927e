"""The legal actions as numbered buttons, in columns."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.text.any.actions import Way
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.canvas import Canvas, placed

_GAP = 2
_LONGEST = 40
KEYS = "1234567890"


class Choices(Canvas):
    """Actions to choose from; ``pointed`` is the selected one."""

    class Clicked(Message):
        """An action was clicked."""

        def __init__(self, way: Way) -> None:
            super().__init__()
            self.way = way

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.ways: Sequence[Way] = ()
        self.pointed = 0
        self._columns = 1
        self._top = 0
        self._places: list[tuple[int, range, Way]] = []

    def show(self, ways: Sequence[Way]) -> None:
        """Show ``ways``, and keep the selection if they are the same as before."""
        if ways != self.ways:
            self.ways, self.pointed, self._top = ways, 0, 0
        self.repaint()

    @property
    def way(self) -> Way | None:
        """The selected action."""
        return self.ways[self.pointed] if self.pointed < len(self.ways) else None

    def rows(self, width: int) -> int:
        """Return how many rows all actions take in ``width`` columns."""
        return -(-len(self.ways) // self._fitting(width)) if self.ways else 0

    def move(self, across: int, down: int) -> None:
        """Select a neighbour."""
        wanted = self.pointed + across + down * self._columns
        if 0 <= wanted < len(self.ways):
            self.pointed = wanted
            self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the rows around the selected action."""
        self._columns, self._places = self._fitting(width), []
        rows = [self.ways[at : at + self._columns] for at in range(0, len(self.ways), self._columns)]
        here = self.pointed // self._columns
        self._top = max(min(self._top, here), here - height + 1, 0)
        each = self._wide()
        left = max(0, (width - self._columns * (each + _GAP) + _GAP) // 2)
        strips = []
        for y, row in enumerate(rows[self._top : self._top + height]):
            pieces = []
            for column, way in enumerate(row):
                x, number = left + column * (each + _GAP), (self._top + y) * self._columns + column
                self._places.append((y, range(x, x + each), way))
                pieces.append((x, self.look.strip(self._button(number, way), each, ground=None)))
            strips.append(placed(pieces))
        if (hidden := len(self.ways) - (self._top + height) * self._columns) > 0 and strips:
            strips[-1] = self.look.strip(self.look.text((say("any.more", n=hidden + len(row)), "dim")), width,
                                         ground=None, align="center")  # fmt: skip
        return strips

    def on_click(self, event: events.Click) -> None:
        """Report the clicked action."""
        for y, columns, way in self._places:
            if y == event.y and event.x in columns:
                self.post_message(self.Clicked(way))
                return

    def _button(self, number: int, way: Way) -> Text:
        look, here = self.look, number == self.pointed
        key = KEYS[number] if number < len(KEYS) else " "
        label = look.text((way.words[: _LONGEST - 1], "gold" if here else "ink"), bold=here)
        pointer = look.text((look.glyphs.pointer if here else " ", "gold"))
        return look.joined(pointer, look.text((key, "gold"), bold=True), label, gap=1)

    def _wide(self) -> int:
        return min(_LONGEST, max((len(way.words) for way in self.ways), default=0)) + 4

    def _fitting(self, width: int) -> int:
        return max(1, (width + _GAP) // (self._wide() + _GAP))
