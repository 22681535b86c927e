"""What can happen, as the rules tell it: whole, secrets included. ``view.redact`` decides who sees what of it.

Cards of a whole hand are bit masks here. The classes are not frozen because that makes them three times as dear,
and every move makes one or two; nobody changes them.
"""

from typing import ClassVar, TypeAlias, get_args

import attrs


@attrs.define
class Deal:
    """A round begins. ``hands`` by seat; ``colour`` is None under a Wild, until it is named."""

    e: ClassVar[str] = "deal"
    round: int
    dealer: int
    top: int
    colour: str | None
    hands: tuple[int, ...]


@attrs.define
class Played:
    """``seat`` laid ``card``, named ``colour`` if it is wild, and called UNO with it if ``uno``.

    ``jump``: out of turn. ``swap``: the seat with which hands are swapped. ``cards``: all that were laid, if several
    were; ``card`` is the last of them, the top.
    """

    e: ClassVar[str] = "play"
    seat: int
    card: int
    colour: str | None
    uno: bool
    jump: bool = False
    swap: int | None = None
    cards: tuple[int, ...] = ()


@attrs.define
class Swapped:
    """``seat`` and ``of`` swapped hands. ``hands``: what ``seat`` and what ``of`` hold now."""

    e: ClassVar[str] = "swap"
    seat: int
    of: int
    hands: tuple[int, int]


@attrs.define
class Rotated:
    """Every hand went to the next seat in ``direction``. ``hands``: what each seat holds now."""

    e: ClassVar[str] = "rotate"
    direction: int
    hands: tuple[int, ...]


@attrs.define
class Drawn:
    """``seat`` drew ``cards``, fewer than asked for if there were no more.

    ``why``: ``turn`` instead of playing; ``two`` for a Draw Two, ``four`` for a Wild Draw Four, ``stack`` for several
    that were stacked, ``first`` for a Draw Two as first card, each of which costs the turn too; ``challenge`` as its
    loser; ``caught`` without a call; ``mistake`` for a wrong catch.
    """

    e: ClassVar[str] = "draw"
    seat: int
    cards: list[int]
    why: str


@attrs.define
class Passed:
    """``seat`` kept what it drew."""

    e: ClassVar[str] = "pass"
    seat: int


@attrs.define
class Skipped:
    """``seat`` misses its turn by a Skip, or by a Reverse between two."""

    e: ClassVar[str] = "skip"
    seat: int


@attrs.define
class Reversed:
    """Play now goes in ``direction``: 1 by ascending seats, -1 by descending."""

    e: ClassVar[str] = "reverse"
    direction: int


@attrs.define
class Named:
    """``seat`` named the colour of a first card."""

    e: ClassVar[str] = "colour"
    seat: int
    colour: str


@attrs.define
class Called:
    """``seat`` called UNO after its play."""

    e: ClassVar[str] = "uno"
    seat: int


@attrs.define
class Held:
    """``seat``'s catch of ``of`` is held until the end of the breath. Only ``seat`` may know."""

    e: ClassVar[str] = "held"
    seat: int
    of: int


@attrs.define
class Caught:
    """``seat`` was caught without a call and draws ``n`` cards."""

    e: ClassVar[str] = "caught"
    seat: int
    by: int
    n: int


@attrs.define
class Mistaken:
    """``seat`` was wrong to catch ``of``, which has called or is safe, and draws ``n`` cards."""

    e: ClassVar[str] = "mistake"
    seat: int
    of: int
    n: int


@attrs.define
class Challenged:
    """``seat`` challenged ``of``. ``hand``, for ``seat`` alone, is what ``of`` held after laying the Wild Draw Four."""

    e: ClassVar[str] = "challenge"
    seat: int
    of: int
    guilty: bool
    hand: int


@attrs.define
class Accepted:
    """``seat`` takes a Wild Draw Four without a challenge, or what is pending."""

    e: ClassVar[str] = "accept"
    seat: int


@attrs.define
class Asked:
    """The breath is over: ``seat`` is asked now."""

    e: ClassVar[str] = "turn"
    seat: int


@attrs.define
class Reshuffled:
    """The discards but the top card became a draw pile of ``deck`` cards."""

    e: ClassVar[str] = "reshuffle"
    deck: int


@attrs.define
class RoundEnded:
    """A round is over. ``points`` in each hand, ``scores`` after it, by seat; no ``winner`` if a stuck one was tied."""

    e: ClassVar[str] = "round"
    winner: int | None
    points: tuple[int, ...]
    scores: tuple[int, ...]


@attrs.define
class Out:
    """``seat`` plays no more: ``why`` it reached the target (``points``), ``resigned``, or ``left``."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


@attrs.define
class MatchEnded:
    """The match is over; ``winners`` share the first rank."""

    e: ClassVar[str] = "match"
    winners: tuple[int, ...]


Event: TypeAlias = (
    Deal
    | Played
    | Swapped
    | Rotated
    | Drawn
    | Passed
    | Skipped
    | Reversed
    | Named
    | Called
    | Held
    | Caught
    | Mistaken
    | Challenged
    | Accepted
    | Asked
    | Reshuffled
    | RoundEnded
    | Out
    | MatchEnded
)
EVENTS: tuple[type, ...] = get_args(Event)
