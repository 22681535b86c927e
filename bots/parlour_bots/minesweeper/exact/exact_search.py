"""Perfect play: the best that can be made of a set of worlds, by search.

A cell that is safe in all worlds is opened first, which can do no harm. Otherwise each cell is tried that can show
different numbers; one that cannot tells nothing, and when only such cells are left the worlds cannot be told apart and
one of them is won.

Most sets are only asked whether they are worth more than what another cell is known to bring. Where a bound shows
that they are not, the bound is kept and nothing below is looked at.
"""

from collections.abc import Sequence

from parlour_bots.minesweeper.exact.outcomes import Cell, opened, split
from parlour_bots.minesweeper.exact.work_budget import Budget


class Search:
    """The game tree below one position."""

    def __init__(self, live: Sequence[Cell], budget: Budget) -> None:
        """Prepare for opening these cells; ``budget``: how many may be asked what they show in some set of worlds."""
        self.live, self.budget = live, budget
        self._values: dict[int, int] = {}
        self._bounds: dict[int, int] = {}
        """What sets of worlds are worth at most, where that was enough to know."""

    def better(self, worlds: int, least: int) -> tuple[int, int] | None:
        """Return (the place of the best cell to open, in how many worlds this wins), if in more than ``least``.

        Raises OutOfWork.
        """
        chosen, most = -1, least
        _, unsure = opened(worlds, self.live)
        left = [cell for _, cell in unsure]
        for risk, cell in unsure:
            if worlds.bit_count() - risk <= most:
                break
            value = self._sum(cell[2], left, most)
            if value > most:
                chosen, most = cell[0], value
        return None if most == least else (chosen, most)

    def value(self, worlds: int, live: Sequence[Cell], least: int) -> int:
        """Return how many of the worlds perfect play wins, or a bound on it if neither is more than ``least``.

        Raises OutOfWork.
        """
        bound = self._bound(worlds)
        if bound <= least or worlds in self._values or bound == 1:
            return bound
        value = self._searched(worlds, live, least)
        known = self._values if value > least else self._bounds
        known[worlds] = value
        return value

    def _bound(self, worlds: int) -> int:
        """Return what the worlds are worth at most, as far as known."""
        value = self._values.get(worlds)
        return value if value is not None else self._bounds.get(worlds) or worlds.bit_count()

    def _searched(self, worlds: int, live: Sequence[Cell], least: int) -> int:
        self.budget.take(len(live))
        count = worlds.bit_count()
        parts, unsure = opened(worlds, live)
        left = [cell for _, cell in unsure]
        if len(parts) > 1:
            return self._sum(parts, left, least)
        most = bound = 1
        for risk, cell in unsure:
            enough = max(most, least)
            if count - risk <= enough:
                bound = max(bound, count - risk)
                break
            if len(parts := split(worlds, cell)) > 1:
                value = self._sum(parts, left, enough)
                if value > enough:
                    most = value
                bound = max(bound, value)
        return most if most > least else bound

    def _sum(self, parts: Sequence[int], live: Sequence[Cell], least: int) -> int:
        """Return the value of what these sets are left to, or a bound on it as ``value`` does."""
        bounds = [self._bound(part) for part in parts]
        value = sum(bounds)
        for part, bound in zip(parts, bounds, strict=True):
            if value <= least:
                break
            value -= bound
            value += self.value(part, live, least - value)
        return value
