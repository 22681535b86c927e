"""A position: what a seat's view of Minesweeper says about each cell, and the flags."""

import attrs

from parlour_games.minesweeper.board import CLOSED, MINE, known, neighbours
from parlour_protocol.messages import Plain

FLAGS = frozenset("FX")
"""The characters of flagged cells."""
_NONE: frozenset[int] = frozenset()


@attrs.frozen
class BoardPosition:
    """The knowledge of a player about the board. A cell is an int, ``y · width + x``."""

    width: int
    height: int
    mines: int
    """The number of mines on the board, including exploded and found ones."""
    cells: list[int]
    """For each cell 0–8, CLOSED, or MINE if it exploded or was found. A flagged cell is CLOSED."""
    flags: frozenset[int]

    def at(self, cell: int) -> list[int]:
        """Return ``cell`` as ``[x, y]``, for actions."""
        y, x = divmod(cell, self.width)
        return [x, y]

    def closed(self, cell: int) -> frozenset[int]:
        """Return the closed neighbours of ``cell``, flagged or not."""
        return frozenset(near for near in neighbours(self.width, self.height)[cell] if self.cells[near] == CLOSED)

    def hidden(self, cell: int) -> int:
        """Return the number of mines in closed cells around the number at ``cell``."""
        found = sum(self.cells[near] == MINE for near in neighbours(self.width, self.height)[cell])
        return self.cells[cell] - found

    def numbers(self) -> list[int]:
        """Return the open cells in ascending order."""
        return [cell for cell, known in enumerate(self.cells) if known >= 0]


def position(view: Plain) -> BoardPosition:
    """Return the position that ``view`` shows. Raises TypeError for a view without rows, as in a watched race."""
    text = "".join(view["rows"])
    cells = known(view["rows"])
    flagged = not FLAGS.isdisjoint(text)
    flags = frozenset(cell for cell, char in enumerate(text) if char in FLAGS) if flagged else _NONE
    return BoardPosition(view["width"], view["height"], view["mines"], cells, flags)
