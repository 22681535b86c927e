"""The visible part of a board in an area of the screen. Positions are columns and rows of text from the top left."""

import attrs

from parlour_client.text.minesweeper.board import At

_MARGIN = 2
"""Cells kept visible beyond the cursor."""
_FRAMED = 12
"""The rows an area needs for a frame around a board that does not fit."""

Cell = tuple[int, int]
"""Columns and rows of a cell."""
CELLS: tuple[Cell, ...] = ((2, 1), (3, 1), (4, 2), (6, 3))
"""The sizes of cells, the smallest first."""


def fitting(place: tuple[int, int], board: tuple[int, int]) -> Cell:
    """Return the largest cell with which ``board`` and its frame fit in ``place``, else the smallest."""
    fit = [(wide, tall) for wide, tall in CELLS if board[0] * wide + 2 <= place[0] and board[1] * tall + 2 <= place[1]]
    return fit[-1] if fit else CELLS[0]


@attrs.frozen
class Viewport:
    """A board of ``board`` cells, each of the size ``cell``, in an area of ``place`` columns and rows.

    ``offset`` is the cell at the top left, as returned by ``moved`` or ``showing``.
    """

    place: tuple[int, int]
    board: tuple[int, int]
    cell: Cell = CELLS[0]
    offset: At = (0, 0)

    @property
    def framed(self) -> bool:
        """Whether a frame fits around the board or its visible part."""
        columns, rows = self.place
        needs = self.board[0] * self.cell[0], self.board[1] * self.cell[1]
        if needs[0] <= columns and needs[1] <= rows:
            return needs[0] + 2 <= columns and needs[1] + 2 <= rows
        return rows >= _FRAMED

    @property
    def seen(self) -> tuple[int, int]:
        """The number of visible columns and rows of cells."""
        frame = 2 * self.framed
        columns, rows = ((size - frame) // each for size, each in zip(self.place, self.cell, strict=True))
        return max(0, min(self.board[0], columns)), max(0, min(self.board[1], rows))

    @property
    def whole(self) -> bool:
        """Whether the whole board is visible."""
        return self.seen == self.board

    @property
    def origin(self) -> tuple[int, int]:
        """The column and row of text of the first cell; the board is centred."""
        (across, down), (width, height) = self.seen, self.cell
        return max(0, (self.place[0] - across * width) // 2), max(0, (self.place[1] - down * height) // 2)

    def at(self, column: int, row: int) -> At | None:
        """Return the cell at a column and row of text, None if there is none."""
        x, y = (column - self.origin[0]) // self.cell[0], (row - self.origin[1]) // self.cell[1]
        if 0 <= x < self.seen[0] and 0 <= y < self.seen[1]:
            return x + self.offset[0], y + self.offset[1]
        return None

    def where(self, at: At) -> tuple[int, int] | None:
        """Return the column and row of text where a cell begins, None if it is not visible."""
        x, y = at[0] - self.offset[0], at[1] - self.offset[1]
        if 0 <= x < self.seen[0] and 0 <= y < self.seen[1]:
            return self.origin[0] + x * self.cell[0], self.origin[1] + y * self.cell[1]
        return None

    def moved(self, x: int, y: int) -> "Viewport":
        """Return a viewport with ``offset`` at (x, y), within the board."""
        most = self.board[0] - self.seen[0], self.board[1] - self.seen[1]
        return attrs.evolve(self, offset=(max(0, min(x, most[0])), max(0, min(y, most[1]))))

    def showing(self, at: At) -> "Viewport":
        """Return a viewport scrolled as little as needed to show ``at`` with a margin."""
        x, y = (
            max(min(start, here - margin), here + margin + 1 - seen)
            for start, here, seen, margin in zip(self.offset, at, self.seen, self._margins(), strict=True)
        )
        return self.moved(x, y)

    def centred(self, at: At) -> "Viewport":
        """Return a viewport centred on ``at``, within the board."""
        return self.moved(at[0] - self.seen[0] // 2, at[1] - self.seen[1] // 2)

    def _margins(self) -> tuple[int, int]:
        across, down = (max(0, min(_MARGIN, (seen - 1) // 2)) for seen in self.seen)
        return across, down
