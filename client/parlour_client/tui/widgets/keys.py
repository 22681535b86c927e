"""The names of actions and keys, and the last line of a screen: the keys that are useful now. Each can be clicked."""

import re
from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import ActiveBinding
from textual.strip import Strip

from parlour_client.core.phrases import phrases, say
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import TARGET, Canvas, target

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


class HintBar(Canvas):
    """A line of hints: those of the game first, permanent ones last."""

    DEFAULT_CSS = "HintBar { height: 1; width: 100%; background: $panel; }"

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._wanted: Sequence[tuple[str, str]] = ()
        self._always: Sequence[tuple[str, str]] = ()

    def on_mount(self) -> None:
        """Follow the focus: a field has other keys than what is around it."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.repaint())

    def show(self, wanted: Sequence[tuple[str, str]], always: Sequence[tuple[str, str]]) -> None:
        """Show hints, each (binding id, label): as many of ``wanted`` as fit, and all of ``always``."""
        self._wanted, self._always = wanted, always
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the line."""
        known = self._known()
        wanted, always = (
            [self._hint(id, known[id][0], label) for id, label in hints if id in known]
            for hints in (self._wanted, self._always)
        )
        wanted = wanted[: max(0, (FEW if width < NARROW else MANY) - len(always))]
        while wanted and sum(hint.cell_len + 2 for hint in (*wanted, *always)) > width:
            wanted.pop()
        line = self.look.text(" ", self.look.joined(*wanted, *always, gap=2))
        return [self.look.strip(line, max(width, line.cell_len), ground="panel")]

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the clicked hint."""
        if id := target(event):
            _, active = self._known()[id]
            await self.app.run_action(active.binding.action, default_namespace=active.node)

    def _hint(self, id: str, key: str, label: str) -> Text:
        """Return a hint, underlined under the mouse."""
        hint = self.look.key(key, label)
        hint.apply_meta({TARGET: id})
        hint.stylize(Style(underline=True) if id == self.pointed else "")
        return hint

    def _known(self) -> dict[str, tuple[str, ActiveBinding]]:
        """Return the active bindings by id, each with its shortest key."""
        known: dict[str, tuple[str, ActiveBinding]] = {}
        for key, active in self.screen.active_bindings.items():
            id, shown = active.binding.id, active.binding.key_display or key
            word = self.look.glyphs.enter if shown == "enter" else key_name(shown)
            if id and active.enabled and (id not in known or len(word) < len(known[id][0])):
                known[id] = word, active
        return known
