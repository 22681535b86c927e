"""The endgame: perfect play while few worlds are left.

Who knows the worlds that are still possible knows everything: whether a cell is open is then of no account, since an
open cell shows the same in all of them. So the value of a set of worlds, the number of its worlds that perfect play
wins, depends on the set alone. A cell that is safe in all of them is opened first, which can do no harm. Otherwise
each cell is tried that can show different numbers; one that cannot tells nothing, and when only such cells are left
the worlds cannot be told apart and one of them is won.

Most sets are only asked whether they are worth more than what another cell is known to bring. Where a bound shows
that they are not, the bound is kept and nothing below is looked at.
"""

from math import log

from parlour_bots.minesweeper.exact.worlds import Outcomes, outcomes, worlds
from parlour_games.minesweeper.grid import neighbours
from parlour_games.minesweeper.inference import Odds

WORLDS = 1_000
"""The most worlds to search."""
LOG_LIMIT = log(WORLDS) + 1
NODES = 6_000
"""The most sets of worlds to look at, for one move."""


def solve(width: int, height: int, odds: Odds) -> tuple[int, float] | None:
    """Return (the best cell to open, with which probability perfect play then wins); None if that is too much work.

    Nothing is safe in the position of ``odds``.
    """
    if odds.log_solutions > LOG_LIMIT or odds.solutions > WORLDS:
        return None
    found = worlds(odds)
    unsure = [cell for cell in odds.undecided if odds.risks[cell] < 1]
    search = Search(outcomes(unsure, neighbours(width, height), found), len(found), NODES)
    try:
        best = search.best()
    except OutOfNodes:
        return None
    if best is None:
        return min(unsure, key=lambda cell: (round(odds.risks[cell], 9), cell)), 1 / len(found)
    return best[0], best[1] / len(found)


class OutOfNodes(Exception):
    """The search has taken as many nodes as it was allowed."""


Live = list[tuple[int, list[int]]]
"""Cells that can show different numbers, each with its sets of worlds."""


class Search:
    """The game tree below one position."""

    def __init__(self, outcomes: Outcomes, worlds: int, nodes: int) -> None:
        """Prepare for that many worlds; ``nodes``: how many sets of worlds may be looked at."""
        self.live: Live = [(cell, list(sets.values())) for cell, sets in outcomes.items()]
        """The cells one may open."""
        self._all = (1 << worlds) - 1
        self._values: dict[int, int] = {}
        self._bounds: dict[int, int] = {}
        """What sets of worlds are worth at most, where that was enough to know."""
        self.nodes = nodes
        """How many are left."""

    def best(self) -> tuple[int, int] | None:
        """Return (the cell to open, in how many worlds this wins); None if no cell tells anything.

        Raises OutOfNodes.
        """
        moves = _moves(self._all, self.live)
        live = [(cell, sets) for _, cell, sets in moves]
        chosen, most = -1, 0
        for safe, cell, sets in moves:
            if safe <= most:
                break
            value = self._sum(sets, live, most)
            if value > most:
                chosen, most = cell, value
        return (chosen, most) if moves else None

    def value(self, worlds: int, live: Live, least: int) -> int:
        """Return how many of the worlds perfect play wins, or a bound on it if neither is more than ``least``."""
        bound = self._bound(worlds)
        if bound <= least or worlds in self._values or bound == 1:
            return bound
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        value = self._searched(worlds, live, least)
        known = self._values if value > least else self._bounds
        known[worlds] = value
        return value

    def _bound(self, worlds: int) -> int:
        """Return what the worlds are worth at most, as far as known."""
        value = self._values.get(worlds)
        return value if value is not None else self._bounds.get(worlds) or worlds.bit_count()

    def _searched(self, worlds: int, live: Live, least: int) -> int:
        moves = _moves(worlds, live)
        if not moves:
            return 1
        safe, _, sets = moves[0]
        if safe == worlds.bit_count():
            return self._sum(sets, [(cell, sets) for _, cell, sets in moves[1:]], least)
        left = [(cell, sets) for _, cell, sets in moves]
        most = bound = 1
        for safe, _, sets in moves:
            enough = max(most, least)
            value = self._sum(sets, left, enough) if safe > enough else safe
            if value > enough:
                most = value
            bound = max(bound, value)
            if safe <= enough:
                break
        return most if most > least else bound

    def _sum(self, sets: list[int], live: Live, least: int) -> int:
        """Return the value of opening a cell that shows these sets, or a bound on it as ``value`` does."""
        bounds = [self._bound(part) for part in sets]
        value = sum(bounds)
        for part, bound in zip(sets, bounds, strict=True):
            if value <= least:
                break
            value -= bound
            value += self.value(part, live, least - value)
        return value


def _moves(worlds: int, live: Live) -> list[tuple[int, int, list[int]]]:
    """Return for each cell that tells something (in how many worlds it is safe, cell, its sets), the best first."""
    found = []
    for cell, sets in live:
        parts = [part for each in sets if (part := each & worlds)]
        if len(parts) > 1:
            safe = 0
            for part in parts:
                safe += part.bit_count()
            found.append((safe, cell, parts))
    found.sort(key=lambda move: (-move[0], -len(move[2]), move[1]))
    return found
