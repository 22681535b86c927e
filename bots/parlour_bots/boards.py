"""The board of Minesweeper for bots: the numbers in a view, and the cells around a cell.

A cell is ``y * width + x``, counted from the top left.
"""

from collections.abc import Mapping
from typing import Any

from parlour_games.minesweeper.board import CLOSED, MINE, known
from parlour_games.minesweeper.board import neighbours as _neighbours

__all__ = ["CLOSED", "MINE", "neighbours", "numbers"]


def numbers(view: Mapping[str, Any]) -> list[int]:
    """Return what a view shows of each cell: its number, ``CLOSED``, or ``MINE`` for a mine that was set off or found.

    A flagged cell is closed. The list is empty where the view has no board.
    """
    return known(view["rows"] or ())


def neighbours(view: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the up to eight cells around each cell of the board in a view."""
    return _neighbours(view["width"], view["height"])
