"""UNO in sentences; implements ``text_view.Sentences``."""

from collections.abc import Iterable

from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno import lines
from parlour_client.text.uno.words import said
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


def choices(room: JoinedRoom, legal: Iterable[Plain]) -> list[str]:
    """Return a numbered line for each action; equal cards share one, with the first of their numbers."""
    numbers: dict[str, int] = {}
    for number, each in enumerate(legal):
        numbers.setdefault(action(room, each), number)
    return [f"{number}: {words}" for words, number in numbers.items()]


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    seat = action.get("swap", action.get("seat"))
    who = None if seat is None else room.name(seat)
    match action:
        case {"do": "play" | "jump", **more} if "card" in more or "cards" in more:
            return said(room, "line.uno.action", action, cards=more.get("cards") or [more["card"]], who=who)
        case {"do": "colour" | "catch" as do}:
            return said(room, f"line.uno.action.{do}", action, who=who)
    return said(room, "line.uno.action.other", action)
