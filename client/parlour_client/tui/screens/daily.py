"""The boards of the day: who has finished them, and a key to play each."""

from contextlib import nullcontext
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.sanitize import clean
from parlour_client.play.entry import Entry
from parlour_client.text import profile as text
from parlour_client.tui.screens.sheet import SheetScreen
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import EnterRoom
from parlour_protocol.messages import Daily

_FIRST = ("beginner", "intermediate", "expert")
"""The boards of servers that do not list theirs."""


class DailyScreen(SheetScreen):
    """The table of today, for each board of the server."""

    TOPIC = "tui.title.daily"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "play", id="daily.play"),
        Binding("left", "level(-1)", id="daily.easier"),
        Binding("right,tab", "level(1)", id="daily.harder"),
    ]
    HINTS = ("daily.play", "daily.easier", "daily.harder")

    def __init__(self, look: Look, enter_room: EnterRoom, *, server: str, name: str, key: str | None) -> None:
        """``enter_room`` opens the room in which ``name`` plays the board."""
        super().__init__(look)
        self._enter_room = enter_room
        self._server, self._me, self._key = server, name, key
        self._boards: list[str] = [*_FIRST]
        self._level = 0

    def on_mount(self) -> None:
        """Ask for the table."""
        super().on_mount()
        self._show()

    def action_level(self, by: int) -> None:
        """Show another board."""
        self._level = (self._level + by) % len(self._boards)
        self._show()

    def action_play(self) -> None:
        """Play the board."""
        enter = Daily(self._board, play=True)
        self._enter_room(nullcontext(Entry(self._server, enter, self._me, own_name=False, key=self._key)), self._back)

    @property
    def _board(self) -> str:
        return self._boards[self._level]

    @property
    def _named(self) -> str:
        """The board in words."""
        return say("line.mines.board_name", level=self._board)

    def _tabs(self) -> Text:
        """Return all boards in a line, the one that is shown in gold."""
        names = ((say("line.mines.board_name", level=board), board == self._board) for board in self._boards)
        return self.look.joined(
            *(self.look.text((name, "gold" if here else "dim"), bold=here) for name, here in names), gap=3
        )

    def _back(self, fault: Fault | None) -> None:
        self._show(str(fault) if fault else "")

    def _show(self, trouble: str = "") -> None:
        """Ask for the table of the level, and show why the board could not be played."""
        asking = f"{say('tui.daily.asking', server=self._server, level=self._named)}{self.look.glyphs.more}"
        self.write([self._tabs(), "", asking], trouble)
        self.run_worker(self._ask(trouble), exclusive=True)

    async def _ask(self, trouble: str) -> None:
        try:
            found = await queries.daily(self._server, self._board, None)
        except Fault as fault:
            self.write([self._tabs(), "", say("tui.daily.board", level=self._named)], trouble or str(fault))
        else:
            here = self._board
            self._boards = [each["board"] for each in found.boards or ()] or self._boards
            self._level = self._boards.index(here)
            first = say("tui.daily.points" if text.counts_points(found) else "tui.daily.first")
            *table, commit = text.daily_table(found)
            self.write([self._tabs(), "", *table, "", first, "", self.look.text((clean(commit), "dim"))], trouble)
