"""Where the cards of a hand stand in a line: side by side, then overlapping like a fan, then a window of the fan.

The selected card lies on top; those on its left show their left sides, those on its right their right sides, each of
which has the symbol and the shape in its corners. So the cards stand still while the selection moves.
"""

import attrs

from parlour_client.tui.games.uno.cards import WIDTH

_APART = WIDTH + 1
_TIGHTEST = 4
"""Columns of a covered card that still show what it is."""
MARGIN = 4
"""Columns on either side of a window, for the number of cards beyond it."""


@attrs.frozen
class Fan:
    """``count`` cards of which ``shown`` are in sight, from ``first``; ``left`` is the column of that one."""

    count: int
    selected: int
    left: int
    step: int
    first: int
    shown: int
    nudge: int = 0
    """Columns by which the selected card is out of its place."""

    @property
    def seen(self) -> range:
        """The cards in sight."""
        return range(self.first, self.first + self.shown)

    def column(self, index: int) -> int:
        """Return the column of the left edge of card ``index``."""
        return self.left + (index - self.first) * self.step + (self.nudge if index == self.selected else 0)

    def span(self, index: int) -> tuple[int, int]:
        """Return the columns, from and up to, in which card ``index`` is not covered."""
        start, end = self.column(index), self.column(index) + WIDTH
        if index < self.selected and index + 1 in self.seen:
            end = min(end, self.column(index + 1))
        elif index > self.selected and index - 1 in self.seen:
            start = max(start, self.column(index - 1) + WIDTH)
        return start, end

    def at(self, column: int) -> int | None:
        """Return the card that is seen in ``column``, None if there is table."""
        for index in self.seen:
            start, end = self.span(index)
            if start <= column < end:
                return index
        return None


def fan_of(count: int, width: int, selected: int, first: int = 0, nudge: int = 0) -> Fan:
    """Return the fan of ``count`` cards in ``width`` columns. ``first``: the first one in sight before, if not all."""
    step = min(_APART, (width - WIDTH) // (count - 1)) if count > 1 else _APART
    if step >= _TIGHTEST:
        taken = step * (count - 1) + WIDTH if count else 0
        return Fan(count, selected, max(0, (width - taken) // 2), step, 0, count, nudge)
    shown = max(1, min(count, (width - 2 * MARGIN - WIDTH) // _TIGHTEST + 1))
    first = min(max(first, selected - shown + 1, 0), max(0, selected), count - shown)
    return Fan(count, selected, MARGIN, _TIGHTEST, first, shown, nudge)
