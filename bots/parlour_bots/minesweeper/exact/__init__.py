"""The strongest bundled Minesweeper player: exact odds, a look ahead before each guess, all that may be at the end.

    player      the bot: a seat's view in, an action out
    solver      the same without a room: a position in, the cells to open and why
    opening     the first click
    guessing    which cell to open when none is safe: survival, and what comes after it
    effort      what looking ahead costs
    fifty       shapes that no number will ever tell apart
    endgame     which cell to open while few worlds are left
    worlds      the completions of a position one by one
    spreads     the ways to share a component's mines among its groups
    outcomes    what each cell would show in which worlds
    playout     how many worlds a simple player wins
    perfect     the best that can be made of a set of worlds
    duel        looking for mines instead of safe cells

No chance is involved, and effort is counted in nodes, not in seconds: the same position gets the same answer
everywhere.
"""

from parlour_bots.minesweeper.exact.player import Exact
from parlour_bots.minesweeper.exact.solver import Move, Solver

__all__ = ["Exact", "Move", "Solver"]
