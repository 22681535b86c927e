"""The help of a room: rules, keys of the current view, and keys for the whole room."""

from collections.abc import Sequence

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.screens.rules import rules_of
from parlour_client.tui.widgets.header import TITLES
from parlour_client.tui.widgets.waiting_room import WaitingRoom

KEYS = [
    ("t", "chat"),
    ("L, l", "show or hide the log; in a game only L does"),
    ("page up, page down", "scroll the log"),
    ("r", "ready: start, continue, play again, retake your seat"),
    ("v", "at the end: switch between table and results"),
    ("S", "at the end: save the match for replays"),
    ("o", "people: kick, ban, mute, add time as host; or click a player"),
    ("?", "these keys"),
    ("q, ctrl+c", "leave"),
    ("ctrl+p", "find an action by its name"),
    ("ctrl+q", "quit the program now"),
]
"""(key, description) for the whole room."""


def parts_of_help(room: JoinedRoom | None, widget: GameWidget | None) -> list[tuple[str, Sequence[tuple[str, str]]]]:
    """Return (title, [(key or term, description)]). ``widget``: the game's, None in the waiting room."""
    rules = rules_of(room.game, room.table["options"]) if room else []
    title = TITLES.get(room.game, room.game) if room else ""
    here = ("waiting room", WaitingRoom.KEYS) if widget is None else (title, widget.KEYS)
    return [("how it is played", rules), here, ("anywhere", KEYS)]
