"""Screens with lines to read: the boards of the day, a profile, the review of a match."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from parlour_client import replays
from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.storage.credentials import held
from parlour_client.storage.history import tally_rows
from parlour_client.text import own_games
from parlour_client.text import profile as text
from parlour_client.text.review import lines
from parlour_client.tui.screens.base import EnterRoom, ParlourScreen, StartOptions
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Line, Scrolling
from parlour_client.tui.widgets.keys import labelled
from parlour_protocol.messages import Daily, Plain


class SheetScreen(ParlourScreen[None]):
    """Lines to read. A subclass fills them in."""

    DEFAULT_CSS = """
    SheetScreen #page { scrollbar-size-vertical: 1; }
    SheetScreen Static { width: 100%; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll(-1)", id="sheet.up"),
        Binding("down,j", "scroll(1)", id="sheet.down"),
        Binding("q,ctrl+c,escape", "back", id="sheet.back"),
    ]
    HINTS: ClassVar[tuple[str, ...]] = ()
    """Binding ids of the screen's own keys."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._text = Static()
        self._page = Scrolling(self._text, id="page")

    def compose(self) -> ComposeResult:
        """Yield heading, text and keys."""
        yield Line(self.look, self._head, "panel")
        yield self._page
        yield self._hints

    def _show_hints(self) -> None:
        self._hints.show(labelled(*self.HINTS), labelled("sheet.back"))

    def write(self, lines: Iterable[str | Text], trouble: str = "") -> None:
        """Show ``lines`` and below them ``trouble``, which went wrong."""
        self._text.update(self.look.wrapped(*lines, (trouble, "coral")))

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self._page.scroll_lines(lines)


_FIRST = ("beginner", "intermediate", "expert")
"""The boards of servers that do not list theirs."""


class DailyScreen(SheetScreen):
    """The table of today, for each board of the server."""

    ABOUT = "tui.title.daily"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "play", id="daily.play"),
        Binding("left", "level(-1)", id="daily.easier"),
        Binding("right,tab", "level(1)", id="daily.harder"),
    ]
    HINTS = ("daily.play", "daily.easier", "daily.harder")

    def __init__(self, look: Appearance, enter_room: EnterRoom, options: StartOptions) -> None:
        """``enter_room`` opens the room in which the board is played."""
        super().__init__(look)
        self._enter_room = enter_room
        self._options = options
        self._boards: list[str] = [*_FIRST]
        self._level = 0

    def on_mount(self) -> None:
        """Ask for the table."""
        self._show()

    def action_level(self, by: int) -> None:
        """Show another board."""
        self._level = (self._level + by) % len(self._boards)
        self._show()

    def action_play(self) -> None:
        """Play the board."""
        self._enter_room(self._options.way(Daily(self._board, play=True)), self._back)

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
        asking = f"{say('tui.daily.asking', server=self._options.server, level=self._named)}{self.look.glyphs.more}"
        self.write([self._tabs(), "", asking], trouble)
        self.run_worker(self._ask(trouble), exclusive=True)

    async def _ask(self, trouble: str) -> None:
        try:
            found = await queries.daily(self._options.server, self._board, None)
        except Fault as fault:
            self.write([self._tabs(), "", say("tui.daily.board", level=self._named)], trouble or str(fault))
        else:
            here = self._board
            self._boards = [each["board"] for each in found.boards or ()] or self._boards
            self._level = self._boards.index(here)
            first = say("tui.daily.points" if text.counts_points(found) else "tui.daily.first")
            *table, commit = text.daily_table(found)
            self.write([self._tabs(), "", *table, "", first, "", self.look.text((clean(commit), "dim"))], trouble)


class ProfileScreen(SheetScreen):
    """Best times, wins, streaks and the latest matches."""

    ABOUT = "tui.title.profile"

    def __init__(self, look: Appearance, options: StartOptions) -> None:
        super().__init__(look)
        self._options = options

    def on_mount(self) -> None:
        """Show the matches of this machine, and ask the server."""
        self._own = list(text.lines(say("tui.profile.own"), tally_rows()))
        self.write([*self._own, "", f"{say('tui.asking', server=self._options.server)}{self.look.glyphs.more}"])
        self.run_worker(self._ask())

    async def _ask(self) -> None:
        own = [*await self._games(), *self._own, ""]
        try:
            found = await queries.profile(self._options.server, self._options.name)
        except Fault as fault:
            self.write(own, str(fault))
        else:
            title = say("tui.profile.on", name=found.name, server=self._options.server)
            self.write([*own, *text.lines(title, found.games)])

    async def _games(self) -> list[str]:
        """Return the lines of our games on the server; none if we are there under that name now."""
        who = self._options
        try:
            with held(who.server, who.name) as credentials:
                session = credentials.session(None, who.key)
                if not (session.token or session.key):
                    return []
                found = await queries.own_games(who.server, session)
        except Fault:
            return []
        lines = [*own_games.lines(found)]
        return [say("line.own.title", server=who.server), *lines, ""] if lines else []


class ReviewScreen(SheetScreen):
    """The review of a seat, or of every person. Another process does it, until the screen is left."""

    ABOUT = "tui.title.review"

    def __init__(
        self,
        look: Appearance,
        path: Path,
        viewer: int | None,
        room: JoinedRoom,
        found: Callable[[list[Plain]], None],
    ) -> None:
        """``viewer``: a seat, or None for every person. ``room``: of the match. ``found`` is called with the review."""
        super().__init__(look)
        self._path, self._viewer, self._room, self._found = path, viewer, room, found

    def on_mount(self) -> None:
        """Start the review."""
        self.write([f"{say('tui.review.doing')}{self.look.glyphs.more}"])
        self.run_worker(self._review())

    async def _review(self) -> None:
        try:
            players = await replays.review(self._path, self._viewer)
        except Fault as fault:
            self.write([], str(fault))
        else:
            self._found(players)
            self.write(lines(self._room, players, screens=True))
