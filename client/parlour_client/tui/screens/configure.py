"""The form with which a host changes the rules of a room between two matches."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import attrs
from rich.text import Text

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.game_form import GameForm, Rules, fewest
from parlour_client.tui.screens.room_form import RoomForm
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import heading
from parlour_client.tui.widgets.form import Field
from parlour_protocol.messages import DEFAULT_CLOCK, Configure, Presets

ChangePresets: TypeAlias = Callable[[Presets], None]
"""Asks the server for its presets, or to save or remove one; ``offer`` takes the answer."""


class ConfigureScreen(RoomForm[Configure | None]):
    """A form with the seats, the clock and the options of a room. It is dismissed with what changes them."""

    ABOUT = "tui.title.configure"
    CONFIRM = "tui.configure.change"

    def __init__(self, look: Look, room: JoinedRoom, form: GameForm, presets: ChangePresets | None = None) -> None:
        """``room``: shows its settings. ``form``: of its game. ``presets`` None: the server keeps none."""
        super().__init__(look, {room.game: form}, room.game)
        table = room.table
        self._code = room.code
        self._taken = max((row["seat"] + 1 for row in table["seats"]), default=0)
        self._take_clock(table.get("clock", DEFAULT_CLOCK))
        self._seats = table.get("size")
        self._chosen = fewest(form, table["options"])
        self._ask_presets = presets

    def on_mount(self) -> None:
        """Ask the server for its presets."""
        if self._ask_presets is not None:
            self._ask_presets(Presets(game=self._game))

    def _change_presets(self, change: Presets) -> None:
        if self._ask_presets is not None:
            self._ask_presets(change)

    def _listed(self, rules: Rules) -> Iterator[Field]:
        """Yield the fields."""
        yield from self._presets.fields(self._game, self._troubles)
        yield Field("", say("tui.create.room"), "title")
        yield self._seats_field(attrs.evolve(rules, least=max(rules.least, min(self._taken, rules.most))))
        yield self._clock_field()
        yield from self._options(rules)

    def _head(self, width: int) -> Text:
        """Return the first line."""
        return heading(self.look, (say("tui.configure.rules_of"), "dim"), self._code)

    def _confirmed(self) -> None:
        """Return the change."""
        self.dismiss(Configure(self._code, self.options, self._seats, self._chosen_clock))
