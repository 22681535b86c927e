"""The forms for a new room, and for the rules of a room between two matches."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import attrs
from rich.text import Text

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.play import entry
from parlour_client.play.game_form import GameForm, InstalledGame, Rules, fewest, forms
from parlour_client.tui.screens.base import EnterRoom, StartOptions, heading
from parlour_client.tui.screens.room_form import CLOCK, RoomForm, Setting
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.form import CHOSEN, NAME, FormField
from parlour_client.tui.widgets.header import title_of
from parlour_games.registry import games
from parlour_protocol.messages import DEFAULT_CLOCK, Configure, Create, Presets

ChangePresets: TypeAlias = Callable[[Presets], None]
"""Asks the server for its presets, or to save or remove one; ``offer`` takes the answer."""


class ConfigureScreen(RoomForm[Configure | None]):
    """A form with the seats, the clock and the options of a room. It is dismissed with what changes them."""

    ABOUT = "tui.title.configure"
    ENTER = "tui.help.create.apply"
    CONFIRM = "tui.configure.change"

    def __init__(
        self, look: Appearance, room: JoinedRoom, form: GameForm, presets: ChangePresets | None = None
    ) -> None:
        """``room``: shows its settings. ``form``: of its game. ``presets`` None: the server keeps none."""
        super().__init__(look, {room.game: form}, room.game)
        table = room.table
        self._code = room.code
        self._taken = max((row["seat"] + 1 for row in table["seats"]), default=0)
        self._draft.clock = table.get("clock", DEFAULT_CLOCK)
        self._draft.seats = table.get("size")
        self._draft.chosen = fewest(form, table["options"])
        self._ask_presets = presets

    def on_mount(self) -> None:
        """Ask the server for its presets."""
        if self._ask_presets is not None:
            self._ask_presets(Presets(game=self._draft.game))

    def _change_presets(self, change: Presets) -> None:
        if self._ask_presets is not None:
            self._ask_presets(change)

    def _listed(self, rules: Rules) -> Iterator[FormField]:
        """Yield the fields."""
        yield from self._presets.fields(self._draft.game)
        yield FormField("", say("tui.create.room"), "title")
        yield self._seats_field(attrs.evolve(rules, least=max(rules.least, min(self._taken, rules.most))))
        yield self._clock_field()
        yield from self._options(rules)

    def _head(self, width: int) -> Text:
        """Return the first line."""
        return heading(self.look, (say("tui.configure.rules_of"), "dim"), self._code)

    def _confirmed(self) -> None:
        """Return the change."""
        self.dismiss(Configure(self._code, self._draft.options, self._draft.seats, self._draft.clock))


_YES_NO = (True, False)
_PACES = (None, 0, 400, 900)
"""Milliseconds for a card or click."""
_DELAYS = (0, 10_000, 30_000, 60_000)
"""Milliseconds later that spectators see a match."""
_TABLE: tuple[Setting, ...] = (
    ("private", _YES_NO, False),
    CLOCK,
    ("kinds", ("any", "humans", "bots"), "any"),
    ("watch", _YES_NO, True),
    ("hints", _YES_NO, True),
    ("standin", _YES_NO, True),
    ("rated", _YES_NO, True),
    ("pace", _PACES, None),
    ("delay", _DELAYS, 0),
    ("seat_code", _YES_NO, False),
    ("start", ("host", "full"), "host"),
    ("as_", ("player", "spectator"), "player"),
)


class CreateScreen(RoomForm[None]):
    """A form with all fields of ``create``. It returns if the server refuses them."""

    ABOUT = "tui.title.create"
    ENTER = "tui.help.create.open"
    CONFIRM = "tui.create.open"

    def __init__(
        self,
        look: Appearance,
        enter_room: EnterRoom,
        options: StartOptions,
        game: str = "uno",
        *,
        here: bool = False,
    ) -> None:
        """``enter_room`` opens the room. ``here``: on a server that starts on this machine for it."""
        installed = {name: InstalledGame(each) for name, each in games().items()}
        super().__init__(look, installed, game if game in installed else next(iter(installed)))
        self._who = options
        self._hosting = options.hosting if here else None
        self._enter_room = enter_room
        self._wanted = game

    def on_mount(self) -> None:
        """Fill in the defaults, and ask the server for its games."""
        if self._hosting is None:
            self.run_worker(self._ask())

    async def _ask(self) -> None:
        """Offer the games of the server. If it does not answer, opening the room shows why."""
        try:
            found = await forms(self._who.server)
        except Fault:
            return
        if found:
            shown = {self._draft.game: self._draft.form}
            self._draft.forms = {**found, **({} if self._draft.game in found else shown)}
            if self._wanted in found and not self._draft.chosen:
                self._set("game", self._wanted)
            self._fill()
        try:
            rows = await entry.offered_presets(self._who.server)
        except Fault:
            return
        if rows is not None:
            self.offer(rows)

    def _change_presets(self, change: Presets) -> None:
        self.run_worker(self._change(change))

    async def _change(self, change: Presets) -> None:
        """Save or remove a preset under the player's name, and say how that went."""
        who = self._who
        try:
            rows = (await entry.asked_as(who.server, who.name, who.key, change)).presets
        except Fault as fault:
            self._blame_preset(NAME if change.do == "save" else CHOSEN, str(fault))
            return
        others = [row for row in self._presets.rows or () if row["game"] != change.game]
        self.offer([*others, *rows])
        done = "line.room.preset" if change.do == "save" else "line.preset.removed"
        self.notify(say(done, name=clean(change.name or "")), markup=False)

    def _listed(self, rules: Rules) -> Iterator[FormField]:
        """Yield the fields."""
        games_on_offer = tuple((name, title_of(name)) for name in self._draft.forms)
        yield FormField("game", say("tui.create.game"), "choice", self._draft.game, games_on_offer)
        yield from self._presets.fields(self._draft.game)
        yield FormField("", say("tui.create.room"), "title")
        yield self._seats_field(rules)
        yield from (self._clock_field() if row is CLOCK else self._of_table(*row) for row in _TABLE)
        yield from self._options(rules)

    def _head(self, width: int) -> Text:
        """Return the first line."""
        where = say("tui.create.here") if self._hosting else self._who.server
        return heading(self.look, (say("tui.create.on"), "dim"), where)

    def _confirmed(self) -> None:
        """Open the room."""
        draft = self._draft
        create = Create(draft.game, draft.options, seats=draft.seats, **{**draft.settings, "clock": draft.clock})
        who, host = self._who, self._hosting
        self._enter_room(host(create, name=who.name, key=who.key) if host else who.way(create), self._back)

    def _back(self, fault: Fault | None) -> None:
        """Close the form after a visit, or show why the room was refused."""
        if fault is None:
            self.dismiss(None)
            return
        self._draft.troubles.clear()
        self._draft.blame(str(fault))
        self._fill()
        self._form.go_to(next(iter(self._draft.troubles)))
        self._explain()
        self._form.focus()
