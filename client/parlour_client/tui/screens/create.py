"""The form for a new room: the game, its options, and the settings of the room."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, nullcontext

from rich.text import Text

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.sanitize import clean
from parlour_client.play import presets
from parlour_client.play.entry import Entry
from parlour_client.play.game_form import InstalledGame, Rules, forms
from parlour_client.tui.screens.presets import CHOSEN, NAME
from parlour_client.tui.screens.room_form import CLOCK, RoomForm, Setting
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import EnterRoom, Hosting, heading
from parlour_client.tui.widgets.form import Field
from parlour_client.tui.widgets.header import title_of
from parlour_games.registry import games
from parlour_protocol.messages import Create, Presets

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
    CONFIRM = "tui.create.open"

    def __init__(
        self,
        look: Look,
        enter_room: EnterRoom,
        *,
        server: str,
        name: str,
        key: str | None,
        game: str = "uno",
        hosting: Hosting | None = None,
    ) -> None:
        """``enter_room`` opens the room. ``hosting`` starts a server on this machine for it."""
        installed = {name: InstalledGame(each) for name, each in games().items()}
        super().__init__(look, installed, game if game in installed else next(iter(installed)))
        self._hosting = hosting
        self._enter_room = enter_room
        self._server, self._me, self._key = server, name, key
        self._wanted = game

    def on_mount(self) -> None:
        """Fill in the defaults, and ask the server for its games."""
        if self._hosting is None:
            self.run_worker(self._ask())

    async def _ask(self) -> None:
        """Offer the games of the server. If it does not answer, opening the room shows why."""
        try:
            found = await forms(self._server)
        except Fault:
            return
        if found:
            shown = {self._game: self._forms[self._game]}
            self._forms = {**found, **({} if self._game in found else shown)}
            if self._wanted in found and not self._chosen:
                self._set("game", self._wanted)
            self._fill()
        try:
            rows = await presets.offered(self._server)
        except Fault:
            return
        if rows is not None:
            self.offer(rows)

    def _change_presets(self, change: Presets) -> None:
        self.run_worker(self._change(change))

    async def _change(self, change: Presets) -> None:
        """Save or remove a preset under the player's name, and say how that went."""
        try:
            rows = await presets.changed(self._server, self._me, self._key, change)
        except Fault as fault:
            self._blame_preset(NAME if change.do == "save" else CHOSEN, str(fault))
            return
        others = [row for row in self._presets.rows or () if row["game"] != change.game]
        self.offer([*others, *rows])
        done = "line.room.preset" if change.do == "save" else "line.preset.removed"
        self.notify(say(done, name=clean(change.name or "")), markup=False)

    def _listed(self, rules: Rules) -> Iterator[Field]:
        """Yield the fields."""
        games_on_offer = tuple((name, title_of(name)) for name in self._forms)
        yield Field("game", say("tui.create.game"), "choice", self._game, games_on_offer)
        yield from self._presets.fields(self._game, self._troubles)
        yield Field("", say("tui.create.room"), "title")
        yield self._seats_field(rules)
        yield from (self._clock_field() if row is CLOCK else self._of_table(*row) for row in _TABLE)
        yield from self._options(rules)

    def _head(self, width: int) -> Text:
        """Return the first line."""
        where = say("tui.create.here") if self._hosting else self._server
        return heading(self.look, (say("tui.create.on"), "dim"), where)

    def _confirmed(self) -> None:
        """Open the room."""
        table = {**self._table, "clock": self._chosen_clock}
        create = Create(self._game, self.options, seats=self._seats, **table)
        self._enter_room(self._way(create), self._back)

    def _way(self, create: Create) -> AbstractAsyncContextManager[Entry]:
        """Return the context that opens into the entry of the new room."""
        if self._hosting is not None:
            return self._hosting(create, name=self._me, key=self._key)
        return nullcontext(Entry(self._server, create, self._me, own_name=False, key=self._key))

    def _back(self, fault: Fault | None) -> None:
        """Close the form after a visit, or show why the room was refused."""
        if fault is None:
            self.dismiss(None)
            return
        self._troubles.clear()
        self._blame(str(fault))
        self._fill()
        self._form.go_to(next(iter(self._troubles)))
        self._explain()
        self._form.focus()
