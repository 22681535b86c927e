"""Presets in the forms for a room: one of the server's to begin with, and a name to save the rules under."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.tui.widgets.form import FormField
from parlour_protocol.messages import PresetRow

CHOSEN, NAME = "preset of the server", "name of the preset"
"""The names of the fields; options of games have no spaces."""


@attrs.define
class PresetFields:
    """The presets of a server, the chosen one, and the typed name. ``rows`` None: the server keeps none."""

    rows: Sequence[PresetRow] | None = None
    chosen: str | None = None
    name: str = ""

    @property
    def typed(self) -> str:
        """The typed name as the server keeps it."""
        return " ".join(self.name.split())

    def row(self, game: str) -> PresetRow | None:
        """Return the chosen preset of a game."""
        return next((row for row in self._of(game) if row["name"] == self.chosen), None)

    def offer(self, rows: Sequence[PresetRow], game: str) -> None:
        """Take in the presets of a server. One that was just saved becomes the chosen one."""
        self.rows = rows
        saved = self.typed.casefold()
        self.chosen = next((row["name"] for row in self._of(game) if row["name"].casefold() == saved), self.chosen)
        if self.row(game) is None:
            self.chosen = None

    def fields(self, game: str, troubles: Mapping[str, str]) -> Iterator[FormField]:
        """Yield the fields, if the server keeps presets."""
        if self.rows is None:
            return
        rows = self._of(game)
        names = ((row["name"], clean(row["name"])) for row in rows)
        choices = ((None, say("tui.presets.none")), *names)
        row = self.row(game)
        means = say("tui.presets.by", name=clean(row["by"])) if row else say("tui.presets.means")
        own, trouble = row is not None, troubles.get(CHOSEN, "")
        label = say("tui.presets.chosen")
        yield FormField(CHOSEN, label, "choice", self.chosen, choices, means=means, own=own, trouble=trouble)
        label, means, trouble = say("tui.presets.name"), say("tui.presets.name.means"), troubles.get(NAME, "")
        yield FormField(NAME, label, "words", self.name, means=means, own=bool(self.name), trouble=trouble)

    def _of(self, game: str) -> list[PresetRow]:
        return [row for row in self.rows or () if row["game"] == game]
