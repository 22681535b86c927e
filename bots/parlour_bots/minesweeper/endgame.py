"""The endgame: choose a cell by enumerating the worlds, the possible mine layouts.

The set of possible worlds determines the position: an open cell shows the same in all of them. The value of a set, the
number of its worlds that are won, therefore depends only on the set.

First the wins of a simple player are counted by playouts. If all worlds are listed, a search for optimal play tries to
improve on that. If the search exceeds its budget, the playouts decide. With a sample they win too often: they take the
world for known as soon as one sampled world is left, which stands for many. Only part of these wins is counted.

``ExactSearch`` finds optimal play in a set of worlds.

Cells that are safe in all worlds are opened first, which costs nothing. Otherwise every cell is tried that can show
different numbers. If there is none, the worlds cannot be distinguished, and one of them is won.

Most sets only need to be compared with the value of another cell. If an upper bound shows that a set is not better,
the bound is stored and the set is not searched.
"""

from collections.abc import Sequence
from math import log

from parlour_bots.minesweeper.playout import DIGITS, Cell, Playouts, opened, outcomes, split
from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget, worlds
from parlour_games.minesweeper.board import neighbours
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.inference import Odds


class EndgameSearch:
    """The game tree below one position."""

    def __init__(self, live: Sequence[Cell], budget: WorkBudget) -> None:
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


SEARCHED, LISTED = 1_000, 2_500
"""The most worlds for a search for optimal play, and for playouts of all worlds."""
SHARE = 1_000
"""The number of sampled worlds if there are more."""
REAL, REAL_FALL = 0.84, 0.05
"""The part of a sample's wins that is counted, and how much it falls with the logarithm of the worlds per sampled one.
Fitted to games played on from 273 positions; ``python -m benchmarks.endgames`` measures the error that is left."""
LOG_LIMIT = log(1e5)
"""The logarithm of the most worlds in an endgame. Compared with ``guessing``, playouts won 1.0 ± 0.4 % more games from
10^3 to 10^5 worlds, but 0.4 ± 0.6 % fewer from 10^5 to 10^6."""
CELLS = 140
"""The most undecided cells in an endgame, since the work grows at least with their square."""
COUNTING, SEARCHING = 80_000, 20_000
"""The budgets of playouts and search for one move, in cells evaluated on a set of worlds."""


def solve(width: int, height: int, odds: Odds) -> tuple[int, float] | None:
    """Return the best cell to open and its probability to win; None if it is not the endgame yet.

    The position of ``odds`` has no safe cell.
    """
    if odds.log_solutions > LOG_LIMIT or len(odds.undecided) > CELLS:
        return None
    try:
        found = worlds(odds, LISTED if odds.solutions <= LISTED else SHARE)
    except TooLarge:
        return None
    risky = sorted([(round(odds.risks[cell], DIGITS), cell) for cell in odds.undecided if odds.risks[cell] < 1])
    unsure = [cell for _, cell in risky]
    live = outcomes(unsure, neighbours(width, height), found)
    playouts = Playouts(live, [1 - risk for risk, _ in risky], WorkBudget(COUNTING))
    known = playouts.best()
    if known and odds.solutions <= SEARCHED:
        chosen = _perfect(live, len(found), known) or playouts.recounted()
    else:
        chosen = playouts.recounted()
    if chosen is None:
        return None
    real = 1.0 if len(found) == odds.solutions else REAL - REAL_FALL * log(odds.solutions / len(found))
    return unsure[chosen[0]], chosen[1] * real


def perfect_value(width: int, height: int, odds: Odds, budget: int) -> float | None:
    """Return the probability that perfect play wins a position without safe cells; None over budget.

    All worlds are listed, so they should be few.
    """
    found = worlds(odds, odds.solutions)
    live = outcomes([cell for cell in odds.undecided if odds.risks[cell] < 1], neighbours(width, height), found)
    try:
        return EndgameSearch(live, WorkBudget(budget)).value((1 << len(found)) - 1, live, 0) / len(found)
    except OutOfWork:
        return None


def _perfect(live: list[Cell], count: int, known: tuple[int, float]) -> tuple[int, float] | None:
    """Return the index of the best cell and its probability to win, at least ``known``; None over budget."""
    try:
        better = EndgameSearch(live, WorkBudget(SEARCHING)).better((1 << count) - 1, round(known[1] * count))
    except OutOfWork:
        return None
    return (better[0], better[1] / count) if better else known
