"""Dialogs: confirmation, warnings before leaving a room, and the palette of all actions of a screen."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from inspect import unwrap
from typing import Any, ClassVar

import attrs
from textual import events, work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import ModalScreen
from textual.widgets import Static

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.tui.screens.base import ParlourScreen, box_style
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.keys import key_name, label_of

_ANSWER = "answer"
"""The key of the style metadata that holds what an answer means."""


class ConfirmDialog(ModalScreen[bool]):
    """A yes-or-no question. The language names the keys of the answers; ``y`` and ``n`` always work.

    Escape and ``q`` close it without an answer.
    """

    DEFAULT_CSS = f"""
    {box_style("ConfirmDialog", 52)}
    ConfirmDialog Vertical > Static {{ height: 1; margin-top: 1; }}
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
        self._answers = look.key(key, yes), look.key(other, no)

    def compose(self) -> ComposeResult:
        """Yield the question and its answers."""
        for answer, sure in zip(self._answers, (True, False), strict=True):
            answer.apply_meta({_ANSWER: sure})
        answers = Static(self._look.joined(*self._answers, gap=3))
        yield Vertical(VerticalScroll(Static(self._look.wrapped(*self._question))), answers)

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for the frame and the answers below a long question."""
        self.query_one(VerticalScroll).styles.max_height = max(1, event.size.height * 94 // 100 - 4)

    def on_key(self, event: events.Key) -> None:
        """Close with the answer whose key this is in the language."""
        answer = self._keys.get(event.key.lower())
        if answer is not None:
            event.stop()
            self.dismiss(answer)

    def on_click(self, event: events.Click) -> None:
        """Close with the clicked answer."""
        if _ANSWER in event.style.meta:
            self.dismiss(event.style.meta[_ANSWER])


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


class ActionPalette(CommandPalette):
    """The palette of the actions of a screen."""

    @work(exclusive=True, group=getattr(CommandPalette, "_GATHER_COMMANDS_GROUP", "default"))  # private in Textual
    async def _gather_commands(self, search_value: str) -> None:
        """Search, unless the palette is being closed and has lost its list: Textual would end the application."""
        with suppress(NoMatches):
            await unwrap(CommandPalette._gather_commands)(self, search_value)


Found = tuple[str, str, Callable[[], Any]]


class Actions(Provider):
    """The actions of the current screen. Bindings of the ``system`` only move a cursor, or choose by number."""

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
            id = active.binding.id
            if id and active.enabled and not active.binding.system:
                keys.setdefault(id, []).append(key_name(active.binding.key_display or key))
                found[id] = active
        screen = self.screen if isinstance(self.screen, ParlourScreen) else None
        for id, active in found.items():
            if screen is None or screen.possible(id):
                run = partial(self.app.run_action, active.binding.action, default_namespace=active.node)
                yield label_of(id), " ".join(keys[id]), run
        for label, choose in screen.commands() if screen else ():
            yield label, "", choose


def _line(name: Content, keys: str) -> Content:
    """Return the line of an action: its name and its keys."""
    return name + Content.styled(f"  {keys}", "$text-muted")
