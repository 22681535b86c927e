"""What a seat can do, twice: as classes for the wire and as small integer codes for the rules.

A play is ``card << 3 | colour << 1 | silent``, colour being the one in force after it (a coloured card's own), silent
0 if UNO is called with it. The actions that are no plays follow. A play is a jump with the bit JUMP, and swaps hands
with ``seat`` by ``seat + 1 << SWAP``. Several cards laid together have no code.
"""

from typing import ClassVar, TypeAlias, get_args

import attrs

from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, SYMBOL
from parlour_games.uno.options import MAX_SEATS


@attrs.frozen
class Play:
    """Lay ``card``; ``colour`` is named with wilds, and only with them; ``uno`` calls UNO with the second-to-last.

    By house rules: ``swap`` is the seat that a 7 swaps hands with; ``cards``, in place of ``card``, are several of one
    number, laid in this order.
    """

    do: ClassVar[str] = "play"
    card: int | None = None
    colour: str | None = None
    uno: bool = False
    swap: int | None = None
    cards: tuple[int, ...] | None = None


@attrs.frozen
class Jump:
    """Lay ``card`` out of turn, on its like; the rest is as in ``Play``."""

    do: ClassVar[str] = "jump"
    card: int
    swap: int | None = None
    uno: bool = False


@attrs.frozen
class Draw:
    """Draw instead of playing."""

    do: ClassVar[str] = "draw"


@attrs.frozen
class Pass:
    """Keep the card just drawn."""

    do: ClassVar[str] = "pass"


@attrs.frozen
class Challenge:
    """Claim that the Wild Draw Four was a bluff."""

    do: ClassVar[str] = "challenge"


@attrs.frozen
class Accept:
    """Draw what a Wild Draw Four demands without a challenge, or what is pending."""

    do: ClassVar[str] = "accept"


@attrs.frozen
class Colour:
    """Name the colour of a first card that is a Wild."""

    do: ClassVar[str] = "colour"
    colour: str


@attrs.frozen
class Uno:
    """Call UNO after the play."""

    do: ClassVar[str] = "uno"


@attrs.frozen
class Catch:
    """Claim that ``seat`` stands at one card and ought to have called."""

    do: ClassVar[str] = "catch"
    seat: int


@attrs.frozen
class Resign:
    """Leave the match for good."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Play | Jump | Draw | Pass | Challenge | Accept | Colour | Uno | Catch | Resign
ACTIONS: tuple[type[Action], ...] = get_args(Action)

SILENT = 1
DRAW = CARDS << 3
PASS, ACCEPT, CHALLENGE, UNO, RESIGN = range(DRAW + 1, DRAW + 6)
COLOUR_CODES = tuple(range(RESIGN + 1, RESIGN + 5))
"""Code of naming a colour, by colour."""
CATCH_CODES = tuple(range(RESIGN + 5, RESIGN + 5 + MAX_SEATS))
"""Code of catching a seat, by seat."""
JUMP, SWAP = 1 << 11, 12


def _plays(card: int) -> list[int]:
    own = COLOUR[card]
    colours = range(4) if own is None else [own]
    return [card << 3 | colour << 1 | silent for colour in colours for silent in (0, SILENT)][::-1]


CALLING_PLAYS = tuple(tuple(_plays(card)) for card in range(CARDS))
"""Codes of playing a card that leaves one in the hand, by card, descending: that is how ``legal`` collects them."""
SILENT_PLAYS = tuple(tuple(code for code in codes if code & SILENT) for codes in CALLING_PLAYS)
"""Codes of playing a card otherwise, by card, descending."""


def card_of(code: int) -> int:
    """Return the card that is laid by the play or jump ``code``."""
    return code >> 3 & 127


def swap_of(code: int) -> int | None:
    """Return the seat with which the play or jump ``code`` swaps hands."""
    return (code >> SWAP) - 1 if code >> SWAP else None


def swapping(code: int, seat: int) -> int:
    """Return the code of the play or jump ``code`` with a swap of hands with ``seat``."""
    return code | seat + 1 << SWAP


def _variants(card: int) -> list[int]:
    """Return all codes under which ``card`` can be laid."""
    codes = _plays(card)
    if SYMBOL[card] == 7:
        codes += [swapping(code, seat) for code in SILENT_PLAYS[card] for seat in range(MAX_SEATS)]
    return codes + [code | JUMP for code in codes if COLOUR[card] is not None]


def _action(code: int) -> Play | Jump:
    card, calls = card_of(code), not code & SILENT
    if code & JUMP:
        return Jump(card, swap_of(code), calls)
    colour = None if COLOUR[card] is not None else COLOURS[code >> 1 & 3]
    return Play(card, colour, calls, swap_of(code))


BY_CODE: dict[int, Action] = {
    **{code: _action(code) for card in range(CARDS) for code in _variants(card)},
    DRAW: Draw(),
    PASS: Pass(),
    ACCEPT: Accept(),
    CHALLENGE: Challenge(),
    UNO: Uno(),
    RESIGN: Resign(),
    **{code: Colour(colour) for code, colour in zip(COLOUR_CODES, COLOURS, strict=True)},
    **{code: Catch(seat) for seat, code in enumerate(CATCH_CODES)},
}
"""The one instance of each action, by code."""
CODES: dict[Action, int] = {action: code for code, action in BY_CODE.items()}
"""Code by action; what is not in it can be legal only as several cards laid together."""
