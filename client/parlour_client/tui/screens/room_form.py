"""The base of the forms for a room: its settings and the options of its game, with refusals beside the fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import attrs
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from parlour_client.core.connection import is_visitor
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.play.game_form import CLOCKS, OWN_CLOCK, GameForm, RoomDraft, Rules
from parlour_client.text import room_lines
from parlour_client.text.base import add_words
from parlour_client.tui.screens.base import HelpDialog, ParlourScreen, ResultT
from parlour_client.tui.screens.dialogs import ConfirmDialog
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Line
from parlour_client.tui.widgets.form import CHOSEN, NAME, UNLIMITED, FieldKind, Form, FormField, PresetFields
from parlour_client.tui.widgets.header import worded
from parlour_client.tui.widgets.keys import explained, label_of, labelled
from parlour_client.tui.widgets.list_view import LIST_KEYS
from parlour_games.options import Option
from parlour_protocol.messages import PresetRow, Presets

Setting: TypeAlias = tuple[str, tuple[Any, ...], Any]
"""A setting of a room: (name in ``create``, values, default)."""
CLOCK: Setting = ("clock", tuple(CLOCKS), "usual")
_USUAL = {"seats": None, "file": "", CHOSEN: None, NAME: ""}
"""The values of fields that are neither settings nor options."""


class RoomForm(ParlourScreen[ResultT]):
    """A form with the seats, settings and options of a room. Subclasses list the fields and do what is confirmed."""

    DEFAULT_CSS = """
    RoomForm #means { height: auto; min-height: 2; max-height: 4; width: 100%; padding: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x,delete", "usual", id="create.usual"),
        Binding("ctrl+s", "save", id="create.save"),
        Binding("ctrl+d", "remove", id="create.remove"),
        Binding("question_mark", "help", id="create.help"),
        Binding("q,ctrl+c,escape", "back", id="create.back"),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        *LIST_KEYS,
        ("left right, space", "tui.help.create.change"),
        ("backspace", "tui.help.create.erase"),
        ("enter", ""),
        ("x, delete", "tui.help.create.usual"),
        ("ctrl+s", "tui.help.create.save"),
        ("ctrl+d", "tui.help.create.remove"),
        ("?", "tui.help.keys"),
        ("q, esc, ctrl+c", "tui.help.back"),
    ]

    ENTER: ClassVar[str]
    """The phrase that says in the help what enter does."""
    CONFIRM: ClassVar[str]
    """The phrase for what enter does."""

    def __init__(self, look: Appearance, forms: Mapping[str, GameForm], game: str) -> None:
        """``forms``: by the name of the game."""
        super().__init__(look)
        self._draft = RoomDraft(forms, game)
        self._presets = PresetFields()
        self._heading = Line(look, self._head, "panel")
        self._form = Form(look, self._changed)
        self._means = Static(id="means", markup=False)

    def compose(self) -> ComposeResult:
        """Yield the form."""
        yield self._heading
        yield Vertical(self._form, id="page")
        yield self._means
        yield self._hints

    def on_mount(self) -> None:
        """Fill in the fields."""
        self._fill()
        self._form.focus()

    def _show_hints(self) -> None:
        wanted = [("list.choose", say(self.CONFIRM)), *labelled("form.next", "create.usual")]
        wanted += labelled("create.save") if self._presets.rows is not None else []
        self._hints.show(wanted, labelled("create.help", "create.back"))

    # --- what a form is for ---

    def _listed(self, rules: Rules) -> Iterable[FormField]:
        """Return the fields."""
        raise NotImplementedError

    def _confirmed(self) -> None:
        """Do what the form is for: all fields are valid."""
        raise NotImplementedError

    def _change_presets(self, change: Presets) -> None:
        """Save or remove a preset on the server; ``offer`` what it has then."""
        raise NotImplementedError

    def offer(self, rows: Sequence[PresetRow]) -> None:
        """Offer the presets of the server."""
        self._presets.offer(rows, self._draft.game)
        self._fill()
        self._show_hints()

    # --- fields ---

    def _fill(self) -> None:
        """Fill in all fields with the effective options, and what is wrong with each."""
        troubles, listed = self._draft.troubles, self._listed(self._draft.rules())
        self._form.fill([attrs.evolve(field, trouble=troubles.get(field.name, "")) for field in listed])
        self._explain()

    def _clock_field(self) -> FormField:
        field = self._of_table(*CLOCK)
        if (clock := self._draft.own_clock) in CLOCKS.values():
            return field
        own = (OWN_CLOCK, say("room.clock", room_lines.times(clock)))
        return attrs.evolve(field, choices=(*field.choices, own))

    def _options(self, rules: Rules) -> Iterator[FormField]:
        """Yield the fields of the options, and the one for a file of them, unless the player has no files here."""
        yield FormField("", say("tui.create.rules"), "title")
        for option in self._draft.form.options:
            yield self._of_rules(option, rules.options[option.name])
        if is_visitor():
            return
        label, means, own = say("tui.create.file"), say("tui.create.file.means"), bool(self._draft.filed)
        yield FormField("file", label, "words", self._draft.file, means=means, own=own)

    def _seats_field(self, rules: Rules) -> FormField:
        least, most, draft = rules.least, rules.most, self._draft
        if draft.seats is not None and not least <= draft.seats <= most:
            draft.seats = None
        choices = ((None, say("tui.create.usual")), *((seats, str(seats)) for seats in range(least, most + 1)))
        said = say("tui.create.seats.means" if least < most else "tui.create.seats.always", least=least, most=most)
        own = draft.seats is not None
        return FormField("seats", say("tui.create.seats"), "choice", draft.seats, choices, means=said, own=own)

    def _of_table(self, name: str, values: tuple[Any, ...], usual: Any) -> FormField:
        settings, key = self._draft.settings, f"tui.create.{name.rstrip('_')}"
        choices = tuple((value, _of_room(key, value)) for value in values)
        value, means = settings.get(name, usual), say(f"{key}.means")
        return FormField(name, say(key), "choice", value, choices, means=means, own=name in settings)

    def _of_rules(self, option: Option, usual: Any) -> FormField:
        name, draft = option.name, self._draft
        add_words(draft.game)
        value = draft.options.get(name, usual)
        key = f"{draft.game}.option.{name}"
        label, means = worded(key, option.label), worded(f"{key}.means", option.help)
        times = self.look.glyphs.times
        choices = tuple((each, _choice(key, each, option.named).replace("×", times)) for each in option.choices)
        low = -UNLIMITED if option.low is None else option.low
        high = UNLIMITED if option.high is None else option.high
        number = not choices and isinstance(option.default, int)
        kind: FieldKind = "choice" if choices else "number" if number else "words"
        own = name in draft.options
        return FormField(name, label, kind, value, choices, low, high, means=means, own=own, unit=option.unit)

    def _explain(self) -> None:
        """Show the description of the selected field."""
        field = self._form.field
        if field is None:
            return
        limited = field.kind == "number" and field.high < UNLIMITED
        limits = {"means": field.means, "low": field.said(field.low), "high": field.said(field.high)}
        means = say("tui.create.limits", limits) if limited else field.means
        trouble = field.trouble or self._draft.troubles.get("", "")
        self._means.update(self.look.wrapped((trouble or means, "coral" if trouble else "ink")))

    # --- what the person does ---

    def on_listing_pointed(self) -> None:
        """Explain the newly selected field."""
        self._explain()

    def _changed(self, name: str, value: Any) -> None:
        """Store a change."""
        self._draft.troubles.clear()
        self._set(name, value)
        self._fill()

    def _set(self, name: str, value: Any) -> None:
        draft = self._draft
        if name == "game":
            draft.begin(value)
            self._presets.chosen = None
        elif name == CHOSEN:
            self._presets.chosen = value
            if row := self._presets.row(draft.game):
                draft.use(row)
        elif name == NAME:
            self._presets.name = value
        elif name == "seats":
            draft.seats = value
        elif name == "file":
            draft.file = value
            draft.read_file()
        elif any(name == option.name for option in draft.form.options):
            draft.choose(name, value)
        else:
            draft.settings[name] = value

    def on_listing_chosen(self) -> None:
        """Confirm, unless a field is invalid."""
        if self._valid():
            self._confirmed()

    def _valid(self) -> bool:
        """Whether all fields are valid; else go to the first that is not."""
        self._draft.troubles.clear()
        self._draft.read_file()
        self._fill()
        if self._draft.troubles:
            self._form.go_to(next(iter(self._draft.troubles)))
        return not self._draft.troubles

    def action_save(self) -> None:
        """Save the rules as a preset under the typed name."""
        if self._presets.rows is None or not self._valid():
            return
        if not self._presets.typed:
            self._blame_preset(NAME, say("tui.presets.unnamed"))
            return
        draft = self._draft
        preset = Presets("save", draft.game, self._presets.typed, draft.options, draft.seats, draft.clock)
        self._change_presets(preset)

    def action_remove(self) -> None:
        """Remove the chosen preset, after confirmation."""
        row = self._presets.row(self._draft.game)
        if row is None:
            if self._presets.rows is not None:
                self._blame_preset(CHOSEN, say("tui.presets.unchosen"))
            return

        def remove(sure: bool | None) -> None:
            if sure:
                self._change_presets(Presets("remove", row["game"], row["name"]))

        question = [say("tui.presets.remove", name=clean(row["name"]))]
        self.app.push_screen(
            ConfirmDialog(self.look, question, label_of("create.remove"), say("tui.presets.keep")), remove
        )

    def _blame_preset(self, field: str, why: str) -> None:
        self._draft.troubles[field] = why
        self._fill()
        self._form.go_to(field)
        self._explain()

    def action_usual(self) -> None:
        """Reset the selected field to its default."""
        field = self._form.field
        if field is not None:
            self._draft.troubles.clear()
            self._draft.settings.pop(field.name, None)
            self._draft.chosen.pop(field.name, None)
            if field.name in _USUAL:
                self._set(field.name, _USUAL[field.name])
            self._fill()

    def action_help(self) -> None:
        """Show the keys."""
        keys = [(keys, self.ENTER if keys == "enter" else phrase) for keys, phrase in self.KEYS]
        self.app.push_screen(HelpDialog(self.look, [(say(self.ABOUT), explained(keys))]))


def _of_room(key: str, value: Any) -> str:
    """Return the value of a setting of the room in words."""
    if isinstance(value, bool):
        return say("tui.yes" if value else "tui.no")
    return say(f"{key}.{value}".lower(), room_lines.times(CLOCKS.get(value)) if isinstance(value, str) else {})


def _choice(key: str, value: str | bool, named: Mapping[str, str]) -> str:
    """Return the value of an option in words."""
    if isinstance(value, bool):
        return say("tui.yes" if value else "tui.no")
    return worded(f"{key}.{value}", named.get(value, value))
