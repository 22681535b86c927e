"""All remappable actions with their keys, and conflicts between keys."""

from collections.abc import Mapping

import attrs
from textual.binding import Binding
from textual.keys import key_to_character

from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens.create import CreateScreen
from parlour_client.tui.screens.lobby import LobbyScreen
from parlour_client.tui.screens.replays.replay import ReplayScreen
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.form import Form
from parlour_client.tui.widgets.keys import label_of
from parlour_client.tui.widgets.list_view import Listing
from parlour_client.tui.widgets.menu import Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom

_OWNERS = (
    *(RoomScreen, WaitingRoom, UnoWidget, MinesweeperWidget, ReplayScreen, LobbyScreen, CreateScreen, StartScreen),
    *(Menu, Listing, Form),
)
_TOGETHER = (
    *({"room", "waiting"}, {"room", "uno"}, {"room", "mines"}, {"start", "menu"}, {"lobby", "list"}),
    {"create", "list", "form"},
)
"""Parts that are active at the same time."""


@attrs.frozen
class Action:
    """An action bound to keys. ``keys``: the default keys, separated by commas."""

    id: str
    label: str
    keys: str

    @property
    def part(self) -> str:
        """The part it belongs to: room, uno, mines …"""
        return self.id.partition(".")[0]


def actions() -> list[Action]:
    """Return all remappable actions, grouped by part."""
    bindings = [binding for owner in _OWNERS for binding in owner.BINDINGS if isinstance(binding, Binding)]
    return [Action(each.id, label_of(each.id), each.key) for each in bindings if each.id]


def taken(wanted: str, key: str, keymap: Mapping[str, str]) -> Action | None:
    """Return another action that uses ``key`` in the same place as ``wanted``, None if there is none."""
    part = wanted.partition(".")[0]
    near = {part}.union(*(group for group in _TOGETHER if part in group))
    for action in actions():
        if action.id != wanted and action.part in near and key in keys_of(action, keymap):
            return action
    return None


def shown(key: str) -> str:
    """Return the display form of a key: ``?`` for ``question_mark``."""
    return key_to_character(key) or key if "_" in key else key


def keys_of(action: Action, keymap: Mapping[str, str]) -> list[str]:
    """Return the keys of ``action`` under ``keymap``."""
    return [key.strip() for key in keymap.get(action.id, action.keys).split(",")]
