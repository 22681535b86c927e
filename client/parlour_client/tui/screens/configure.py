"""The form with which a host changes the rules of a room between two matches."""

from collections.abc import Iterator

import attrs
from rich.text import Text

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.game_form import GameForm, Rules, fewest
from parlour_client.text import room_lines
from parlour_client.tui.screens.room_form import CLOCK, CLOCKS, RoomForm
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import heading
from parlour_client.tui.widgets.form import Field
from parlour_protocol.messages import DEFAULT_CLOCK, Configure

_AS_IT_IS = "own"
"""The clock of a room that has none of those on offer."""


class ConfigureScreen(RoomForm[Configure | None]):
    """A form with the seats, the clock and the options of a room. It is dismissed with what changes them."""

    ABOUT = "tui.title.configure"
    CONFIRM = "tui.configure.change"

    def __init__(self, look: Look, room: JoinedRoom, form: GameForm) -> None:
        """``room``: shows its settings. ``form``: of its game."""
        super().__init__(look, {room.game: form}, room.game)
        table = room.table
        self._code = room.code
        self._taken = max((row["seat"] + 1 for row in table["seats"]), default=0)
        self._clock = table.get("clock", DEFAULT_CLOCK)
        self._seats = table.get("size")
        self._chosen = fewest(form, table["options"])
        names = [name for name, clock in CLOCKS.items() if clock == self._clock]
        self._table = {"clock": names[0] if names else _AS_IT_IS}

    def _listed(self, rules: Rules) -> Iterator[Field]:
        """Yield the fields."""
        yield Field("", say("tui.create.room"), "title")
        yield self._seats_field(attrs.evolve(rules, least=max(rules.least, min(self._taken, rules.most))))
        yield self._clock_field()
        yield from self._options(rules)

    def _clock_field(self) -> Field:
        field = self._of_table(*CLOCK)
        if self._clock in CLOCKS.values():
            return field
        own = (_AS_IT_IS, say("room.clock", room_lines.times(self._clock)))
        return attrs.evolve(field, choices=(*field.choices, own))

    def _head(self, width: int) -> Text:
        """Return the first line."""
        return heading(self.look, (say("tui.configure.rules_of"), "dim"), self._code)

    def _confirmed(self) -> None:
        """Return the change."""
        named = self._table.get("clock", "usual")
        clock = self._clock if named == _AS_IT_IS else CLOCKS[named]
        self.dismiss(Configure(self._code, self.options, self._seats, clock))
