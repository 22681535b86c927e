"""The choices of an UNO question, and the input that selects one.

``legal`` lists every card and colour separately. Here similar actions form one choice: two red 5s, the four colours of
a wild card, the seats to swap hands with, a play with and without the call of UNO.
"""

import re
from collections.abc import Callable

import attrs

from parlour_client.core.phrases import phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput, UnfinishedInput
from parlour_client.text.uno.words import card_name, colour_name
from parlour_games.uno.cards import CARDS_BY_FACE, COLOURS, SHORTS
from parlour_protocol.messages import Plain

_BY_LETTER = {colour[0]: colour for colour in COLOURS} | {colour: colour for colour in COLOURS}
_SYMBOLS = {"skip": "s", "reverse": "r", "rev": "r", "draw two": "+2", "d2": "+2", "2+": "+2"}
_COLOURED = re.compile(
    r"(red|yellow|green|blue|[rygb])\s*([0-9]|skip|s|reverse|rev|r|draw two|\+2|2\+|d2)(?:\s+(\S+))?"
)
_WILD = re.compile(r"(wild draw four|wild \+4|wd4|w\s*\+?4|\+4|wild|w)(?:\s+(\w+))?")
_NUMBERED = re.compile(r"([0-9]+)(?:\s*([a-z]\S*)|\s+(\S+))?")
_NUMBER_CARD = r"(?:red|yellow|green|blue|[rygb])\s*[0-9]"
_SEVERAL = re.compile(
    rf"(?:play\s+)?({_NUMBER_CARD}(?:(?:\s+and\s+|[\s,]+){_NUMBER_CARD})+)(?:(?:,? swapping hands with)?\s+(\S+))?"
)
_WORDS = {
    "d": "draw", "draw": "draw",
    "p": "pass", "pass": "pass", "keep": "pass", "k": "pass",
    "accept": "accept", "a": "accept", "yes": "accept",
    "challenge": "challenge", "ch": "challenge",
}  # fmt: skip


@attrs.define
class ActionGroup:
    """Actions that look like one to a player. ``short`` is the input for it; ``actions`` are its variants."""

    label: str
    short: str
    actions: list[Plain]


SeatOf = Callable[[str], int | None]
"""Returns the seat of a player by name, None if there is none."""


def choices(legal: list[Plain], pending: int = 0) -> list[ActionGroup]:
    """Return the choices in ``legal``, in its order. ``pending``: the number of cards stacked up to draw."""
    found: dict[str, ActionGroup] = {}
    for action in legal:
        label, short = _names(action, pending)
        found.setdefault(label, ActionGroup(label, short, [])).actions.append(action)
    return list(found.values())


def choose(legal: list[Plain], hand: list[int], text: str, seat_of: SeatOf = lambda _: None) -> Plain:
    """Return the action for ``text``: one of ``legal``, or several cards of ``hand`` together. Raises UnclearInput."""
    words, calls = _without_call(text)
    together = _SEVERAL.fullmatch(words)
    if together:
        faces = [colour[0] + number for colour, number in re.findall(r"([a-z]+)\s*([0-9])", together[1])]
        return _several(hand, faces, together[2], seat_of) | ({"uno": True} if calls else {})
    listed = choices(legal)
    choice, more = _numbered(listed, words) or _named(listed, hand, words)
    return _variant(choice, more, calls, seat_of)


def offered(room: JoinedRoom, text: str) -> tuple[int, Plain] | None:
    """Return the rid and the action if ``text`` calls UNO, catches a player or jumps in; None otherwise.

    Raises UnclearInput if that is not possible now.
    """
    verb, _, name = text.strip().lower().partition(" ")
    open_offers = [(offer["rid"], action) for offer in room.may for action in offer["legal"]]
    bare, calls = _without_call(text)
    if bare.split(" ")[0] in ("j", "jump"):
        jumps = [each for each in open_offers if each[1].get("do") == "jump"]
        return _jump(jumps, bare.partition(" ")[2], calls, room.seat_of)
    if verb in ("u", "uno", "uno!") and not name:
        found = [each for each in open_offers if each[1].get("do") == "uno"]
        if not found:
            raise UnclearInput(say("line.uno.wrong.no_call"))
        return found[0]
    if verb in ("c", "catch"):
        return _catch(room, [each for each in open_offers if each[1].get("do") == "catch"], name.strip())
    return None


def _catch(room: JoinedRoom, found: list[tuple[int, Plain]], name: str) -> tuple[int, Plain]:
    if not found:
        raise UnclearInput(say("line.uno.wrong.no_catch"))
    names = ", ".join(room.name(action["seat"]) for _, action in found)
    if name:
        found = [each for each in found if each[1]["seat"] == room.seat_of(name)]
    if len(found) != 1:
        raise UnclearInput(say("line.uno.wrong.catch", names=names))
    return found[0]


def _jump(found: list[tuple[int, Plain]], name: str, calls: bool, seat_of: SeatOf) -> tuple[int, Plain]:
    if not found:
        raise UnclearInput(say("line.uno.wrong.no_jump"))
    rid, action = found[0]
    label = say("uno.do.jump", card=card_name(action["card"]))
    jump = ActionGroup(label, "j", [action for _, action in found])
    return rid, _variant(jump, name or None, calls, seat_of)


def _several(hand: list[int], faces: list[str], name: str | None, seat_of: SeatOf) -> Plain:
    """Return the play of several cards, with a swap with ``name`` if given. Does not check that it is legal."""
    cards: list[int] = []
    for face in faces:
        card = next((card for card in hand if SHORTS[card] == face and card not in cards), None)
        if card is None:
            raise UnclearInput(say("line.uno.wrong.not_held", faces=", ".join(faces)))
        cards.append(card)
    play: Plain = {"do": "play", "cards": cards}
    return play if name is None else {**play, "swap": _seat(name, seat_of)}


def _names(action: Plain, pending: int) -> tuple[str, str]:
    do = str(action.get("do"))
    if do == "play":
        card = action["card"]
        more = f" {say('line.uno.colour_short')}" if action.get("colour") else " NAME" if "swap" in action else ""
        return card_name(card), SHORTS[card] + more
    if do == "colour":
        return colour_name(action["colour"]), action["colour"][0]
    n = pending or 4
    label = "line.uno.accept" if do == "accept" else f"uno.do.{do}"
    short = next((short for short, meant in _WORDS.items() if meant == do), do)
    return say(label, n=n, more=n + 2) if label in phrases else do, short


def _without_call(text: str) -> tuple[str, bool]:
    words = " ".join(text.lower().split())
    bare = re.sub(r"\s*(!|(, calling )?\buno!?)$", "", words)
    return bare, bare != words


def _numbered(listed: list[ActionGroup], words: str) -> tuple[ActionGroup, str | None] | None:
    match = _NUMBERED.fullmatch(words)
    if match is None:
        return None
    number = int(match[1][:6])
    if not 1 <= number <= len(listed):
        raise UnclearInput(say("line.uno.wrong.number", n=match[1][:6], type=_what_to_type(listed)))
    return listed[number - 1], match[2] or match[3]


def _named(listed: list[ActionGroup], hand: list[int], words: str) -> tuple[ActionGroup, str | None]:
    """Return the choice that ``words`` name, and the colour or player that follows."""
    if words in _WORDS:
        found = [choice for choice in listed if choice.actions[0].get("do") == _WORDS[words]]
    elif words in _BY_LETTER and any(choice.actions[0].get("do") == "colour" for choice in listed):
        found = [choice for choice in listed if choice.actions[0].get("colour") == _BY_LETTER[words]]
    else:
        return _card(listed, hand, words)
    if not found:
        raise UnclearInput(say("line.uno.wrong.not_now", do=_WORDS[words], type=_what_to_type(listed)))
    return found[0], None


def _card(listed: list[ActionGroup], hand: list[int], words: str) -> tuple[ActionGroup, str | None]:
    short, more = _face(words)
    if short is None:
        raise UnclearInput(say("line.uno.wrong.unclear", word=ascii(words), type=_what_to_type(listed)))
    card = CARDS_BY_FACE[short][0]
    found = [choice for choice in listed if choice.short.split()[0] == short]
    if not found:
        held = any(SHORTS[each] == short for each in hand)
        wrong = "line.uno.wrong.card" if held else "line.uno.wrong.no_card"
        raise UnclearInput(say(wrong, card=card_name(card), type=_what_to_type(listed)))
    return found[0], more


def _face(words: str) -> tuple[str | None, str | None]:
    """Return the short form of the card that ``words`` name, and the next word."""
    coloured = _COLOURED.fullmatch(words)
    if coloured:
        return coloured[1][0] + _SYMBOLS.get(coloured[2], coloured[2]), coloured[3]
    wild = _WILD.fullmatch(words)
    if wild:
        return "w+4" if "4" in wild[1] or "four" in wild[1] else "w", wild[2]
    return None, None


def _colour(word: str) -> str:
    if word not in _BY_LETTER:
        raise UnclearInput(say("line.uno.wrong.colour", word=ascii(word)))
    return _BY_LETTER[word]


def _seat(name: str, seat_of: SeatOf) -> int:
    seat = seat_of(name)
    if seat is None:
        raise UnclearInput(say("line.uno.wrong.nobody", name=ascii(name)))
    return seat


def _variant(choice: ActionGroup, more: str | None, calls: bool, seat_of: SeatOf) -> Plain:
    """Return the action of ``choice`` with the colour or player named by ``more``."""
    bare = choice.short.split()[0]
    fitting = choice.actions
    if any("swap" in action for action in fitting):
        if more is None:
            raise UnfinishedInput(say("line.uno.wrong.swap", choice=choice.label, short=bare))
        seat = _seat(more, seat_of)
        fitting = [action for action in fitting if action.get("swap") == seat]
        if not fitting:
            raise UnclearInput(say("line.uno.wrong.no_swap", choice=choice.label, name=more))
    elif more is not None:
        colour = _colour(more)
        fitting = [action for action in fitting if action.get("colour") == colour]
        if not fitting:
            raise UnclearInput(say("line.uno.wrong.no_colour", choice=choice.label, short=bare))
    elif len({action.get("colour") for action in fitting}) > 1:
        raise UnfinishedInput(say("line.uno.wrong.ask_colour", choice=choice.label, short=bare))
    found = [action for action in fitting if bool(action.get("uno")) is calls]
    if not found:
        raise UnclearInput(say("line.uno.wrong.call", short=choice.short))
    return found[0]


def _what_to_type(listed: list[ActionGroup]) -> str:
    return say("line.uno.type", choices=", ".join(choice.short for choice in listed), n=len(listed))
