"""Actions, as classes for the wire and as small integer codes for the rules.

The code of a play is ``card << 3 | colour << 1 | silent``. ``colour`` is the current colour after the play; ``silent``
is 0 if the play calls UNO. The codes of the other actions follow those of plays. The bit JUMP makes a play a jump, and
``seat + 1 << SWAP`` adds a swap of hands with ``seat``. Playing several cards together has no code.
"""

from typing import ClassVar, TypeAlias, get_args

import attrs

from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, SYMBOL
from parlour_games.uno.options import MAX_SEATS


@attrs.frozen
class Play:
    """Play ``card``. Wilds, and only wilds, name a ``colour``. ``uno`` calls UNO, with the last card but one.

    Under house rules ``swap`` is the seat that a 7 swaps hands with, and ``cards`` replaces ``card`` with several cards
    of one number, in the order of play.
    """

    do: ClassVar[str] = "play"
    card: int | None = None
    colour: str | None = None
    uno: bool = False
    swap: int | None = None
    cards: tuple[int, ...] | None = None


@attrs.frozen
class Jump:
    """Play ``card`` out of turn on a card of the same colour and symbol. The other fields are those of ``Play``."""

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
    """Draw the cards of a Wild Draw Four without a challenge, or all pending cards."""

    do: ClassVar[str] = "accept"


@attrs.frozen
class Colour:
    """Name the colour after a Wild as first card."""

    do: ClassVar[str] = "colour"
    colour: str


@attrs.frozen
class CallUno:
    """Call UNO after the play."""

    do: ClassVar[str] = "uno"


@attrs.frozen
class Catch:
    """Claim that ``seat`` has one card and has not called."""

    do: ClassVar[str] = "catch"
    seat: int


@attrs.frozen
class Resign:
    """Give up the match."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Play | Jump | Draw | Pass | Challenge | Accept | Colour | CallUno | Catch | Resign
ACTIONS: tuple[type[Action], ...] = get_args(Action)

SILENT = 1
DRAW = CARDS << 3
PASS, ACCEPT, CHALLENGE, UNO, RESIGN = range(DRAW + 1, DRAW + 6)
COLOUR_CODES = tuple(range(RESIGN + 1, RESIGN + 5))
"""Codes of ``Colour``, by colour."""
CATCH_CODES = tuple(range(RESIGN + 5, RESIGN + 5 + MAX_SEATS))
"""Codes of ``Catch``, by seat."""
JUMP, SWAP = 1 << 11, 12


def _plays(card: int) -> list[int]:
    own = COLOUR[card]
    colours = range(4) if own is None else [own]
    return [card << 3 | colour << 1 | silent for colour in colours for silent in (0, SILENT)][::-1]


CALLING_PLAYS = tuple(tuple(_plays(card)) for card in range(CARDS))
"""By card, the codes of playing it when one card is left, descending: the order in which ``legal`` collects."""
SILENT_PLAYS = tuple(tuple(code for code in codes if code & SILENT) for codes in CALLING_PLAYS)
"""By card, the codes of playing it otherwise, descending."""


def card_of(code: int) -> int:
    """Return the card of the play or jump ``code``."""
    return code >> 3 & 127


def swap_of(code: int) -> int | None:
    """Return the seat with which the play or jump ``code`` swaps hands, None if it does not swap."""
    return (code >> SWAP) - 1 if code >> SWAP else None


def swapping(code: int, seat: int) -> int:
    """Add a swap of hands with ``seat`` to the play or jump ``code``."""
    return code | seat + 1 << SWAP


def _variants(card: int) -> list[int]:
    """Return all codes of plays and jumps with ``card``."""
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
    UNO: CallUno(),
    RESIGN: Resign(),
    **{code: Colour(colour) for code, colour in zip(COLOUR_CODES, COLOURS, strict=True)},
    **{code: Catch(seat) for seat, code in enumerate(CATCH_CODES)},
}
"""The only instance of each action, by code."""
CODES: dict[Action, int] = {action: code for code, action in BY_CODE.items()}
"""Code by action. Of actions without a code, only playing several cards together can be legal."""
