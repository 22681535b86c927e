"""A scrolling list with a selected row, drawn by one widget, one line per row; the menu of the start screen."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import attrs
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.printing import folded
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import scroll_bar
from parlour_games.registry import title
from parlour_protocol.messages import Plain

LIST_KEYS = [
    ("up down, k j", "tui.help.move"),
    ("page_up, page_down", "tui.help.page"),
    ("home end, g G", "tui.help.ends"),
]
"""(keys, phrase) for the help of a screen with a list."""


class Listing(Widget, can_focus=True):
    """Rows drawn by a function. ``pointed`` is the selected row, -1 in an empty list."""

    DEFAULT_CSS = "Listing { width: 100%; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "point(-1)", id="list.up", system=True),
        Binding("down,j", "point(1)", id="list.down", system=True),
        Binding("pageup", "page(-1)", id="list.page_up", system=True),
        Binding("pagedown", "page(1)", id="list.page_down", system=True),
        Binding("home,g", "go(0)", id="list.first", system=True),
        Binding("end,G", "go(-1)", id="list.last", system=True),
        Binding("enter", "choose", id="list.choose", system=True),
    ]

    class Pointed(Message):
        """Another row was selected."""

    class Chosen(Message):
        """The selected row was chosen."""

    def __init__(
        self, look: Appearance, draw: Callable[[int, bool, int], Text], *, empty: str = "", ground: str = "table"
    ) -> None:
        """``draw`` returns the line of a row, given whether it is selected, and the columns.

        ``empty``: the text for an empty list. ``ground``: the role of the background colour.
        """
        super().__init__()
        self.look = look
        self._draw_row = draw
        self.empty = empty
        self._ground = ground
        self.count = 0
        self.pointed = -1
        self._top = 0

    def show(self, count: int, pointed: int | None = None) -> None:
        """Show ``count`` rows with ``pointed`` selected; None keeps the selection."""
        self.count = count
        self.pointed = min(self.pointed if pointed is None else pointed, count - 1)
        if count and self.pointed < 0:
            self.pointed = 0
        self._follow()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a row, and its part of the scroll bar if not all rows fit."""
        width, row = self.size.width, self._top + y
        if not self.count:
            told = dict(enumerate(folded(self.empty, max(1, width)).split("\n"))).get(y, "")
            return self.look.strip(self.look.text((told, "dim")), width, ground=self._ground)
        if row >= self.count:
            return self.look.strip(Text(), width, ground=self._ground)
        here = row == self.pointed
        ground = "panel" if here else self._ground
        if self.count <= self.size.height:
            return self.look.strip(self._draw_row(row, here, width), width, ground=ground)
        line = self.look.strip(self._draw_row(row, here, width - 2), width - 1, ground=ground)
        part = self.look.text((scroll_bar(self.look, y, self._top, self.size.height, self.count), "dim"))
        return Strip.join([line, self.look.strip(part, 1, ground=self._ground)])

    def action_point(self, by: int) -> None:
        """Select the next row, wrapping around."""
        if self.count:
            self._point((self.pointed + by) % self.count)

    def action_page(self, direction: int) -> None:
        """Move by a page."""
        self._point(self.pointed + direction * max(1, self.size.height - 1))

    def action_go(self, row: int) -> None:
        """Go to the first or (-1) the last row."""
        self._point(row if row >= 0 else self.count - 1)

    def action_choose(self) -> None:
        """Choose the selected row."""
        if self.pointed >= 0:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """Select a row; a second click chooses it."""
        row = self._top + event.y
        if row < self.count:
            chosen = event.chain > 1
            self._point(row)
            if chosen:
                self.action_choose()

    def on_mouse_scroll_down(self) -> None:
        """Select a row further down."""
        self._point(self.pointed + 1)

    def on_mouse_scroll_up(self) -> None:
        """Select a row further up."""
        self._point(self.pointed - 1)

    def on_resize(self) -> None:
        """Keep the selected row visible."""
        self._follow()
        self.refresh()

    def _point(self, row: int) -> None:
        row = max(0, min(row, self.count - 1))
        if self.count and row != self.pointed:
            self.pointed = row
            self._follow()
            self.refresh()
            self.post_message(self.Pointed())

    def _follow(self) -> None:
        """Scroll to the selected row, without needless empty lines."""
        height = self.size.height
        if not height:
            return
        self._top = max(min(self._top, self.pointed), self.pointed - height + 1, 0)
        self._top = max(0, min(self._top, self.count - height))


def columns(look: Appearance, cells: Sequence[tuple[str, int, str]], *, bold: bool = False) -> Text:
    """Return a row of (text, columns, role). Texts are cut or padded to their columns, with two blanks between."""
    parts = []
    for text, width, role in cells:
        fitted = look.cut(look.text((text, role), bold=bold), width)
        fitted.append(" " * (width - fitted.cell_len))
        parts.append(fitted)
    return look.joined(*parts, gap=2)


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
        Binding("up,k", "point(-1)", id="menu.up", system=True),
        Binding("down,j", "point(1)", id="menu.down", system=True),
        Binding("left", "turn(-1)", id="menu.before", system=True),
        Binding("right", "turn(1)", id="menu.next", system=True),
        Binding("enter,space", "choose", id="menu.choose", system=True),
    ]

    class Chosen(Message):
        """An entry was chosen."""

        def __init__(self, choice: MenuEntry) -> None:
            super().__init__()
            self.choice = choice

    class Pointed(Message):
        """Another entry is selected, or another way to play it."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._lines: list[MenuEntry | None] = []
        self._choices: list[MenuEntry] = []
        self._pointed = 0
        self._turned: dict[str, int] = {}
        """Which way to play the entries show, by phrase."""

    def show(self, groups: Sequence[Sequence[MenuEntry]], *, tight: bool) -> None:
        """Show entries, and keep the selected one if possible. ``tight``: without empty lines between the groups."""
        old, self._choices = self._choices, [choice for group in groups for choice in group]
        known = old and old[0] == self._choices[0] and old[self._pointed] in self._choices
        self._pointed = self._choices.index(old[self._pointed]) if known else 0
        apart = [line for group in groups if group for line in (*group, None)][:-1]
        self._lines = [*self._choices] if tight else apart
        self.refresh(layout=True)

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
        return action != "turn" or bool(self._choices[self._pointed].others)

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

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select the entry under the mouse."""
        line = self._under(event)
        if line is not None and line is not self._choices[self._pointed]:
            self._point(self._choices.index(line))

    def on_click(self, event: events.Click) -> None:
        """Choose the entry under the mouse."""
        line = self._under(event)
        if line is not None:
            self._point(self._choices.index(line))
            self.action_choose()

    def _under(self, event: events.MouseEvent) -> MenuEntry | None:
        return self._lines[event.y] if 0 <= event.y < len(self._lines) else None

    def _line(self, choice: MenuEntry | None) -> Text:
        if choice is None:
            return Text()
        here = choice is self._choices[self._pointed]
        pointer = self._look.glyphs.pointer if here else " "
        label = self._shown(choice).label
        more = f" {self._look.glyphs.more_left}{self._look.glyphs.more_right}" if choice.others else ""
        return self._look.text((f"{pointer} {label}", "gold" if here else "ink"), (more, "dim"), bold=here)
