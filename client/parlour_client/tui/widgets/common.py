"""Small widgets and messages that several screens and widgets share."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from parlour_client.tui.theme import Appearance


class PersonClicked(Message):
    """A person was clicked, by name. ``kick``: to put them out of the room."""

    def __init__(self, name: str, *, kick: bool = False) -> None:
        super().__init__()
        self.name = name
        self.kick = kick


class Line(Widget):
    """One line, drawn by a function of its width."""

    DEFAULT_CSS = "Line { height: 1; width: 100%; }"

    def __init__(self, look: Appearance, draw: Callable[[int], Text], ground: str) -> None:
        """``ground``: the role of the colour beneath."""
        super().__init__()
        self.look = look
        self._line = draw
        self._ground = ground

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        return self.look.strip(self._line(self.size.width), self.size.width, ground=self._ground)


class Scrolling(VerticalScroll, can_focus=False):
    """A box that the keys of its screen scroll. Its border shows ``more`` while there is more below, else ``end``."""

    def __init__(self, *children: Widget, more: str = "", end: str = "", id: str | None = None) -> None:
        super().__init__(*children, id=id)
        self._endings = more, end

    def on_mount(self) -> None:
        """Follow what is visible."""
        self.watch(self, "show_vertical_scrollbar", self.tell_more)
        self.watch(self, "scroll_y", self.tell_more)

    def tell_more(self) -> None:
        """Say whether the last line is visible."""
        more, end = self._endings
        self.border_subtitle = more if self.show_vertical_scrollbar and not self.is_vertical_scroll_end else end

    def scroll_lines(self, lines: int) -> None:
        """Scroll by ``lines`` without animation."""
        self.scroll_relative(y=lines, animate=False, immediate=True)

    def scroll_pages(self, pages: int) -> None:
        """Scroll by ``pages``."""
        self.scroll_lines(pages * max(1, self.size.height - 1))


class InputLine(Input):
    """A line to type into. It is shown while it is open."""

    DEFAULT_CSS = """
    InputLine { height: 1; width: 100%; border: none; padding: 0 1; background: $panel; color: $ink; display: none; }
    InputLine:focus { border: none; }
    InputLine.open { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close")]

    class Closed(Message):
        """The line was closed. ``text``: what was submitted, "" if nothing was."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    @property
    def opened(self) -> bool:
        """Whether the line is open."""
        return self.has_class("open")

    def open(self) -> None:
        """Open the line."""
        self.add_class("open")
        self.focus()

    def close(self, text: str = "") -> None:
        """Close the line if it is open, with ``text`` submitted."""
        if self.opened:
            self.remove_class("open")
            self.post_message(self.Closed(text))

    def action_close(self) -> None:
        """Close the line without a text."""
        self.close()
