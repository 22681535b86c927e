"""The board of four in a row on the terminal, with a cursor above its columns."""

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import GameWidget, ShownClocks
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.keys import labelled
from parlour_fourinarow.game import SIGNS

_ROLES = {SIGNS[0]: "coral", SIGNS[1]: "gold", ".": "dim"}


class FourInARowWidget(GameWidget, can_focus=True):
    """Four in a row as seen by a player or spectator."""

    DEFAULT_CSS = """
    FourInARowWidget { layout: vertical; }
    FourInARowWidget > Static { width: 100%; height: 1fr; content-align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", id="fourinarow.left", show=False),
        Binding("right,l", "step(1)", id="fourinarow.right", show=False),
        Binding("enter,space", "drop", id="fourinarow.drop"),
        *(Binding(str(n), f"drop({n - 1})", id=f"fourinarow.drop{n}", show=False) for n in range(1, 10)),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("left, right", "tui.help.any.move"),
        ("enter, space", "tui.help.any.choose"),
        ("1 to 9", "tui.help.any.number"),
    ]
    MOVES = frozenset({"fourinarow.drop"})

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a clock in seconds."""
        super().__init__(look, now=now)
        self.board = Static()
        self._clocks = ShownClocks(now)
        self._room: JoinedRoom | None = None
        self._column = 3

    def compose(self) -> ComposeResult:
        """Yield the zones from top to bottom."""
        yield self.board
        yield self.turn

    def show(self, room: JoinedRoom) -> None:
        """Show the current state of the room."""
        self._room = room
        self._clocks.update(room)
        self._draw(room)

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return the keys that are useful now."""
        return labelled("fourinarow.drop") if room.question else []

    def _draw(self, room: JoinedRoom) -> None:
        view, text = room.view or {}, self.look.text
        rows, won, turn = view["board"], view.get("line", []), view["turn"]
        named = [(f"{sign} {room.name(seat)}  ", _ROLES[sign]) for seat, sign in enumerate(SIGNS)]
        players = text(*(text(name, bold=turn == seat) for seat, name in enumerate(named)))
        cursor = ["v " if room.question and column == self._column else "  " for column in range(len(rows[0]))]
        discs = [
            text(*(text((f"{sign} ", _ROLES[sign]), bold=[y, x] in won) for x, sign in enumerate(row)))
            for y, row in enumerate(rows)
        ]
        numbers = text(("".join(f"{n % 10} " for n in range(1, len(rows[0]) + 1)), "dim"))
        self.board.update(Text("\n").join([players, text(), text(("".join(cursor), "gold")), *discs, numbers]))
        mine = room.question is not None
        state = "over" if room.over else "yours" if mine else "none" if turn is None else "other"
        words = say(f"any.turn.{state}", who=room.name(turn) if state == "other" else "")
        self.turn.set(words, self._clocks.left(turn), text(), mine)

    def action_step(self, by: int) -> None:
        """Move the cursor."""
        if self._room is not None and self._room.view:
            self._column = (self._column + by) % len(self._room.view["board"][0])
            self._draw(self._room)

    def action_drop(self, column: int | None = None) -> None:
        """Drop a disc into ``column``, or where the cursor is."""
        question = self._room.question if self._room else None
        action = {"do": "drop", "column": self._column if column is None else column}
        if question is not None and action in (question.legal or []):
            self.post_message(self.Chosen(question.rid, action))
