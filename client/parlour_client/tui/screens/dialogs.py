"""Dialogs: confirmation, warnings before leaving a room, help, and the palette of all actions of a screen."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol, runtime_checkable

import attrs
from rich.table import Column, Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.text.base import lines_for
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.header import title_of
from parlour_client.tui.widgets.keys import explained, key_name, label_of
from parlour_client.tui.widgets.list_view import Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom


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
        box = VerticalScroll(*([Static(self._lead())] if self._rules else []), Static(self._lines()))
        box.border_title = say("tui.help.title")
        box.border_subtitle = say("tui.esc_back")
        yield box

    def on_mount(self) -> None:
        """Show a hint in the border unless the last line is visible."""
        box = self.query_one(VerticalScroll)
        self.watch(box, "show_vertical_scrollbar", self._tell_more)
        self.watch(box, "scroll_y", self._tell_more)

    def _tell_more(self) -> None:
        box = self.query_one(VerticalScroll)
        more = box.show_vertical_scrollbar and not box.is_vertical_scroll_end
        box.border_subtitle = say("tui.help.more" if more else "tui.esc_back")

    def action_scroll(self, lines: int) -> None:
        """Scroll by ``lines``."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False, immediate=True)

    def _changed(self) -> list[tuple[list[str], str]]:
        """Return (keys, description) of the remapped actions of the screen beneath."""
        keymap = getattr(getattr(self.app, "settings", None), "keys", {})
        beneath = self.app.screen_stack[-2].active_bindings.values() if len(self.app.screen_stack) > 1 else ()
        known = dict.fromkeys(id for each in beneath if (id := each.binding.id) in keymap and id)
        return [([key.strip() for key in keymap[id].split(",")], label_of(id)) for id in known]

    def _lead(self) -> Text:
        return _paragraphs(self._look, [(say("tui.help.rules"), "dim"), *self._rules])

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
    """A yes-or-no question. The language names the keys of the answers; ``y`` and ``n`` always work.

    Escape and ``q`` close it without an answer.
    """

    DEFAULT_CSS = f"""
    {box_style("ConfirmDialog", 52)}
    ConfirmDialog Horizontal {{ height: 1; margin-top: 1; }}
    ConfirmDialog Vertical VerticalScroll {{ height: auto; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(True)"),
        Binding("escape,q", "dismiss"),
    ]

    def __init__(self, look: Appearance, question: Sequence[str], yes: str, no: str, *, again: str = "") -> None:
        """``question``: its lines; they scroll where the screen is too small. ``yes``, ``no``: the answers.

        ``again``: a key that answers yes, because it has led here.
        """
        super().__init__()
        self._look = look
        self._question = question
        key, other = say("tui.key.yes"), say("tui.key.no")
        self._keys = {"y": True, "n": False, key: True, other: False, again: True}
        self._yes, self._no = look.key(key, yes), look.key(other, no)

    def compose(self) -> ComposeResult:
        """Yield the question and its answers."""
        answers = Horizontal(_Answer(self._yes, yes=True), _Answer(self._no, yes=False))
        yield Vertical(VerticalScroll(Static(_paragraphs(self._look, self._question))), answers)

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for the frame and the answers below a long question."""
        self.query_one(VerticalScroll).styles.max_height = max(1, event.size.height * 94 // 100 - 4)

    def on_key(self, event: events.Key) -> None:
        """Close with the answer whose key this is in the language."""
        answer = self._keys.get(event.key.lower())
        if answer is not None:
            event.stop()
            self.dismiss(answer)

    def on__answer_given(self, message: _Answer.Given) -> None:
        """Close with the answer."""
        self.dismiss(message.yes)


def _paragraphs(look: Appearance, lines: Sequence[str | tuple[str, str]]) -> Text:
    return _wrapping(Text("\n").join(look.text(line) for line in lines))


def _wrapping(text: Text) -> Text:
    text.no_wrap = False
    return text


@attrs.frozen
class LeaveWarning:
    """The effect of leaving now. ``question``: to confirm first, if not empty. ``keeps``: the seat stays reserved."""

    question: str = ""
    keeps: bool = False


def leave_warning(room: JoinedRoom | None, entry: Entry, *, lost: bool) -> LeaveWarning:
    """Return the warning for a player who entered with ``entry``. ``lost``: there is no connection."""
    if room is None or room.seat is None:
        return LeaveWarning()
    if entry.kept is not None and room.under_way:
        return LeaveWarning(keeps=True)
    if not entry.keep:
        return LeaveWarning(say("tui.leave.own") if room.under_way else "")
    if lost:
        return LeaveWarning(say("tui.leave.lost") if room.under_way else "", keeps=True)
    if entry.ends and _others(room):
        return LeaveWarning(say("tui.leave.stops"), keeps=True)
    return LeaveWarning(say("tui.leave.given_up") if room.under_way else "")


def _others(room: JoinedRoom) -> bool:
    """Return whether other people are present."""
    return any(row["kind"] == "human" and row["here"] and row["seat"] != room.seat for row in room.table["seats"])


ROOM_KEYS = [
    ("t", "tui.help.room.chat"),
    ("L, l, esc", "tui.help.room.log"),
    ("page_up, page_down", "tui.help.room.scroll"),
    ("r", "tui.help.room.ready"),
    ("v", "tui.help.room.view"),
    ("S", "tui.help.room.save"),
    ("y", "tui.help.room.copy"),
    ("A", "tui.help.room.repeat"),
    ("C", "tui.help.room.configure"),
    ("o", "tui.help.room.people"),
    ("?", "tui.help.keys"),
    ("q, ctrl+c", "tui.help.room.leave"),
    ("ctrl+p", "tui.help.palette"),
    ("ctrl+q", "tui.help.room.quit"),
    ("ctrl+z", "tui.help.suspend"),
]
"""(keys, phrase) for the whole room."""


def parts_of_help(room: JoinedRoom | None, widget: GameWidget | None) -> list[tuple[str, Sequence[tuple[str, str]]]]:
    """Return (title, [(keys, description)]). ``widget``: the game's, None in the waiting room."""
    title = title_of(room.game) if room else ""
    here = (say("tui.help.waiting"), WaitingRoom.KEYS) if widget is None else (title, widget.KEYS)
    return [(here[0], explained(here[1])), (say("tui.help.here"), explained(ROOM_KEYS))]


def rules_of(room: JoinedRoom | None) -> list[str]:
    """Return how the game of ``room`` is played, in sentences."""
    return [*lines_for(room.game).how_to(room.game, room.table["options"])] if room else []


_MOVES = (
    "up",
    "down",
    "left",
    "right",
    "page_up",
    "page_down",
    "first",
    "last",
    "next",
    "previous",
    "before",
    "back",
    "choose",
)
_NUMBERED = ("card", "bot", "row_", "choice")
_NO_PARTS = ("list", "menu", "form", "chat")
"""Parts of binding ids whose actions only move a cursor."""


@runtime_checkable
class CommandSource(Protocol):
    """Provides commands without a key."""

    def commands(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return (label, callback) pairs."""


@runtime_checkable
class Situated(Protocol):
    """Has actions that are possible only at times."""

    def possible(self, action: str) -> bool:
        """Return whether the action with this binding id is possible now."""


Found = tuple[str, str, Callable[[], Any]]


class Actions(Provider):
    """The actions of the current screen."""

    async def discover(self) -> Hits:
        """Yield all actions."""
        for name, keys, run in self._found():
            yield DiscoveryHit(_line(Content(name), keys), run, text=name)

    async def search(self, query: str) -> Hits:
        """Yield the actions that match the input."""
        matcher = self.matcher(query)
        for name, keys, run in self._found():
            if score := matcher.match(name):
                yield Hit(score, _line(matcher.highlight(name), keys), run, text=name)

    def _found(self) -> Iterator[Found]:
        """Yield (name, keys, callback) of each action and of further commands."""
        keys: dict[str, list[str]] = {}
        found: dict[str, ActiveBinding] = {}
        for key, active in self.screen.active_bindings.items():
            id = active.binding.id or ""
            part, _, what = id.partition(".")
            if what and active.enabled and part not in _NO_PARTS and not _is_a_move(part, what):
                keys.setdefault(id, []).append(key_name(active.binding.key_display or key))
                found[id] = active
        for id, active in found.items():
            if isinstance(self.screen, Situated) and not self.screen.possible(id):
                continue
            run = partial(self.app.run_action, active.binding.action, default_namespace=active.node)
            yield label_of(id), " ".join(keys[id]), run
        for source in (*self.screen.query(Menu), self.screen):
            if isinstance(source, CommandSource):
                for label, choose in source.commands():
                    yield label, "", choose


def _line(name: Content, keys: str) -> Content:
    """Return the line of an action: its name and its keys."""
    return name + Content.styled(f"  {keys}", "$text-muted")


def _is_a_move(part: str, what: str) -> bool:
    return what.startswith(("card", "bot", "row_", "choice")) or (
        part in ("uno", "mines", "waiting") and what in _MOVES
    )
