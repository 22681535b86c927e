"""A screen with lines to read, such as a profile: heading, scrolling text, key hints."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour_client.core.phrases import say
from parlour_client.core.sanitize import clean
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.common import Line, heading
from parlour_client.tui.widgets.key_hints import HintBar
from parlour_client.tui.widgets.keys import labelled
from parlour_client.tui.widgets.screen import ParlourScreen


class SheetScreen(ParlourScreen[None]):
    """Lines to read. A subclass fills them in."""

    DEFAULT_CSS = """
    SheetScreen VerticalScroll { width: 100%; height: 1fr; padding: 1 2 0 2; scrollbar-size-vertical: 1; }
    SheetScreen Static { width: 100%; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll(-1)", id="sheet.up"),
        Binding("down,j", "scroll(1)", id="sheet.down"),
        Binding("q,ctrl+c,escape", "back", id="sheet.back"),
    ]
    TOPIC: ClassVar[str]
    """The phrase in the heading."""
    HINTS: ClassVar[tuple[str, ...]] = ()
    """Binding ids of the screen's own keys."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._text = Static()
        self._hints = HintBar(look)

    def compose(self) -> ComposeResult:
        """Yield heading, text and keys."""
        yield Line(self.look, lambda _: heading(self.look, (say(self.TOPIC), "dim")), "panel")
        yield VerticalScroll(self._text, can_focus=False)
        yield self._hints

    def on_screen_resume(self) -> None:
        """Show the keys."""
        self.call_after_refresh(self._hints.show, labelled(*self.HINTS), labelled("sheet.back"))

    def write(self, lines: Iterable[str | Text], trouble: str = "") -> None:
        """Show ``lines`` and below them ``trouble``, which went wrong."""
        told = (line if isinstance(line, Text) else self.look.text(clean(line)) for line in lines)
        text = Text("\n").join([*told, self.look.text((trouble, "coral"))])
        text.no_wrap = False
        self._text.update(text)

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)
