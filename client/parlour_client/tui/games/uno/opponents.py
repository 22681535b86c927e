"""The opponents: a box each if there is space, else a short line each."""

from collections.abc import Sequence
from math import ceil

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset, Region
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, time_left
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.games.uno.intents import around
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.canvas import TARGET, Canvas, placed, target
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

    def __init__(self, look: Appearance, clocks: ShownClocks) -> None:
        super().__init__(look)
        self._clocks = clocks
        self._others: list[Other] = []
        self._places: dict[int, Region] = {}
        """The area of each, by seat."""
        self.boxes = True
        self.flashing: int | None = None
        """The seat whose turn has just begun."""

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
        area = self._places.get(seat)
        return None if area is None else Offset((area.x + area.right) // 2, (area.y + area.bottom) // 2)

    def rows(self, width: int, boxes: bool) -> int:
        """Return the rows needed for ``width`` columns. ``boxes``: whether there is space for boxes."""
        self.boxes = boxes and len(self._others) * (_NARROWEST + 1) <= width
        if self.boxes or not self._others:
            return BOX_ROWS if self._others else 0
        return ceil(len(self._others) / self._columns(width))

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the boxes side by side, or the lines."""
        if not self._others:
            return []
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
        for other in self._others:
            if other.seat == target(event):
                self.post_message(PersonClicked(other.name))

    def _placed(self, other: Other, lines: Sequence[Text], area: Region) -> list[tuple[int, Strip]]:
        """Return the lines of an opponent, each with its column, and note its area."""
        self._places[other.seat] = area
        strips = (self.look.strip(line, area.width, ground=None) for line in lines)
        return [(area.x, strip.apply_meta({TARGET: other.seat})) for strip in strips]

    # --- boxes ---

    def _paint_boxes(self, width: int) -> list[Strip]:
        each = min(_WIDEST, (width - 1) // len(self._others) - 1)
        first = (width - len(self._others) * (each + 1) + 1) // 2
        boxes = [
            self._placed(other, self._box(other, each), Region(first + at * (each + 1), 0, each, BOX_ROWS))
            for at, other in enumerate(self._others)
        ]
        return [placed(row) for row in zip(*boxes, strict=True)]

    def _box(self, other: Other, width: int) -> list[Text]:
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
        for text in inner:
            text.truncate(width - 4, pad=True)
        return [top, *(Text.assemble(side, " ", text, " ", side) for text in inner), bottom]

    def _called(self, other: Other, name: str, *, bold: bool = True) -> Text:
        """Return a name: reversed while the turn of this player has just begun, underlined under the mouse."""
        if other.seat == self.flashing:
            return Text(name, self.look.style("table", "gold", bold=True, reverse=True), no_wrap=True, end="")
        text = self.look.text((name, "gold" if other.asked else "ink"), bold=bold)
        if other.seat == self.pointed:
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
        widest = max(self._line(other).cell_len for other in self._others)
        return max(1, min(len(self._others), (width - 1) // (widest + 1)))

    def _paint_lines(self, width: int) -> list[Strip]:
        columns = self._columns(width)
        each = (width - 1) // columns
        lines = [
            self._placed(other, [self._line(other)], Region(1 + at % columns * each, at // columns, each - 1, 1))[0]
            for at, other in enumerate(self._others)
        ]
        return [placed(lines[at : at + columns]) for at in range(0, len(lines), columns)]

    def _line(self, other: Other) -> Text:
        look, glyphs = self.look, self.look.glyphs
        mark = glyphs.pointer if other.asked else glyphs.dot if other.following else " "
        name = self._called(other, f"{mark}{clean(other.name, _NAME)}", bold=other.asked)
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
