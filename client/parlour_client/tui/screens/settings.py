"""The settings screen. Each change is applied and saved immediately."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, ClassVar

import attrs
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.keys import key_to_character
from textual.screen import ModalScreen
from textual.widgets import Static

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.storage.settings import Settings, file, save
from parlour_client.tui.colors import theme_names
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens.base import ParlourScreen
from parlour_client.tui.screens.create import CreateScreen
from parlour_client.tui.screens.lobby import LobbyScreen
from parlour_client.tui.screens.preview import Preview
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.screens.replay_parts import Scrubber
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Line
from parlour_client.tui.widgets.form import Form, FormField
from parlour_client.tui.widgets.keys import label_of, labelled
from parlour_client.tui.widgets.list_view import LIST_KEYS, Listing, Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom
from parlour_protocol.names import is_name
from parlour_protocol.phrases import LANGUAGES

_OWNERS = (
    *(RoomScreen, WaitingRoom, UnoWidget, MinesweeperWidget, BoardView, ReplayScreen),
    *(Scrubber, LobbyScreen, CreateScreen, StartScreen, Menu, Listing, Form),
)
_TOGETHER = (
    *({"room", "waiting"}, {"room", "uno"}, {"room", "mines"}, {"start", "menu"}, {"lobby", "list"}),
    {"create", "list", "form"},
)
"""Parts that are active at the same time."""


def actions() -> dict[str, str]:
    """Return the default keys, separated by commas, of all remappable actions by binding id, grouped by part."""
    bindings = [binding for owner in _OWNERS for binding in owner.BINDINGS if isinstance(binding, Binding)]
    return {each.id: each.key for each in bindings if each.id}


def part_of(action: str) -> str:
    """Return the part that an action belongs to: room, uno, mines …"""
    return action.partition(".")[0]


def taken(wanted: str, key: str, keymap: Mapping[str, str]) -> str | None:
    """Return another action that uses ``key`` in the same place as ``wanted``, None if there is none."""
    part = part_of(wanted)
    near = {part}.union(*(group for group in _TOGETHER if part in group))
    found = (each for each in actions() if each != wanted and part_of(each) in near and key in keys_of(each, keymap))
    return next(found, None)


def shown(key: str) -> str:
    """Return the display form of a key: ``?`` for ``question_mark``."""
    return key_to_character(key) or key if "_" in key else key


def keys_of(action: str, keymap: Mapping[str, str]) -> list[str]:
    """Return the keys of ``action`` under ``keymap``."""
    return [key.strip() for key in keymap.get(action, actions()[action]).split(",")]


_LOOKS = tuple(
    (look, look.replace(",", ", "))
    for look in (
        *("auto", "truecolour", "256", "16", "mono", "light"),
        *("ascii", "truecolour,ascii", "256,ascii", "16,ascii", "mono,ascii"),
    )
)


class KeyDialog(ModalScreen[str | None]):
    """Asks for a new key."""

    DEFAULT_CSS = """
    KeyDialog { align: center middle; background: $table 60%; }
    KeyDialog Static { width: auto; height: auto; background: $panel; color: $ink; border: $frame $gold; padding: 0 2; }
    """

    def __init__(self, look: Appearance, label: str) -> None:
        super().__init__()
        self._text = look.text(say("tui.settings.new_key", label=_quoted(look, label)))

    def compose(self) -> ComposeResult:
        """Yield the question."""
        yield Static(self._text)

    def on_key(self, event: events.Key) -> None:
        """Take the key."""
        event.stop()
        event.prevent_default()
        self.dismiss(None if event.key == "escape" else event.key)


class SettingsScreen(ParlourScreen[None]):
    """A form of all settings."""

    DEFAULT_CSS = "SettingsScreen #told { height: 2; width: 100%; padding: 0 2; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete", "usual", id="settings.usual"),
        Binding("f1,question_mark", "help", id="settings.help"),
        Binding("escape,ctrl+c,q", "back", id="settings.back"),
    ]
    ABOUT = "tui.title.settings"
    KEYS: ClassVar[list[tuple[str, str]]] = [
        *LIST_KEYS,
        ("left right, space", "tui.help.settings.change"),
        ("backspace", "tui.help.settings.erase"),
        ("enter", "tui.help.settings.press"),
        ("delete", "tui.help.settings.usual"),
        ("?, f1", "tui.help.settings.keys"),
        ("q, esc, ctrl+c", "tui.help.settings.back"),
    ]

    def __init__(self, look: Appearance, settings: Settings, apply: Callable[[Settings], Appearance]) -> None:
        """``apply`` applies settings, and returns the resulting look."""
        super().__init__(look)
        self.settings = settings
        self._apply = apply
        self._trouble = ""
        self._heading = Line(look, self._head, "panel")
        self._form = Form(look, self._changed)
        self._preview = Preview(look)
        self._told = Static(id="told", markup=False)

    def compose(self) -> ComposeResult:
        """Yield the form."""
        yield self._heading
        yield Vertical(self._form, id="page")
        yield self._preview
        yield self._told
        yield self._hints

    def on_mount(self) -> None:
        """Show the settings."""
        self._fill()
        self._form.go_to("look")  # not into a text field, where the first key would be typed
        self._form.focus()

    def _show_hints(self) -> None:
        press = ("list.choose", say("tui.settings.press"))
        wanted = [*labelled("form.next"), press, *labelled("settings.usual")]
        self._hints.show(wanted, labelled("settings.help", "settings.back"))

    # --- fields ---

    def _fill(self) -> None:
        yes_no = (True, say("tui.yes")), (False, say("tui.no"))
        keys: list[FormField] = []
        for part, group in groupby(actions(), part_of):
            keys += [FormField("", "", "title"), _title("tui.settings.keys", part=say(f"tui.part.{part}"))]
            keys += map(self._key, group)
        self._form.fill(
            [
                _title("tui.settings.you"),
                self._field("name"),
                self._field("server"),
                FormField("", "", "title"),
                _title("tui.settings.screen"),
                self._field("theme", tuple((name, name) for name in theme_names())),
                self._field("look", _LOOKS),
                self._field("language", (("auto", "auto"), *LANGUAGES.items())),
                self._field("reduced_motion", yes_no),
                self._field("bell", yes_no),
                self._field("auto_pass", yes_no),
                *keys,
            ]
        )
        self._tell()

    def _field(self, name: str, choices: tuple[tuple[object, str], ...] = ()) -> FormField:
        """Return the field of a setting: one to choose, or without ``choices`` one to type."""
        value = getattr(self.settings, name)
        own = value != getattr(Settings(), name)
        label, means = say(f"tui.settings.{name}"), say(f"tui.settings.{name}.means")
        if not choices:
            return FormField(name, label, "words", value, means=means, own=own)
        shown = choices if any(value == each for each, _ in choices) else (*choices, (value, str(value)))
        return FormField(name, label, "choice", value, shown, means=means, own=own)

    def _key(self, action: str) -> FormField:
        keys = ", ".join(map(shown, keys_of(action, self.settings.keys)))
        return FormField(action, label_of(action), "key", keys, own=action in self.settings.keys)

    def _tell(self) -> None:
        """Show the error, else the description of the field and where it is stored."""
        field, look = self._form.field, self.look
        means = field.means if field is not None else ""
        if field is not None and field.kind == "key":
            means = say("tui.settings.id", id=field.name)
        lines = [*([means] if means else []), (say("tui.settings.file", file=file()), "dim")]
        self._told.update(look.wrapped(*([(self._trouble, "coral")] if self._trouble else lines)))
        self._preview.display = field is not None and field.name in ("theme", "look")

    # --- what the person does ---

    def on_listing_pointed(self) -> None:
        """Explain the newly selected field."""
        self._trouble = ""
        self._tell()

    def _changed(self, name: str, value: Any) -> None:
        """Store a change, unless it is an invalid name."""
        wrong = name == "name" and value and not is_name(value)
        if wrong and len(value) > len(self.settings.name):
            self._trouble = say("tui.settings.bad_name")
            self._tell()
            return
        self._set(attrs.evolve(self.settings, **{name: value}))

    def on_listing_chosen(self) -> None:
        """Ask for a new key if the field is one."""
        field = self._form.field
        if field is not None and field.kind == "key":
            self.app.push_screen(KeyDialog(self.look, field.label), lambda key: self._press(field.name, key))

    def _press(self, action: str, key: str | None) -> None:
        """Bind ``key`` to ``action``, unless another action uses it in the same place."""
        if key is None:
            return
        other = taken(action, key, self.settings.keys)
        if other is not None:
            label = _quoted(self.look, label_of(other))
            self._trouble = say("tui.settings.taken", key=shown(key), label=label, id=other)
            self._tell()
        else:
            self._set(attrs.evolve(self.settings, keys={**self.settings.keys, action: key}))

    def action_usual(self) -> None:
        """Reset the selected field to its default."""
        field = self._form.field
        if field is not None and field.kind == "key":
            keys = {name: key for name, key in self.settings.keys.items() if name != field.name}
            self._set(attrs.evolve(self.settings, keys=keys))
        elif field is not None and field.kind != "title":
            self._set(attrs.evolve(self.settings, **{field.name: getattr(Settings(), field.name)}))

    def _set(self, settings: Settings) -> None:
        """Save and apply the settings."""
        self._trouble = ""
        try:
            self.look = self._apply(settings)
            self.settings = settings
            save(settings)
        except Usage as wrong:
            self._trouble = str(wrong)
        for part in (self._heading, self._form, self._hints):
            part.look = self.look
            part.refresh()
        self._preview.look = self.look
        self._preview.repaint()
        self._fill()
        self._show_hints()


def _title(phrase: str, **values: str) -> FormField:
    return FormField("", say(phrase, **values), "title")


def _quoted(look: Appearance, label: str) -> str:
    opening, closing = look.glyphs.quotes
    return f"{opening}{label}{closing}"
