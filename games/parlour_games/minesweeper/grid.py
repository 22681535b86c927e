"""Cells, their neighbours, and the values of cells as a player sees them.

A cell is an int, ``y · width + x``, counted from the top left; x is the column, y the row. Its value is an int, too:
0–8 for an open safe cell, CLOSED, or MINE for a mine that was set off or found.
"""

from collections.abc import Iterator
from functools import lru_cache

CLOSED = -1
MINE = -2


@lru_cache(maxsize=64)
def neighbours(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return the up to eight neighbours of each cell, ascending."""
    return tuple(
        tuple(cell for cell in around(width, height, here, 1) if cell != here) for here in range(width * height)
    )


def around(width: int, height: int, cell: int, distance: int) -> Iterator[int]:
    """Yield the cells within Chebyshev distance ``distance`` of ``cell``, itself included, ascending."""
    y, x = divmod(cell, width)
    for row in range(max(0, y - distance), min(height, y + distance + 1)):
        for column in range(max(0, x - distance), min(width, x + distance + 1)):
            yield row * width + column
