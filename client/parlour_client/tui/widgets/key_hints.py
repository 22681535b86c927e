"""The last line of a screen: the keys that are useful now. Each can be clicked."""

from collections.abc import Sequence

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.dom import DOMNode
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.keys import key_name

FEW, MANY = 6, 12
"""The most hints shown, below 90 columns and from there on."""
NARROW = 90


@attrs.frozen
class Hint:
    """A key, its label, and its action."""

    key: str
    label: str
    action: str
    node: DOMNode


class HintBar(Widget):
    """A line of hints: those of the game first, permanent ones last."""

    DEFAULT_CSS = "HintBar { height: 1; width: 100%; background: $panel; }"

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._wanted: list[tuple[str, str]] = []
        self._always: list[tuple[str, str]] = []
        self._places: list[tuple[int, int, Hint]] = []
        self._hover = -1
        """The column of the mouse, -1 while it is elsewhere."""

    def on_mount(self) -> None:
        """Follow the focus: a field has other keys than what is around it."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def show(self, wanted: Sequence[tuple[str, str]], always: Sequence[tuple[str, str]]) -> None:
        """Show hints, each (binding id, label): as many of ``wanted`` as fit, and all of ``always``."""
        if (list(wanted), list(always)) != (self._wanted, self._always):
            self._wanted, self._always = list(wanted), list(always)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line, and remember the positions of its hints."""
        width = self.size.width
        line, self._places = Text(" ", end="", no_wrap=True), []
        for hint in self._fitting(width):
            start = line.cell_len
            shown = self.look.key(hint.key, hint.label)
            if start <= self._hover < start + shown.cell_len:
                shown.stylize(Style(underline=True))
            line.append_text(shown)
            self._places.append((start, line.cell_len, hint))
            line.append("  ")
        return self.look.strip(line, max(width, line.cell_len), ground="panel").crop(0, width)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Underline the hint under the mouse."""
        self._hover = event.x
        self.refresh()

    def on_leave(self) -> None:
        """Underline nothing."""
        self._hover = -1
        self.refresh()

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the clicked hint."""
        for start, end, hint in self._places:
            if start <= event.x < end:
                await self.app.run_action(hint.action, default_namespace=hint.node)

    def _fitting(self, width: int) -> list[Hint]:
        known = self._known()
        wanted = [known[id](label) for id, label in self._wanted if id in known]
        always = [known[id](label) for id, label in self._always if id in known]
        wanted = wanted[: max(0, (FEW if width < NARROW else MANY) - len(always))]
        while wanted and _length([*wanted, *always]) > width:
            wanted.pop()
        return [*wanted, *always]

    def _known(self) -> "dict[str, _Maker]":
        """Return the active bindings by id, each with its shortest key."""
        known: dict[str, _Maker] = {}
        for key, active in self.screen.active_bindings.items():
            id, word = active.binding.id, self._word(active.binding.key_display or key)
            if id and active.enabled and (id not in known or len(word) < len(known[id].key)):
                known[id] = _Maker(word, active.binding.action, active.node)
        return known

    def _word(self, key: str) -> str:
        return self.look.glyphs.enter if key == "enter" else key_name(key)


@attrs.frozen
class _Maker:
    key: str
    action: str
    node: DOMNode

    def __call__(self, label: str) -> Hint:
        return Hint(self.key, label, self.action, self.node)


def _length(hints: Sequence[Hint]) -> int:
    return sum(len(hint.key) + len(hint.label) + 3 for hint in hints)
