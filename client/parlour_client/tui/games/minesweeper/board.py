"""The board widget: draws lines, and repaints only regions that have changed.

Press and release on the same cell make a click. Others decide what a click does.
"""

import asyncio
from collections.abc import Iterable
from typing import ClassVar

import attrs
from rich.segment import Segment
from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.text.actions import column_name
from parlour_client.text.minesweeper.board import At, Board
from parlour_client.text.minesweeper.odds import HintEngine, Hints
from parlour_client.tui.games.minesweeper.cells import CELLS, Cell, Painter, Square, Viewport, fitting
from parlour_client.tui.theme import Appearance


class OddsWorker:
    """Computes hints for one board at a time, then for the latest one. ``wanted``: whether they are switched on."""

    class Done(Message):
        """New hints are available."""

    def __init__(self, widget: Widget) -> None:
        """``widget`` receives Done and owns the worker."""
        self.wanted = False
        self._widget = widget
        self._engine = HintEngine()
        self._reading = False
        self._latest: Board | None = None
        self._found: tuple[list[str] | None, Hints] | None = None
        """The rows last computed, and their hints."""

    def update(self, board: Board | None) -> None:
        """Set the current board, and compute its hints if they are wanted and not known."""
        self._latest = board
        fit = board is not None and board.playing and board.rows is not None
        if self.wanted and fit and not self._reading and self.hints_for(board) is None:
            self._reading = True
            self._widget.run_worker(self._read(), group="odds")

    def hints_for(self, board: Board | None) -> Hints | None:
        """Return the hints for ``board``, None if they are not known or not wanted."""
        if not self.wanted or self._found is None or board is None or self._found[0] != board.rows:
            return None
        return self._found[1]

    async def _read(self) -> None:
        board = self._latest
        try:
            if board is not None:
                self._found = board.rows, await asyncio.to_thread(self._engine.hints, board)
        finally:
            self._reading = False
        self._widget.post_message(self.Done())
        self.update(self._latest)


_WHEEL: dict[type[events.MouseEvent], tuple[int, int]] = {
    events.MouseScrollUp: (0, -3),
    events.MouseScrollDown: (0, 3),
    events.MouseScrollLeft: (-3, 0),
    events.MouseScrollRight: (3, 0),
}
"""Columns and rows of cells that the wheel scrolls by."""


@attrs.frozen
class Marks:
    """Marks drawn over the cells: pending moves, recent events, and the odds."""

    pending: frozenset[At] = frozenset()
    last: frozenset[At] = frozenset()
    hints: Hints | None = None
    own: str = "A"
    """The character of mines found by us."""
    cursor: bool = True
    """Whether there is a cursor: not for spectators."""

    def changed(self, other: "Marks") -> set[At]:
        """Return the cells that look different."""
        cells = set((self.pending ^ other.pending) | (self.last ^ other.last))
        if self.hints is not other.hints:
            cells.update(*(hints.cells() for hints in (self.hints, other.hints) if hints))
        return cells


class BoardView(Widget, can_focus=True):
    """A board with a cursor, scrolled to keep the cursor visible. Cells are as large as fit, unless zoomed."""

    DEFAULT_CSS = "BoardView { width: 1fr; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(0,-1)", id="mines.up", system=True),
        Binding("down,j", "step(0,1)", id="mines.down", system=True),
        Binding("left,h", "step(-1,0)", id="mines.left", system=True),
        Binding("right,l", "step(1,0)", id="mines.right", system=True),
        Binding("g,ctrl+home", "edge(0,0)", id="mines.first", system=True),
        Binding("G,ctrl+end", "edge(1,1)", id="mines.last", system=True),
        Binding("home", "edge(0)", id="mines.row_first", system=True),
        Binding("end", "edge(1)", id="mines.row_last", system=True),
        Binding("pageup", "page(-1)", id="mines.page_up", system=True),
        Binding("pagedown", "page(1)", id="mines.page_down", system=True),
    ]
    BUTTONS: ClassVar[dict[int, str]] = {1: "open", 2: "chord", 3: "flag"}

    class Clicked(Message):
        """A cell was clicked with the button for ``verb``."""

        def __init__(self, verb: str, at: At) -> None:
            super().__init__()
            self.verb = verb
            self.at = at

    class Pointed(Message):
        """The cursor has moved, or the board was scrolled."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.cursor: At = (0, 0)
        self.board: Board | None = None
        self.marks = Marks()
        self.caption = Text()
        self._look = look
        self._painter = Painter(look, CELLS[0])
        self._port = Viewport((0, 0), (0, 0))
        self._fitted = CELLS[0]
        """The size of cells with which the board fits; used unless the player has chosen another."""
        self._hover: At | None = None
        self._pressed: tuple[int, At] | None = None

    # --- content ---

    def show(self, board: Board | None, marks: Marks, caption: Text) -> None:
        """Show a board or none, with a caption in its frame. Repaints the cells that have changed."""
        before, old, caption_before = self.board, self.marks, self.caption
        self.board, self.marks, self.caption = board, marks, caption
        if _size(board) != _size(before):
            self._resized(board)
        elif board is None or before is None:
            return  # there is still none
        elif caption_before.plain != caption.plain or (before.rows is None) != (board.rows is None):
            self.refresh()
        else:
            moved = {self.cursor} if marks.cursor != old.cursor else set()
            self.repaint(_differing(before, board) | marks.changed(old) | moved)

    def repaint(self, cells: Iterable[At]) -> None:
        """Repaint ``cells``, row by row."""
        spans: dict[int, tuple[int, int]] = {}
        for at in cells:
            if where := self._port.where(at):
                first, last = spans.get(where[1], (where[0], where[0]))
                spans[where[1]] = min(first, where[0]), max(last, where[0])
        width, height = self._port.cell
        if spans:
            self.refresh(*(Region(first, y, last - first + width, height) for y, (first, last) in spans.items()))

    def point(self, at: At) -> None:
        """Move the cursor to a cell, or to the nearest one on the board, and scroll to it."""
        if self.board is None:
            return
        before = self.cursor
        self.cursor = max(0, min(at[0], self.board.width - 1)), max(0, min(at[1], self.board.height - 1))
        self._scroll(self._port.showing(self.cursor))
        self.repaint({before, self.cursor})
        self.post_message(self.Pointed())

    def action_step(self, x: int, y: int) -> None:
        """Move the cursor."""
        self.point((self.cursor[0] + x, self.cursor[1] + y))

    def action_edge(self, x: int, y: int | None = None) -> None:
        """Go to the first (0) or last (1) cell of the row, or of the board."""
        if self.board is not None:
            self.point((x * self.board.width, self.cursor[1] if y is None else y * self.board.height))

    def action_page(self, direction: int) -> None:
        """Move the cursor by the visible rows."""
        self.action_step(0, direction * max(1, self._port.seen[1]))

    def zoom(self) -> None:
        """Use the next larger cells, after the largest the smallest."""
        self._set_cell(CELLS[(CELLS.index(self._port.cell) + 1) % len(CELLS)])
        self.refresh()

    @property
    def seen(self) -> Viewport:
        """The visible part of the board and its position."""
        return self._port

    def _scroll(self, port: Viewport) -> None:
        if port != self._port:
            self._port = port
            self.refresh()

    def fit(self, place: tuple[int, int], board: Board) -> int:
        """Choose cells with which ``board`` fits in ``place`` columns and rows, unless zoomed. Return its rows."""
        fitted, self._fitted = self._fitted, fitting(place, (board.width, board.height))
        if self._port.cell == fitted:
            self._set_cell(self._fitted)
        return board.height * self._port.cell[1] + 2

    def _set_cell(self, cell: Cell) -> None:
        if cell != self._port.cell:
            self._painter = Painter(self._look, cell)
            self._port = attrs.evolve(self._port, cell=cell).showing(self.cursor)

    def _resized(self, board: Board | None) -> None:
        size = _size(board)
        self._port = Viewport((self.size.width, self.size.height), size, self._port.cell)
        self.cursor = size[0] // 2, size[1] // 2
        self._scroll(self._port.centred(self.cursor))
        self.refresh()
        self.post_message(self.Pointed())

    # --- drawing ---

    def render_line(self, y: int) -> Strip:
        """Return a line of cells, frame, or background."""
        port, width = self._port, self.size.width
        left, top = port.origin
        row, line = divmod(y - top, port.cell[1])
        if self.board is None or self.board.rows is None or not port.seen[0]:
            return Strip.blank(width, self._look.style("ink", "table"))
        if 0 <= row < port.seen[1]:
            return self._row(self.board, row + port.offset[1], line)
        text = Text(" " * (left - 1))
        if port.framed and y - top in (-1, port.seen[1] * port.cell[1]):
            text.append_text(self._border(port.seen[0] * port.cell[0], top=row < 0))
        return self._look.strip(text, width)

    def _row(self, board: Board, y: int, line: int) -> Strip:
        """Return line ``line`` of a row of cells, between the sides of the frame if there is one."""
        port, width = self._port, self.size.width
        edge = port.origin[0] - 1 if port.framed else port.origin[0]
        base = self._look.style("ink", "table")
        side = [Segment(self._look.glyphs.box[5], self._look.style("edge", "table"))] if port.framed else []
        rest = width - edge - 2 * len(side) - port.seen[0] * port.cell[0]
        pieces = [Segment(" " * edge, base), *side, *self._cells(board, y, line), *side, Segment(" " * rest, base)]
        return Strip([piece for piece in pieces if piece.text], width)

    def _cells(self, board: Board, y: int, line: int) -> list[Segment]:
        paint, first = self._painter.paint, self._port.offset[0]
        return [paint(self._square(board, x, y))[line] for x in range(first, first + self._port.seen[0])]

    def _square(self, board: Board, x: int, y: int) -> Square:
        at, marks = (x, y), self.marks
        hints = marks.hints
        return Square(
            board.at(x, y),
            odd=bool((x + y) & 1),
            hint=hints.cell_text(at) if hints else "",
            best=hints is not None and at in hints.best,
            cursor=at == self.cursor and marks.cursor,
            hover=at == self._hover,
            pending=at in marks.pending,
            last=at in marks.last,
            own=board.at(x, y) == marks.own,
        )

    def _border(self, across: int, *, top: bool) -> Text:
        """Return the upper or lower line of the frame, with the caption or the visible range."""
        look, box = self._look, self._look.glyphs.box
        left, right = (box[0], box[1]) if top else (box[2], box[3])
        words = self.caption if top else self._part()
        if not words or words.cell_len > across - 4:
            return look.text((left + box[4] * across + right, "edge"))
        rest = across - words.cell_len - 3
        return look.text((left + box[4], "edge"), " ", words, " ", (box[4] * rest + right, "edge"))

    def _part(self) -> Text:
        """Return the visible range of columns and rows, unless all are visible."""
        port, board = self._port, self.board
        if board is None or port.whole:
            return Text()
        (x, y), (across, down) = port.offset, port.seen
        dash = self._look.glyphs.dash
        seen = {"columns": f"{column_name(x)}{dash}{column_name(x + across - 1)}", "rows": f"{y + 1}{dash}{y + down}"}
        return self._look.text((say("tui.mines.part", seen, last=column_name(board.width - 1), n=board.height), "dim"))

    # --- the mouse ---

    def on_resize(self, event: events.Resize) -> None:
        """Fit the board into its new size."""
        place = event.size.width, event.size.height
        fresh = not self._port.seen[0]
        port = attrs.evolve(self._port, place=place)
        self._port = port.centred(self.cursor) if fresh else port.showing(self.cursor)
        self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where a button was pressed."""
        at = self._port.at(event.x, event.y)
        self._pressed = (event.button, at) if at and self.board and self.board.rows else None

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Report a click if the button was pressed on the same cell."""
        at, pressed, self._pressed = self._port.at(event.x, event.y), self._pressed, None
        if at is not None and pressed == (event.button, at) and event.button in self.BUTTONS:
            self.point(at)
            self.post_message(self.Clicked(self.BUTTONS[event.button], at))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the cell under the mouse."""
        self._hover_at(self._port.at(event.x, event.y))

    def on_leave(self) -> None:
        """Remove the highlight and forget a pressed button."""
        self._pressed = None
        self._hover_at(None)

    @on(events.MouseScrollUp)
    @on(events.MouseScrollDown)
    @on(events.MouseScrollLeft)
    @on(events.MouseScrollRight)
    def scroll_cells(self, event: events.MouseEvent) -> None:
        """Scroll by some cells, with shift to the side. The cursor does not move."""
        event.stop()
        x, y = _WHEEL[type(event)]
        left, top = self._port.offset
        self._scroll(self._port.moved(left + (x or y), top) if x or event.shift else self._port.moved(left, top + y))

    def _hover_at(self, at: At | None) -> None:
        before, self._hover = self._hover, at
        if at != before:
            self.repaint({each for each in (before, at) if each})


def _size(board: Board | None) -> tuple[int, int]:
    return (board.width, board.height) if board else (0, 0)


def _differing(before: Board, now: Board) -> set[At]:
    """Return the cells that differ between boards of equal size."""
    rows = enumerate(zip(before.rows or (), now.rows or (), strict=True))
    return {
        (x, y) for y, (old, new) in rows if old != new for x, (a, b) in enumerate(zip(old, new, strict=True)) if a != b
    }
