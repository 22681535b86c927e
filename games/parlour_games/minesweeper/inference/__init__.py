"""Inference: what follows from what a player sees of a board, exactly.

``Engine(width, height, mines).read(cells)`` returns ``Odds``: the cells that are safe in all completions, those that
are mines in all, the number of completions and the probability of each cell. The path through the modules:

    counting    what single numbers decide, kept from one position to the next
    frontier    what is left next to numbers, as groups of equal cells in independent components
    component   the placements of one component by their number of mines
    mixing      the components and the spare cells share the mines
    odds        the answer
    engine      the whole way, with memory

Standard library only, exact integers throughout; floats exist beside them for whoever needs speed.
"""

from parlour_games.minesweeper.inference.engine import Engine
from parlour_games.minesweeper.inference.errors import Impossible, TooLarge
from parlour_games.minesweeper.inference.odds import Odds

__all__ = ["Engine", "Impossible", "Odds", "TooLarge"]
