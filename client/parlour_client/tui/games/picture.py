"""The table of any game: boards, cards and values, with the cells and cards to click, and the seats with their clocks.

What matters now stays in sight.
"""

from collections.abc import Iterable, Sequence

import attrs
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.printing import clean, time_left
from parlour_client.core.room import JoinedRoom, kind_of
from parlour_client.text.actions import column_name
from parlour_client.text.shapes import Cards, Fact, Grid, MarkedCells, Part, Seated, TextTable
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import TARGET, Canvas, placed, scroll_bar, target, tick

Cell = tuple[int, int]
_SUITS = ("red", "blue", "green", "yellow")
_KNOWN = {"x": "red", "r": "red", "o": "blue", "b": "blue", "y": "yellow", "g": "green", "0": "red", "1": "blue"}
"""The colours of signs whose meaning is obvious, in lower case."""
_GAP = 4
"""Columns between a board and what is beside it."""
_BESIDE = 34
"""Columns that the rest needs beside a board."""


@attrs.frozen
class ClickTarget:
    """A place to click: a cell of the board, or a card with its value."""

    cell: Cell | None = None
    card: object = None


@attrs.frozen
class _Line:
    text: Text
    cursor: bool = False
    """Whether the cursor of the board is in this line."""


class Picture(Canvas):
    """The parts of a view. Those to keep in sight are at the bottom; the others scroll, and follow the cursor."""

    class Clicked(Message):
        """A cell or a card was clicked."""

        def __init__(self, target: ClickTarget) -> None:
            super().__init__()
            self.target = target

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._parts: Sequence[Part] = ()
        self._kept: Sequence[Part] = ()
        self._board: Grid | None = None
        self._cursor: Cell | None = None
        self._open: frozenset[Cell] = frozenset()
        self._picked: Sequence[Cell] = ()
        self._marked: set[Cell] = set()
        self._top = 0
        self._follows = False
        """Whether to scroll to the cursor, which has been moved."""
        self._hidden = self._height = 0

    def show(
        self,
        parts: Sequence[Part],
        kept: Sequence[Part],
        board: Grid | None,
        cursor: Cell | None,
        possible: Iterable[Cell],
        picked: Sequence[Cell],
    ) -> None:
        """Show ``parts``, those in ``kept`` always.

        ``possible``: the cells of ``board`` that an action names next, after those ``picked``.
        """
        self._follows = self._follows or cursor != self._cursor
        self._parts, self._kept = [part for part in parts if part not in kept], kept
        self._board, self._cursor, self._picked = board, cursor, picked
        self._open = frozenset(possible)
        self._marked = {cell for part in parts if isinstance(part, MarkedCells) for cell in part.cells}
        self.repaint()

    @property
    def scrolls(self) -> bool:
        """Whether there is more than can be seen."""
        return self._hidden > 0

    def page(self, direction: int) -> None:
        """Scroll by a page."""
        self._scroll(direction * max(1, self._height - 1))

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return what is kept in sight, and the part of the rest that fits above it."""
        kept = self._kept_lines(width)[-height:]
        self._height = height - len(kept)
        drawn = self._laid_out(width, self._height)
        self._hidden = len(drawn) - self._height
        if not self.scrolls:
            drawn += [_EMPTY] if drawn and kept and self._hidden else []
            above = max(0, (height - len(drawn) - len(kept)) // 2)
            return self._placed([*[_EMPTY] * above, *drawn, *kept], width)
        drawn = self._laid_out(width - 2, self._height)
        self._hidden = max(0, len(drawn) - self._height)
        self._top = max(0, min(self._top, self._hidden))
        if self._follows:
            self._follow(drawn)
        shown = self._placed([*drawn[self._top : self._top + self._height], *kept], width)
        if self.scrolls:
            for y in range(self._height):
                part = self.look.text((scroll_bar(self.look, y, self._top, self._height, len(drawn)), "dim"))
                bar = self.look.strip(part, 1, ground=None)
                shown[y] = placed([(0, shown[y].crop(0, width - 1)), (width - 1, bar)])
        return shown

    def _placed(self, lines: Sequence[_Line], width: int) -> list[Strip]:
        """Return lines in the middle of the widget."""
        left = max(0, (width - max((line.text.cell_len for line in lines), default=0)) // 2)
        texts = [line.text for line in lines]
        return [placed([(left, self.look.strip(text, min(text.cell_len, width), ground=None))]) for text in texts]

    def _follow(self, drawn: Sequence[_Line]) -> None:
        """Scroll to the cursor."""
        self._follows = False
        at = next((at for at, line in enumerate(drawn) if line.cursor), None)
        if at is not None:
            self._top = max(min(self._top, at), at - self._height + 1)

    def _scroll(self, by: int) -> None:
        self._top = max(0, min(self._top + by, self._hidden))
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked cell or card."""
        if clicked := target(event):
            self.post_message(self.Clicked(clicked))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self._scroll(1)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self._scroll(-1)

    def _laid_out(self, width: int, height: int) -> list[_Line]:
        boards = [part for part in self._parts if isinstance(part, Grid)]
        rest = self._rest([part for part in self._parts if not isinstance(part, Grid)], width)
        drawn = [line for board in boards for line in (*self._board_lines(board, width, height - len(rest)), _EMPTY)]
        widest = max((line.text.cell_len for line in drawn), default=0)
        if not drawn or len(drawn) + len(rest) <= height or widest + _GAP + _BESIDE > width:
            return [*drawn, *rest]
        rest = self._rest([part for part in self._parts if not isinstance(part, Grid)], width - widest - _GAP)
        rows = range(max(len(drawn), len(rest)))
        return [_beside(_at(drawn, row), _at(rest, row), widest + _GAP) for row in rows]

    # --- boards ---

    def _board_lines(self, board: Grid, width: int, height: int) -> list[_Line]:
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

    def _rule(self, board: Grid, side: int, wide: int, *, first: bool, last: bool = False) -> Text:
        left, right, low_left, low_right, flat, _ = self.look.glyphs.box
        if len({left, right, low_left}) == 1:
            ends = left, left, left
        else:
            ends = (left, "┬", right) if first else (low_left, "┴", low_right) if last else ("├", "┼", "┤")
        return self.look.text((" " * side + ends[0] + ends[1].join([flat * wide] * board.width) + ends[2], "edge"))

    def _row(self, board: Grid, row: int, side: int, wide: int, ruled: bool) -> _Line:
        look = self.look
        bar = look.text((look.glyphs.box[5], "edge")) if ruled else Text()
        line = look.text((str(row + 1).rjust(side - 1) + " ", "dim"), bar)
        here = board is self._board
        for column, sign in enumerate(board.cells[row]):
            text = self._cell(board, (row, column), sign, wide + 2 if ruled else wide + 1)
            if here:
                text.apply_meta({TARGET: ClickTarget(cell=(row, column))})
            line.append_text(text)
            line.append_text(bar)
        return _Line(line, here and self._cursor is not None and row == self._cursor[0])

    def _cell(self, board: Grid, at: Cell, sign: str, wide: int) -> Text:
        look, here = self.look, board is self._board
        role = "dim" if not sign else sign_colour(sign)
        shown = clean(sign, wide - 1) if sign else look.glyphs.dot if here and at in self._open else " "
        text = Text(end="", no_wrap=True)
        under = here and at == self._cursor
        ground = None
        if under:
            role, ground = "cursor_ink", "cursor"
        elif here and at in self._marked:
            role, ground = "table", "gold"
        elif here and at in self._picked:
            ground = "panel"
        style = look.style(role, ground, bold=bool(sign) or under, reverse=under)
        text.append(shown.center(wide), style)
        return text

    # --- the rest ---

    def _rest(self, parts: Sequence[Part], width: int) -> list[_Line]:
        facts = [part for part in parts if isinstance(part, Fact)]
        lines = self._facts(facts, width)
        for part in parts:
            space = [_EMPTY] if lines else []
            if isinstance(part, Cards):
                lines += [*space, *self._cards(part, width)]
            elif isinstance(part, TextTable):
                lines += [*space, *self._table(part)]
        return lines

    def _kept_lines(self, width: int) -> list[_Line]:
        """Return what is kept in sight in few lines: a map in one, if it fits."""
        lines: list[_Line] = []
        for part in self._kept:
            if isinstance(part, TextTable) and not part.heads:
                said = (self.look.text((f"{name} ", "dim"), *rest) for name, *rest in part.rows)
                line = self.look.joined(self.look.text((part.name, "dim")), *said, gap=2)
                lines += [_Line(line)] if line.cell_len <= width else self._table(part)
            else:
                lines += self._rest([part], width)
        return lines

    def _facts(self, facts: Sequence[Fact], width: int) -> list[_Line]:
        """Return the facts one after the other, in as many lines as they need."""
        lines: list[Text] = []
        for fact in facts:
            said = self.look.text((f"{fact.name} " if fact.name else "", "dim"), fact.words)
            if lines and lines[-1].cell_len + 3 + said.cell_len <= width:
                lines[-1] = self.look.joined(lines[-1], said, gap=3)
            else:
                lines += map(self.look.text, said.wrap(self.app.console, width, no_wrap=False))
        return [_Line(line) for line in lines]

    def _cards(self, part: Cards, width: int) -> list[_Line]:
        look, lines = self.look, []
        line = look.text((f"{part.name}  ", "dim"))
        beside = line.cell_len
        if not part.words:
            line.append_text(look.text((look.glyphs.dash, "dim")))
        for value, words in zip(part.values, part.words, strict=True):
            card = Text(f" {clean(words) or ' '} ", look.style("table", "chip", bold=True), end="")
            card.apply_meta({TARGET: ClickTarget(card=value)})
            if line.cell_len > beside and line.cell_len + card.cell_len + 1 > width:
                lines.append(_Line(line))
                line = look.text(" " * beside)
            line = look.text(line, card, " ")
        return [*lines, _Line(line)]

    def _table(self, part: TextTable) -> list[_Line]:
        look = self.look
        heads = [[look.text((cell, "dim")) for cell in part.heads]] if part.heads else []
        first = "ink" if part.heads else "dim"
        cells = [[look.text((cell, "ink" if at else first)) for at, cell in enumerate(row)] for row in part.rows]
        rows = [*heads, *cells]
        return [_Line(look.text((part.name, "dim"))), *(_Line(look.text("  ", line)) for line in _aligned(rows))]


_EMPTY = _Line(Text(end=""))


def sign_colour(sign: str) -> str:
    """Return the role of the colour of a sign on a board: always the same one for the same sign."""
    known = _KNOWN.get(sign[0].lower()) if len(sign) == 1 or sign.lower() in _SUITS else None
    return known or ("ink" if sign.isdigit() else _SUITS[sum(map(ord, sign)) % len(_SUITS)])


def _aligned(rows: Sequence[Sequence[Text]]) -> list[Text]:
    """Return a line for each row, in columns as wide as the longest text, with two blanks between."""
    columns = range(max(map(len, rows), default=0))
    wide = [max(row[at].cell_len for row in rows if at < len(row)) for at in columns]
    for row in rows:
        for cell, width in zip(row, wide, strict=False):
            cell.append(" " * (width - cell.cell_len))
    return [Text("  ", end="").join(row) for row in rows]


def _at(lines: Sequence[_Line], row: int) -> _Line:
    return lines[row] if row < len(lines) else _EMPTY


def _beside(left: _Line, right: _Line, column: int) -> _Line:
    text = left.text.copy()
    text.append(" " * (column - text.cell_len))
    text.append_text(right.text)
    return _Line(text, left.cursor)


_NAME = 20


class SeatRows(Canvas):
    """A line for each seat, under the names of their values."""

    def __init__(self, look: Appearance, clocks: ShownClocks) -> None:
        super().__init__(look)
        self._clocks = clocks
        self._room: JoinedRoom | None = None
        self._values: Sequence[Seated] = ()

    def show(self, room: JoinedRoom, values: Sequence[Seated]) -> int:
        """Show the seats of ``room``. Returns the number of lines."""
        self._room, self._values = room, values
        self.repaint()
        return len(room.table["seats"]) + bool(values)

    def on_mount(self) -> None:
        """Update the clocks."""
        tick(self, running=True)

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the lines, in columns."""
        if self._room is None:
            return []
        look, room = self.look, self._room
        rows = [self._cells(room, row["seat"]) for row in room.table["seats"]]
        if self._values:
            rows.insert(0, [Text(), Text(), *(look.text((part.name, "dim")) for part in self._values)])
        lines = _aligned(rows)
        left = max(0, (width - max((line.cell_len for line in lines), default=0) - 2) // 2)
        return [placed([(left, look.strip(line, line.cell_len, ground=None))]) for line in lines]

    def _cells(self, room: JoinedRoom, seat: int) -> list[Text]:
        look, row = self.look, room.row(seat)
        turn = (room.view or {}).get("turn") == seat or (seat == room.seat and room.question is not None)
        name = look.text(
            (f"{look.glyphs.pointer if turn else ' '} ", "gold"),
            (clean(room.name(seat), _NAME), "gold" if turn or seat == room.seat else "ink"),
            bold=turn,
        )
        kind = "" if row is None else "stand-in" if row["by"] == "standin" else kind_of(row) if row["here"] else "away"
        left = self._clocks.left(seat)
        clock = look.text(("" if left is None else time_left(left), "dim"))
        values = (look.text(part.words[seat] if seat < len(part.words) else "") for part in self._values)
        return [name, look.text((kind, "dim")), *values, clock]
