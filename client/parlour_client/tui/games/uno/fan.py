"""The layout of a hand in one line: side by side, overlapping like a fan, or a window of the fan.

The selected card is on top. Cards to its left show their left sides, cards to its right their right sides; symbol and
shape are in all corners. So cards do not move with the selection.
"""

import attrs

_TIGHTEST = 4
"""Visible columns of a covered card."""
MARGIN = 4
"""Columns on each side of a window, for the number of hidden cards."""


@attrs.frozen
class Fan:
    """The layout of a hand on one line.

    ``shown`` of ``count`` cards are visible, from card ``first``, which begins in column ``left``. ``card`` is the
    width of a card in columns.
    """

    count: int
    selected: int
    card: int
    left: int
    step: int
    first: int
    shown: int
    nudge: int = 0
    """Columns by which the selected card is shifted."""

    @property
    def seen(self) -> range:
        """The visible cards."""
        return range(self.first, self.first + self.shown)

    def column(self, index: int) -> int:
        """Return the column of the left edge of card ``index``."""
        return self.left + (index - self.first) * self.step + (self.nudge if index == self.selected else 0)

    def span(self, index: int) -> tuple[int, int]:
        """Return the columns (start, end) in which card ``index`` is not covered."""
        start, end = self.column(index), self.column(index) + self.card
        if index < self.selected and index + 1 in self.seen:
            end = min(end, self.column(index + 1))
        elif index > self.selected and index - 1 in self.seen:
            start = max(start, self.column(index - 1) + self.card)
        return start, end

    def at(self, column: int) -> int | None:
        """Return the card visible in ``column``, None if there is none."""
        for index in self.seen:
            start, end = self.span(index)
            if start <= column < end:
                return index
        return None


def fan_of(count: int, width: int, card: int, selected: int, first: int = 0, nudge: int = 0) -> Fan:
    """Return the fan of ``count`` cards, each ``card`` columns wide, in ``width`` columns.

    ``first``: the first card of the previous window.
    """
    step = min(card + 1, (width - card) // (count - 1)) if count > 1 else card + 1
    if step >= _TIGHTEST:
        taken = step * (count - 1) + card if count else 0
        return Fan(count, selected, card, max(0, (width - taken) // 2), step, 0, count, nudge)
    shown = max(1, min(count, (width - 2 * MARGIN - card) // _TIGHTEST + 1))
    first = min(max(first, selected - shown + 1, 0), max(0, selected), count - shown)
    return Fan(count, selected, card, MARGIN, _TIGHTEST, first, shown, nudge)
