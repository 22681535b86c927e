"""Dialogs: help and confirmation."""

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from parlour_client.tui.theme.theme import Look


def box_style(name: str, width: int) -> str:
    """Return the style sheet of screen ``name``: a centred box of ``width`` columns over the screen beneath."""
    # by type: `> *` ties with Vertical's own style sheet, and the sheet that is loaded later wins
    return f"""
    {name} {{ align: center middle; background: $table 60%; }}
    {name} > Vertical, {name} > VerticalScroll {{
        width: {width}; max-width: 96%; height: auto; max-height: 94%; background: $panel; color: $ink;
        border: $frame $gold; border-title-color: $gold; padding: 0 1; }}
    """


class HelpDialog(ModalScreen[None]):
    """The keys, grouped by part."""

    DEFAULT_CSS = box_style("HelpDialog", 76)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss", "Back"),
        Binding("up,k", "scroll(-1)"),
        Binding("down,j,space", "scroll(1)"),
    ]

    def __init__(self, look: Look, parts: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> None:
        """``parts``: (title, [(key, description)])."""
        super().__init__()
        self._look = look
        self._parts = parts

    def compose(self) -> ComposeResult:
        """Yield the list, with remapped keys first."""
        own = [(", ".join(keys), f"{label}; no longer as below") for keys, label in self._changed()]
        self._parts = [("your own keys", own), *self._parts]
        box = VerticalScroll(Static(self._lines()))
        box.border_title = "keys"
        box.border_subtitle = "esc back"
        yield box

    def on_mount(self) -> None:
        """Show a hint in the border unless the last line is visible."""
        box = self.query_one(VerticalScroll)
        self.watch(box, "show_vertical_scrollbar", self._tell_more)
        self.watch(box, "scroll_y", self._tell_more)

    def _tell_more(self) -> None:
        box = self.query_one(VerticalScroll)
        more = box.show_vertical_scrollbar and not box.is_vertical_scroll_end
        box.border_subtitle = "down more   esc back" if more else "esc back"

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def _changed(self) -> list[tuple[list[str], str]]:
        """Return (keys, description) of the remapped actions of the screen beneath."""
        keymap = getattr(getattr(self.app, "settings", None), "keys", {})
        beneath = self.app.screen_stack[-2].active_bindings.values() if len(self.app.screen_stack) > 1 else ()
        known = {each.binding.id: each.binding.description for each in beneath if each.binding.id in keymap}
        return [([key.strip() for key in keymap[id or ""].split(",")], label) for id, label in known.items()]

    def _lines(self) -> Table:
        look, grid = self._look, Table.grid(Column(no_wrap=True), Column(), padding=(0, 2))
        for title, keys in self._parts:
            if keys:
                grid.add_row(look.text((title, "dim")), Text())
                for key, does in keys:
                    grid.add_row(look.text((f" {key}", "gold"), bold=True), _wrapping(look.text(does)))
        return grid


class _Answer(Static):
    """An answer with its key. It can be clicked."""

    DEFAULT_CSS = "_Answer { width: auto; margin-right: 3; }"

    class Given(Message):
        """The answer was clicked."""

        def __init__(self, *, yes: bool) -> None:
            super().__init__()
            self.yes = yes

    def __init__(self, text: Text, *, yes: bool) -> None:
        super().__init__(text)
        self._yes = yes

    def on_click(self) -> None:
        """Send Given."""
        self.post_message(self.Given(yes=self._yes))


class ConfirmDialog(ModalScreen[bool]):
    """A yes-or-no question."""

    DEFAULT_CSS = box_style("ConfirmDialog", 52) + "ConfirmDialog Horizontal { height: 1; margin-top: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "dismiss(True)", "Yes"),
        Binding("n,escape,q", "dismiss(False)", "No"),
    ]

    def __init__(self, look: Look, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._look = look
        self._question = question
        self._yes, self._no = look.key("y", yes), look.key("n", no)

    def compose(self) -> ComposeResult:
        """Yield the question and its answers."""
        answers = Horizontal(_Answer(self._yes, yes=True), _Answer(self._no, yes=False))
        yield Vertical(Static(_wrapping(self._look.text(self._question))), answers)

    def on__answer_given(self, message: _Answer.Given) -> None:
        """Close with the answer."""
        self.dismiss(message.yes)


def _wrapping(text: Text) -> Text:
    text.no_wrap = False
    return text
