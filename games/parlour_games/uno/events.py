"""Events as the rules report them, secrets included. ``view.redact`` decides what each viewer sees.

Hands are bit masks.
"""

from typing import ClassVar

from msgspec import Struct


class Event(Struct, frozen=True):
    """The base of all events. ``e`` is the tag of its class."""

    e: ClassVar[str]


class RoundDealt(Event, frozen=True):
    """A round starts. ``hands`` is indexed by seat. ``colour`` is None for a Wild, until it is named."""

    e: ClassVar[str] = "deal"
    round: int
    dealer: int
    top: int
    colour: str | None
    hands: tuple[int, ...]


class Played(Event, frozen=True):
    """``seat`` played ``card``, named ``colour`` if it is wild, and called UNO with it if ``uno``.

    ``jump`` means out of turn. ``swap`` is the seat with which hands are swapped. ``cards`` are all cards if several
    were played together; ``card`` is then the last of them, on top.
    """

    e: ClassVar[str] = "play"
    seat: int
    card: int
    colour: str | None
    uno: bool
    jump: bool = False
    swap: int | None = None
    cards: tuple[int, ...] = ()


class Swapped(Event, frozen=True):
    """``seat`` and ``of`` swapped hands. ``hands`` are their new hands, in this order."""

    e: ClassVar[str] = "swap"
    seat: int
    of: int
    hands: tuple[int, int]


class Rotated(Event, frozen=True):
    """Every hand went to the next seat in ``direction``. ``hands`` are the new hands, by seat."""

    e: ClassVar[str] = "rotate"
    direction: int
    hands: tuple[int, ...]


class Drawn(Event, frozen=True):
    """``seat`` drew ``cards``, fewer than required if there were no more.

    ``why`` is ``turn`` instead of playing; ``two`` for a Draw Two, ``four`` for a Wild Draw Four, ``stack`` for
    stacked cards, ``first`` for a Draw Two as first card (these four also cost the turn); ``challenge`` after losing
    one; ``caught`` without a call; ``mistake`` for a wrong catch.
    """

    e: ClassVar[str] = "draw"
    seat: int
    cards: list[int]
    why: str


class Passed(Event, frozen=True):
    """``seat`` kept what it drew."""

    e: ClassVar[str] = "pass"
    seat: int


class Skipped(Event, frozen=True):
    """``seat`` misses its turn: a Skip, or a Reverse between two seats."""

    e: ClassVar[str] = "skip"
    seat: int


class Reversed(Event, frozen=True):
    """The direction of play is now ``direction``: 1 for ascending seats, -1 for descending."""

    e: ClassVar[str] = "reverse"
    direction: int


class Named(Event, frozen=True):
    """``seat`` named the colour after a Wild as first card."""

    e: ClassVar[str] = "colour"
    seat: int
    colour: str


class Called(Event, frozen=True):
    """``seat`` called UNO after its play."""

    e: ClassVar[str] = "uno"
    seat: int


class Held(Event, frozen=True):
    """``seat``'s catch of ``of`` is recorded until the end of the reaction window. Only ``seat`` may know."""

    e: ClassVar[str] = "held"
    seat: int
    of: int


class Caught(Event, frozen=True):
    """``seat`` was caught without a call and draws ``n`` cards."""

    e: ClassVar[str] = "caught"
    seat: int
    by: int
    n: int


class Mistaken(Event, frozen=True):
    """``seat`` wrongly caught ``of``, which has called or is safe, and draws ``n`` cards."""

    e: ClassVar[str] = "mistake"
    seat: int
    of: int
    n: int


class Challenged(Event, frozen=True):
    """``seat`` challenged ``of``. ``hand`` is the hand of ``of`` after the Wild Draw Four; only ``seat`` may see it."""

    e: ClassVar[str] = "challenge"
    seat: int
    of: int
    guilty: bool
    hand: int


class Accepted(Event, frozen=True):
    """``seat`` accepted a Wild Draw Four without a challenge, or the pending cards."""

    e: ClassVar[str] = "accept"
    seat: int


class Asked(Event, frozen=True):
    """The reaction window is over: ``seat`` is asked now."""

    e: ClassVar[str] = "turn"
    seat: int


class Reshuffled(Event, frozen=True):
    """The discards except the top card became a draw pile of ``deck`` cards."""

    e: ClassVar[str] = "reshuffle"
    deck: int


class RoundEnded(Event, frozen=True):
    """A round is over. ``points`` of each hand and new ``scores``, by seat. ``winner`` is None after a tie."""

    e: ClassVar[str] = "round"
    winner: int | None
    points: tuple[int, ...]
    scores: tuple[int, ...]


class Out(Event, frozen=True):
    """``seat`` is out of the match. ``why`` is ``points`` (it reached the target), ``resigned`` or ``left``."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


class MatchEnded(Event, frozen=True):
    """The match is over. ``winners`` share rank 1."""

    e: ClassVar[str] = "match"
    winners: tuple[int, ...]


EVENTS = tuple(Event.__subclasses__())
