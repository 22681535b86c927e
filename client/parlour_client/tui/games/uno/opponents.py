"""The opponents: a box each if there is space, else a short line each."""

from math import ceil

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, time_left
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.games.uno.intents import around
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.canvas import Canvas, placed
from parlour_client.tui.widgets.common import PersonClicked
from parlour_protocol.messages import Plain

BOX_ROWS = 5
_NARROWEST, _WIDEST = 17, 40
"""Columns of a box."""
_NAME = 12
"""Columns of a name in a line."""


@attrs.frozen
class Other:
    """An opponent to draw."""

    seat: int
    name: str
    kind: str
    cards: int
    score: int
    called: bool = False
    out: bool = False
    asked: bool = False
    """Whether it is this seat's turn."""
    following: bool = False
    """Whether its turn is next."""
    here: bool = True
    standin: bool = False


def others(room: JoinedRoom) -> list[Other]:
    """Return the opponents in order, from the seat after ours."""
    view = room.view
    return [] if view is None else [_other(room, view, seat) for seat in around(room)]


def next_seat(view: Plain) -> int | None:
    """Return the seat after the active one, None if none is active."""
    if view["turn"] is None:
        return None
    seats = len(view["counts"])
    after = ((view["turn"] + view["direction"] * step) % seats for step in range(1, seats))
    return next((seat for seat in after if seat not in view["out"]), None)


class Opponents(Canvas):
    """All opponents. It ticks only while one of their clocks runs."""

    def __init__(self, look: Appearance, clocks: ShownClocks, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self._clocks = clocks
        self._others: list[Other] = []
        self._places: list[tuple[int, int, int, int, Other]] = []
        """The area of each: ranges of columns and rows."""
        self.boxes = True
        self.flashing: int | None = None
        """The seat whose turn has just begun."""
        self._pointed: int | None = None
        """The seat under the mouse."""

    def show(self, room: JoinedRoom) -> None:
        """Show the opponents in ``room``."""
        before = self._active
        self._others = others(room)
        canvas.tick(self, self._clocks.running)
        if self._active is not None and self._active != before and canvas.moves(self):
            self.flashing = self._active
            self.set_timer(canvas.FLASH, self._dim)
        self.repaint()

    def place(self, seat: int) -> Offset | None:
        """Return the column and row in the middle of an opponent, None if it is not shown."""
        for left, right, top, bottom, other in self._places:
            if other.seat == seat:
                return Offset((left + right) // 2, (top + bottom) // 2)
        return None

    def rows(self, width: int, boxes: bool) -> int:
        """Return the rows needed for ``width`` columns. ``boxes``: whether there is space for boxes."""
        self.boxes = boxes and len(self._others) * (_NARROWEST + 1) <= width
        if self.boxes or not self._others:
            return BOX_ROWS if self._others else 0
        return ceil(len(self._others) / self._columns(width))

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the boxes side by side, or the lines."""
        return self._paint_boxes(width) if self.boxes else self._paint_lines(width)

    @property
    def _active(self) -> int | None:
        return next((other.seat for other in self._others if other.asked), None)

    def _dim(self) -> None:
        """End the flash."""
        self.flashing = None
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked opponent."""
        if other := self._under(event):
            self.post_message(PersonClicked(other.name))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Underline the name of the opponent under the mouse."""
        other = self._under(event)
        self._point(other.seat if other else None)

    def on_leave(self) -> None:
        """Underline nothing."""
        self._point(None)

    def _under(self, event: events.MouseEvent) -> Other | None:
        """Return the opponent under the mouse."""
        for left, right, top, bottom, other in self._places:
            if left <= event.x < right and top <= event.y < bottom:
                return other
        return None

    def _point(self, seat: int | None) -> None:
        if seat != self._pointed:
            self._pointed = seat
            self.repaint()

    # --- boxes ---

    def _paint_boxes(self, width: int) -> list[Strip]:
        if not self._others:
            return []
        each = min(_WIDEST, (width - 1) // len(self._others) - 1)
        first = (width - len(self._others) * (each + 1) + 1) // 2
        self._places = [
            (left := first + at * (each + 1), left + each, 0, BOX_ROWS, other) for at, other in enumerate(self._others)
        ]
        boxes = [self._box(other, each) for other in self._others]
        return [placed((first + at * (each + 1), box[y]) for at, box in enumerate(boxes)) for y in range(BOX_ROWS)]

    def _box(self, other: Other, width: int) -> list[Strip]:
        look, glyphs = self.look, self.look.glyphs
        box = glyphs.heavy_box if other.asked else glyphs.box
        role = "gold" if other.asked else "edge"
        top_left, top_right, bottom_left, bottom_right, flat, upright = box
        name = self._called(other, f" {clean(other.name, width - 6)} ")
        foot = self._foot(other, width - 4)
        top = look.text((top_left + flat, role), name, (flat * (width - 3 - name.cell_len) + top_right, role))
        bottom = look.text((bottom_left + flat * (width - 3 - foot.cell_len), role), foot, (flat + bottom_right, role))
        side = look.text((upright, role))
        inner = [self._cards(other, width - 4), self._kind(other), self._state(other, width - 4)]
        rows = [Text.assemble(side, " ", _fit(text, width - 4), " ", side) for text in inner]
        return [look.strip(text, width, ground=None) for text in (top, *rows, bottom)]

    def _called(self, other: Other, name: str, *, bold: bool = True) -> Text:
        """Return a name: reversed while the turn of this player has just begun, underlined under the mouse."""
        if other.seat == self.flashing:
            return Text(name, self.look.style("table", "gold", bold=True, reverse=True), no_wrap=True, end="")
        text = self.look.text((name, "gold" if other.asked else "ink"), bold=bold)
        if other.seat == self._pointed:
            text.stylize(Style(underline=True))
        return text

    def _cards(self, other: Other, width: int) -> Text:
        if other.out:
            return self.look.text((say("tui.uno.out"), "dim"))
        number = self.look.text(f"{other.cards}", bold=True)
        word = self.look.text((f" {say('tui.uno.cards', n=other.cards)}", "dim"))
        backs = self.look.text((self.look.glyphs.card_back * min(other.cards, width - 9), "back_ink"))
        return Text.assemble(backs, " " if backs else "", number, word)

    def _kind(self, other: Other) -> Text:
        return self.look.text((say("tui.uno.stood_in", kind=other.kind) if other.standin else other.kind, "dim"))

    def _state(self, other: Other, width: int) -> Text:
        look = self.look
        held = self._clocks.held(other.seat)
        if other.standin:
            return look.text((say("tui.away"), "coral"))
        if not other.here:
            return look.text((_gone(held, long=True), "coral"))
        left = self._clocks.left(other.seat)
        if other.asked and left is not None:
            seconds = look.text((f" {_short(left)}", "gold"))
            return Text.assemble(look.bar(self._clocks.share(other.seat), max(1, width - seconds.cell_len)), seconds)
        return look.text(
            (say("tui.uno.playing"), "gold") if other.asked else (say("tui.uno.next") if other.following else "", "dim")
        )

    def _foot(self, other: Other, width: int) -> Text:
        look = self.look
        points = look.text((f" {say('tui.uno.score', n=other.score)} ", "dim"))
        if not other.called:
            return points
        called = look.text((" UNO! ", "coral"), bold=True)
        both = look.joined(called, points, gap=0)
        return both if both.cell_len <= width else called

    # --- lines ---

    def _columns(self, width: int) -> int:
        widest = max(self._line(other, _NAME).cell_len for other in self._others)
        return max(1, min(len(self._others), (width - 1) // (widest + 1)))

    def _paint_lines(self, width: int) -> list[Strip]:
        if not self._others:
            return []
        columns = self._columns(width)
        each = (width - 1) // columns
        self._places = [
            (left := 1 + at % columns * each, left + each, at // columns, at // columns + 1, other)
            for at, other in enumerate(self._others)
        ]
        strips = [self.look.strip(self._line(other, _NAME), each - 1, ground=None) for other in self._others]
        rows = [strips[at : at + columns] for at in range(0, len(strips), columns)]
        return [placed((1 + at * each, strip) for at, strip in enumerate(row)) for row in rows]

    def _line(self, other: Other, longest: int) -> Text:
        look, glyphs = self.look, self.look.glyphs
        mark = glyphs.pointer if other.asked else glyphs.dot if other.following else " "
        name = self._called(other, f"{mark}{clean(other.name, longest)}", bold=other.asked)
        cards = look.text((f"{glyphs.card_back}{other.cards}", "back_ink"), bold=True)
        left = self._clocks.left(other.seat) if other.asked else None
        return look.joined(
            name,
            look.text((other.kind, "dim")),
            look.text((say("tui.uno.out"), "dim")) if other.out else cards,
            look.text(("UNO!", "coral"), bold=True) if other.called else look.text((f"{other.score:>4}", "dim")),
            self._absence(other) or look.text(("" if left is None else _short(left), "gold")),
            gap=1,
        )

    def _absence(self, other: Other) -> Text:
        if other.standin:
            return self.look.text((say("tui.uno.standin"), "coral"))
        held = self._clocks.held(other.seat)
        return self.look.text(("" if other.here else _gone(held, long=False), "coral"))


def _short(ms: int) -> str:
    """Return the time left, without spaces."""
    return time_left(ms).replace(" ", "")


def _gone(held: int | None, *, long: bool) -> str:
    """Return that a player is away, and for how long the seat is held."""
    return say("tui.away") if held is None else say("tui.uno.away_held", n=ceil(held / 1000), long=long)


def _fit(text: Text, width: int) -> Text:
    text.truncate(width, pad=True)
    return text


def _other(room: JoinedRoom, view: Plain, seat: int) -> Other:
    row = room.row(seat)
    return Other(
        seat=seat,
        name=room.name(seat),
        kind=say("line.kind", kind=row["kind"] if row else "nobody"),
        cards=view["counts"][seat],
        score=view["scores"][seat],
        called=seat in view["called"],
        out=seat in view["out"],
        asked=seat == view["turn"],
        following=seat == next_seat(view),
        here=row is None or row["here"],
        standin=row is not None and row["by"] == "standin",
    )
