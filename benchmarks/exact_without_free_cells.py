"""``exact`` without the rule of free cells: to measure on the same boards what the rule gives.

``parlour arena minesweeper exact benchmarks/exact_without_free_cells.py --score value`` compares the two.
"""

from unittest.mock import patch

from parlour_bots import Turn
from parlour_bots.minesweeper.exact import Exact
from parlour_bots.minesweeper.guessing import Guess
from parlour_bots.sdk import Action

GAME = "minesweeper"


class WithoutFreeCells(Exact):
    """``exact``, which guesses as if no cell was free."""

    def play(self, turn: Turn) -> tuple[Action, str]:
        """Return the action and its reason."""
        with patch.object(Guess, "free", lambda _: None):
            return super().play(turn)
