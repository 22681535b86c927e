"""A form: a list of fields that are edited in place. Left and right choose; numbers and words are typed.

Forms for a room have presets: one of the server's to begin with, and a name to save the rules under.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.list_view import Listing, columns
from parlour_protocol.messages import PresetRow

_LABEL, _VALUE = 32, 24
"""Columns."""
LONGEST_CHOICE = _VALUE - 4
"""Columns for the label of a choice, between arrows."""
_READABLE = 44
"""Columns from which a truncated description is shown; the screens show the full one elsewhere."""
_LONGEST = 500
_DIGITS, _POINTS = "0123456789", ".,"
UNLIMITED = 2**53 - 1
"""The largest integer of the protocol: the limit of numbers without another."""


FieldKind: TypeAlias = Literal["title", "choice", "number", "words", "key"]


@attrs.frozen
class FormField:
    """One line of a form. A ``title`` is a heading.

    ``choices`` are (value, label); ``low`` and ``high`` limit a number. ``own``: the player set the value; it is not a
    default. ``trouble``: why the value is invalid. ``unit``: that of a number; milliseconds are shown and typed in
    seconds.
    """

    name: str
    label: str
    kind: FieldKind
    value: Any = None
    choices: tuple[tuple[Any, str], ...] = ()
    low: int = -UNLIMITED
    high: int = UNLIMITED
    means: str = ""
    own: bool = False
    trouble: str = ""
    unit: str = ""

    @property
    def shown(self) -> str:
        """The value as it is shown."""
        unit = "s" if self.unit == "ms" else self.unit
        number = f"{self.said(self.value)} {unit}".rstrip()
        return next((shown for value, shown in self.choices if value == self.value), number)

    def said(self, number: Any) -> str:
        """Return a number as it is shown and typed."""
        return f"{Decimal(number) / 1000:f}".replace(".", say("decimal")) if self.unit == "ms" else str(number)

    def typed(self, text: str) -> int:
        """Return the number that was typed."""
        return round(Decimal(f"0{text}".replace(",", ".")) * (1000 if self.unit == "ms" else 1))

    def moved(self, by: int) -> Any:
        """Return the value after (``by`` 1) or before (-1) this one."""
        if self.kind == "number":
            span = self.high - self.low
            step = 50 if 100 < span <= 10_000 else 1_000 if 10_000 < span < UNLIMITED else 1
            return max(self.low, min(int(self.value) + by * step, self.high))
        values = [value for value, _ in self.choices]
        return values[(values.index(self.value) + by) % len(values)] if self.value in values else values[0]


class Form(Listing):
    """A column of fields. It reports edits, and the owner replaces the fields with ``fill``.

    It reports with a call, not a message, so that the second of two fast key presses sees the result of the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "change(1)", key_display="right", id="form.next", system=True),
        Binding("left", "change(-1)", id="form.before", system=True),
        Binding("backspace", "erase", id="form.erase", system=True),
    ]

    def __init__(self, look: Appearance, changed: Callable[[str, Any], None]) -> None:
        """``changed`` is called with the name of a field and its new value."""
        super().__init__(look, self._line)
        self._changed = changed
        self.fields: list[FormField] = []
        self._typed = ""
        """The typed digits of the current number."""

    @property
    def field(self) -> FormField | None:
        """The selected field."""
        return self.fields[self.pointed] if 0 <= self.pointed < len(self.fields) else None

    def fill(self, fields: Sequence[FormField]) -> None:
        """Show ``fields``, and keep the selection."""
        before = self.field.name if self.field else None
        self.fields = list(fields)
        names = [field.name for field in fields]
        first = next((at for at, field in enumerate(fields) if field.kind != "title"), 0)
        self.show(len(fields), names.index(before) if before in names else first)

    def go_to(self, name: str) -> None:
        """Point at a field."""
        self._point(next((at for at, field in enumerate(self.fields) if field.name == name), self.pointed))

    def action_change(self, by: int) -> None:
        """Choose the next or previous value."""
        field = self.field
        if field is not None and field.kind in ("choice", "number"):
            self._typed = ""
            self._change(field.moved(by))

    def action_erase(self) -> None:
        """Delete the last letter or digit."""
        field = self.field
        if field is not None and field.kind == "words":
            self._change(field.value[:-1])
        elif field is not None and field.kind == "number":
            self._typed = (self._typed or field.said(field.value).lstrip("-"))[:-1]
            self._change(max(field.low, field.typed(self._typed)))

    def on_key(self, event: events.Key) -> None:
        """Append a typed character to a number or word."""
        field, char = self.field, event.character
        if field is None or char is None or not event.is_printable:
            return
        splits = field.unit == "ms" and not any(point in self._typed for point in _POINTS)
        if field.kind == "words":
            self._change((field.value + char)[:_LONGEST])
        elif field.kind == "number" and (char in _DIGITS or (char in _POINTS and splits)):
            self._typed += char
            if (number := field.typed(self._typed)) > field.high:
                number, self._typed = field.high, field.said(field.high)
            self._change(number)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Append pasted text."""
        field = self.field
        if field is not None and field.kind == "words":
            event.stop()
            self._change((field.value + event.text.replace("\n", " ").strip())[:_LONGEST])

    def on_click(self, event: events.Click) -> None:
        """Select a field; a click on its value changes it."""
        row = self._top + event.y
        if row < self.count:
            here = row == self.pointed
            self._point(row)
            if here and event.x >= _LABEL:
                self.action_change(1)

    def _change(self, value: Any) -> None:
        if self.field is not None and value != self.field.value:
            self._changed(self.field.name, value)

    def _point(self, row: int) -> None:
        """Select a row, skipping headings."""
        down = row >= self.pointed
        while 0 <= row < self.count and self.fields[row].kind == "title":
            row += 1 if down or row == 0 else -1
        self._typed = ""
        super()._point(row)

    def _line(self, row: int, here: bool, width: int) -> Text:
        look, field = self.look, self.fields[row]
        if field.kind == "title":
            return look.text((f"  {field.label}", "dim"))
        pointer = look.glyphs.pointer if here else " "
        space = max(0, width - _LABEL - _VALUE - 4)
        wide = min(_VALUE, width - _LABEL - 2)
        means = field.means if space >= _READABLE or len(field.means) <= space else ""
        told, role = (field.trouble, "coral") if field.trouble else (means, "dim")
        label = (f"{pointer} {field.label}", _LABEL, "gold" if here else "ink")
        words = self._value(field, here, wide)
        if cell_len(words) > wide and not field.trouble:  # what is cut may say something else
            wide, space = width - _LABEL - 2, 0
        value = (words, wide, "gold" if field.own else "ink")
        return columns(look, [label, value, *([(told, space, role)] if space else [])], bold=here)

    def _value(self, field: FormField, here: bool, width: int) -> str:
        glyphs = self.look.glyphs
        if field.kind == "words":
            room = width - 3
            cut = f"{glyphs.more}{field.value[1 - room :]}" if len(field.value) > room else field.value
            return f"  {cut}{glyphs.block}" if here else f"  {cut}"
        if here and field.kind in ("choice", "number"):
            return f"{glyphs.more_left} {field.shown} {glyphs.more_right}"
        return f"  {field.shown}"


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

    def fields(self, game: str) -> Iterator[FormField]:
        """Yield the fields, if the server keeps presets."""
        if self.rows is None:
            return
        row = self.row(game)
        choices = ((None, say("tui.presets.none")), *((each["name"], clean(each["name"])) for each in self._of(game)))
        means = say("tui.presets.by", name=clean(row["by"])) if row else say("tui.presets.means")
        yield FormField(CHOSEN, say("tui.presets.chosen"), "choice", self.chosen, choices, means=means, own=bool(row))
        means = say("tui.presets.name.means")
        yield FormField(NAME, say("tui.presets.name"), "words", self.name, means=means, own=bool(self.name))

    def _of(self, game: str) -> list[PresetRow]:
        return [row for row in self.rows or () if row["game"] == game]
