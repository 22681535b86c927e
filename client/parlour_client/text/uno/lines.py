"""UNO as lines of text; implements ``text.base.Lines``."""

from parlour_client.core.phrases import phrases, say
from parlour_client.core.printing import time_left
from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.base import Course, UnclearInput
from parlour_client.text.uno.choices import ActionGroup, choices, offered
from parlour_client.text.uno.choices import choose as choose_among
from parlour_client.text.uno.words import challenged, house_rules, said
from parlour_client.text.uno.words import how_to as how_to
from parlour_client.text.uno.words import in_short as in_short
from parlour_games.uno.cards import FIRST_WILD
from parlour_protocol.messages import Offer, Over, Plain

_MOST = 12
"""The most cards drawn in a line to share."""
_MANUAL = ("cards", "wild", "resign", "call", "four", "house")


def manual() -> list[str]:
    """Return how to answer, in a few lines."""
    return [say(f"line.uno.help.{part}") for part in _MANUAL]


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    if f"uno.event.{event['e']}" not in phrases:
        return None
    line = said(room, f"uno.event.{event['e']}", event)
    return " ".join([line, *rules(room)]) if event["e"] == "deal" and event["round"] == 1 else line


def state(room: JoinedRoom) -> list[str]:
    """Return the state of the round and the match."""
    view = room.view
    if view is None:
        return []
    lines = [said(room, "line.uno.round", view, table=_table(room)), said(room, "line.uno.score", view)]
    return [*lines, *rules(room)]


def rules(room: JoinedRoom) -> list[str]:
    """Return a line with the house rules in force; nothing for the official rules."""
    told = "; ".join(house_rules(room.table["options"]))
    return [say("line.uno.house_rules", rules=told)] if told else []


def board(room: JoinedRoom) -> list[str]:
    """Return nothing: the game has no board."""
    return []


def question(room: JoinedRoom) -> list[str]:
    """Return the prompt: the question, the hand, and the numbered choices."""
    asked = room.question
    if asked is None:
        return []
    listed = choices(asked.legal, (room.view or {}).get("pending", 0))
    lines = [_asked(room, asked, listed), hand(room)]
    lines.append("  ".join(f"{n} {choice.label} [{choice.short}]" for n, choice in enumerate(listed, 1)))
    if any(action.get("uno") for choice in listed for action in choice.actions):
        lines.append(say("line.uno.add_call"))
    return lines


def hint(room: JoinedRoom) -> list[str]:
    """Return the prompt, which lists what can be played."""
    return question(room) or [say("line.idle")]


def offer(room: JoinedRoom, offer: Offer) -> str | None:
    """Return a line about a chance to call, to catch or to jump in."""
    for action in offer["legal"]:
        match action.get("do"):
            case "uno":
                return say("line.uno.offer.uno")
            case "catch":
                cost = room.table["options"].get("false_call_penalty") or None
                return said(room, "line.uno.offer.catch", action, cost=cost)
            case "jump":
                how = "swap" if "swap" in action else "call" if action.get("uno") else "only"
                return said(room, "line.uno.offer.jump", action, how=how)
    return None


def choose(room: JoinedRoom, text: str) -> tuple[int, Plain]:
    """Return the rid and the action for ``text``. Raises UnclearInput."""
    answer = offered(room, text)
    if answer is not None:
        return answer
    if room.question is None:
        raise UnclearInput(_waiting(room))
    if text.strip().lower() == "resign":
        return room.question.rid, {"do": "resign"}
    hand = (room.view or {}).get("hand", [])
    return room.question.rid, choose_among(room.question.legal, hand, text, room.seat_of)


def hand(room: JoinedRoom) -> str:
    """Return our hand as text."""
    if room.seat is None:
        return say("line.watching")
    view = room.view or {}
    return said(room, "line.uno.hand", view) if view.get("hand") is not None else say("line.not_dealt")


def out(room: JoinedRoom) -> bool:
    """Return whether we are eliminated, or have resigned."""
    return room.seat in (room.view or {}).get("out", ())


def in_characters(room: JoinedRoom, over: Over, course: Course) -> list[str]:
    """Return the cards that are left in the hands of the others."""
    counts = (room.view or {}).get("counts", [])
    others = (min(count, _MOST) for seat, count in enumerate(counts) if seat != room.seat)
    return [" · ".join("▮" * count or "–" for count in others)] if counts else []


def review(room: JoinedRoom, over: Over) -> list[str]:
    """Return nothing: the standings are enough."""
    return []


# --- the state of the match ---


def _asked(room: JoinedRoom, asked: Question, listed: list[ActionGroup]) -> str:
    view = room.view or {}
    kinds = {action.get("do") for choice in listed for action in choice.actions}
    answers = [do for do in ("play", "accept", "challenge") if do in kinds]
    return say(
        "line.uno.asked",
        asks="pending" if view.get("pending") else view.get("phase"),
        costs=said(room, "uno.challenge", challenged(room)) if "challenge" in kinds else None,
        plays="play" in kinds,
        keep="pass" in kinds,
        n=view.get("pending"),
        answers=say("line.uno.or").join(say(f"line.uno.answer.{do}") for do in answers),
        left=None if asked.left is None else time_left(max(1000, asked.left)),
        table=_table(room),
    )


def _table(room: JoinedRoom) -> str:
    view = room.view or {}
    counts = (
        said(room, "line.uno.count", seat=seat, n=n, called=seat in view["called"], exposed=seat == view.get("exposed"))
        for seat, n in enumerate(view["counts"])
        if seat not in view["out"]
    )
    shown = view["colour"] if view["top"] >= FIRST_WILD else "shown"
    return said(room, "line.uno.table", view, colour=shown, counts=", ".join(counts))


def _waiting(room: JoinedRoom) -> str:
    asked = (room.view or {}).get("turn")
    if room.seat is None:
        return say("line.watching")
    if asked is None or asked == room.seat:
        return say("line.idle")
    return said(room, "line.not_turn", seat=asked)
