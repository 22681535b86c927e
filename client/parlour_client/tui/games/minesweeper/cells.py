"""The appearance of cells, and the visible part of a board.

Closed and open cells alternate between two close shades each, which shows the grid without lines. Without colours,
closed cells are filled with a character, and open ones without a number are blank.
"""

import attrs
from rich.segment import Segment
from rich.style import Style

from parlour_client.text.minesweeper.board import CLOSED, FLAG, At
from parlour_client.text.minesweeper.odds import MINED, SAFE
from parlour_client.tui.glyphs import has_signs, sign
from parlour_client.tui.theme import Appearance

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
            for start, here, seen in zip(self.offset, at, self.seen, strict=True)
            for margin in [max(0, min(_MARGIN, (seen - 1) // 2))]
        )
        return self.moved(x, y)

    def centred(self, at: At) -> "Viewport":
        """Return a viewport centred on ``at``, within the board."""
        return self.moved(at[0] - self.seen[0] // 2, at[1] - self.seen[1] // 2)


HIDDEN = CLOSED + FLAG + "MX"
"""Characters drawn on closed cells."""

_HOVER, _LAST = 0.1, 0.3
"""The share of a mark's colour in the shade of a cell."""
_FADED = 0.35
"""The share by which every other number of the odds is fainter, to separate neighbours."""
_FOUND = "AB"
_LARGE = 3
"""Rows of a cell from which digits are drawn large."""


@attrs.frozen
class Square:
    """The state of a cell to draw. ``hint``: the odds in two characters, or ""; ``odd``: use the other shade."""

    char: str
    odd: bool = False
    hint: str = ""
    best: bool = False
    cursor: bool = False
    hover: bool = False
    pending: bool = False
    last: bool = False
    own: bool = False
    """Whether we found this mine."""


class Painter:
    """Draws cells of one size. Results are cached."""

    def __init__(self, look: Appearance, size: Cell) -> None:
        self.look = look
        self.size = size
        self._made: dict[Square, tuple[Segment, ...]] = {}

    def paint(self, square: Square) -> tuple[Segment, ...]:
        """Return the lines of a cell, from the top."""
        made = self._made.get(square)
        if made is None:
            style = self._style(square)
            made = self._made[square] = tuple(Segment(line, style) for line in self._lines(square))
        return made

    def _lines(self, square: Square) -> list[str]:
        """Return the lines: a large digit if there is space, else a word in the middle."""
        width, height = self.size
        word = self._word(square)
        filled = not self.look.coloured and square.char == CLOSED and not word and not square.cursor
        fill = self.look.glyphs.closed if filled else " "
        if word.isdecimal() and len(word) == 1 and height >= _LARGE and has_signs(self.look.glyphs):
            return [f"{line:^{width}}" for line in sign(self.look.glyphs, word)]
        before = fill * ((width - max(1, len(word))) // 2)
        lines = [fill * width] * height
        lines[height // 2] = (before + word).ljust(width, fill)
        return lines

    def _word(self, square: Square) -> str:
        glyphs, char = self.look.glyphs, square.char
        if char == FLAG:
            return glyphs.flag + ("?" if square.hint == SAFE else "")
        if char == CLOSED and square.hint:
            return square.hint
        if char == CLOSED:
            return glyphs.dot if square.pending else ""
        if char == "0":
            return glyphs.blank if square.cursor else ""
        if char in _FOUND:
            return glyphs.flag + char
        return {
            "X": glyphs.wrong_flag + "x",
            "M": glyphs.mine,
            "*": glyphs.mine + "!",
        }.get(char, char)

    def _style(self, square: Square) -> Style:
        """Return the style: colours, or weight, underline and reversal in place of them."""
        if square.cursor:
            return self.look.style("cursor_ink", "cursor", bold=True, underline=square.char == "*")
        ink, loud = self._ink(square)
        quiet = square.pending or (square.odd and square.char == CLOSED and square.hint not in (SAFE, MINED))
        return self.look.style(ink, self._ground(square), bold=loud, dim=quiet, underline=square.last or square.hover)

    def _ink(self, square: Square) -> tuple[str, bool]:
        """Return the colour role of the text, and whether it is bold."""
        char = square.char
        if square.pending:
            return "dim" if char == FLAG else "ink", False
        if square.hint and (char == CLOSED or square.hint == SAFE):
            return self._hint_ink(square)
        if char in "12345678":
            return f"number_{char}", True
        if char in _FOUND:
            return "gold" if square.own else "number_6", True
        if char == "*":
            return "table", True
        danger = {"M": "mine", "X": "coral"} if self.look.coloured else {}
        return {FLAG: "flag", **danger}.get(char, "ink"), char != CLOSED

    def _hint_ink(self, square: Square) -> tuple[str, bool]:
        if square.hint in (SAFE, MINED):
            return "table", True
        if square.best:
            return "gold", True
        return (self.look.blend("ink", "closed_b", _FADED) or "ink") if square.odd else "ink", False

    def _ground(self, square: Square) -> str | None:
        """Return the background of a cell; without colours None, except for urgent marks."""
        char, look = square.char, self.look
        if not look.coloured:
            return "coral" if char == "*" else "chip" if square.hint == SAFE or square.best else None
        shade = f"{'closed' if char in HIDDEN else 'open'}_{'b' if square.odd else 'a'}"
        if char == "*":
            return "coral"
        if square.hint == SAFE or (square.hint == MINED and char == CLOSED):
            shade = "safe" if square.hint == SAFE else "coral"
        elif square.last:
            shade = look.blend(shade, "gold", _LAST) or shade
        return look.blend(shade, "ink", _HOVER) if square.hover else shade
