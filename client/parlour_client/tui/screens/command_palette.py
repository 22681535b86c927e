"""The command palette: all actions of the current screen, found by name."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from parlour_client.tui.widgets.keys import key_name, label_of
from parlour_client.tui.widgets.menu import Menu

_MOVES = ("up", "down", "left", "right", "page_up", "page_down", "first", "last", "next", "before", "back", "choose")
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
