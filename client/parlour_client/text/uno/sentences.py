"""UNO in sentences; implements ``text_view.Sentences``."""

from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno import lines
from parlour_protocol.messages import Plain


def writing() -> list[str]:
    """Return nothing: the game lists its actions."""
    return []


def situation(room: JoinedRoom) -> list[str]:
    """Return the open question or the round, the score, and our hand."""
    asked, state = lines.question(room)[:1], lines.state(room)
    return [*(asked or state[:1]), *state[1:2], lines.hand(room)]


def rules(room: JoinedRoom) -> list[str]:
    """Return a line with the house rules in force; nothing for the official rules."""
    return lines.rules(room)


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    return lines.action(action)
