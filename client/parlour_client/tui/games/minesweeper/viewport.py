"""Which cells of a board are seen in a place on the screen, and where. Columns and rows of text, from the top left."""

import attrs

from parlour_client.tui.games.minesweeper.pending import At

_MARGIN = 2
"""Cells that are seen beyond the cursor, as far as there are any."""
_FRAMED = 12
"""Rows of text that a place must have for a frame around a board that does not fit it anyway."""


@attrs.frozen
class Viewport:
    """A board of ``board`` cells, each ``cell`` columns wide, in a place of ``place`` columns and rows.

    ``offset`` is the cell at the top left; keep it what ``moved`` or ``showing`` return.
    """

    place: tuple[int, int]
    board: tuple[int, int]
    cell: int = 2
    offset: At = (0, 0)

    @property
    def framed(self) -> bool:
        """Whether there is room for a frame: around all of the board, or around what is seen of a larger one."""
        columns, rows = self.place
        needs = self.board[0] * self.cell, self.board[1]
        if needs[0] <= columns and needs[1] <= rows:
            return needs[0] + 2 <= columns and needs[1] + 2 <= rows
        return rows >= _FRAMED

    @property
    def seen(self) -> tuple[int, int]:
        """How many columns and rows of cells are seen."""
        frame = 2 * self.framed
        columns, rows = (self.place[0] - frame) // self.cell, self.place[1] - frame
        return max(0, min(self.board[0], columns)), max(0, min(self.board[1], rows))

    @property
    def whole(self) -> bool:
        """Whether all of the board is seen."""
        return self.seen == self.board

    @property
    def origin(self) -> tuple[int, int]:
        """Column and row of text where the first cell begins: the board is in the middle of its place."""
        across, down = self.seen
        return max(0, (self.place[0] - across * self.cell) // 2), max(0, (self.place[1] - down) // 2)

    def at(self, column: int, row: int) -> At | None:
        """Return the cell at a column and row of text, None if there is none."""
        x, y = (column - self.origin[0]) // self.cell, row - self.origin[1]
        if 0 <= x < self.seen[0] and 0 <= y < self.seen[1]:
            return x + self.offset[0], y + self.offset[1]
        return None

    def where(self, at: At) -> tuple[int, int] | None:
        """Return column and row of text where a cell begins, None if it is not seen."""
        x, y = at[0] - self.offset[0], at[1] - self.offset[1]
        if 0 <= x < self.seen[0] and 0 <= y < self.seen[1]:
            return self.origin[0] + x * self.cell, self.origin[1] + y
        return None

    def moved(self, x: int, y: int) -> "Viewport":
        """Return it with ``offset`` at (x, y), or as near to that as the board reaches."""
        most = self.board[0] - self.seen[0], self.board[1] - self.seen[1]
        return attrs.evolve(self, offset=(max(0, min(x, most[0])), max(0, min(y, most[1]))))

    def showing(self, at: At) -> "Viewport":
        """Return it scrolled as little as it takes to see ``at``, and a little beyond."""
        x, y = (
            max(min(start, here - margin), here + margin + 1 - seen)
            for start, here, seen, margin in zip(self.offset, at, self.seen, self._margins(), strict=True)
        )
        return self.moved(x, y)

    def centred(self, at: At) -> "Viewport":
        """Return it scrolled so that ``at`` is in the middle, as far as the board reaches."""
        return self.moved(at[0] - self.seen[0] // 2, at[1] - self.seen[1] // 2)

    def _margins(self) -> tuple[int, int]:
        across, down = (max(0, min(_MARGIN, (seen - 1) // 2)) for seen in self.seen)
        return across, down
