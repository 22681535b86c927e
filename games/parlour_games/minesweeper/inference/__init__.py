"""Exact inference from what a player sees of a board.

``Engine(width, height, mines).read(cells)`` returns ``Odds``: the cells that are safe, and those that are mines, in all
completions, the number of completions, and the probability of each cell. The modules, in order of use:

    constraints  deduction from single numbers, kept from one position to the next
    frontier     undecided cells next to numbers, as groups of equal cells in independent components
    component    counts the placements of one component by their number of mines
    layouts      distributes the mines among the components and the other cells, and names one completion by its number
    engine       runs all of these for the odds, and caches

It uses the standard library and ``grid`` only. Results are exact integers; some exist as floats, too, for speed.
"""

from parlour_games.minesweeper.inference.component import UNLIMITED
from parlour_games.minesweeper.inference.constraints import Impossible, TooLarge
from parlour_games.minesweeper.inference.engine import Engine, Odds

__all__ = ["UNLIMITED", "Engine", "Impossible", "Odds", "TooLarge"]
