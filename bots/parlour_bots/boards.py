"""The board of Minesweeper for bots: the numbers and flags in a view, and the cells around a cell.

A cell is ``y * width + x``, counted from the top left.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from parlour_games.minesweeper.board import CLOSED, MINE, known
from parlour_games.minesweeper.board import neighbours as _neighbours
from parlour_protocol.messages import Plain

__all__ = ["CLOSED", "MINE", "neighbours", "numbers"]

FLAGS = frozenset("FX")
"""The characters of flagged cells."""
_NONE: frozenset[int] = frozenset()


def numbers(view: Mapping[str, Any]) -> list[int]:
    """Return what a view shows of each cell: its number, ``CLOSED``, or ``MINE`` for a mine that was set off or found.

    A flagged cell is closed. The list is empty where the view has no board.
    """
    return known(view["rows"] or ())


def neighbours(view: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the up to eight cells around each cell of the board in a view."""
    return _neighbours(view["width"], view["height"])


def untouched(view: Mapping[str, Any]) -> list[int]:
    """Return the closed cells without a flag; none where the view has no board."""
    return [cell for cell, char in enumerate("".join(view.get("rows") or ())) if char == "."]


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
        return frozenset(near for near in _neighbours(self.width, self.height)[cell] if self.cells[near] == CLOSED)

    def hidden(self, cell: int) -> int:
        """Return the number of mines in closed cells around the number at ``cell``."""
        found = sum(self.cells[near] == MINE for near in _neighbours(self.width, self.height)[cell])
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
