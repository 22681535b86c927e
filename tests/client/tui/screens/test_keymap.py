"""The help of every screen tells all of its keys, and none that does nothing there."""

import re
from collections.abc import Iterable, Sequence

import pytest
from textual.binding import Binding

from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens import create, dialogs, lobby, replay, room, room_form, saved_matches, settings, start
from parlour_client.tui.screens.replay_parts import Scrubber
from parlour_client.tui.widgets.form import Form
from parlour_client.tui.widgets.keys import explained
from parlour_client.tui.widgets.list_view import Listing, Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom

Told = Sequence[tuple[str, str]]
Owner = type[object]

SCREENS: dict[str, tuple[tuple[Owner, ...], Told]] = {
    "start": ((start.StartScreen, Menu), start._KEYS),
    "lobby": ((lobby.LobbyScreen, Listing), lobby._KEYS),
    "create": ((create.CreateScreen, Listing, Form), room_form._KEYS),
    "configure": ((create.ConfigureScreen, Listing, Form), room_form._KEYS),
    "settings": ((settings.SettingsScreen, Listing, Form), settings._KEYS),
    "saved": ((saved_matches.SavedMatchesScreen, Listing), saved_matches._KEYS),
    "waiting room": ((room.RoomScreen, WaitingRoom), [*WaitingRoom.KEYS, *dialogs.ROOM_KEYS]),
    "UNO": ((room.RoomScreen, UnoWidget), [*UnoWidget.KEYS, *dialogs.ROOM_KEYS]),
    "Minesweeper": ((room.RoomScreen, BoardView, MinesweeperWidget), [*MinesweeperWidget.KEYS, *dialogs.ROOM_KEYS]),
    "replay": ((replay.ReplayScreen, Scrubber), replay._KEYS),
}
"""Screen → who binds its keys, and what its help tells."""
NAMES = {
    "question_mark": "?",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "escape": "esc",
    "pageup": "page up",
    "pagedown": "page down",
}
LONG = ("page up", "page down", "ctrl+home", "ctrl+end")
"""Names that cannot be mistaken for a word."""
ARROWS = ("up", "down", "left", "right")
EVERYWHERE = {"ctrl+p", "ctrl+q", "ctrl+z"}
NO_KEYS = {"click", "double", "middle", "wheel", "drag", "00", "04+"}


def bound(owners: Iterable[Owner]) -> set[str]:
    """Return the keys of ``owners`` as the help writes them."""
    bindings = [each for owner in owners for each in getattr(owner, "BINDINGS", ()) if isinstance(each, Binding)]
    return {NAMES.get(key.strip(), key.strip()) for each in bindings for key in each.key.split(",")}


def spread(words: str) -> str:
    """Return ``words`` with ranges and families of keys written out."""
    words = words.replace("arrows", " ".join(ARROWS))
    return re.sub(r"\b(\d) to (\d)\b", lambda m: " ".join(str(n) for n in range(int(m[1]), int(m[2]) + 1)), words)


def named(told: Told) -> set[str]:
    """Return all keys that the help names: in its first column, or by a longer name wherever it stands."""
    told = explained(told)
    columns = spread(" ".join(keys for keys, _ in told))
    everything = f"{columns} {' '.join(does for _, does in told)}"
    long = {key for key in LONG if key in everything}
    for key in long:
        columns = columns.replace(key, "")
    return long | ({word for word in re.split(r"[ ,:]+", columns) if word} - NO_KEYS)


@pytest.mark.parametrize("screen", SCREENS)
def test_every_key_is_told(screen: str) -> None:
    owners, told = SCREENS[screen]
    assert sorted(bound(owners) - named(told)) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_every_key_that_is_told_does_something(screen: str) -> None:
    owners, told = SCREENS[screen]
    assert sorted(named(told) - bound(owners) - EVERYWHERE) == []
