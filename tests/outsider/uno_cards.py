"""The cards of UNO."""

from collections.abc import Sequence

COLOURS = ("red", "yellow", "green", "blue")
WILD, WILD_FOUR = "wild", "four"
SKIP, REVERSE, TWO = "skip", "reverse", "two"


def colour_of(card: int) -> str | None:
    """Return a card's colour; None for a wild."""
    return COLOURS[card // 25] if card < 100 else None


def symbol(card: int) -> str:
    """Return a card's number or symbol."""
    if card >= 100:
        return WILD if card < 104 else WILD_FOUR
    place = card % 25
    return str((place + 1) // 2) if place < 19 else (SKIP, REVERSE, TWO)[(place - 19) // 2]


def points(cards: Sequence[int]) -> int:
    """Return what cards count."""
    return sum(50 if card >= 100 else int(symbol(card)) if symbol(card).isdigit() else 20 for card in cards)
