"""Score a game by what perfect play would win from its endgame, instead of by its end.

A game ends with guesses that no skill decides. Where few mine layouts are left, the share of them that perfect play
wins can be computed. Taken in place of the end, it leaves out the luck of the last guesses: differences between bots
that play their endgames perfectly vary less, so that fewer boards tell them apart.
"""

from collections.abc import Sequence

from parlour_bots.minesweeper.exact import endgame
from parlour_games.minesweeper.inference import Engine, TooLarge

MOST_WORLDS = 400
"""The most mine layouts of an endgame that is valued. More are seldom searched within the budget."""
BUDGET = 200_000
"""The work limit of a search, in cells evaluated on a set of layouts: about a second. Beyond it the game goes on."""


class ExpectedValue:
    """Values the first guess of a game that has few possible layouts."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self._engine = Engine(width, height, mines)
        self.value: float | None = None
        """The probability that perfect play wins from there, from 0 to 1; None before."""

    def look(self, cells: Sequence[int]) -> None:
        """Value the position if it is the first such guess. ``cells`` are as in ``Engine.read``."""
        if self.value is not None or self._engine.deduce(cells).safe:
            return
        try:
            odds = self._engine.read(cells)
            if not odds.safe and odds.solutions <= MOST_WORLDS:
                self.value = endgame.perfect_value(self._engine.width, self._engine.height, odds, BUDGET)
        except TooLarge:
            return
