"""The menu of the start screen. Left and right change the way to play the selected entry."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import attrs
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.tui.theme.theme import Appearance
from parlour_games.registry import title
from parlour_protocol.messages import Plain


@attrs.frozen
class MenuEntry:
    """An entry of the menu. ``phrase``: its text. ``do``: practice, back, join, watch, or the name of a screen."""

    phrase: str
    do: str
    game: str = ""
    options: Plain = attrs.field(factory=dict)
    bots: int | None = None
    level: str = ""
    room: str = ""
    """The room that it leads back to."""
    others: "tuple[MenuEntry, ...]" = ()
    """Other ways to play, which left and right show in its place."""

    @property
    def label(self) -> str:
        """The text of the entry."""
        return say(self.phrase, room=self.room, game=self.game and title(self.game))

    @property
    def about(self) -> str:
        """What it is, in a sentence or two."""
        return say(f"tui.start.about.{self.phrase.removeprefix('tui.start.')}")


class Menu(Widget, can_focus=True):
    """A list of choices in groups."""

    DEFAULT_CSS = "Menu { width: auto; height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "point(-1)", id="menu.up"),
        Binding("down,j", "point(1)", id="menu.down"),
        Binding("left", "turn(-1)", id="menu.before"),
        Binding("right", "turn(1)", id="menu.next"),
        Binding("enter,space", "choose", id="menu.choose"),
    ]

    class Chosen(Message):
        """An entry was chosen."""

        def __init__(self, choice: MenuEntry) -> None:
            super().__init__()
            self.choice = choice

    class Pointed(Message):
        """Another entry is selected, or another way to play it."""

    def __init__(self, look: Appearance, groups: Sequence[Sequence[MenuEntry]]) -> None:
        super().__init__()
        self._look = look
        self._groups = groups
        self._lines: list[MenuEntry | None] = []
        self._choices = [choice for group in groups for choice in group]
        self._pointed = 0
        self._turned: dict[str, int] = {}
        """Which way to play the entries show, by phrase."""
        self.close_up(tight=False)

    def set_groups(self, groups: Sequence[Sequence[MenuEntry]]) -> None:
        """Replace the entries, and keep the selected one if possible."""
        before, first = self._choices[self._pointed], self._choices[0]
        self._groups = groups
        self._choices = [choice for group in groups for choice in group]
        known = before in self._choices and first == self._choices[0]
        self._pointed = self._choices.index(before) if known else 0
        self.close_up(tight=self._tight)

    @property
    def pointed(self) -> MenuEntry:
        """The selected entry, as it is shown."""
        return self._shown(self._choices[self._pointed])

    def _shown(self, choice: MenuEntry) -> MenuEntry:
        return (choice, *choice.others)[self._turned.get(choice.phrase, 0)]

    def render(self) -> Text:
        """Return the list."""
        return Text("\n").join(self._line(line) for line in self._lines)

    def action_point(self, by: int) -> None:
        """Select the next entry."""
        self._point((self._pointed + by) % len(self._choices))

    def action_turn(self, by: int) -> None:
        """Show the next way to play the selected entry."""
        choice = self._choices[self._pointed]
        self._turned[choice.phrase] = (self._turned.get(choice.phrase, 0) + by) % (1 + len(choice.others))
        self._point(self._pointed)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether ``action`` is possible: only some entries have other ways to play."""
        return (
            bool(self._choices[self._pointed].others) if action == "turn" else super().check_action(action, parameters)
        )

    def _point(self, at: int) -> None:
        self._pointed = at
        self.refresh()
        self.refresh_bindings()
        self.post_message(self.Pointed())

    def action_choose(self) -> None:
        """Choose the selected entry."""
        self.post_message(self.Chosen(self.pointed))

    def commands(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (label, callback) of all entries."""
        ways = [way for choice in self._choices for way in (choice, *choice.others)]
        return [(way.label, partial(self.post_message, self.Chosen(way))) for way in ways]

    def close_up(self, *, tight: bool) -> None:
        """Remove the empty lines between groups, or restore them."""
        self._tight = tight
        apart: list[MenuEntry | None] = [line for group in self._groups if group for line in (*group, None)][:-1]
        self._lines = [*self._choices] if tight else apart
        self.refresh(layout=True)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select the entry under the mouse."""
        line = self._lines[event.y] if 0 <= event.y < len(self._lines) else None
        if line is not None and line is not self._choices[self._pointed]:
            self._point(self._choices.index(line))

    def on_click(self, event: object) -> None:
        """Choose the entry under the mouse."""
        line = self._lines[y] if 0 <= (y := getattr(event, "y", -1)) < len(self._lines) else None
        if line is not None:
            self._point(self._choices.index(line))
            self.action_choose()

    def _line(self, choice: MenuEntry | None) -> Text:
        if choice is None:
            return Text()
        here = choice is self._choices[self._pointed]
        pointer = self._look.glyphs.pointer if here else " "
        label = self._shown(choice).label
        more = f" {self._look.glyphs.more_left}{self._look.glyphs.more_right}" if choice.others else ""
        return self._look.text((f"{pointer} {label}", "gold" if here else "ink"), (more, "dim"), bold=here)
