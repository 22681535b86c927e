"""The solver: a position in, the cells to open and the reason out."""

from collections.abc import Sequence
from typing import NamedTuple

from parlour_bots.minesweeper.exact import endgame, opening, rough_odds
from parlour_bots.minesweeper.exact.guessing import Guess
from parlour_games.minesweeper.grid import CLOSED
from parlour_games.minesweeper.inference import Engine, Odds, TooLarge

BUDGET = 60_000
"""The work limit for counting one component, which only huge, dense boards exceed; the odds are then approximate."""


class Move(NamedTuple):
    """The cells to open and the reason."""

    cells: tuple[int, ...]
    """Safe cells, or a single guess."""
    why: str
    """``forced``, ``first click``, or the kind of guess with its odds, such as ``guess 0.83, free``."""


class Solver:
    """Plays one board. Any positions work in any order; consecutive positions of a game are fastest."""

    def __init__(self, width: int, height: int, mines: int, first: str = "opening") -> None:
        """``first`` is the guarantee of the first click: any, safe, opening or radius."""
        self.width, self.height, self.mines, self.first = width, height, mines, first
        self.engine = Engine(width, height, mines, budget=BUDGET)

    def move(self, cells: Sequence[int]) -> Move:
        """Return the next move; ``cells`` has for each cell 0–8, CLOSED, or MINE for a known mine.

        At least one closed cell must be possibly safe. Raises Impossible and ValueError like ``Engine.read``.
        """
        if all(value == CLOSED for value in cells):
            return Move((opening.first_click(self.width, self.height, self.first),), "first click")
        constraints = self.engine.deduce(cells)
        if constraints.safe:
            return Move(tuple(sorted(constraints.safe)), "forced")
        try:
            odds = self.engine.read(cells)
        except TooLarge:
            cell, safe = rough_odds.safest(constraints, self.mines)
            return Move((cell,), f"guess {safe:.2f}, roughly")
        return Move(odds.safe, "forced") if odds.safe else self._guess(odds)

    def _guess(self, odds: Odds) -> Move:
        guess = Guess(self.width, self.height, self.engine, odds)
        if (free := guess.free()) is not None:
            return Move((free,), f"guess {1 - odds.risks[free]:.2f}, free")
        if found := endgame.solve(self.width, self.height, odds):
            cell, wins = found
            return Move((cell,), f"guess {1 - odds.risks[cell]:.2f}, endgame won {wins:.2f}")
        cell, score = guess.best()
        return Move((cell,), f"guess {1 - odds.risks[cell]:.2f}, ahead {score:.2f}")
