"""``exact``: the strongest bundled Minesweeper player, with exact odds, lookahead for guesses, and endgame search.

    player        the bot: a seat's view in, an action out
    solver        a position in, the cells to open and the reason out
    opening       the first click
    guessing      the best cell when none is safe, by survival and what follows
    fifty_fifty   shapes that no number can resolve
    endgame       the best cell when few worlds are left
    worlds        the possible mine layouts of a position
    allocations   the ways to distribute a component's mines over its groups
    outcomes      what each cell shows in which worlds
    playout       the worlds that a simple player wins
    exact_search  optimal play in a set of worlds
    duel          the mode in which players look for mines
    rough_odds    approximate odds for huge positions
    work_budget   limits on work

The player uses no randomness and limits its work by counting nodes, not seconds: the same position always gets the
same answer.
"""

from parlour_bots.minesweeper.exact.player import Exact
from parlour_bots.minesweeper.exact.solver import Move, Solver

__all__ = ["Exact", "Move", "Solver"]
