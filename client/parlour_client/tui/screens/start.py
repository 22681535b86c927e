"""The start screen: quick play, join, watch, and all other screens."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib.metadata import entry_points
from typing import ClassVar

import attrs
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Label

from parlour_client.core.errors import Fault, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.url import entering, normalise_url, room_at
from parlour_client.play.entry import Entry
from parlour_client.storage import kept_matches
from parlour_client.storage.history import HeldSeat, call, recent, remember, seat, tally_rows
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.profile import own_lines
from parlour_client.tui.screens.base import EnterRoom, ParlourScreen, StartOptions, Way
from parlour_client.tui.screens.dialogs import ConfirmDialog
from parlour_client.tui.screens.preview import Showcase
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.keys import labelled
from parlour_client.tui.widgets.list_view import Menu, MenuEntry
from parlour_games.registry import games
from parlour_protocol.messages import Join, ProfileRow

_PLAY = (
    MenuEntry(
        "tui.start.uno",
        "practice",
        "uno",
        others=(
            MenuEntry("tui.start.easy", "practice", "uno", level="easy"),
            MenuEntry("tui.start.hard", "practice", "uno", level="hard"),
        ),
    ),
    MenuEntry("tui.start.house", "practice", "uno", {"preset": "family"}),
    MenuEntry(
        "tui.start.beginner",
        "practice",
        "minesweeper",
        {"mode": "solo", "level": "beginner"},
        others=(
            MenuEntry("tui.start.intermediate", "practice", "minesweeper", {"mode": "solo", "level": "intermediate"}),
            MenuEntry("tui.start.guessing", "practice", "minesweeper", {"mode": "solo", "level": "expert"}),
        ),
    ),
    MenuEntry("tui.start.expert", "practice", "minesweeper", {"level": "expert", "no_guess": True}),
    MenuEntry(
        "tui.start.race",
        "practice",
        "minesweeper",
        {"mode": "race"},
        2,
        "easy",
        others=(MenuEntry("tui.start.coop", "practice", "minesweeper", {"mode": "coop"}, 1, "normal"),),
    ),
    MenuEntry(
        "tui.start.duel",
        "practice",
        "minesweeper",
        {"mode": "duel"},
        1,
        "easy",
        others=(MenuEntry("tui.start.duel.hard", "practice", "minesweeper", {"mode": "duel"}, 1, "hard"),),
    ),
)


def _play() -> tuple[MenuEntry, ...]:
    """Return the games to start with one key; those of other packages are loaded only if there are any."""
    others = sorted({entry.name for entry in entry_points(group="parlour.games")} - {choice.game for choice in _PLAY})
    return (*_PLAY, *(MenuEntry("tui.start.any", "practice", name) for name in others if name in games()))


_HOST = MenuEntry("tui.start.host", "host")
_MEET = (
    MenuEntry("tui.start.join", "join"),
    MenuEntry("tui.start.watch", "watch"),
    MenuEntry("tui.start.lobby", "lobby"),
    MenuEntry("tui.start.create", "create"),
    MenuEntry("tui.start.daily", "daily"),
)
_MORE = (
    MenuEntry("tui.start.profile", "profile"),
    MenuEntry("tui.start.replays", "replays"),
    MenuEntry("tui.start.settings", "settings"),
)
_NEEDS_NO_NAME = ("replays", "settings")


class ServerField(Input):
    """The address of the server. Up and down select recent servers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "lately(-1)", id="start.before"),
        Binding("down", "lately(1)", id="start.lately"),
    ]

    def __init__(self, url: str) -> None:
        super().__init__(value=url, compact=True, id="server", placeholder=say("tui.start.server.means"))

    def action_lately(self, by: int) -> None:
        """Fill in the next recent server."""
        known = recent()
        here = known.index(self.value) if self.value in known else -1 if by > 0 else 0
        if known:
            self.value = known[(here + by) % len(known)]


class StartScreen(ParlourScreen[None]):
    """The first screen of ``parlour``; rooms return to it."""

    DEFAULT_CSS = """
    StartScreen { align: center middle; }
    StartScreen #box {
        width: 78; max-width: 98%; height: auto; background: $panel; border: $frame $edge; padding: 0 2;
        border-title-color: $gold;
    }
    StartScreen.ample #box { width: 108; }
    StartScreen Horizontal { height: 1; width: 100%; }
    StartScreen #entries { height: auto; }
    StartScreen Menu { width: 38; }
    StartScreen.tight Showcase { display: none; }
    StartScreen Label { width: 9; color: $dim; }
    StartScreen Input { width: 1fr; height: 1; border: none; background: $table; color: $ink; padding: 0 1; }
    StartScreen Input:focus { border: none; }
    StartScreen.tight #box { border: none; }
    StartScreen #said { width: 100%; height: auto; color: $coral; }
    StartScreen HintBar { dock: bottom; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", id="start.help"),
        Binding("q,ctrl+c", "end", id="start.end"),
        Binding("escape", "back", id="start.back"),
        Binding("tab", "app.focus_next", id="start.next"),
    ]
    ABOUT = "tui.start.title"
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("up down, k j", "tui.help.start.move"),
        ("left right", "tui.help.start.turn"),
        ("enter, space", "tui.help.start.choose"),
        ("tab", "tui.help.start.fields"),
        ("up down", "tui.help.start.lately"),
        ("?", "tui.help.keys"),
        ("esc", "tui.help.start.esc"),
        ("q, ctrl+c", "tui.help.start.end"),
        ("ctrl+p", "tui.help.palette"),
        ("ctrl+z", "tui.help.suspend"),
    ]

    class Wanted(Message):
        """The screen ``what`` was chosen: such as lobby, create or settings."""

        def __init__(self, what: str, options: StartOptions) -> None:
            super().__init__()
            self.what = what
            self.options = options

    def __init__(self, look: Appearance, enter_room: EnterRoom, options: StartOptions) -> None:
        """``enter_room`` opens a room."""
        super().__init__(look)
        self._options = options
        self._seat: HeldSeat | None = None
        self._kept: list[KeptMatch] = []
        self._own: list[ProfileRow] = []
        """What this user has done at their own table."""
        self._complains = False
        """Whether an error is shown."""
        self._enter_room = enter_room
        self._menu = Menu(look)
        self._menu.show(self._groups(), tight=False)
        self._showcase = Showcase(look)
        self._code = Input(placeholder=say("tui.start.code.means"), compact=True, id="code")
        self._server = ServerField(options.server)
        self._own_name = Input(value=options.name, max_length=20, compact=True, id="name")
        self._said = Label("", id="said", markup=False)

    def compose(self) -> ComposeResult:
        """Yield menu and fields."""
        box = Vertical(
            Horizontal(self._menu, self._showcase, id="entries"),
            Label("", id="space"),
            Horizontal(Label(say("tui.start.code")), self._code),
            Horizontal(Label(say("tui.start.server")), self._server),
            Horizontal(Label(say("tui.start.name")), self._own_name),
            self._said,
            id="box",
        )
        box.border_title = "parlour"
        yield box
        yield self._hints

    def on_mount(self) -> None:
        """Focus the menu."""
        self._said.display = False
        self._menu.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Adapt to the size."""
        super().on_resize(event)
        self._close_up()

    def _close_up(self) -> None:
        """Show the menu, without empty lines if it would be too long."""
        longer = self._seat is not None or self._kept or self._complains
        tight = self.has_class("tight") or bool(longer and self.has_class("short"))
        self._menu.show(self._groups(), tight=tight)
        self.query_one("#space").display = not tight

    def _groups(self) -> list[Sequence[MenuEntry]]:
        """Return the entries of the menu; the first leads back to a reserved seat, if there is one."""
        back = (MenuEntry("tui.start.back", "back", room=clean(self._seat.room, 8)),) if self._seat else ()
        kept = (MenuEntry("tui.start.kept", "kept", each.game, room=clean(each.about, 40)) for each in self._kept)
        meet = (_HOST, *_MEET) if self._options.hosting else _MEET
        return [(*kept, *back), _play() if self._options.practice else (), meet, _MORE]

    def commands(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (label, callback) of all entries."""
        return self._menu.commands()

    def on_screen_resume(self) -> None:
        """Update the menu."""
        self._seat = seat()
        self._kept = kept_matches.found() if self._options.practice else []
        self._close_up()
        self._own = tally_rows()

    def on_descendant_focus(self) -> None:
        """Show the keys of a field, or of the menu."""
        self._show_hints()

    def on_menu_pointed(self) -> None:
        """Show what the newly selected entry is."""
        self._show_hints()

    def _show_hints(self) -> None:
        """Show the keys, and what the selected entry is."""
        entry = self._menu.pointed
        back = [] if self._menu.has_focus else [("start.back", say("tui.start.menu"))]
        wanted = [*back, *labelled("menu.choose", "menu.next", "start.next")]
        self._hints.show(wanted, labelled("start.help", "start.end"))
        self._showcase.tell(entry.game, entry.about, list(own_lines(entry.game, self._own)))

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Carry out the entry."""
        self._do(message.choice)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Join with the typed code, or watch if that entry is selected."""
        event.stop()
        watch = self._menu.pointed.do == "watch"
        self._do(_MEET[1] if watch else _MEET[0])

    def action_back(self) -> None:
        """Go from a field or an error back to the menu."""
        self._say("")
        self._menu.focus()

    def action_end(self) -> None:
        """End."""
        self.app.exit(0)

    def _do(self, choice: MenuEntry) -> None:
        name = self._own_name.value.strip()
        if choice.do in ("join", "watch") and (unclear := self._find()):
            self._say(unclear)
            self._code.focus()
            return
        if not name and choice.do not in _NEEDS_NO_NAME:
            self._say(say("tui.start.no_name"))
            self._own_name.focus()
            return
        if name != self._options.name:
            call(name)
        if choice.do == "back" and self._seat is not None:
            self._go(self._way_back(self._seat))
        elif choice.do == "practice":
            self._begin(choice, name)
        elif choice.do == "kept":
            self._go_on(next(each for each in self._kept if each.game == choice.game))
        elif choice.do not in ("join", "watch"):
            self._say("")
            if choice.do not in (*_NEEDS_NO_NAME, "host"):
                remember(self._server.value.strip())
            self.post_message(self.Wanted(choice.do, self._chosen(name)))
        else:
            remember(self._server.value.strip())
            enter = entering(self._code.value, "spectator" if choice.do == "watch" else "player")
            self._go(self._chosen(name).way(enter, look=choice.do == "join"))

    def _chosen(self, name: str) -> StartOptions:
        """Return the options with the typed server, and ``name``."""
        return attrs.evolve(self._options, server=self._server.value.strip(), name=name)

    def _begin(self, choice: MenuEntry, name: str) -> None:
        """Begin a match at the player's own table. One of this game that is kept is given up only when confirmed."""

        def answered(goes_on: bool | None) -> None:
            if goes_on and kept is not None:
                self._go_on(kept)
            elif goes_on is False and self._options.practice is not None:
                options = dict(choice.options)
                self._go(self._options.practice(choice.game, options, name=name, bots=choice.bots, level=choice.level))

        kept = next((each for each in self._kept if each.game == choice.game), None)
        if kept is None:
            answered(False)
        else:
            question = say("tui.kept.ask", about=clean(kept.about, 40))
            answers = say("tui.kept.go_on"), say("tui.kept.new")
            self.app.push_screen(ConfirmDialog(self.look, [question], *answers), answered)

    def _go_on(self, kept: KeptMatch) -> None:
        if self._options.practice is not None:
            self._go(self._options.practice(kept.game, {}, name=kept.name, kept=kept))

    def _find(self) -> str:
        """Set code and server from a typed code or link. Returns an error message, or ""."""
        said, here = self._code.value.strip(), self._server.value.strip()
        try:
            code, where = room_at(said, here)
            self._server.value = here if where == here else normalise_url(where)
        except Usage as usage:
            return str(usage)
        self._code.value = code.upper()
        return "" if code else say("tui.start.no_code")

    def _way_back(self, seat: HeldSeat) -> Way:
        """Return the context that opens into the entry of a seat; it restarts a server of our own."""
        key, hosting = self._options.key, self._options.hosting
        if seat.hosted and hosting is not None:
            return hosting(Join(seat.room), name=seat.name, key=key)
        return nullcontext(Entry(seat.url, Join(seat.room), seat.name, key=key))

    def _go(self, way: Way) -> None:
        self._say("")
        self._enter_room(way, self._back)

    def _back(self, fault: Fault | None) -> None:
        self._say(str(fault) if fault else "")
        self._menu.focus()

    def _say(self, text: str) -> None:
        tight = self.has_class("tight")  # there is no line to spare
        if text and tight:
            self.notify(text, severity="warning", markup=False)
        self._said.update(self.look.text((text, "coral")))
        self._said.display = self._complains = bool(text) and not tight
        self._close_up()
