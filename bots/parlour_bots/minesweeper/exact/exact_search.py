"""Search for optimal play in a set of worlds.

Cells that are safe in all worlds are opened first, which costs nothing. Otherwise every cell is tried that can show
different numbers. If there is none, the worlds cannot be distinguished, and one of them is won.

Most sets only need to be compared with the value of another cell. If an upper bound shows that a set is not better,
the bound is stored and the set is not searched.
"""

from collections.abc import Sequence

from parlour_bots.minesweeper.exact.outcomes import Cell, opened, split
from parlour_bots.minesweeper.exact.work_budget import Budget


class Search:
    """The game tree below one position."""

    def __init__(self, live: Sequence[Cell], budget: Budget) -> None:
        """``live`` are the cells to open; ``budget`` counts cells evaluated on a set of worlds."""
        self.live, self.budget = live, budget
        self._values: dict[int, int] = {}
        self._bounds: dict[int, int] = {}
        """Upper bounds for sets of worlds that were not searched fully."""

    def better(self, worlds: int, least: int) -> tuple[int, int] | None:
        """Return the index of the best cell and the worlds it wins, if more than ``least``.

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
        """Return the number of worlds that optimal play wins, or an upper bound if that is at most ``least``.

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
        """Return the known value of the worlds, or an upper bound."""
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
        """Return the total value of these sets, or an upper bound like ``value``."""
        bounds = [self._bound(part) for part in parts]
        value = sum(bounds)
        for part, bound in zip(parts, bounds, strict=True):
            if value <= least:
                break
            value -= bound
            value += self.value(part, live, least - value)
        return value
