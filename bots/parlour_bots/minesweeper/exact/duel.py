"""Duels: two players take turns to find mines, and both see what a miss reveals.

All certain mines are opened first. Without any, a cell is valued by its expected gain: a find counts one, plus the
mines that it makes certain; a miss counts minus the mines that its number makes certain, which the opponent takes. A
safe cell that reveals little is therefore sometimes the best way to pass the turn.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from parlour_bots.minesweeper.exact import rough_odds
from parlour_games.minesweeper.grid import CLOSED, MINE, around, neighbours
from parlour_games.minesweeper.inference import Engine, Impossible, Odds, TooLarge
from parlour_games.minesweeper.inference.constraints import MINED, SAFE, UNDECIDED

REACH = 2
"""The reach of a bomb in each direction."""
BOMB_WORTH = 4.5
"""The expected mines for which a bomb is used."""
LAST_FINDS = 4
"""The bomb is used for any gain when the opponent needs at most this many finds."""
DIGITS = 9
"""Values are rounded, so that floating point errors do not break ties."""
CANDIDATES = 16
QUIET_CANDIDATES = 8
"""The number of cells compared, and of safe cells among them."""

BUDGET = 60_000
"""The work limit for counting one component; beyond it the odds are approximate."""


class Strike(NamedTuple):
    """A move in a duel."""

    cells: tuple[int, ...]
    """The cells to open in order, or the centre of the bomb."""
    bomb: bool
    why: str


class Duellist:
    """Plays one duel."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self.width, self.height, self.mines = width, height, mines
        self.around = neighbours(width, height)
        self.engine = Engine(width, height, mines, budget=BUDGET)

    def move(self, cells: Sequence[int], found: tuple[int, int], *, bomb: bool) -> Strike:
        """Return the next move.

        ``cells``: 0–8, CLOSED, or MINE if found. ``found``: the mines that this player and the opponent have found.
        ``bomb``: whether the bomb is available.
        """
        try:
            odds = self.engine.read(cells)
        except TooLarge:
            return self._roughly(cells)
        if odds.mines:
            return Strike(odds.mines, False, "certain mines")
        if bomb and (thrown := self._bomb(odds, self.mines // 2 + 1 - found[1])):
            return thrown
        cell, worth = self._likeliest(odds)
        return Strike((cell,), False, f"guess {odds.risks[cell]:.2f}, worth {worth:+.2f}")

    def _roughly(self, cells: Sequence[int]) -> Strike:
        constraints = self.engine.deduce(cells)
        if certain := [c for c, known in enumerate(constraints.known) if known == MINED and cells[c] == CLOSED]:
            return Strike(tuple(certain), False, "certain mines")
        risks = rough_odds.risks(constraints, self.mines)
        cell = min(risks, key=lambda cell: (-risks[cell], cell))
        return Strike((cell,), False, f"guess {risks[cell]:.2f}, roughly")

    def _bomb(self, odds: Odds, needed: int) -> Strike | None:
        """Return the best bomb if it finds enough mines, or if the opponent, who needs ``needed``, is about to win."""
        risks = [risk if value == CLOSED else 0.0 for risk, value in zip(odds.risks, odds.cells, strict=True)]
        worth = [sum(risks[c] for c in around(self.width, self.height, at, REACH)) for at in range(len(risks))]
        at = max(range(len(worth)), key=lambda at: (round(worth[at], DIGITS), -at))
        if worth[at] < (BOMB_WORTH if needed > LAST_FINDS else 1):
            return None
        return Strike((at,), True, f"bomb, finds {worth[at]:.1f}")

    def _likeliest(self, odds: Odds) -> tuple[int, float]:
        """Return the cell with the highest expected gain, and the gain in mines."""
        risks = odds.risks
        unsure = sorted(odds.undecided, key=lambda cell: (-round(risks[cell], DIGITS), cell))[:CANDIDATES]
        quiet = sorted(odds.safe, key=lambda cell: (self._undecided_near(odds, cell), cell))[:QUIET_CANDIDATES]
        worth = {cell: self._worth(odds, cell) for cell in [*unsure, *quiet]}
        return max(worth.items(), key=lambda item: (round(item[1], DIGITS), round(risks[item[0]], DIGITS), -item[0]))

    def _worth(self, odds: Odds, cell: int) -> float:
        risk = odds.risks[cell]
        worth = 0.0
        if risk > 0:
            worth += risk * (1 + len(self.engine.suppose((cell, MINE)).mines))
        fewest = sum(odds.known[near] == MINED for near in self.around[cell])
        for number in range(fewest, fewest + self._undecided_near(odds, cell) + 1):
            try:
                after = self.engine.suppose((cell, number))
            except (Impossible, TooLarge):
                continue
            worth -= exp(after.log_solutions - odds.log_solutions) * len(after.mines)
        return worth

    def _undecided_near(self, odds: Odds, cell: int) -> int:
        return sum(odds.known[near] in (UNDECIDED, SAFE) and odds.risks[near] > 0 for near in self.around[cell])
