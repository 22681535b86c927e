"""The names of actions and keys, and the last line of a screen: the keys that are useful now. Each can be clicked."""

import re
from collections.abc import Iterable, Sequence

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.dom import DOMNode
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import phrases, say
from parlour_client.tui.theme import Appearance

_SIGNS = {
    "question_mark": "?",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "escape": "esc",
    "pageup": "page_up",
    "pagedown": "page_down",
}
"""Names of some of Textual's keys in the help."""


def label_of(id: str) -> str:
    """Return the name of the action with a binding's ``id``, such as ``room.chat`` or ``uno.card3``."""
    number = id[len(id.rstrip("0123456789")) :]
    phrase = phrase_of(id)
    return say(phrase, n=number) if phrase in phrases else phrase.rpartition(".")[2].replace("_", " ")


def phrase_of(id: str) -> str:
    """Return the phrase that names an action: its own, or that of all actions with the same word."""
    part, _, word = id.rstrip("0123456789").partition(".")
    own = f"{part}.key.{word}"
    return own if own in phrases else f"tui.key.{word}"


def labelled(*ids: str) -> list[tuple[str, str]]:
    """Return (binding id, label), as ``HintBar`` shows them."""
    return [(id, label_of(id)) for id in ids]


def named(keys: str) -> str:
    """Return keys as people call them: ``page_up, k`` as ``page up, k``."""
    return re.sub("[a-z_]{2,}", lambda found: _name(found[0]), keys)


def key_name(key: str) -> str:
    """Return one of Textual's keys as people call it."""
    return named(_SIGNS.get(key, key))


def explained(keys: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return (keys, description) for the help, from (keys, phrase). A game may give a text instead of a phrase."""
    return [(named(which), say(does) if does in phrases else does) for which, does in keys]


def _name(key: str) -> str:
    return say(f"key.{key}") if f"key.{key}" in phrases else key


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

    def __init__(self, look: Appearance) -> None:
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
