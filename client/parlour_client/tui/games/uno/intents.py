"""The actions of a player now, grouped by how they are chosen: by card, key or name; and the choice in progress.

``legal`` lists every variant of a play: each colour of a wild, each seat to swap hands with, with and without the call
of UNO. A player chooses the card first, and then only what is still open; an ``Intent`` is such a partial choice.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_games.uno.cards import COLOUR, COLOURS, SYMBOL, WILD_FOUR
from parlour_protocol.messages import Plain

Way = tuple[int, Plain]
"""The rid of a decision, and an action that answers it."""
_ASKED = ("colour", "swap")
"""Fields that can be open, in the order of asking."""


@attrs.frozen
class Intent:
    """The variants of one choice. The fields in which they differ are asked one by one, except for the call of UNO."""

    ways: tuple[Way, ...]

    @property
    def rid(self) -> int:
        """The decision that the first variant answers."""
        return self.ways[0][0]

    @property
    def open(self) -> str | None:
        """The next field to ask for: ``colour`` or ``swap``; None if the choice is complete."""
        return next((field for field in _ASKED if len(self.values(field)) > 1), None)

    def values(self, field: str) -> list[Any]:
        """Return the distinct values of ``field``, in order."""
        return list(dict.fromkeys(action.get(field) for _, action in self.ways))

    def narrowed(self, field: str, value: Any) -> "Intent":
        """Return the intent with ``value`` chosen. Raises ValueError if it is not one of the values."""
        ways = tuple(way for way in self.ways if way[1].get(field) == value)
        if not ways:
            raise ValueError(f"{value!r} is none of {self.values(field)}")
        return Intent(ways)

    def decided(self, calls: bool) -> Way:
        """Return the final variant, with the call of UNO if ``calls`` and there is one. The choice must be complete."""
        return next((way for way in self.ways if bool(way[1].get("uno")) is calls), self.ways[0])


@attrs.frozen
class Intents:
    """All choices: answers to the question, and optional decisions."""

    rid: int | None = None
    """The open question, None if there is none."""
    plays: Mapping[int, Intent] = attrs.field(factory=dict)
    """By card."""
    answers: Mapping[str, Intent] = attrs.field(factory=dict)
    """``draw``, ``pass``, ``accept``, ``challenge``, and ``colour`` for a first card."""
    offers: Mapping[str, Intent] = attrs.field(factory=dict)
    """What is possible besides the question: ``uno``, ``catch``, ``jump``."""

    @property
    def forced(self) -> str | None:
        """The only answer there is, to keep the drawn card or to take cards; None if there are others."""
        only = [*self.answers]
        return only[0] if only in (["pass"], ["accept"]) and not self.plays else None


def intents_of(room: JoinedRoom) -> Intents:
    """Return our choices in ``room``, without catches that are wrong."""
    asked = room.question
    listed: list[Way] = [] if asked is None else [(asked.rid, action) for action in asked.legal]
    plays = _grouped((action["card"], (rid, action)) for rid, action in listed if action.get("do") == "play")
    others = ((str(action.get("do")), (rid, action)) for rid, action in listed if action.get("do") != "play")
    offered = [(offer["rid"], action) for offer in room.may for action in offer["legal"]]
    offers = _grouped((str(action.get("do")), (rid, action)) for rid, action in offered if not _is_wrong(room, action))
    return Intents(None if asked is None else asked.rid, plays, _grouped(others), offers)


def _is_wrong(room: JoinedRoom, action: Plain) -> bool:
    """Return whether ``action`` is a catch that costs cards: the seat has called UNO, or the time has passed."""
    innocent = action.get("do") == "catch" and (room.view or {}).get("exposed") != action["seat"]
    return innocent and bool(room.table["options"].get("false_call_penalty"))


def bluffs(room: JoinedRoom, moves: Intents) -> set[int]:
    """Return the Wild Draw Fours among our plays that break their condition: other cards in hand fit."""
    view, fours = room.view or {}, {card for card in moves.plays if SYMBOL[card] == WILD_FOUR}
    if room.table["options"].get("strict_wild4"):
        others = fours ^ set(moves.plays)
    else:
        suited = ((card, COLOUR[card]) for card in view.get("hand", ()))
        others = {card for card, colour in suited if colour is not None and COLOURS[colour] == view["colour"]}
    return fours if others else set()


def _grouped(ways: Iterable[tuple[Any, Way]]) -> dict[Any, Intent]:
    found: dict[Any, list[Way]] = {}
    for key, way in ways:
        found.setdefault(key, []).append(way)
    return {key: Intent(tuple(group)) for key, group in found.items()}


def together(room: JoinedRoom, cards: Sequence[int]) -> Intent | None:
    """Return the variants of playing ``cards`` together, None without a question. Does not check them."""
    if room.question is None or room.view is None:
        return None
    left = len(room.view["hand"]) - len(cards)
    moves_hands = bool(room.table["options"].get("seven_zero")) and SYMBOL[cards[0]] in (0, 7) and left > 0
    variants: list[Plain] = [{}]
    if moves_hands and SYMBOL[cards[0]] == 7:
        variants = [{"swap": seat} for seat in others_in(room)]
    elif left == 1 and not moves_hands:
        variants = [{"uno": True}, {}]
    play: Plain = {"do": "play", "cards": [*cards]}
    return Intent(tuple((room.question.rid, {**play, **variant}) for variant in variants))


def around(room: JoinedRoom) -> list[int]:
    """Return the other seats in order, from the one after ours; for a spectator all."""
    seats = len((room.view or {"counts": []})["counts"])
    first = 0 if room.seat is None else room.seat + 1
    return [seat for step in range(seats) if (seat := (first + step) % seats) != room.seat]


def others_in(room: JoinedRoom) -> list[int]:
    """Return the other seats that still play."""
    return [seat for seat in around(room) if seat not in (room.view or {"out": []})["out"]]


class Choosing:
    """The player's choice in progress, and the answers that have been sent."""

    def __init__(self) -> None:
        self.calls = False
        """Whether to call UNO with the next card."""
        self._intent: Intent | None = None
        self._sent: dict[int, Plain] = {}
        """Decision → the answer that is under way."""

    @property
    def asking(self) -> Intent | None:
        """The choice in progress if a part of it is still missing, else None."""
        return self._intent if self._intent is not None and self._intent.open is not None else None

    @property
    def under_way(self) -> Plain | None:
        """The action that was sent last and is not answered yet."""
        return next(reversed(self._sent.values()), None)

    @property
    def laid(self) -> list[int]:
        """The cards that are on their way to the pile."""
        action = self.under_way or {}
        return [*action.get("cards", ()), *([action["card"]] if "card" in action else ())]

    def update(self, moves: Intents, open_rids: AbstractSet[int]) -> None:
        """Drop what concerns closed decisions; ask for the colour of a first card."""
        self._sent = {rid: action for rid, action in self._sent.items() if rid in open_rids}
        if self._intent is not None:
            ways = tuple(way for way in self._intent.ways if way[0] in open_rids)
            self._intent = Intent(ways) if ways else None
        if self._intent is None:
            self.cancel(moves)

    def choose(self, intent: Intent) -> Way | None:
        """Return the decision and the action to send, or None if something is open or an answer is under way."""
        if intent.open is not None:
            self._intent = intent
            return None
        rid, action = intent.decided(self.calls)
        if self.pending(rid):
            return None
        self._intent, self.calls = None, False
        self._sent[rid] = action
        return rid, action

    def cancel(self, moves: Intents) -> None:
        """Take the choice back, except for the colour of a first card."""
        self._intent = moves.answers.get("colour")

    def pending(self, rid: int | None) -> bool:
        """Return whether an answer to ``rid`` is under way."""
        return rid in self._sent

    def answered(self) -> None:
        """Note that the server has answered."""
        self._sent.clear()
