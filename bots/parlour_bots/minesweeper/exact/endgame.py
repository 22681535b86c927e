"""The endgame: choose a cell by enumerating the worlds, the possible mine layouts.

The set of possible worlds determines the position: an open cell shows the same in all of them. The value of a set, the
number of its worlds that are won, therefore depends only on the set.

First the wins of a simple player are counted by playouts. If all worlds are listed, a search for optimal play tries to
improve on that. If the search exceeds its budget, the playouts decide. With a sample they win too often: they take the
world for known as soon as one sampled world is left, which stands for many. Only part of these wins is counted.
"""

from math import log

from parlour_bots.minesweeper.exact.exact_search import Search
from parlour_bots.minesweeper.exact.outcomes import Cell, outcomes
from parlour_bots.minesweeper.exact.playout import DIGITS, Playouts
from parlour_bots.minesweeper.exact.work_budget import Budget, OutOfWork
from parlour_bots.minesweeper.exact.worlds import worlds
from parlour_games.minesweeper.grid import neighbours
from parlour_games.minesweeper.inference import Odds, TooLarge

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
    playouts = Playouts(live, [1 - risk for risk, _ in risky], Budget(COUNTING))
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
        return Search(live, Budget(budget)).value((1 << len(found)) - 1, live, 0) / len(found)
    except OutOfWork:
        return None


def _perfect(live: list[Cell], count: int, known: tuple[int, float]) -> tuple[int, float] | None:
    """Return the index of the best cell and its probability to win, at least ``known``; None over budget."""
    try:
        better = Search(live, Budget(SEARCHING)).better((1 << count) - 1, round(known[1] * count))
    except OutOfWork:
        return None
    return (better[0], better[1] / count) if better else known
