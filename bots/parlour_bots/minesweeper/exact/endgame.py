"""The endgame: play over the worlds that are left.

Who knows the worlds that are still possible knows everything: whether a cell is open is then of no account, since an
open cell shows the same in all of them. So what a set of worlds is worth, the number of its worlds that are won,
depends on the set alone.

First a simple player's games are counted; where all worlds are known, perfect play is searched for what is better
than that. If the search takes too much work the count stands.
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
"""Up to how many worlds perfect play is searched for, and up to how many all of them are played over."""
SHARE = 1_000
"""How many are played over if they are more."""
LOG_LIMIT = log(1e5)
"""Up to how many worlds, as a logarithm, it is the endgame. Of more, those played over know too well what comes after a
guess: in games played out from 10^3 to 10^5 worlds 1.0 ± 0.4 % more were won than by ``guessing``, from 10^5 to 10^6
worlds 0.4 ± 0.6 % fewer."""
CELLS = 140
"""With more cells left undecided it is not the endgame either: each is tried with all others looked at after it, and
each may take the count a step deeper."""
COUNTING, SEARCHING = 80_000, 20_000
"""How many cells may be asked what they show in some set of worlds, for one move."""


def solve(width: int, height: int, odds: Odds) -> tuple[int, float] | None:
    """Return (the best cell to open, with which probability that wins); None if it is not yet the endgame.

    Nothing is safe in the position of ``odds``.
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
    return (unsure[chosen[0]], chosen[1]) if chosen else None


def _perfect(live: list[Cell], count: int, known: tuple[int, float]) -> tuple[int, float] | None:
    """Return the best (place of a cell, with which probability it wins), ``known`` at least; None if too much work."""
    try:
        better = Search(live, Budget(SEARCHING)).better((1 << count) - 1, round(known[1] * count))
    except OutOfWork:
        return None
    return (better[0], better[1] / count) if better else known
