"""The help of a room: how its game is played, the keys of what is on the screen, those that work anywhere in it."""

from collections.abc import Sequence

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.screens.rules import rules_of
from parlour_client.tui.widgets.header import TITLES
from parlour_client.tui.widgets.waiting_room import WaitingRoom

KEYS = [
    ("t", "say something"),
    ("L, l", "show or hide the log; at a game l moves the cursor"),
    ("r", "ready: begin, go on, play again, take your seat back"),
    ("v", "at the end: look at the table, or at the results"),
    ("S", "at the end: keep the record of the match, for the replays"),
    ("o", "others: who is here; as host kick, ban, mute, more time; a click at somebody, too"),
    ("?", "these keys"),
    ("q, ctrl+c", "leave"),
    ("ctrl+p", "find an action by its name"),
    ("ctrl+q", "end the program at once"),
]
"""(key, what it does) anywhere in a room."""


def parts_of_help(room: JoinedRoom | None, widget: GameWidget | None) -> list[tuple[str, Sequence[tuple[str, str]]]]:
    """Return (title, [(key or word, what it does)]). ``face``: the game's, None in the waiting room."""
    rules = rules_of(room.game, room.table["options"]) if room else []
    title = TITLES.get(room.game, room.game) if room else ""
    here = ("waiting room", WaitingRoom.KEYS) if widget is None else (title, widget.KEYS)
    return [("how it is played", rules), here, ("anywhere", KEYS)]
