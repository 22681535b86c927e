"""UNO as lines of text; implements ``text.base.Lines``."""

from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.uno.choices import Choice, choices, offered
from parlour_client.text.uno.choices import choose as choose_among
from parlour_client.text.uno.words import card_name, card_names, said
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


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    if f"uno.event.{event['e']}" not in phrases:
        return None
    line = said(room, f"event.{event['e']}", event)
    return " ".join([line, *house_rules(room)]) if event["e"] == "deal" and event["round"] == 1 else line


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
            return f"You hold {card_name(action['card'])} too and may jump in: {how}."
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
            laid = card_names(more.get("cards") or [more["card"]])
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
    return f"Hand: {card_names(cards)}." if cards is not None else "Nothing has been dealt yet."


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
    top = card_name(view["top"])
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


def _some(n: int) -> str:
    return "a card" if n == 1 else f"{n} cards"
