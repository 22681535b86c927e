"""The help of every screen tells all of its keys, and none that does nothing there."""

import re
from collections.abc import Iterable

import pytest

from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens.create import ConfigureScreen, CreateScreen
from parlour_client.tui.screens.lobby import LobbyScreen
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.screens.replay_parts import Scrubber
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.saved_matches import SavedMatchesScreen
from parlour_client.tui.screens.settings import SettingsScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.form import Form
from parlour_client.tui.widgets.keys import explained
from parlour_client.tui.widgets.list_view import Listing, Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom

SCREENS: dict[str, tuple[type[object], ...]] = {
    "start": (StartScreen, Menu),
    "lobby": (LobbyScreen, Listing),
    "create": (CreateScreen, Listing, Form),
    "configure": (ConfigureScreen, Listing, Form),
    "settings": (SettingsScreen, Listing, Form),
    "saved": (SavedMatchesScreen, Listing),
    "waiting room": (RoomScreen, WaitingRoom),
    "UNO": (RoomScreen, UnoWidget),
    "Minesweeper": (RoomScreen, BoardView, MinesweeperWidget),
    "replay": (ReplayScreen, Scrubber),
}
"""Screen → who binds its keys, and tells them in its help."""
NAMES = {
    "question_mark": "?", "slash": "/", "plus": "+", "minus": "-", "equals_sign": "=",
    "escape": "esc", "pageup": "page up", "pagedown": "page down",
}  # fmt: skip
LONG = ("page up", "page down", "ctrl+home", "ctrl+end")
"""Names that cannot be mistaken for a word."""
ARROWS = ("up", "down", "left", "right")
EVERYWHERE = {"ctrl+p", "ctrl+q", "ctrl+z"}
NO_KEYS = {"click", "double", "middle", "wheel", "drag", "00", "04+"}


def bound(owners: Iterable[type[object]]) -> set[str]:
    """Return the keys of ``owners`` as the help writes them."""
    bindings = [each for owner in owners for each in getattr(owner, "BINDINGS", ())]
    return {NAMES.get(key.strip(), key.strip()) for each in bindings for key in each.key.split(",")}


def spread(words: str) -> str:
    """Return ``words`` with ranges and families of keys written out."""
    words = words.replace("arrows", " ".join(ARROWS))
    return re.sub(r"\b(\d) to (\d)\b", lambda m: " ".join(str(n) for n in range(int(m[1]), int(m[2]) + 1)), words)


def named(screen: str) -> set[str]:
    """Return all keys that the help names: in its first column, or by a longer name wherever it stands."""
    told = explained(row for owner in SCREENS[screen] for row in getattr(owner, "KEYS", ()))
    columns = spread(" ".join(keys for keys, _ in told))
    everything = f"{columns} {' '.join(does for _, does in told)}"
    long = {key for key in LONG if key in everything}
    for key in long:
        columns = columns.replace(key, "")
    return long | ({word for word in re.split(r"[ ,:]+", columns) if word} - NO_KEYS)


@pytest.mark.parametrize("screen", SCREENS)
def test_the_help_tells_every_key_and_no_other(screen: str) -> None:
    assert named(screen) - EVERYWHERE == bound(SCREENS[screen]) - EVERYWHERE
