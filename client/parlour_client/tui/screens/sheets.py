"""Screens with lines to read: the boards of the day, a profile, the review of a match."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour_client import replays
from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.storage.credentials import held
from parlour_client.storage.history import tally_rows
from parlour_client.text import own_games
from parlour_client.text import profile as text
from parlour_client.text.review import lines
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import EnterRoom, Line, ParlourScreen, heading
from parlour_client.tui.widgets.keys import HintBar, labelled
from parlour_protocol.messages import Daily, Plain


class SheetScreen(ParlourScreen[None]):
    """Lines to read. A subclass fills them in."""

    DEFAULT_CSS = """
    SheetScreen VerticalScroll { width: 100%; height: 1fr; padding: 1 2 0 2; scrollbar-size-vertical: 1; }
    SheetScreen Static { width: 100%; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll(-1)", id="sheet.up"),
        Binding("down,j", "scroll(1)", id="sheet.down"),
        Binding("q,ctrl+c,escape", "back", id="sheet.back"),
    ]
    TOPIC: ClassVar[str]
    """The phrase in the heading."""
    HINTS: ClassVar[tuple[str, ...]] = ()
    """Binding ids of the screen's own keys."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._text = Static()
        self._hints = HintBar(look)

    def compose(self) -> ComposeResult:
        """Yield heading, text and keys."""
        yield Line(self.look, lambda _: heading(self.look, (say(self.TOPIC), "dim")), "panel")
        yield VerticalScroll(self._text, can_focus=False)
        yield self._hints

    def on_screen_resume(self) -> None:
        """Show the keys."""
        self.call_after_refresh(self._hints.show, labelled(*self.HINTS), labelled("sheet.back"))

    def write(self, lines: Iterable[str | Text], trouble: str = "") -> None:
        """Show ``lines`` and below them ``trouble``, which went wrong."""
        told = (line if isinstance(line, Text) else self.look.text(clean(line)) for line in lines)
        text = Text("\n").join([*told, self.look.text((trouble, "coral"))])
        text.no_wrap = False
        self._text.update(text)

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False, immediate=True)


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

    def __init__(self, look: Appearance, enter_room: EnterRoom, *, server: str, name: str, key: str | None) -> None:
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


class ProfileScreen(SheetScreen):
    """Best times, wins, streaks and the latest matches."""

    TOPIC = "tui.title.profile"

    def __init__(self, look: Appearance, *, server: str, name: str, key: str | None = None) -> None:
        """``name``: the player on ``server``."""
        super().__init__(look)
        self._server, self._me, self._key = server, name, key

    def on_mount(self) -> None:
        """Show the matches of this machine, and ask the server."""
        super().on_mount()
        self._own = list(text.lines(say("tui.profile.own"), tally_rows()))
        self.write([*self._own, "", f"{say('tui.asking', server=self._server)}{self.look.glyphs.more}"])
        self.run_worker(self._ask())

    async def _ask(self) -> None:
        own = [*await self._games(), *self._own, ""]
        try:
            found = await queries.profile(self._server, self._me)
        except Fault as fault:
            self.write(own, str(fault))
        else:
            title = say("tui.profile.on", name=found.name, server=self._server)
            self.write([*own, *text.lines(title, found.games)])

    async def _games(self) -> list[str]:
        """Return the lines of our games on the server; none if we are there under that name now."""
        try:
            with held(self._server, self._me) as credentials:
                session = credentials.session(None, self._key)
                if not (session.token or session.key):
                    return []
                found = await queries.own_games(self._server, session)
        except Fault:
            return []
        lines = [*own_games.lines(found)]
        return [say("line.own.title", server=self._server), *lines, ""] if lines else []


class ReviewScreen(SheetScreen):
    """The review of a seat, or of every person. Another process does it, until the screen is left."""

    TOPIC = "tui.title.review"

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
        super().on_mount()
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
