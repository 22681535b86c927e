"""The seats: who plays, whose turn it is, the clocks, and the values that the view has for each seat."""

from collections.abc import Sequence

from rich.text import Text
from textual.strip import Strip

from parlour_client.core.durations import time_left
from parlour_client.core.room import JoinedRoom, kind_of
from parlour_client.core.sanitize import clean
from parlour_client.text.any.shapes import Seated
from parlour_client.tui.games.clocks import Clocks
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.canvas import Canvas, placed

_NAME = 20


class SeatRows(Canvas):
    """A line for each seat, under the names of their values."""

    def __init__(self, look: Look, clocks: Clocks) -> None:
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
        self.set_interval(1.0, self.repaint)

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the lines, in columns."""
        if self._room is None:
            return []
        look, room = self.look, self._room
        rows = [self._cells(room, row["seat"]) for row in room.table["seats"]]
        if self._values:
            rows.insert(0, [Text(), Text(), *(look.text((part.name, "dim")) for part in self._values)])
        columns = range(max(map(len, rows), default=0))
        wide = [max(row[at].cell_len if at < len(row) else 0 for row in rows) for at in columns]
        left = max(0, (width - sum(wide) - 2 * len(wide)) // 2)
        return [self._line(row, wide, left) for row in rows]

    def _line(self, row: Sequence[Text], wide: Sequence[int], left: int) -> Strip:
        pieces, x = [], left
        for cell, columns in zip(row, wide, strict=False):
            pieces.append((x, self.look.strip(cell, columns, ground=None)))
            x += columns + 2
        return placed(pieces)

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
