"""The list of rooms on a server: join, watch, or open one.

It refreshes every two seconds while it is the active screen. Errors appear in one line; the next refresh may succeed.
"""

import asyncio
from asyncio import timeout
from collections import Counter
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.worker import Worker

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault, Refused
from parlour_client.core.phrases import say
from parlour_client.core.queries import listed, people, visiting
from parlour_client.play.game_form import described
from parlour_client.text.room_lines import played
from parlour_client.tui.screens.base import EnterRoom, ParlourScreen, StartOptions, heading
from parlour_client.tui.screens.create import CreateScreen
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import InputLine, Line
from parlour_client.tui.widgets.header import title_of
from parlour_client.tui.widgets.keys import labelled
from parlour_client.tui.widgets.list_view import LIST_KEYS, Listing, columns
from parlour_games.registry import games
from parlour_protocol.messages import BotRow, Join, Role, RoomRow

REFRESH = 2.0
"""Seconds between refreshes."""
AGAIN = 5.0
"""Seconds before reconnecting."""
_TITLES = (("code", 10), ("game", 12), ("state", 9), ("seats", 6), ("for", 6), ("watch", 5), ("players", 16))
"""The columns with their widths."""
_BEFORE_PLAYERS = sum(width + 2 for _, width in _TITLES[:-1])


class Filter(InputLine):
    """The filter of the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", id="lobby.unfilter"),
        Binding("down", "screen.list", id="lobby.list"),
    ]

    def fits(self, text: str) -> bool:
        """Return whether ``text`` contains each word."""
        return all(word in text.casefold() for word in self.value.casefold().split())

    def close(self, text: str = "") -> None:
        """Empty and close the filter, so that all rooms are shown."""
        self.value = ""
        super().close(text)


class LobbyScreen(ParlourScreen[None]):
    """The rooms of a server as a list, and its bots in a line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", id="lobby.watch"),
        Binding("c", "create", id="lobby.create"),
        Binding("f,slash", "filter", id="lobby.filter"),
        Binding("tab", "game", id="lobby.game", priority=True),
        Binding("r", "refresh_now", id="lobby.refresh"),
        Binding("question_mark", "help", id="lobby.help"),
        Binding("q,ctrl+c,escape", "back", id="lobby.back"),
    ]
    ABOUT = "tui.title.rooms"
    KEYS: ClassVar[list[tuple[str, str]]] = [
        *LIST_KEYS,
        ("enter, double_click", "tui.help.lobby.join"),
        ("w", "tui.help.lobby.watch"),
        ("c", "tui.help.lobby.create"),
        ("f, /", "tui.help.lobby.filter"),
        ("tab", "tui.help.lobby.game"),
        ("r", "tui.help.lobby.refresh"),
        ("?", "tui.help.keys"),
        ("q, esc, ctrl+c", "tui.help.back"),
    ]

    def __init__(self, look: Appearance, enter_room: EnterRoom, options: StartOptions) -> None:
        """``enter_room`` opens a room."""
        super().__init__(look)
        self._enter_room = enter_room
        self._options = options
        self._rooms: list[RoomRow] = []
        self._bots: list[BotRow] = []
        self._shown: list[RoomRow] = []
        self._game: str | None = None
        self._described: set[str] = set()
        """Games that the server was asked to describe."""
        self._trouble = ""
        """Why the server does not answer."""
        self._refusal = ""
        """Why a room could not be entered."""
        self._wanted = asyncio.Event()
        self._asking: Worker[None] | None = None
        self._heading = Line(look, self._head, "panel")
        self._titles = Line(look, lambda _: columns(look, _titles(), bold=True), "table")
        self._list = Listing(look, self._row, empty=f"{say('tui.asking', server=options.server)}{look.glyphs.more}")
        self._played = Line(look, self._rules, "table")
        self._free = Line(look, self._free_bots, "table")
        self._said = Line(look, lambda _: look.text((self._trouble or self._refusal, "coral")), "table")
        self._filter = Filter(placeholder=say("tui.lobby.filter"), compact=True)

    def compose(self) -> ComposeResult:
        """Yield the zones."""
        yield self._heading
        yield Vertical(self._titles, self._list, self._played, self._free, self._said, id="page")
        yield self._filter
        yield self._hints

    def on_mount(self) -> None:
        """Focus the list."""
        self._list.focus()

    def on_screen_resume(self) -> None:
        """Refresh."""
        if self._asking is None:
            self._asking = self.run_worker(self._ask())
        else:
            self._wanted.set()

    # --- the server ---

    async def _ask(self) -> None:
        while True:
            try:
                async with visiting(self._options.server) as connection:
                    while True:
                        rooms, bots = await listed(connection)
                        await self._learn_names(connection, rooms)
                        self._take(rooms, bots)
                        await self._pause(REFRESH)
            except Fault as fault:
                self._take([], [], str(fault))
            await self._pause(AGAIN)

    async def _learn_names(self, connection: Connection, rooms: list[RoomRow]) -> None:
        """Learn the words of games that are not installed here, so that the list shows their names."""
        for game in {row["game"] for row in rooms} - games().keys() - self._described:
            self._described.add(game)
            if {game, "describe"} <= set(connection.can):
                with suppress(Refused):
                    await described(connection, game)

    async def _pause(self, seconds: float) -> None:
        """Wait for the next refresh while the screen is active, or for a request to refresh now."""
        self._wanted.clear()
        looking = False
        while not looking and not self._wanted.is_set():
            try:
                async with timeout(seconds):
                    await self._wanted.wait()
            except TimeoutError:
                looking = self.app.app_focus and self.app.screen is self

    def _take(self, rooms: list[RoomRow], bots: list[BotRow], trouble: str = "") -> None:
        self._rooms, self._bots, self._trouble = rooms, bots, trouble
        self._refresh_list()

    # --- showing ---

    def _refresh_list(self) -> None:
        """Show the rooms that match the filter, and keep the selection."""
        before = self._pointed()
        self._shown = sorted((row for row in self._rooms if self._fits(row)), key=lambda row: not row.get("people"))
        codes = [row["room"] for row in self._shown]
        self._list.empty = say("tui.lobby.none_fits") if self._rooms else "" if self._trouble else say("tui.lobby.none")
        self._list.show(len(codes), codes.index(before["room"]) if before and before["room"] in codes else None)
        for part in (self._heading, self._played, self._free, self._said):
            part.refresh()
        self._show_hints()

    def _fits(self, row: RoomRow) -> bool:
        said = " ".join((row["room"], title_of(row["game"]), row["game"], row["state"], *people(row), *played(row)))
        return self._game in (None, row["game"]) and self._filter.fits(said)

    def _pointed(self) -> RoomRow | None:
        at = self._list.pointed
        return self._shown[at] if 0 <= at < len(self._shown) else None

    def _head(self, width: int) -> Text:
        look = self.look
        left = heading(look, (say("tui.lobby.on"), "dim"), self._options.server)
        kept = [title_of(self._game)] if self._game else []
        kept += [f"{look.glyphs.quotes[0]}{self._filter.value}{look.glyphs.quotes[1]}"] if self._filter.value else []
        count = say("tui.lobby.count", shown=len(self._shown) if kept else None, n=len(self._rooms))
        right = look.text((f"{' '.join([*kept, ''])}", "gold"), (f"{count} ", "dim"))
        return look.text(left, " " * (width - left.cell_len - right.cell_len), right)

    def _row(self, row: int, here: bool, width: int) -> Text:
        return columns(self.look, _cells(self.look, self._shown[row], width, here=here), bold=here)

    def _rules(self, width: int) -> Text:
        """Return how the selected room is played."""
        row = self._pointed()
        if row is None:
            return Text(end="")
        game = title_of(row["game"])
        return self.look.text((f"{row['room']}  ", "gold"), f" {self.look.glyphs.dot} ".join([game, *played(row)]))

    def on_listing_pointed(self) -> None:
        """Show how the newly selected room is played."""
        self._played.refresh()

    def _free_bots(self, width: int) -> Text:
        free = Counter(game for bot in self._bots if bot["free"] for game in bot["games"])
        told = ", ".join(f"{title_of(game)} {free[game]}" for game in sorted(free))
        return self.look.text((say("tui.lobby.bots"), "dim"), told) if told else Text(end="")

    def _show_hints(self) -> None:
        if self.app.screen is self:
            wanted = [("list.choose", say("tui.lobby.join")), *labelled("lobby.watch")] if self._shown else []
            wanted += labelled("lobby.create", "lobby.filter", "lobby.game", "lobby.refresh")
            self._hints.show(wanted, labelled("lobby.help", "lobby.back"))

    # --- what the person does ---

    def on_listing_chosen(self) -> None:
        """Join."""
        self._enter("player")

    def action_watch(self) -> None:
        """Watch."""
        self._enter("spectator")

    def action_create(self) -> None:
        """Open the form for a new room."""
        self.app.push_screen(CreateScreen(self.look, self._enter_room, self._options, self._game or "uno"))

    def action_filter(self) -> None:
        """Open the filter."""
        self._filter.open()

    def on_input_line_closed(self) -> None:
        """Go to the list."""
        self._list.focus()

    def action_list(self) -> None:
        """Go to the list, and keep the filter."""
        self._list.focus()

    def on_input_changed(self) -> None:
        """Apply the filter."""
        self._refresh_list()

    def on_input_submitted(self) -> None:
        """Join the first match."""
        self._enter("player")

    def action_game(self) -> None:
        """Show only rooms of the next game; after the last one, of all games."""
        games: list[str | None] = [None, *sorted({row["game"] for row in self._rooms})]
        self._game = games[(games.index(self._game) + 1) % len(games)] if self._game in games else None
        self._refresh_list()

    def action_refresh_now(self) -> None:
        """Refresh now."""
        self._wanted.set()

    def action_back(self) -> None:
        """Close the filter, or go back."""
        if self._filter.opened:
            self._filter.close()
        else:
            self.dismiss(None)

    def _enter(self, role: Role) -> None:
        row = self._pointed()
        if row is not None:
            self._refusal = ""
            self._enter_room(self._options.way(Join(row["room"], as_=role)), self._back)

    def _back(self, fault: Fault | None) -> None:
        self._refusal = str(fault) if fault else ""
        self._said.refresh()
        self._list.focus()


def _titles() -> list[tuple[str, int, str]]:
    """Return the titles of the columns."""
    code, *others = [(say(f"tui.lobby.head.{name}"), columns, "dim") for name, columns in _TITLES]
    return [(f"  {code[0]}", *code[1:]), *others]


def _cells(look: Appearance, row: RoomRow, width: int, *, here: bool) -> list[tuple[str, int, str]]:
    """Return the columns of a row. The last one takes the rest of ``width``."""
    pointer = look.glyphs.pointer if here else " "
    room = row["taken"] < row["seats"] and row["state"] in ("waiting", "finished")
    ink = "gold" if here else "ink"
    return [
        (f"{pointer} {row['room']}", 10, ink),
        (title_of(row["game"]), 12, ink),
        (say("tui.lobby.state", state=row["state"]), 9, ink if room else "dim"),
        (f"{row['taken']}/{row['seats']}", 5, ink if room else "dim"),
        (say(f"tui.create.kinds.{row['kinds']}"), 6, "dim"),
        (say("tui.yes" if row["watch"] else "tui.no"), 5, "dim"),
        (", ".join(people(row)), max(17, width - _BEFORE_PLAYERS), ink),
    ]
