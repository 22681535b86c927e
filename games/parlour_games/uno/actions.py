"""What a seat can do, twice: as classes for the wire and as small integer codes for the rules.

A play is ``card << 3 | colour << 1 | silent``, colour being the one in force after it (a coloured card's own), silent
0 if UNO is called with it: the ascending order of codes is the order of ``legal``. The other actions follow the plays.
"""

from typing import ClassVar, TypeAlias, get_args

import attrs

from parlour_games.uno.cards import CARDS, COLOUR, COLOURS
from parlour_games.uno.options import MAX_SEATS


@attrs.frozen
class Play:
    """Lay ``card``; ``colour`` is named with wilds, and only with them; ``uno`` calls UNO with the second-to-last."""

    do: ClassVar[str] = "play"
    card: int
    colour: str | None = None
    uno: bool = False


@attrs.frozen
class Draw:
    """Draw one card instead of playing."""

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
    """Draw four without a challenge."""

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
    """Claim that ``seat`` stands at one card without having called."""

    do: ClassVar[str] = "catch"
    seat: int


@attrs.frozen
class Resign:
    """Leave the match for good."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Play | Draw | Pass | Challenge | Accept | Colour | Uno | Catch | Resign
ACTIONS: tuple[type, ...] = get_args(Action)

SILENT = 1
DRAW = CARDS << 3
PASS, ACCEPT, CHALLENGE, UNO, RESIGN = range(DRAW + 1, DRAW + 6)
COLOUR_CODES = tuple(range(RESIGN + 1, RESIGN + 5))
"""Code of naming a colour, by colour."""
CATCH_CODES = tuple(range(RESIGN + 5, RESIGN + 5 + MAX_SEATS))
"""Code of catching a seat, by seat."""


def _plays(card: int) -> list[int]:
    own = COLOUR[card]
    colours = range(4) if own is None else [own]
    return [card << 3 | colour << 1 | silent for colour in colours for silent in (0, SILENT)][::-1]


CALLING_PLAYS = tuple(tuple(_plays(card)) for card in range(CARDS))
"""Codes of playing a card that leaves one in the hand, by card, descending: that is how ``legal`` collects them."""
SILENT_PLAYS = tuple(tuple(code for code in codes if code & SILENT) for codes in CALLING_PLAYS)
"""Codes of playing a card otherwise, by card, descending."""


def _play(code: int) -> Play:
    card = code >> 3
    colour = None if COLOUR[card] is not None else COLOURS[code >> 1 & 3]
    return Play(card, colour, not code & SILENT)


BY_CODE: dict[int, Action] = {
    **{code: _play(code) for codes in CALLING_PLAYS for code in codes},
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
"""Code by action; what is not in it can never be legal."""
