"""What all screens share: their base with help and a notice if the terminal is too small, and where rooms come from."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

import attrs
from rich.table import Column, Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker, WorkerError

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.play.entry import Entry
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Scrolling
from parlour_client.tui.widgets.keys import HintBar, explained, label_of
from parlour_protocol.messages import Create, Daily, Join, Plain

Way: TypeAlias = AbstractAsyncContextManager[Entry]
"""A way into a room: a context that opens into the entry, and that runs a server if one is needed."""
Back: TypeAlias = Callable[[Fault | None], None]
"""Called at the end of a room or replay, with the fault if there is one."""
EnterRoom: TypeAlias = Callable[[Way, Back], None]
"""Opens a room."""


class Practice(Protocol):
    """Runs a private server with bots while the context is open."""

    def __call__(
        self,
        game: str,
        options: Plain,
        *,
        name: str,
        bots: int | None = None,
        level: str = "",
        kept: KeptMatch | None = None,
    ) -> Way:
        """Return the context that opens into the entry.

        ``bots``: their number, None for the default. ``level``: easy, normal or hard; without one, a mix of styles.
        ``kept``: the match to go on with.
        """


class Hosting(Protocol):
    """Runs a server on this machine for the network while the context is open."""

    def __call__(self, enter: Create | Join, *, name: str, key: str | None) -> Way:
        """Return the context that opens into the entry for ``enter`` on that server."""


class Continuing(Protocol):
    """Runs a private server on which a saved match goes on, with bots, while the context is open."""

    def __call__(self, file: Path, act: int, viewer: str | None) -> Way:
        """Return the context that opens into the entry of seat ``viewer``, before act number ``act``."""


@attrs.frozen
class StartOptions:
    """Parameters of the start screen and of those behind it: the server, and who plays there.

    ``practice`` opens a private server in this program, ``hosting`` one for the network, ``continuing`` one on which a
    saved match goes on. Without them their entries are not shown.
    """

    server: str
    name: str
    key: str | None = None
    practice: Practice | None = None
    hosting: Hosting | None = None
    continuing: Continuing | None = None

    def way(self, enter: Create | Join | Daily, *, look: bool = False) -> Way:
        """Return the way into a room of the server, under another name if this one is taken. ``look``: as in Entry."""
        return nullcontext(Entry(self.server, enter, self.name, own_name=False, key=self.key, look=look))


LEAST = (60, 20)
"""Columns and rows below which nothing can be shown."""
_CLASSES = (("narrow", 100, 0), ("short", 0, 30), ("tight", 80, 24), ("few", 90, 0), ("small", *LEAST))
"""(class, columns, rows): set while the screen has fewer of either."""
_AMPLE = 116
"""Columns from which the log is wider."""

ResultT = TypeVar("ResultT")


class TooSmall(Widget):
    """Covers a screen that is too small, and names the size needed. The screen beneath keeps running."""

    DEFAULT_CSS = """
    TooSmall { layer: gate; dock: top; width: 100%; height: 100%; background: $table; display: none; }
    """

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look

    def render_line(self, y: int) -> Strip:
        """Return a line; the notice is in the middle."""
        width, height = self.size
        times = self._look.glyphs.times
        least = say("tui.too_small.least", size=f"{LEAST[0]}{times}{LEAST[1]}")
        words = [say("tui.too_small"), least, say("tui.too_small.is", size=f"{width}{times}{height}")]
        line = y - (height - len(words)) // 2
        said = words[line] if 0 <= line < len(words) else ""
        return self._look.strip(self._look.text((said, "gold")), width, align="center")


class ParlourScreen(Screen[ResultT]):
    """A screen with classes for its size: wide or narrow, ample, short, tight, few, small."""

    DEFAULT_CSS = """
    ParlourScreen { layers: base above gate; background: $table; color: $ink; }
    ParlourScreen.small > TooSmall { display: block; }
    ParlourScreen > #page { width: 100%; height: 1fr; padding: 1 2 0 2; }
    ParlourScreen.narrow EventLog { display: none; layer: above; dock: right; width: 44; }
    ParlourScreen.narrow.log EventLog { display: block; }
    ParlourScreen.wide.quiet EventLog { display: none; }
    ParlourScreen.ample EventLog { width: 38; }
    ParlourScreen.moment { align: center top; }
    ParlourScreen.moment Results { margin-top: 1; }
    ParlourScreen.wide Results { dock: right; margin: 1 0; }
    """
    AUTO_FOCUS: ClassVar[str | None] = None
    ABOUT: ClassVar[str]
    """The phrase that names the screen, in its first line or above its keys."""
    KEYS: ClassVar[list[tuple[str, str]]] = []
    """(keys, phrase) for the help."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look
        self._hints = HintBar(look)

    def on_mount(self) -> None:
        """Mount the notice."""
        self.mount(TooSmall(self.look))

    def on_screen_resume(self) -> None:
        """Show the keys."""
        self.call_after_refresh(self._show_hints)

    def on_resize(self, event: events.Resize) -> None:
        """Set the classes for the size."""
        for name, columns, rows in _CLASSES:
            self.set_class(event.size.width < columns or event.size.height < rows, name)
        self.set_class(not self.has_class("narrow"), "wide")
        self.set_class(event.size.width >= _AMPLE, "ample")

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpDialog(self.look, [(say(self.ABOUT), explained(self.KEYS))]))

    def commands(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (label, callback) of what can be done without a key."""
        return []

    def possible(self, action: str) -> bool:
        """Return whether the action with this binding id is possible now."""
        return True

    def _dress(self, game: str, *parts: Any) -> Appearance:
        """Return the look for ``game``, which the application and ``parts`` take on."""
        look = self.look.cloth(game)
        self.app.register_theme(look.theme(look.theme_name))
        for part in parts:
            part.look = look
        self.app.theme = look.theme_name
        return look

    def _head(self, width: int) -> Text:
        """Return the first line: the program, and where we are."""
        return heading(self.look, (say(self.ABOUT), "dim"))

    def _show_hints(self) -> None:
        """Show the keys that are useful now."""


async def stopped(worker: Worker[None]) -> None:
    """Cancel a worker, and wait for its end."""
    worker.cancel()
    with suppress(WorkerError):
        await worker.wait()


def heading(look: Appearance, *words: str | Text | tuple[str, str]) -> Text:
    """Return the first line of a screen: the program, then ``words`` as ``Appearance.text`` takes them."""
    between = (f"  {look.glyphs.arrow}  ", "dim")
    return look.text(look.text((" parlour", "gold"), bold=True), between, *words)


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

    DEFAULT_CSS = f"""
    {box_style("HelpDialog", 77)}
    HelpDialog Static {{ padding-right: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss"),
        Binding("up,k", "scroll(-1)"),
        Binding("down,j,space", "scroll(1)"),
    ]

    def __init__(
        self, look: Appearance, parts: Sequence[tuple[str, Sequence[tuple[str, str]]]], rules: Sequence[str] = ()
    ) -> None:
        """``parts``: (title, [(key, description)]). ``rules``: how the game is played, shown above the keys."""
        super().__init__()
        self._rules = rules
        self._look = look
        self._parts = parts

    def compose(self) -> ComposeResult:
        """Yield the list, with remapped keys first."""
        own = [(", ".join(keys), say("tui.help.changed", label=label)) for keys, label in self._changed()]
        self._parts = [(say("tui.help.own"), own), *self._parts]
        lead = [Static(self._look.wrapped((say("tui.help.rules"), "dim"), *self._rules))] if self._rules else []
        self._box = Scrolling(*lead, Static(self._lines()), more=say("tui.help.more"), end=say("tui.esc_back"))
        self._box.border_title = say("tui.help.title")
        yield self._box

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self._box.scroll_lines(lines)

    def _changed(self) -> list[tuple[list[str], str]]:
        """Return (keys, description) of the remapped actions of the screen beneath."""
        keymap = getattr(getattr(self.app, "settings", None), "keys", {})
        beneath = self.app.screen_stack[-2].active_bindings.values() if len(self.app.screen_stack) > 1 else ()
        known = dict.fromkeys(id for each in beneath if (id := each.binding.id) in keymap and id)
        return [([key.strip() for key in keymap[id].split(",")], label_of(id)) for id in known]

    def _lines(self) -> Table:
        look, grid = self._look, Table.grid(Column(no_wrap=True), Column(), padding=(0, 2))
        for title, keys in self._parts:
            if keys:
                grid.add_row(look.text((title, "dim")), Text())
                for key, does in keys:
                    grid.add_row(look.text((f" {key}", "gold"), bold=True), look.wrapped(does))
        return grid
