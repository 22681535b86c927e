"""The strongest bundled Minesweeper player: exact odds, a look ahead before each guess, perfect play at the end.

    player      the bot: a seat's view in, an action out
    solver      the same without a room: a position in, the cells to open and why
    opening     the first click
    guessing    which cell to open when none is safe: survival, and what comes after it
    effort      what looking ahead costs
    fifty       shapes that no number will ever tell apart
    worlds      the completions of a position one by one
    endgame     perfect play while these are few
    duel        looking for mines instead of safe cells

No chance is involved, and effort is counted in nodes, not in seconds: the same position gets the same answer
everywhere.
"""

from parlour_bots.minesweeper.exact.player import Exact
from parlour_bots.minesweeper.exact.solver import Move, Solver

__all__ = ["Exact", "Move", "Solver"]
