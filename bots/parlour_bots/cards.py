"""The cards of UNO for bots: colour, symbol, name and points by number, and what fits on what."""

from parlour_games.uno.cards import COLOURS, FIRST_WILD, MATCH, NAMES, POINTS, SYMBOL

_SYMBOLS = (*map(str, range(10)), "skip", "reverse", "draw two", "wild", "wild draw four")


def colour(card: int) -> str | None:
    """Return ``red``, ``yellow``, ``green`` or ``blue``, None for a wild card."""
    return None if card >= FIRST_WILD else COLOURS[card // 25]


def symbol(card: int) -> str:
    """Return the value: ``0`` to ``9``, ``skip``, ``reverse``, ``draw two``, ``wild`` or ``wild draw four``."""
    return _SYMBOLS[SYMBOL[card]]


def name(card: int) -> str:
    """Return the face: ``red 5``, ``green skip``, ``wild draw four``."""
    return NAMES[card]


def points(card: int) -> int:
    """Return what the card counts in a hand at the end of a round."""
    return int(POINTS[card])


def fits(card: int, top: int, current: str) -> bool:
    """Whether ``card`` fits on ``top`` under the current colour: by colour, by symbol, or as a wild card.

    House rules may allow less or more, such as while cards are pending. ``turn.legal`` has what they allow.
    """
    return bool(MATCH[COLOURS.index(current)][SYMBOL[top]] >> card & 1)
