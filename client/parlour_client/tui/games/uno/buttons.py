"""A row of buttons, each with its key."""

from collections.abc import Sequence

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.sanitize import clean
from parlour_client.tui.games.uno.cards import block
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.canvas import Canvas, placed

_GAP = 2
_LONGEST = 30


@attrs.frozen
class Button:
    """A button: its key, its label, and the action of the widget it runs.

    ``suit``: the colour it chooses; ``urgent``: highlight it.
    """

    key: str
    label: str
    action: str
    suit: str | None = None
    urgent: bool = False


class Buttons(Canvas):
    """Buttons in a row, after a prompt if there is one."""

    class Pressed(Message):
        """A button was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self.buttons: list[Button] = []
        self._prompt = ""
        self._places: list[tuple[range, Button]] = []
        self._hover = -1
        """The column of the mouse, -1 while it is elsewhere."""

    @property
    def words(self) -> str:
        """The row as plain text."""
        return "  ".join(part.plain for part in self._parts(_LONGEST) if part)

    def set_buttons(self, buttons: Sequence[Button], prompt: str = "") -> None:
        """Show ``buttons`` after ``prompt``."""
        self.buttons, self._prompt = [*buttons], prompt
        self.repaint()

    def action(self, key: str) -> str | None:
        """Return the action of the button of ``key``, None if there is none."""
        return next((button.action for button in self.buttons if button.key == key), None)

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the row, with labels truncated to fit."""
        for longest in range(_LONGEST, 1, -1):
            parts = self._parts(longest)
            taken = sum(part.cell_len + _GAP for part in parts if part) - _GAP
            if taken <= width:
                break
        at = max(0, (width - taken) // 2)
        pieces, self._places = [], []
        for part, button in zip(parts, [None, *self.buttons], strict=True):
            if button is not None and at <= self._hover < at + part.cell_len:
                part.stylize(Style(underline=True))
            pieces.append((at, self.look.strip(part, part.cell_len, ground=None)))
            if button is not None:
                self._places.append((range(at, at + part.cell_len), button))
            at += part.cell_len + (_GAP if part else 0)
        return [placed(pieces).crop(0, width)]

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Underline the button under the mouse."""
        self._hover = event.x
        self.repaint()

    def on_leave(self) -> None:
        """Underline nothing."""
        self._hover = -1
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked button."""
        for place, button in self._places:
            if event.x in place:
                self.post_message(self.Pressed(button.action))

    def _parts(self, longest: int) -> list[Text]:
        return [self.look.text(self._prompt), *(self._button(button, longest) for button in self.buttons)]

    def _button(self, button: Button, longest: int) -> Text:
        look = self.look
        key = look.text((button.key, "coral" if button.urgent else "gold"), bold=True)
        if button.suit is not None:
            return look.joined(
                key, Text(f" {look.glyphs.suit(button.suit)} {button.label} ", block(look, button.suit)), gap=1
            )
        label = clean(button.label, longest)
        return look.joined(key, look.text((label, "coral" if button.urgent else "ink"), bold=button.urgent), gap=1)
