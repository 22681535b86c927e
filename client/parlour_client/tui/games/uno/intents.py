"""What a person may do now, by what it is done with: a card, a key, a name.

``legal`` names every variant of a play on its own: each colour of a wild, each seat to swap hands with, with and
without the call of UNO. A person chooses the card first and is asked only for what is still open then; an ``Intent``
is such a choice on its way.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_games.uno.cards import SYMBOL
from parlour_protocol.messages import Plain

Way = tuple[int, Plain]
"""A decision's rid and an action that answers it."""
_ASKED = ("colour", "swap", "seat")
"""What an action can leave open, in the order in which it is asked."""


@attrs.frozen
class Intent:
    """The ways to do one thing. What they differ in, the call of UNO apart, is asked one thing after the other."""

    ways: tuple[Way, ...]

    @property
    def rid(self) -> int:
        """The decision that is answered by the first way."""
        return self.ways[0][0]

    @property
    def open(self) -> str | None:
        """What has to be asked next: ``colour``, ``swap`` or ``seat`` (to catch); None if all is said."""
        return next((field for field in _ASKED if len(self.values(field)) > 1), None)

    def values(self, field: str) -> list[Any]:
        """Return the different values that the ways have for ``field``, in their order."""
        return list(dict.fromkeys(action.get(field) for _, action in self.ways))

    def narrowed(self, field: str, value: Any) -> "Intent":
        """Return the intent with ``value`` chosen. Raises ValueError if that is none of its values."""
        ways = tuple(way for way in self.ways if way[1].get(field) == value)
        if not ways:
            raise ValueError(f"{value!r} is none of {self.values(field)}")
        return Intent(ways)

    def decided(self, calls: bool) -> Way:
        """Return the way to go, the one that calls UNO if ``calls`` and there is one. All else has to be said."""
        return next((way for way in self.ways if bool(way[1].get("uno")) is calls), self.ways[0])


@attrs.frozen
class Intents:
    """All that is open to us: the question's answers and the offers."""

    rid: int | None = None
    """The question that is asked of us, None if none is."""
    plays: Mapping[int, Intent] = attrs.field(factory=dict)
    """By card."""
    answers: Mapping[str, Intent] = attrs.field(factory=dict)
    """``draw``, ``pass``, ``accept``, ``challenge``, and ``colour`` for a first card."""
    uno: Intent | None = None
    catch: Intent | None = None
    jump: Intent | None = None

    @property
    def offered(self) -> bool:
        """Whether there is something to call, to catch or to jump in on."""
        return any((self.uno, self.catch, self.jump))


def intents_of(room: JoinedRoom) -> Intents:
    """Return what is open to us in ``room``."""
    asked = room.question
    listed: list[Way] = [] if asked is None else [(asked.rid, action) for action in asked.legal]
    plays = _grouped((action["card"], (rid, action)) for rid, action in listed if action.get("do") == "play")
    others = ((str(action.get("do")), (rid, action)) for rid, action in listed if action.get("do") != "play")
    offers = _grouped(
        (str(action.get("do")), (offer["rid"], action)) for offer in room.may for action in offer["legal"]
    )
    return Intents(
        rid=None if asked is None else asked.rid,
        plays=plays,
        answers=_grouped(others),
        uno=offers.get("uno"),
        catch=offers.get("catch"),
        jump=offers.get("jump"),
    )


def _grouped(ways: Iterable[tuple[Any, Way]]) -> dict[Any, Intent]:
    found: dict[Any, list[Way]] = {}
    for key, way in ways:
        found.setdefault(key, []).append(way)
    return {key: Intent(tuple(group)) for key, group in found.items()}


def together(room: JoinedRoom, cards: Sequence[int]) -> Intent | None:
    """Return the ways to lay ``cards`` at once, None if nothing is asked. Whether they fit is for the server to say."""
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
    """Return the other seats of the match in the order they sit in, from the one after ours, or all for a watcher."""
    seats = len((room.view or {"counts": []})["counts"])
    first = 0 if room.seat is None else room.seat + 1
    return [seat for step in range(seats) if (seat := (first + step) % seats) != room.seat]


def others_in(room: JoinedRoom) -> list[int]:
    """Return those of the other seats that still play."""
    return [seat for seat in around(room) if seat not in (room.view or {"out": []})["out"]]
