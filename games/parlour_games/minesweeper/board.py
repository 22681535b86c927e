"""Boards: with mines and numbers, from a match's randomness or a given layout; and as their players see them.

A board is shown with one character per cell. ``.`` is closed, ``F`` closed and flagged, ``0``–``8`` open, ``*`` a mine
that was set off, ``A`` and ``B`` a mine found by seat 0 or 1. When the match is over, ``M`` is a mine that was not
flagged, and ``X`` a wrong flag.

A cell is an int, ``y · width + x``, counted from the top left; x is the column, y the row. Its value is an int, too:
0–8 for an open safe cell, CLOSED, or MINE for a mine that was set off or found.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

import attrs

from parlour_games.fair import Stream
from parlour_games.minesweeper.options import Shape, reach

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
class GivenMines:
    """A fixed layout, for arenas and tests. No option and no message can request it."""

    layout: tuple[int, ...]
    first: int = 0

    def start(self, shape: Shape) -> int:
        """Return the first cell."""
        return self.first

    def mines(self, shape: Shape, promise: str, first: int, attempt: int) -> list[int]:
        """Return the layout."""
        return list(self.layout)


_CLOSED, _FLAG, _ZERO, _EXPLODED, _FOUND, _SHOWN, _WRONG = b".F0*AMX"
_CODES = {ord(char): number for number, char in enumerate("012345678")} | dict.fromkeys(b"*ABM", MINE)
_KNOWN = [_CODES.get(code, CLOSED) for code in range(256)]
_AS_MINE = frozenset(b"F*AB")


class VisibleBoard:
    """The open and flagged cells of a board. Methods carry out what a player does and return the effect."""

    __slots__ = ("height", "open", "shown", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.shown = bytearray(b"." * (width * height))
        self.open = 0
        """Number of open safe cells."""

    def copy(self) -> "VisibleBoard":
        """Return an independent copy."""
        other = VisibleBoard.__new__(VisibleBoard)
        other.width, other.height, other.shown, other.open = self.width, self.height, self.shown[:], self.open
        return other

    def rows(self) -> list[str]:
        """Return the rows from the top, one character per cell."""
        text, width = self.shown.decode(), self.width
        return [text[start : start + width] for start in range(0, len(text), width)]

    def is_closed(self, cell: int) -> bool:
        """Whether the cell is closed, flagged or not."""
        return self.shown[cell] in b".F"

    def is_number(self, cell: int) -> bool:
        """Whether the cell is open and safe."""
        return _ZERO <= self.shown[cell] <= _ZERO + 8

    def open_cell(self, board: Board, cell: int) -> int | None:
        """Open a cell and, if it is a 0, its neighbours, recursively. Return the number of opened cells.

        Return None if the cell is a mine, and 0 if it is open or flagged. Both change nothing.
        """
        shown, numbers = self.shown, board.numbers
        if shown[cell] != _CLOSED:
            return 0
        if numbers[cell] == IS_MINE:
            return None
        before, around = self.open, neighbours(self.width, self.height)
        shown[cell] = _ZERO + numbers[cell]
        self.open += 1
        zeros = [cell] if not numbers[cell] else []
        while zeros:
            for near in around[zeros.pop()]:
                if shown[near] == _CLOSED:
                    shown[near] = _ZERO + numbers[near]
                    self.open += 1
                    if not numbers[near]:
                        zeros.append(near)
        return self.open - before

    def explode(self, cell: int) -> None:
        """Show a mine that was set off."""
        self.shown[cell] = _EXPLODED

    def find(self, cell: int, seat: int) -> None:
        """Show a mine found by ``seat``."""
        self.shown[cell] = _FOUND + seat

    def flag(self, cell: int, on: bool) -> bool:
        """Mark a closed cell, or remove its mark. Return whether that changed anything."""
        if self.shown[cell] != (_CLOSED if on else _FLAG):
            return False
        self.shown[cell] = _FLAG if on else _CLOSED
        return True

    def chord_cells(self, cell: int) -> list[int]:
        """Return the cells that a chord opens: none unless as many neighbours are marked or known mines as it says."""
        if not self.is_number(cell):
            return []
        near, shown = neighbours(self.width, self.height)[cell], self.shown
        marked = sum(shown[other] in _AS_MINE for other in near)
        return [other for other in near if shown[other] == _CLOSED] if marked == shown[cell] - _ZERO else []

    def flagged(self, board: Board) -> int:
        """Return the number of flagged mines."""
        return sum(self.shown[mine] == _FLAG for mine in board.mines)

    def reveal(self, board: Board, won: bool) -> "VisibleBoard":
        """Return the board as shown after the match, with all mines; they are flagged if it was cleared."""
        shown = self.copy()
        for cell, char in enumerate(self.shown):
            if char == _FLAG and board.numbers[cell] != IS_MINE:
                shown.shown[cell] = _WRONG
        for mine in board.mines:
            if self.shown[mine] == _CLOSED:
                shown.shown[mine] = _FLAG if won else _SHOWN
        return shown


def known(rows: Iterable[str]) -> list[int]:
    """Return the value of each cell in ``rows``: its number, CLOSED, or MINE."""
    table = _KNOWN
    return [table[code] for code in "".join(rows).encode("ascii", "replace")]


def solved(board: Board) -> "VisibleBoard":
    """Return the visible board with all safe cells open."""
    visible = VisibleBoard(board.shape.width, board.shape.height)
    for cell, number in enumerate(board.numbers):
        if number != IS_MINE:
            visible.shown[cell] = _ZERO + number
    visible.open = board.shape.safe
    return visible
