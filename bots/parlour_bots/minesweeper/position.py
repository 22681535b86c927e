"""A seat's view of Minesweeper as a position: what is known of every cell, and where flags stand."""

import attrs

from parlour_games.minesweeper.grid import CLOSED, MINE, neighbours
from parlour_games.minesweeper.visible_board import known
from parlour_protocol.messages import Plain

FLAGS = frozenset("FX")
"""The characters of cells with a flag."""
_NONE: frozenset[int] = frozenset()


@attrs.frozen
class Position:
    """What a player knows. A cell is an int, ``y · width + x``."""

    width: int
    height: int
    mines: int
    """How many there are on the whole board, those that were set off or found included."""
    cells: list[int]
    """For each cell 0–8, CLOSED, or MINE for one that was set off or found. A flag does not make a cell known."""
    flags: frozenset[int]

    def at(self, cell: int) -> list[int]:
        """Return ``cell`` as ``[x, y]``, as it stands in an action."""
        y, x = divmod(cell, self.width)
        return [x, y]

    def closed(self, cell: int) -> frozenset[int]:
        """Return the closed neighbours of ``cell``, with a flag or without."""
        return frozenset(near for near in neighbours(self.width, self.height)[cell] if self.cells[near] == CLOSED)

    def hidden(self, cell: int) -> int:
        """Return how many of the mines around the number at ``cell`` are in closed cells."""
        found = sum(self.cells[near] == MINE for near in neighbours(self.width, self.height)[cell])
        return self.cells[cell] - found

    def numbers(self) -> list[int]:
        """Return the open cells, ascending."""
        return [cell for cell, known in enumerate(self.cells) if known >= 0]


def position(view: Plain) -> Position:
    """Return the position that ``view`` shows. Raises TypeError for a view without rows (who only watches a race)."""
    text = "".join(view["rows"])
    cells = known(view["rows"])
    flagged = not FLAGS.isdisjoint(text)
    flags = frozenset(cell for cell, char in enumerate(text) if char in FLAGS) if flagged else _NONE
    return Position(view["width"], view["height"], view["mines"], cells, flags)
