"""UNO in sentences; implements ``text_view.Sentences``."""

from collections.abc import Iterable

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno import lines
from parlour_client.text.uno.lines import rules as rules
from parlour_client.text.uno.words import card_name, said
from parlour_games.uno.cards import COLOURS, SKIP, SYMBOL, WILD_FOUR, mask_of
from parlour_games.uno.house_rules import HANDS_ROTATE, HANDS_SWAP
from parlour_games.uno.options import Options
from parlour_games.uno.piles import would_bluff
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict


def writing() -> list[str]:
    """Return nothing: the game lists its actions."""
    return []


def situation(room: JoinedRoom) -> list[str]:
    """Return the open question or the round, who comes next, the score, and our hand."""
    asked, state = lines.question(room)[:1], lines.state(room)
    return [*(asked or state[:1]), *_next(room), *state[1:2], lines.hand(room)]


def _next(room: JoinedRoom) -> list[str]:
    """Return a line with the players who come after us; nothing if there is only one."""
    if room.question is None or room.view is None or room.seat is None or "direction" not in room.view:
        return []  # a turn that an author wrote may have less
    size, step = len(room.view["counts"]), room.view["direction"]
    following = [(room.seat + step * k) % size for k in range(1, size)]
    names = [room.name(seat) for seat in following if seat not in room.view["out"]]
    return [say("line.uno.next", order=", ".join(names))] if len(names) > 1 else []


def choices(room: JoinedRoom, legal: Iterable[Plain]) -> list[str]:
    """Return a numbered line for each action; equal cards share one, with the first of their numbers."""
    numbers: dict[str, int] = {}
    for number, each in enumerate(legal):
        numbers.setdefault(action(room, each), number)
    return [f"{number}: {words}" for words, number in numbers.items()]


def unlisted(room: JoinedRoom) -> list[str]:
    """Return how to play several cards together, with an example from our hand, where that is possible."""
    if room.question is None or not _together(room):
        return []
    view, options = room.view or {}, room.table["options"]
    for play in room.question.legal:
        number = SYMBOL[play["card"]] if play["do"] == "play" else SKIP
        more = [card for card in view["hand"] if SYMBOL[card] == number < SKIP and card != play["card"]]
        if more:
            example: Plain = {"do": "play", "cards": [play["card"], more[0]]}
            left, moves = len(view["hand"]) - 2, options.get("seven_zero") and number in (HANDS_ROTATE, HANDS_SWAP)
            if left and "swap" in play:
                example["swap"] = play["swap"]
            elif left == 1 and not moves:
                example["uno"] = True
            return [say("line.uno.several", example=action(room, example))]
    return []


def legend(room: JoinedRoom) -> dict[str, str]:
    """Return our cards by their numbers where several can be played together."""
    return {str(card): card_name(card) for card in (room.view or {})["hand"]} if _together(room) else {}


def _together(room: JoinedRoom) -> bool:
    return bool(room.table["options"].get("multi_play")) and (room.view or {}).get("phase") == "play"


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    seat = action.get("swap", action.get("seat"))
    who = None if seat is None else room.name(seat)
    match action:
        case {"do": "play" | "jump", **more} if "card" in more or "cards" in more:
            cards = more.get("cards") or [more["card"]]
            return said(room, "line.uno.action", action, cards=cards, who=who, bluff=_bluffs(room, cards[0]))
        case {"do": "colour"}:
            return said(room, "line.uno.action.colour", action)
        case {"do": "catch"}:
            wrong = seat != (room.view or {}).get("exposed")
            cost = room.table["options"].get("false_call_penalty") if wrong else None
            return say("line.uno.action.catch", who=who, cost=cost or None)
    return said(room, "line.uno.action.other", action)


def _bluffs(room: JoinedRoom, card: int) -> bool:
    """Return whether ``card`` is a wild draw four of our own that breaks its condition now."""
    view = room.view or {}
    hand = view.get("hand") or []
    if room.question is None or card not in hand or SYMBOL[card] != WILD_FOUR or view["colour"] not in COLOURS:
        return False
    options = strict(Options)(room.table["options"])
    return would_bluff(options, COLOURS.index(view["colour"]), view["top"], view.get("pending", 0), mask_of(hand))
