"""The board of the day: who has cleared it, and a key to play it."""

from contextlib import nullcontext
from typing import ClassVar

from textual.binding import Binding, BindingType

from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.play.entry import Entry
from parlour_client.text import profile as text
from parlour_client.tui.screens.sheet import SheetScreen
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import EnterRoom
from parlour_protocol.messages import Daily

_BOARDS = ("beginner", "intermediate", "expert")


class DailyScreen(SheetScreen):
    """The table of today's board, for each level."""

    TOPIC = "board of the day"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "play", "Play", id="daily.play"),
        Binding("left", "level(-1)", "Easier", id="daily.easier"),
        Binding("right,tab", "level(1)", "Harder", id="daily.harder"),
    ]
    HINTS: ClassVar[list[tuple[str, str]]] = [
        ("daily.play", "Play"),
        ("daily.easier", "Easier"),
        ("daily.harder", "Harder"),
    ]

    def __init__(self, look: Look, enter_room: EnterRoom, *, server: str, name: str, key: str | None) -> None:
        """``enter_room`` opens the room in which ``name`` plays the board."""
        super().__init__(look)
        self._enter_room = enter_room
        self._server, self._me, self._key = server, name, key
        self._level = 0

    def on_mount(self) -> None:
        """Ask for the table."""
        super().on_mount()
        self._show()

    def action_level(self, by: int) -> None:
        """Show the board of another level."""
        self._level = (self._level + by) % len(_BOARDS)
        self._show()

    def action_play(self) -> None:
        """Play the board."""
        enter = Daily(_BOARDS[self._level], play=True)
        self._enter_room(nullcontext(Entry(self._server, enter, self._me, own_name=False, key=self._key)), self._back)

    def _back(self, fault: Fault | None) -> None:
        self._show(str(fault) if fault else "")

    def _show(self, trouble: str = "") -> None:
        """Ask for the table of the level, and show why the board could not be played."""
        self.write([f"Asking {self._server} for the {_BOARDS[self._level]} board{self.look.glyphs.more}"], trouble)
        self.run_worker(self._ask(trouble), exclusive=True)

    async def _ask(self, trouble: str) -> None:
        try:
            found = await queries.daily(self._server, _BOARDS[self._level], None)
        except Fault as fault:
            self.write([f"The {_BOARDS[self._level]} board of the day."], trouble or str(fault))
        else:
            first = "Your first attempt of the day counts; the clock starts when you open a cell."
            self.write([*text.daily_table(found), "", first], trouble)
