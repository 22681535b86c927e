"""UNO as lines of text; implements ``text.base.Lines``."""

from collections.abc import Callable
from typing import Any

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.uno.choices import Choice, choices, offered
from parlour_client.text.uno.choices import choose as choose_among
from parlour_games.uno.cards import NAMES
from parlour_protocol.messages import Offer, Over, Plain

HELP = [
    "Answer with the number of a choice or with a card: r5 red 5, gs green skip, yr yellow reverse, b+2 blue draw two.",
    "Wilds take a colour: w blue, w+4 red. Draw with d, pass with p. Add ! to call UNO with the card: r5! or 3!",
    "resign, on your turn, ends the match for you. If you leave, a stand-in plays on where the room has them.",
    "u calls UNO after the play. c NAME catches somebody who has one card left and has not called.",
    "A wild draw four on you: accept, or challenge if you think its player held a card of the colour.",
    "House rules: r7 NAME swaps hands, r5 g5 lays two together, j jumps in (j! calls UNO, j NAME swaps), a accepts.",
]

_RULES = {
    "stack2": "draw twos stack",
    "stack4": "wild draw fours stack",
    "stack_cross": "draw twos and wild draw fours stack on each other",
    "seven_zero": "7 swaps hands, 0 passes them on",
    "jump_in": "jump in with the same card",
    "draw_until": "draw until you can play",
    "force_play": "you must play if you can",
    "multi_play": "several of one number go together",
    "no_bluff": "no bluffing",
    "strict_wild4": "a wild draw four only if nothing else fits",
    "first_card_number_only": "a round begins with a number",
}

_WHY_DRAWN = {
    "two": " for the draw two and misses the turn",
    "four": " for the wild draw four and misses the turn",
    "first": " for the draw two turned up and misses the turn",
    "challenge": " for the challenge",
    "caught": " for the forgotten call",
    "stack": " for all that was stacked and misses the turn",
    "mistake": " for the wrong catch",
}
_WHY_OUT = {"points": "has reached the target and is out", "resigned": "resigns", "left": "has left the match"}


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    told = _EVENTS.get(event["e"])
    return told(room, event) if told else None


def state(room: JoinedRoom) -> list[str]:
    """Return the state of the round and the match."""
    if room.view is None:
        return []
    lines = [f"Round {room.view['round']}. {_table(room)}", f"Score: {_points(room, room.view['scores'])}."]
    return [*lines, *house_rules(room)]


def house_rules(room: JoinedRoom) -> list[str]:
    """Return a line with the house rules in force; nothing for the official rules."""
    options = room.table["options"]
    told = [words for rule, words in _RULES.items() if options.get(rule)]
    if options.get("false_call_penalty"):
        told.append(f"a wrong catch costs {_some(options['false_call_penalty'])}")
    return [f"House rules: {'; '.join(told)}."] if told else []


def board(room: JoinedRoom) -> list[str]:
    """Return nothing: the game has no board."""
    return []


def question(room: JoinedRoom) -> list[str]:
    """Return the prompt: the question, the hand, and the numbered choices."""
    view = room.view or {}
    asked = room.question
    if asked is None:
        return []
    clock = f" ({max(1, round(asked.left / 1000))} s)" if asked.left is not None else ""
    listed = choices(asked.legal, view.get("pending", 0))
    lines = [f"{_asked(view, listed)}{clock}. {_table(room)}", hand(room)]
    lines.append("  ".join(f"{n} {choice.label} [{choice.short}]" for n, choice in enumerate(listed, 1)))
    if any(action.get("uno") for choice in listed for action in choice.actions):
        lines.append("Add ! to call UNO with the card.")
    return lines


def offer(room: JoinedRoom, offer: Offer) -> str | None:
    """Return a line about a chance to call, to catch or to jump in."""
    for action in offer["legal"]:
        if action.get("do") == "uno":
            return "You have one card left: u calls UNO."
        if action.get("do") == "catch":
            return _catch(room, action["seat"])
        if action.get("do") == "jump":
            how = "j NAME, and swap hands" if "swap" in action else "j! calling UNO, or j" if action.get("uno") else "j"
            return f"You hold {_card(action['card'])} too and may jump in: {how}."
    return None


def _catch(room: JoinedRoom, seat: int) -> str:
    name, cost = room.name(seat), room.table["options"].get("false_call_penalty")
    if cost:
        return f"{name} has one card left: c {name} catches, but if it has called or is safe, you draw {_some(cost)}."
    return f"{name} has one card left and has not called UNO: c {name} catches."


def action(action: Plain) -> str:
    """Return an action as text."""
    match action:
        case {"do": "play" | "jump" as do, **more} if "card" in more or "cards" in more:
            colour = f", {more['colour']}" if more.get("colour") else ""
            swap = f", swapping hands with seat {more['swap']}" if more.get("swap") is not None else ""
            laid = _cards(more.get("cards") or [more["card"]])
            how = "jump in with" if do == "jump" else "play"
            return f"{how} {laid}{colour}{swap}{', calling UNO' if more.get('uno') else ''}"
        case {"do": "colour"}:
            return f"name {action.get('colour')}"
        case {"do": "catch", "seat": seat}:
            return f"catch seat {seat}"
    return str(action.get("do"))


def choose(room: JoinedRoom, text: str) -> tuple[int, Plain]:
    """Return the rid and the action for ``text``. Raises UnclearInput."""
    said = offered(room, text)
    if said is not None:
        return said
    if room.question is None:
        raise UnclearInput(_waiting(room))
    if text.strip().lower() == "resign":
        return room.question.rid, {"do": "resign"}
    hand = (room.view or {}).get("hand", [])
    return room.question.rid, choose_among(room.question.legal, hand, text, room.seat_of)


def hand(room: JoinedRoom) -> str:
    """Return our hand as text."""
    if room.seat is None:
        return "You are watching."
    cards = (room.view or {}).get("hand")
    return f"Hand: {_cards(cards)}." if cards is not None else "Nothing has been dealt yet."


def review(room: JoinedRoom, over: Over) -> list[str]:
    """Return nothing: the standings are enough."""
    return []


# --- the state of the match ---

_ASKED = {
    "play": "Your turn",
    "drawn": "Play the card you drew, or keep it",
    "challenge": "A wild draw four for you: accept it, or challenge",
    "colour": "The round opens with a wild: name its colour",
}


def _asked(view: Plain, listed: list[Choice]) -> str:
    kinds = {action.get("do") for choice in listed for action in choice.actions}
    if view.get("phase") == "drawn" and len(kinds) == 1:
        return "You cannot play the card you drew" if "pass" in kinds else "Play the card you drew"
    if view.get("pending"):
        answers = {"play": "stack a card", "accept": "accept", "challenge": "challenge"}
        return f"{view['pending']} cards for you: {', or '.join(answers[do] for do in answers if do in kinds)}"
    return _ASKED.get(view.get("phase", ""), "Your turn")


def _table(room: JoinedRoom) -> str:
    view = room.view or {}
    top = _card(view["top"])
    if view["top"] >= 100:
        top += f" ({view['colour']})" if view["colour"] else " (no colour yet)"
    counts = ", ".join(_count(room, view, seat, n) for seat, n in enumerate(view["counts"]) if seat not in view["out"])
    pending = f" Pending: {view['pending']} cards." if view.get("pending") else ""
    return f"On top: {top}.{pending} Cards: {counts}."


def _count(room: JoinedRoom, view: Plain, seat: int, cards: int) -> str:
    return f"{_name(room, seat)} {cards}{' UNO' if seat in view['called'] else ''}"


def _waiting(room: JoinedRoom) -> str:
    view = room.view or {}
    asked = view.get("turn")
    if room.seat is None:
        return "You are watching."
    if asked is None or asked == room.seat:
        return "There is nothing to decide now."
    return f"It is not your turn: {room.name(asked)} is asked."


def _name(room: JoinedRoom, seat: int) -> str:
    return "you" if seat == room.seat else room.name(seat)


def _points(room: JoinedRoom, scores: list[int]) -> str:
    return ", ".join(f"{_name(room, seat)} {points}" for seat, points in enumerate(scores))


def _card(card: int) -> str:
    return NAMES[card] if 0 <= card < len(NAMES) else f"card {card}"


def _cards(cards: list[int]) -> str:
    return ", ".join(map(_card, cards)) or "no cards"


def _some(n: int) -> str:
    return "a card" if n == 1 else f"{n} cards"


# --- events ---


def _tell(room: JoinedRoom, seat: int, does: str, do: str, rest: str = "") -> str:
    """Return a sentence about ``seat``, in the second person if it is ours."""
    return f"You {do}{rest}." if seat == room.seat else f"{room.name(seat)} {does}{rest}."


def _deal(room: JoinedRoom, event: Plain) -> str:
    turned = _card(event["top"])
    line = _tell(room, event["dealer"], "deals", "deal", f"; {turned} is turned up")
    rules = house_rules(room) if event["round"] == 1 else []
    return " ".join([f"Round {event['round']}. {line}{_own_hand(event)}", *rules])


def _own_hand(event: Plain) -> str:
    return f" Your hand: {_cards(event['hand'])}." if "hand" in event else ""


def _play(room: JoinedRoom, event: Plain) -> str:
    colour = f" and names {event['colour']}" if event.get("colour") else ""
    if event["seat"] == room.seat:
        colour = colour.replace("names", "name")
    laid = _cards(event.get("cards") or [event["card"]])
    does, do = ("jumps in with", "jump in with") if event.get("jump") else ("plays", "play")
    line = _tell(room, event["seat"], does, do, f" {laid}{colour}")
    return f"{line} UNO!" if event.get("uno") else line


def _swap(room: JoinedRoom, event: Plain) -> str:
    line = _tell(room, event["seat"], "swaps", "swap", f" hands with {_name(room, event['of'])}")
    return f"{line}{_own_hand(event)}"


def _rotate(room: JoinedRoom, event: Plain) -> str:
    return f"All hands go on to the {_side(event)}.{_own_hand(event)}"


def _side(event: Plain) -> str:
    return "left" if event["direction"] == 1 else "right"


def _draw(room: JoinedRoom, event: Plain) -> str:
    seat, n = event["seat"], event["n"]
    if not n:
        return _tell(room, seat, "finds", "find", " no card left to draw")
    why = _WHY_DRAWN.get(event["why"], "")
    if seat == room.seat:
        why = why.replace("misses", "miss")
    drawn = _cards(event["cards"]) if "cards" in event else _some(n)
    return _tell(room, seat, "draws", "draw", f" {drawn}{why}")


def _challenge(room: JoinedRoom, event: Plain) -> str:
    line = _tell(room, event["seat"], "challenges", "challenge", f" {_name(room, event['of'])}")
    verdict = "It was a bluff." if event["guilty"] else "It was no bluff."
    shown = f" The hand was: {_cards(event['hand'])}." if "hand" in event else ""
    return f"{line} {verdict}{shown}"


def _caught(room: JoinedRoom, event: Plain) -> str:
    return _tell(room, event["by"], "catches", "catch", f" {_name(room, event['seat'])} without a call")


def _mistake(room: JoinedRoom, event: Plain) -> str:
    return _tell(room, event["seat"], "is", "are", f" wrong to catch {_name(room, event['of'])}")


def _accept(room: JoinedRoom, event: Plain) -> str:
    top = (room.view or {}).get("top")
    penalty = "draw two" if top is not None and _card(top).endswith(" draw two") else "wild draw four"
    return _tell(room, event["seat"], "accepts", "accept", f" the {penalty}")


def _round(room: JoinedRoom, event: Plain) -> str:
    winner = event["winner"]
    won = "Nobody wins the round." if winner is None else _tell(room, winner, "wins", "win", " the round")
    held = ", ".join(f"{_name(room, seat)} {points}" for seat, points in enumerate(event["points"]) if points)
    return f"{won} In hand: {held or 'nothing'}. Score: {_points(room, event['scores'])}."


def _out(room: JoinedRoom, event: Plain) -> str:
    if event["seat"] == room.seat:
        return "You are out of the match."
    return f"{room.name(event['seat'])} {_WHY_OUT.get(event['why'], 'is out')}."


_EVENTS: dict[str, Callable[[JoinedRoom, Any], str]] = {
    "deal": _deal,
    "play": _play,
    "draw": _draw,
    "pass": lambda room, event: _tell(room, event["seat"], "passes", "pass"),
    "skip": lambda room, event: _tell(room, event["seat"], "misses", "miss", " the turn"),
    "swap": _swap,
    "rotate": _rotate,
    "reverse": lambda room, event: f"Play now goes to the {_side(event)}.",
    "colour": lambda room, event: _tell(room, event["seat"], "names", "name", f" {event['colour']}"),
    "uno": lambda room, event: _tell(room, event["seat"], "calls", "call", " UNO"),
    "held": lambda room, event: f"Your catch of {room.name(event['of'])} counts unless UNO is called in time.",
    "caught": _caught,
    "challenge": _challenge,
    "mistake": _mistake,
    "accept": _accept,
    "reshuffle": lambda room, event: f"The discards are shuffled into a new draw pile of {event['deck']}.",
    "round": _round,
    "out": _out,
}
