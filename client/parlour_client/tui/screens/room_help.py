"""The help of a room: rules, keys of the current view, and keys for the whole room."""

from collections.abc import Sequence

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import lines_for
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.widgets.header import title_of
from parlour_client.tui.widgets.keys import explained
from parlour_client.tui.widgets.waiting_room import WaitingRoom

KEYS = [
    ("t", "tui.help.room.chat"),
    ("L, l", "tui.help.room.log"),
    ("page_up, page_down", "tui.help.room.scroll"),
    ("r", "tui.help.room.ready"),
    ("v", "tui.help.room.view"),
    ("S", "tui.help.room.save"),
    ("A", "tui.help.room.repeat"),
    ("C", "tui.help.room.configure"),
    ("o", "tui.help.room.people"),
    ("?", "tui.help.keys"),
    ("q, ctrl+c", "tui.help.room.leave"),
    ("ctrl+p", "tui.help.palette"),
    ("ctrl+q", "tui.help.room.quit"),
]
"""(keys, phrase) for the whole room."""


def parts_of_help(room: JoinedRoom | None, widget: GameWidget | None) -> list[tuple[str, Sequence[tuple[str, str]]]]:
    """Return (title, [(keys, description)]). ``widget``: the game's, None in the waiting room."""
    title = title_of(room.game) if room else ""
    here = (say("tui.help.waiting"), WaitingRoom.KEYS) if widget is None else (title, widget.KEYS)
    return [(here[0], explained(here[1])), (say("tui.help.here"), explained(KEYS))]


def rules_of(room: JoinedRoom | None) -> list[str]:
    """Return how the game of ``room`` is played, in sentences."""
    return [*lines_for(room.game).how_to(room.game, room.table["options"])] if room else []
