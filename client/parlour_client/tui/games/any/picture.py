"""The table: boards, cards and values, with the cells and cards that can be clicked."""

from collections.abc import Iterable, Sequence

import attrs
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.sanitize import clean
from parlour_client.text.any.actions import column_name
from parlour_client.text.any.shapes import Board, Cards, Fact, Marks, Part, Table
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.canvas import Canvas, placed

Cell = tuple[int, int]
_SUITS = ("red", "blue", "green", "yellow")
_KNOWN = {"x": "red", "r": "red", "o": "blue", "b": "blue", "y": "yellow", "g": "green", "0": "red", "1": "blue"}
"""The colours of signs whose meaning is obvious, in lower case."""
_GAP = 4
"""Columns between a board and what is beside it."""
_BESIDE = 34
"""Columns that the rest needs beside a board."""


@attrs.frozen
class Target:
    """A place to click: a cell of the board, or a card with its value."""

    cell: Cell | None = None
    card: object = None


@attrs.frozen
class _Line:
    text: Text
    targets: tuple[tuple[range, Target], ...] = ()


class Picture(Canvas):
    """The parts of a view. A board that is larger than the widget scrolls with the cursor, all else with the wheel."""

    class Clicked(Message):
        """A cell or a card was clicked."""

        def __init__(self, target: Target) -> None:
            super().__init__()
            self.target = target

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._parts: Sequence[Part] = ()
        self._board: Board | None = None
        self._cursor: Cell | None = None
        self._open: frozenset[Cell] = frozenset()
        self._picked: Sequence[Cell] = ()
        self._marked: set[Cell] = set()
        self._top = 0
        self._drawn: list[_Line] = []
        self._places: list[tuple[int, range, Target]] = []

    def show(
        self,
        parts: Sequence[Part],
        board: Board | None,
        cursor: Cell | None,
        possible: Iterable[Cell],
        picked: Sequence[Cell],
    ) -> None:
        """Show ``parts``. ``possible``: the cells of ``board`` that an action names next, after those ``picked``."""
        self._parts, self._board, self._cursor, self._picked = parts, board, cursor, picked
        self._open = frozenset(possible)
        self._marked = {cell for part in parts if isinstance(part, Marks) for cell in part.cells}
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the part of the picture that fits."""
        self._drawn = self._laid_out(width, height)
        self._top = max(0, min(self._top, len(self._drawn) - height))
        strips, self._places = [], []
        above = max(0, (height - len(self._drawn)) // 2)
        for y, line in enumerate([*[_Line(Text())] * above, *self._drawn[self._top : self._top + height]]):
            left = max(0, (width - max(each.text.cell_len for each in self._drawn)) // 2)
            self._places += [(y, range(left + at.start, left + at.stop), target) for at, target in line.targets]
            strips.append(placed([(left, self.look.strip(line.text, min(line.text.cell_len, width), ground=None))]))
        return strips

    def on_click(self, event: events.Click) -> None:
        """Report the clicked cell or card."""
        for y, columns, target in self._places:
            if y == event.y and event.x in columns:
                self.post_message(self.Clicked(target))
                return

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self._top += 1
        self.repaint()

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self._top -= 1
        self.repaint()

    def _laid_out(self, width: int, height: int) -> list[_Line]:
        boards = [part for part in self._parts if isinstance(part, Board)]
        rest = self._rest([part for part in self._parts if not isinstance(part, Board)], width)
        drawn = [line for board in boards for line in (*self._board_lines(board, width, height - len(rest)), _EMPTY)]
        widest = max((line.text.cell_len for line in drawn), default=0)
        if not drawn or len(drawn) + len(rest) <= height or widest + _GAP + _BESIDE > width:
            return [*drawn, *rest] or [_EMPTY]
        rest = self._rest([part for part in self._parts if not isinstance(part, Board)], width - widest - _GAP)
        rows = range(max(len(drawn), len(rest)))
        return [_beside(_at(drawn, row), _at(rest, row), widest + _GAP) for row in rows]

    # --- boards ---

    def _board_lines(self, board: Board, width: int, height: int) -> list[_Line]:
        wide = min(6, max(1, *(len(cell) for row in board.cells for cell in row)))
        side = len(str(board.height)) + 1
        ruled = 2 * board.height + 2 <= height and side + board.width * (wide + 3) + 1 <= width
        step = wide + 3 if ruled else wide + 1
        names = "".join(clean(column_name(column), wide).center(step) for column in range(board.width))
        lines = [_Line(self.look.text((" " * (side + ruled) + names, "dim")))]
        for row in range(board.height):
            if ruled:
                lines.append(_Line(self._rule(board, side, step - 1, first=row == 0)))
            lines.append(self._row(board, row, side, wide, ruled))
        if ruled:
            lines.append(_Line(self._rule(board, side, step - 1, first=False, last=True)))
        return lines

    def _rule(self, board: Board, side: int, wide: int, *, first: bool, last: bool = False) -> Text:
        left, right, low_left, low_right, flat, _ = self.look.glyphs.box
        if len({left, right, low_left}) == 1:
            ends = left, left, left
        else:
            ends = (left, "┬", right) if first else (low_left, "┴", low_right) if last else ("├", "┼", "┤")
        return self.look.text((" " * side + ends[0] + ends[1].join([flat * wide] * board.width) + ends[2], "edge"))

    def _row(self, board: Board, row: int, side: int, wide: int, ruled: bool) -> _Line:
        look = self.look
        bar = look.text((look.glyphs.box[5], "edge")) if ruled else Text()
        line = look.text((str(row + 1).rjust(side - 1) + " ", "dim"), bar)
        targets = []
        for column, sign in enumerate(board.cells[row]):
            text = self._cell(board, (row, column), sign, wide + 2 if ruled else wide + 1)
            targets.append((range(line.cell_len, line.cell_len + text.cell_len), Target(cell=(row, column))))
            line.append_text(text)
            line.append_text(bar)
        return _Line(line, tuple(targets) if board is self._board else ())

    def _cell(self, board: Board, at: Cell, sign: str, wide: int) -> Text:
        look, here = self.look, board is self._board
        role = "dim" if not sign else sign_colour(sign)
        shown = clean(sign, wide - 1) if sign else look.glyphs.dot if here and at in self._open else " "
        text = Text(end="", no_wrap=True)
        under = here and at == self._cursor
        ground = (
            "cursor"
            if under
            else "gold"
            if here and at in self._marked
            else "panel"
            if here and at in self._picked
            else None
        )
        style = look.style(
            "cursor_ink" if under else "table" if ground == "gold" else role,
            ground,
            bold=bool(sign) or under,
            reverse=under,
        )
        text.append(shown.center(wide), style)
        return text

    # --- the rest ---

    def _rest(self, parts: Sequence[Part], width: int) -> list[_Line]:
        facts = [part for part in parts if isinstance(part, Fact)]
        lines = [self._facts(facts)] if facts else []
        for part in parts:
            if isinstance(part, Cards):
                lines += [_EMPTY, *self._cards(part, width)]
            elif isinstance(part, Table):
                lines += [_EMPTY, *self._table(part)]
        return lines

    def _facts(self, facts: Sequence[Fact]) -> _Line:
        said = [self.look.text((f"{fact.name} " if fact.name else "", "dim"), fact.words) for fact in facts]
        return _Line(self.look.joined(*said, gap=3))

    def _cards(self, part: Cards, width: int) -> list[_Line]:
        look, lines = self.look, []
        line, targets = look.text((f"{part.name}  ", "dim")), list[tuple[range, Target]]()
        if not part.words:
            line.append_text(look.text((look.glyphs.dash, "dim")))
        for value, words in zip(part.values, part.words, strict=True):
            card = Text(f" {clean(words) or ' '} ", look.style("table", "chip", bold=True), end="")
            if targets and line.cell_len + card.cell_len + 1 > width:
                lines.append(_Line(line, tuple(targets)))
                line, targets = look.text(" " * (len(part.name) + 2)), []
            targets.append((range(line.cell_len, line.cell_len + card.cell_len), Target(card=value)))
            line = look.text(line, card, " ")
        return [*lines, _Line(line, tuple(targets))]

    def _table(self, part: Table) -> list[_Line]:
        look = self.look
        rows = [*([part.heads] if part.heads else []), *part.rows]
        wide = [
            max(len(row[at]) if at < len(row) else 0 for row in rows) for at in range(max(map(len, rows), default=0))
        ]
        lines = [_Line(look.text((part.name, "dim")))]
        for row in rows:
            role = "dim" if row is part.heads else "ink"
            cells = (
                look.text((cell.ljust(wide[at]), role if at or part.heads else "dim")) for at, cell in enumerate(row)
            )
            lines.append(_Line(look.text("  ", look.joined(*cells, gap=2))))
        return lines


_EMPTY = _Line(Text(end=""))


def sign_colour(sign: str) -> str:
    """Return the role of the colour of a sign on a board: always the same one for the same sign."""
    known = _KNOWN.get(sign[0].lower()) if len(sign) == 1 or sign.lower() in _SUITS else None
    return known or ("ink" if sign.isdigit() else _SUITS[sum(map(ord, sign)) % len(_SUITS)])


def _at(lines: Sequence[_Line], row: int) -> _Line:
    return lines[row] if row < len(lines) else _EMPTY


def _beside(left: _Line, right: _Line, column: int) -> _Line:
    text = left.text.copy()
    text.append(" " * (column - text.cell_len))
    text.append_text(right.text)
    moved = tuple((range(at.start + column, at.stop + column), target) for at, target in right.targets)
    return _Line(text, (*left.targets, *moved))
