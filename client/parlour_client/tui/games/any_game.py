"""The widget for any game: seats, the table, and the legal actions as numbered choices.

Hands, and what the decision is about, stay in sight; the rest of the table scrolls. Many actions of one kind are chosen
by their fields.

Where actions name cells of the board, the cursor and the mouse choose them there: one cell after another, until one
action is left.
"""

from collections.abc import Callable
from itertools import product
from time import monotonic
from typing import ClassVar

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.actions import CellAddress, Way, board_of, field_name, grouped, ways
from parlour_client.text.any_game import matching
from parlour_client.text.shapes import Grid, Seated, in_sight, parts, shown
from parlour_client.tui.games.base import GameWidget, ShownClocks
from parlour_client.tui.games.choices import KEYS, Choices
from parlour_client.tui.games.picture import Cell, Picture, SeatRows
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import InputLine
from parlour_client.tui.widgets.keys import labelled

_MOST = 3
"""Choices take up at most the height divided by this."""
_BETWEEN = 4
"""The turn line and the margins."""


class AnyWidget(GameWidget, can_focus=True):
    """Any game as seen by a player or spectator."""

    DEFAULT_CSS = """
    AnyWidget { layout: vertical; }
    AnyWidget > SeatRows { width: 100%; height: 2; margin-top: 1; }
    AnyWidget > Picture { width: 100%; height: 1fr; margin: 1 0; }
    AnyWidget > Choices { width: 100%; height: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(0,-1)", id="any.up"),
        Binding("down,j", "step(0,1)", id="any.down"),
        Binding("left,h", "step(-1,0)", id="any.left"),
        Binding("right,l", "step(1,0)", id="any.right"),
        Binding("enter,space", "choose", id="any.choose"),
        Binding("tab", "switch", id="any.switch"),
        Binding("slash", "find", id="any.find"),
        Binding("pageup", "page(-1)", id="any.page_up"),
        Binding("pagedown", "page(1)", id="any.page_down"),
        Binding("escape", "back", id="any.back"),
        *(Binding(key, f"number({at})", id=f"any.choice{at + 1}", system=True) for at, key in enumerate(KEYS)),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("1 to 9, 0", "tui.help.any.number"),
        ("arrows, h j k l", "tui.help.any.move"),
        ("enter, space", "tui.help.any.choose"),
        ("tab", "tui.help.any.switch"),
        ("page up, page down", "tui.help.any.page"),
        ("/", "tui.help.any.find"),
        ("esc", "tui.help.any.back"),
    ]
    MOVES = frozenset({"any.choose", "any.find", "any.switch"})

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a clock in seconds."""
        super().__init__(look, now=now)
        self.clocks = ShownClocks(now)
        self.seats = SeatRows(look, self.clocks)
        self.picture = Picture(look)
        self.choices = Choices(look, self._field_name, self._field_value)
        self.finder = InputLine(placeholder=say("any.filter"), compact=True, select_on_focus=False)
        self._room: JoinedRoom | None = None
        self._ways: list[Way] = []
        self._board: Grid | None = None
        self._cursor: Cell = (0, 0)
        self._cells: list[Cell] = []
        """The cells that were chosen so far."""
        self._listing = False
        """Whether the keys move in the list although there is a board to choose on."""
        self._card: object = None
        """The card that was clicked."""
        self._names: set[str] = set()
        """The names of the actions of this match so far, and of their fields: what decisions are about."""

    def compose(self) -> ComposeResult:
        """Yield the zones from top to bottom."""
        yield self.seats
        yield self.picture
        yield self.turn
        yield self.choices
        yield self.finder

    # --- from the room ---

    def show(self, room: JoinedRoom) -> None:
        """Show the current state of the room."""
        found = ways(room)
        if [(way.rid, way.action) for way in found] != [(way.rid, way.action) for way in self._ways]:
            self._forget()
        self._room, self._ways, self._board = room, found, board_of(room)
        self._names.update(*({way.action.get("do", ""), *way.action} - {"do"} for way in found))
        self.clocks.update(room)
        self._draw()

    def show_refusal(self, room: JoinedRoom, reason: str) -> None:
        """Take back the choice, and show why the server refused it."""
        self._forget()
        self._draw()
        super().show_refusal(room, reason)

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return the keys that are useful now."""
        scroll = labelled("any.page_down") if self.picture.scrolls else []
        if not self._ways:
            return scroll
        switch = labelled("any.switch") if self._on_board_possible else []
        return [*labelled("any.choose"), *scroll, *labelled("any.find"), *switch]

    def _draw(self) -> None:
        room = self._room
        if room is None:
            return
        shapes = parts(room)
        fitting = self._fitting()
        seated = [part for part in shapes if isinstance(part, Seated)]
        self.seats.styles.height = seats = self.seats.show(room, seated)
        cursor = self._cursor if self._on_board else None
        possible = self._possible(fitting)
        kept = in_sight(room, self._names)
        board = next((part for part in shapes if part == self._board and isinstance(part, Grid)), None)
        self.picture.show(shapes, kept, board, cursor, possible, self._cells)
        self.choices.show(fitting if self.finder.value else grouped(fitting))
        most = min(self.size.height // _MOST, self.size.height - seats - _BETWEEN - len(kept))
        self.choices.styles.height = min(self.choices.height(self.size.width), max(1, most))
        self._show_turn(room)

    def _field_name(self, way: Way, field: str) -> str:
        return field if self._room is None else field_name(self._room, way, field)

    def _field_value(self, way: Way, field: str) -> str:
        value = way.action.get(field)
        return str(value) if self._room is None else shown(self._room, value, field)

    def _show_turn(self, room: JoinedRoom) -> None:
        turn = (room.view or {}).get("turn")
        mine = room.question is not None
        seat = room.seat if mine else turn if isinstance(turn, int) else None
        if room.over is not None:
            headline = say("any.turn.over")
        elif mine:
            headline = say("any.turn.yours")
        elif room.stood_in:
            headline = say("tui.stood_in")
        elif self._ways:
            headline = say("any.turn.may")
        elif seat is not None:
            headline = say("any.turn.other", who=shown(room, seat, "turn"))
        else:
            headline = say("any.turn.none")
        self.turn.set(headline, self.clocks.left(seat), self.look.text(self._rule(room)), mine or room.stood_in)

    def _rule(self, room: JoinedRoom) -> str:
        if room.stood_in:
            return say("tui.take_back")
        if room.question is not None and not self._ways:
            return say("any.unlisted")
        return say("any.picked", cells=" ".join(CellAddress(*cell).name for cell in self._cells)) if self._cells else ""

    # --- from the player ---

    @property
    def _on_board_possible(self) -> bool:
        return self._board is not None and any(way.places for way in self._ways)

    @property
    def _on_board(self) -> bool:
        """Whether the keys move the cursor of the board."""
        return self._on_board_possible and not self._listing and not self.finder.opened

    def _fitting(self) -> list[Way]:
        """Return the actions that fit what was chosen so far."""
        found = [way for way in self._ways if way.fits(self._cells)]
        if self._card is not None:
            found = [way for way in found if self._card in way.action.values()]
        return matching(found, self.finder.value) if self.finder.value else found

    def _possible(self, fitting: list[Way]) -> set[Cell]:
        """Return the cells that the actions name next."""
        if self._board is None:
            return set()
        at = len(self._cells)
        places = {way.places[at] for way in fitting if at < len(way.places)}
        every = product(range(self._board.height), range(self._board.width))
        return {cell for cell in every if any(place.holds(*cell) for place in places)}

    def _forget(self) -> None:
        self._cells, self._card = [], None
        self.finder.value = ""

    def _go(self, way: Way) -> None:
        self._forget()
        self.post_message(self.Chosen(way.rid, way.action))
        self._draw()

    def _pick(self, cell: Cell) -> None:
        """Choose a cell: the next one of an action, or the first one of another."""
        self._cursor = cell
        for cells in ([*self._cells, cell], [cell]):
            found = [way for way in self._ways if way.fits(cells)]
            if len(found) == 1:
                self._go(found[0])
                return
            if found:
                self._cells = cells
                self._listing = all(len(way.places) == len(cells) for way in found)
                self._draw()
                return
        self._cells = []
        self.turn.remark(say("any.nothing"), "info")
        self._draw()

    def on_picture_clicked(self, message: Picture.Clicked) -> None:
        """Choose the clicked cell, or the actions with the clicked card."""
        if message.target.cell is not None:
            self._pick(message.target.cell)
            return
        found = [way for way in self._ways if message.target.card in way.action.values()]
        if len(found) == 1:
            self._go(found[0])
        elif found:
            self._card = message.target.card
            self._draw()
        else:
            self.turn.remark(say("any.nothing"), "info")

    def on_choices_clicked(self, message: Choices.Clicked) -> None:
        """Choose the clicked action."""
        self._go(message.way)

    def action_step(self, across: int, down: int) -> None:
        """Move the cursor on the board or in the list."""
        if self._on_board and self._board is not None:
            row, column = self._cursor
            self._cursor = (row + down) % self._board.height, (column + across) % self._board.width
            self._draw()
        else:
            self.choices.move(across, down)

    def action_choose(self) -> None:
        """Choose the cell under the cursor, or the selected action."""
        if self._on_board:
            self._pick(self._cursor)
        elif self.choices.way is not None:
            self._go(self.choices.way)

    def action_number(self, index: int) -> None:
        """Choose an action by its number."""
        ways = self.choices.ways
        if index < len(ways):
            self._go(ways[index])

    def action_page(self, direction: int) -> None:
        """Scroll the table, if it does not fit."""
        if not self.picture.scrolls:
            raise SkipAction
        self.picture.page(direction)

    def action_switch(self) -> None:
        """Switch between the board and the list."""
        self._listing = not self._listing
        self._draw()

    def action_find(self) -> None:
        """Open the field for a part of the words."""
        self.finder.open()
        self._draw()

    def action_back(self) -> None:
        """Take back what was chosen so far."""
        self._forget()
        self._listing = False
        self.finder.close()
        self._draw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what fits."""
        event.stop()
        self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Choose the first action that fits."""
        event.stop()
        way = self.choices.way if event.value else None
        self.finder.close()
        if way is not None:
            self._go(way)

    def on_input_line_closed(self, event: InputLine.Closed) -> None:
        """Go back to the choices, all of them."""
        event.stop()
        self.finder.value = ""
        self.focus()
        self._draw()

    def on_resize(self) -> None:
        """Distribute the space."""
        self._draw()
