"""UNO in words: events, the prompt and the table as lines of text."""

from collections.abc import Callable
from typing import Any

from parlour_client.lines import Unclear
from parlour_client.table import Room
from parlour_client.uno_choices import Choice, choices, offered
from parlour_client.uno_choices import choose as choose_among
from parlour_games.uno.cards import NAMES
from parlour_protocol.messages import Offer, Plain

HELP = [
    "Answer with the number of a choice or with a card: r5 red 5, gs green skip, yr yellow reverse, b+2 blue draw two.",
    "Wilds take a colour: w blue, w+4 red. Draw with d, pass with p. Add ! to call UNO with the card: r5! or 3!",
    "u calls UNO after the play. c NAME catches somebody who stands at one card and has not called.",
    "A wild draw four on you: accept, or challenge if you think its player held a card of the colour.",
]

_WHY_DRAWN = {
    "two": " for the draw two and misses the turn",
    "four": " for the wild draw four and misses the turn",
    "first": " for the draw two turned up and misses the turn",
    "challenge": " for the challenge",
    "caught": " for the forgotten call",
}
_WHY_OUT = {"points": "has reached the target and is out", "resigned": "resigns", "left": "has left the match"}


def event(room: Room, event: Plain) -> str | None:
    """Return the line that tells ``event``, None if it needs no telling."""
    told = _EVENTS.get(event["e"])
    return told(room, event) if told else None


def state(room: Room) -> list[str]:
    """Return how round and match stand."""
    if room.view is None:
        return []
    return [f"Round {room.view['round']}. {_table(room)}", f"Score: {_points(room, room.view['scores'])}."]


def question(room: Room) -> list[str]:
    """Return the prompt: what is asked, the hand, and the numbered choices."""
    view = room.view or {}
    asked = room.question
    if asked is None:
        return []
    clock = f" ({max(1, round(asked.left / 1000))} s)" if asked.left is not None else ""
    listed = choices(asked.legal)
    lines = [f"{_asked(view, listed)}{clock}. {_table(room)}", hand(room)]
    lines.append("  ".join(f"{n} {choice.label} [{choice.short}]" for n, choice in enumerate(listed, 1)))
    if any(action.get("uno") for choice in listed for action in choice.actions):
        lines.append("Add ! to call UNO with the card.")
    return lines


def offer(room: Room, offer: Offer) -> str | None:
    """Return the line that tells of a chance to call or to catch."""
    for action in offer["legal"]:
        if action.get("do") == "uno":
            return "You stand at one card: u calls UNO."
        if action.get("do") == "catch":
            name = room.name(action["seat"])
            return f"{name} stands at one card and has not called UNO: c {name} catches."
    return None


def action(action: Plain) -> str:
    """Return an action in words."""
    match action:
        case {"do": "play", "card": int(card)}:
            colour = f", {action['colour']}" if action.get("colour") else ""
            return f"play {_card(card)}{colour}{', calling UNO' if action.get('uno') else ''}"
        case {"do": "colour"}:
            return f"name {action.get('colour')}"
        case {"do": "catch", "seat": seat}:
            return f"catch seat {seat}"
    return str(action.get("do"))


def choose(room: Room, text: str) -> tuple[int, Plain]:
    """Return the rid and action that ``text`` stands for. Raises Unclear."""
    said = offered(room, text)
    if said is not None:
        return said
    if room.question is None:
        raise Unclear(_waiting(room))
    return room.question.rid, choose_among(room.question.legal, (room.view or {}).get("hand", []), text)


def hand(room: Room) -> str:
    """Return our hand in words."""
    if room.seat is None:
        return "You are watching."
    cards = (room.view or {}).get("hand")
    return f"Hand: {_cards(cards)}." if cards is not None else "Nothing has been dealt yet."


# --- how things stand ---

_ASKED = {
    "play": "Your turn",
    "drawn": "Play the card you drew, or keep it",
    "challenge": "A wild draw four for you: accept it, or challenge",
    "colour": "The round opens with a wild: name its colour",
}


def _asked(view: Plain, listed: list[Choice]) -> str:
    if view.get("phase") == "drawn" and len(listed) == 1:
        return "You cannot play the card you drew"
    return _ASKED.get(view.get("phase", ""), "Your turn")


def _table(room: Room) -> str:
    view = room.view or {}
    top = _card(view["top"])
    if view["top"] >= 100:
        top += f" ({view['colour']})" if view["colour"] else " (no colour yet)"
    counts = ", ".join(_count(room, view, seat, n) for seat, n in enumerate(view["counts"]) if seat not in view["out"])
    return f"On top: {top}. Cards: {counts}."


def _count(room: Room, view: Plain, seat: int, cards: int) -> str:
    return f"{_name(room, seat)} {cards}{' UNO' if seat in view['called'] else ''}"


def _waiting(room: Room) -> str:
    view = room.view or {}
    asked = view.get("turn")
    if room.seat is None:
        return "You are watching."
    if asked is None or asked == room.seat:
        return "Nothing is asked of you now."
    return f"It is not your turn: {room.name(asked)} is asked."


def _name(room: Room, seat: int) -> str:
    return "you" if seat == room.seat else room.name(seat)


def _points(room: Room, scores: list[int]) -> str:
    return ", ".join(f"{_name(room, seat)} {points}" for seat, points in enumerate(scores))


def _card(card: int) -> str:
    return NAMES[card] if 0 <= card < len(NAMES) else f"card {card}"


def _cards(cards: list[int]) -> str:
    return ", ".join(map(_card, cards)) or "no cards"


def _some(n: int) -> str:
    return "a card" if n == 1 else f"{n} cards"


# --- events ---


def _tell(room: Room, seat: int, does: str, do: str, rest: str = "") -> str:
    """Return a sentence about ``seat``, in the second person if it is ours."""
    return f"You {do}{rest}." if seat == room.seat else f"{room.name(seat)} {does}{rest}."


def _deal(room: Room, event: Plain) -> str:
    turned = _card(event["top"])
    line = _tell(room, event["dealer"], "deals", "deal", f"; {turned} is turned up")
    own = f" Your hand: {_cards(event['hand'])}." if "hand" in event else ""
    return f"Round {event['round']}. {line}{own}"


def _play(room: Room, event: Plain) -> str:
    colour = f" and names {event['colour']}" if event.get("colour") else ""
    if event["seat"] == room.seat:
        colour = colour.replace("names", "name")
    line = _tell(room, event["seat"], "plays", "play", f" {_card(event['card'])}{colour}")
    return f"{line} UNO!" if event.get("uno") else line


def _draw(room: Room, event: Plain) -> str:
    seat, n = event["seat"], event["n"]
    if not n:
        return _tell(room, seat, "finds", "find", " no card left to draw")
    why = _WHY_DRAWN.get(event["why"], "")
    if seat == room.seat:
        why = why.replace("misses", "miss")
    drawn = _cards(event["cards"]) if "cards" in event else _some(n)
    return _tell(room, seat, "draws", "draw", f" {drawn}{why}")


def _challenge(room: Room, event: Plain) -> str:
    line = _tell(room, event["seat"], "challenges", "challenge", f" {_name(room, event['of'])}")
    verdict = "It was a bluff." if event["guilty"] else "It was no bluff."
    shown = f" The hand was: {_cards(event['hand'])}." if "hand" in event else ""
    return f"{line} {verdict}{shown}"


def _caught(room: Room, event: Plain) -> str:
    return _tell(room, event["by"], "catches", "catch", f" {_name(room, event['seat'])} without a call")


def _round(room: Room, event: Plain) -> str:
    winner = event["winner"]
    won = "Nobody wins the round." if winner is None else _tell(room, winner, "wins", "win", " the round")
    held = ", ".join(f"{_name(room, seat)} {points}" for seat, points in enumerate(event["points"]) if points)
    return f"{won} In hand: {held or 'nothing'}. Score: {_points(room, event['scores'])}."


def _out(room: Room, event: Plain) -> str:
    if event["seat"] == room.seat:
        return "You are out of the match."
    return f"{room.name(event['seat'])} {_WHY_OUT.get(event['why'], 'is out')}."


_EVENTS: dict[str, Callable[[Room, Any], str]] = {
    "deal": _deal,
    "play": _play,
    "draw": _draw,
    "pass": lambda room, event: _tell(room, event["seat"], "passes", "pass"),
    "skip": lambda room, event: _tell(room, event["seat"], "misses", "miss", " the turn"),
    "reverse": lambda room, event: f"Play now goes to the {'left' if event['direction'] == 1 else 'right'}.",
    "colour": lambda room, event: _tell(room, event["seat"], "names", "name", f" {event['colour']}"),
    "uno": lambda room, event: _tell(room, event["seat"], "calls", "call", " UNO"),
    "held": lambda room, event: f"Your catch of {room.name(event['of'])} counts unless UNO is called in time.",
    "caught": _caught,
    "challenge": _challenge,
    "accept": lambda room, event: _tell(room, event["seat"], "accepts", "accept", " the wild draw four"),
    "reshuffle": lambda room, event: f"The discards are shuffled into a new draw pile of {event['deck']}.",
    "round": _round,
    "out": _out,
}
