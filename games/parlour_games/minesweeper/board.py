"""Boards with mines and numbers, and the sources of mines: a match's randomness, or a given layout."""

from typing import Protocol

import attrs

from parlour_games.fair import Stream
from parlour_games.minesweeper.grid import around, neighbours
from parlour_games.minesweeper.options import Shape, reach

IS_MINE = 9
"""The value of a mine in ``Board.numbers``."""


class Board:
    """A board with its mines. ``numbers[cell]`` is the number of mines around a safe cell, or IS_MINE."""

    __slots__ = ("mines", "numbers", "shape")

    def __init__(self, shape: Shape, mines: list[int]) -> None:
        self.shape = shape
        self.mines = sorted(mines)
        numbers = [0] * shape.cells
        around_of = neighbours(shape.width, shape.height)
        for mine in mines:
            for cell in around_of[mine]:
                numbers[cell] += 1
        for mine in mines:
            numbers[mine] = IS_MINE
        self.numbers = bytes(numbers)


class Source(Protocol):
    """The source of the mines of a match."""

    def start(self, shape: Shape) -> int:
        """Return the cell that the server opens for every seat in a race."""

    def mines(self, shape: Shape, promise: str, first: int, attempt: int) -> list[int]:
        """Return the mines of attempt ``attempt`` for a first click at ``first``, keeping ``promise``."""


@attrs.frozen
class Dealt:
    """Random mines. Label ``start`` draws the first cell of a race, ``mines/N`` the mines of attempt N, and ``kind/N``
    the board after the Nth guess that was spared.

    Mines are drawn from the cells that the first click does not keep free, in ascending order.
    """

    stream: Stream

    def start(self, shape: Shape) -> int:
        """Return a uniformly random cell."""
        return self.stream.label("start").below(shape.cells)

    def mines(self, shape: Shape, promise: str, first: int, attempt: int) -> list[int]:
        """Return uniformly random mines that keep ``promise``."""
        distance = reach(shape, promise)
        free = set(around(shape.width, shape.height, first, distance)) if distance >= 0 else set()
        items = [cell for cell in range(shape.cells) if cell not in free]
        return self.stream.label(f"mines/{attempt}").draw(items, shape.mines)


@attrs.frozen
class Given:
    """A fixed layout, for arenas and tests. No option and no message can request it."""

    layout: tuple[int, ...]
    first: int = 0

    def start(self, shape: Shape) -> int:
        """Return the first cell."""
        return self.first

    def mines(self, shape: Shape, promise: str, first: int, attempt: int) -> list[int]:
        """Return the layout."""
        return list(self.layout)
