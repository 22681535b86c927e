"""The log of a room with its events and chat, and the chat input."""

from collections import deque
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input, RichLog

from parlour_client.core.phrases import say
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import InputLine, PersonClicked

KEPT = 300
"""Lines."""
CHAT_LONGEST = 200
_SPEAKER = "speaker"
"""The key of the style metadata that holds the author of a chat line."""
_ROLES = {"event": "ink", "note": "dim", "warning": "coral"}


class EventLog(RichLog):
    """The latest lines, wrapped to the width."""

    DEFAULT_CSS = """
    EventLog {
        width: 30; height: 100%; background: $table; color: $ink; border: $frame $edge; padding: 0 1;
        border-title-color: $ink; scrollbar-size-vertical: 1;
    }
    """

    class Toggled(Message):
        """The log is displayed now, or is hidden."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(wrap=True, markup=False, highlight=False, max_lines=KEPT, min_width=10)
        self.can_focus = False
        self.border_title = say("tui.log")
        self.look = look
        self._lines: deque[Text] = deque(maxlen=KEPT)
        self._width = 0
        self.colour_line: Callable[[Text], None] = lambda line: None
        """Colours what belongs to the game in a line about an event."""
        self.unread = 0
        """Chat messages of others that came in while the log was hidden."""

    def scroll_pages(self, pages: int) -> None:
        """Scroll by ``pages``."""
        self.scroll_relative(y=pages * max(1, self.size.height - 1), animate=False, immediate=True)

    def event(self, text: str, kind: str) -> None:
        """Add a line. ``kind``: as in ``play.room_events.Note``."""
        line = self.look.text((text, _ROLES[kind]), bold=kind == "warning")
        if kind == "event":
            self.colour_line(line)
        self._add(line)

    def chat(self, name: str, text: str, *, mine: bool) -> None:
        """Add a chat message."""
        opening, closing = self.look.glyphs.quotes
        who = self.look.text((name, "gold" if mine else "ink"), bold=True)
        line = self.look.text(who, f" {opening}{text}{closing}")
        line.apply_meta({_SPEAKER: name})
        self._add(line)

    def on_click(self, event: events.Click) -> None:
        """Report whose chat line was clicked."""
        if name := event.style.meta.get(_SPEAKER):
            self.post_message(PersonClicked(name))

    def on_resize(self, event: events.Resize) -> None:
        """Wrap all lines again for a new width."""
        if event.size.width != self._width:
            self._width = event.size.width
            self.clear()
            for line in self._lines:
                self._write(line)

    def on_show(self) -> None:
        """Report that the log is displayed."""
        self.post_message(self.Toggled())

    def on_hide(self) -> None:
        """Report that the log is hidden."""
        self.post_message(self.Toggled())

    def _add(self, line: Text) -> None:
        line.no_wrap = False
        self._lines.append(line)
        if self._width:
            self._write(line)

    def _write(self, line: Text) -> None:
        """Wrap to the known width, also while nothing is displayed. Keep the scroll position."""
        follow = self.is_vertical_scroll_end or not self.display
        self.write(line, width=max(1, self._width - self.gutter.width), scroll_end=follow)


class ChatInput(InputLine):
    """The chat input. It replaces the key hints while it is open."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", id="chat.close", system=True)]

    def __init__(self) -> None:
        super().__init__(placeholder=say("tui.chat"), max_length=CHAT_LONGEST, compact=True, select_on_focus=False)
        self._kept = ""

    def keep(self, text: str) -> None:
        """Restore ``text``, which could not be sent, when opened again."""
        self._kept = text

    def open(self) -> None:
        """Open, with the kept text."""
        self.value, self._kept = self._kept, ""
        super().open()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the message."""
        event.stop()
        self.close(event.value.strip())
