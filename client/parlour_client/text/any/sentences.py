"""Any game in sentences, from its view and its list of actions; implements ``text_view.Sentences``."""

from collections.abc import Iterable

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.any import actions, lines
from parlour_client.text.any.actions import Group, described, grouped
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


def choices(room: JoinedRoom, legal: Iterable[Plain]) -> list[str]:
    """Return a line for each action, with its index; one for many of a kind, with the values that they can have."""
    items = grouped(actions.ways_of(room, 0, legal))
    return [described(room, item) if isinstance(item, Group) else f"{item.index}: {item.words}" for item in items]


def by_number(room: JoinedRoom, legal: Iterable[Plain], number: int) -> list[int]:
    """Return the indices of the actions that a number names: one of the lines, or the value of a group's only field."""
    return [way.index for way in actions.typed(actions.ways_of(room, 0, legal), str(number), 0)]
