"""``exact``: the strongest bundled Minesweeper player, with exact odds, lookahead for guesses, and endgame search.

    player        the bot: a seat's view in, an action out; the first click, duels, and odds for huge positions
    guessing      the best cell when none is safe, by survival, what follows, and shapes that no number can resolve
    endgame       the best cell when few worlds are left, by optimal play or by playouts
    worlds        the possible mine layouts of a position; limits on work
    playout       what each cell shows in which worlds, and the worlds that a simple player wins

The player uses no randomness and limits its work by counting nodes, not seconds: the same position always gets the
same answer.
"""

from parlour_bots.minesweeper.exact.player import Exact, Move, Solver

__all__ = ["Exact", "Move", "Solver"]
