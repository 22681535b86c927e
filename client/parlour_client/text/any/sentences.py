"""Any game in sentences, from its view and its list of actions; implements ``text_view.Sentences``."""

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.any import actions, lines
from parlour_protocol.messages import Plain


def writing() -> list[str]:
    """Return how to write an answer."""
    return [say("line.view.writing", example='{"do": "resign"}')]


def situation(room: JoinedRoom) -> list[str]:
    """Return whose turn it is, a line for each field of the view, and one for each row of a board."""
    return [*lines.turn(room), *lines.state(room), *lines.rows(room)]


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    return actions.label(room, action)
