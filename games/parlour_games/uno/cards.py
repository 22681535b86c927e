"""The 108 cards: identities, faces, points, and bit masks.

A card is its identity, 0–107; cards with equal faces have different identities. 0–99 are coloured: ``card // 25`` is
the index of the colour in COLOURS. By ``k = card % 25``, 0 is the 0, 1–18 are 1, 1, 2, 2 … 9, 9, 19 and 20 are Skip,
21 and 22 Reverse, 23 and 24 Draw Two. 100–103 are Wilds, 104–107 Wild Draw Fours. A hand is an integer, a bit mask
with bit ``card`` set for each card.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

COLOURS = ("red", "yellow", "green", "blue")
CARDS = 108
HAND = 7
FIRST_WILD = 100

SKIP, REVERSE, DRAW_TWO, WILD, WILD_FOUR = 10, 11, 12, 13, 14
"""Symbols. 0–9 are the numbers."""

_SYMBOL_NAMES = (*map(str, range(10)), "skip", "reverse", "draw two", "wild", "wild draw four")
_SYMBOL_SHORTS = (*map(str, range(10)), "s", "r", "+2", "w", "w+4")
_SYMBOL_POINTS = (*range(10), 20, 20, 20, 50, 50)


def _symbol(card: int) -> int:
    if card >= FIRST_WILD:
        return WILD if card < FIRST_WILD + 4 else WILD_FOUR
    k = card % 25
    return (k + 1) // 2 if k < 19 else SKIP + (k - 19) // 2


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of ``cards``."""
    return sum(1 << card for card in cards)


def cards_in(mask: int) -> list[int]:
    """Return the cards of a bit mask, ascending."""
    cards: list[int] = []
    for table, byte in zip(_IN_BYTE, mask.to_bytes(len(_IN_BYTE), "little"), strict=True):
        if byte:
            cards += table[byte]
    return cards


def _subsets(cards: Iterable[int]) -> list[list[int]]:
    """Return all subsets of ``cards``, indexed by their bits."""
    found: list[list[int]] = [[]]
    for card in cards:
        found += [[*subset, card] for subset in found]
    return found


_IN_BYTE = [_subsets(range(first, first + 8)) for first in range(0, CARDS, 8)]
"""By place and value of each byte of a mask, the cards that it holds."""
BIT = tuple(1 << card for card in range(CARDS))
SYMBOL = tuple(map(_symbol, range(CARDS)))
"""Symbol by card."""
COLOUR = tuple(card // 25 if card < FIRST_WILD else None for card in range(CARDS))
"""Colour by card, None for wilds."""
POINTS = tuple(_SYMBOL_POINTS[symbol] for symbol in SYMBOL)
"""Points by card: the face value, 20 for Skip, Reverse and Draw Two, 50 for wilds."""

COLOUR_MASK = tuple(mask_of(card for card in range(CARDS) if COLOUR[card] == colour) for colour in range(4))
SYMBOL_MASK = tuple(mask_of(card for card in range(CARDS) if SYMBOL[card] == symbol) for symbol in range(15))
DRAW_TWOS = SYMBOL_MASK[DRAW_TWO]
FOURS = SYMBOL_MASK[WILD_FOUR]
WILDS = SYMBOL_MASK[WILD] | FOURS

MATCH = tuple(
    tuple(COLOUR_MASK[colour] | WILDS | (SYMBOL_MASK[symbol] if symbol < WILD else 0) for symbol in range(15))
    for colour in range(4)
)
"""The cards that fit, as masks by current colour and symbol of the top card."""

ALIKE = tuple(
    mask_of(other for other in range(CARDS) if other != card and COLOUR[other] == COLOUR[card] is not None)
    & SYMBOL_MASK[SYMBOL[card]]
    for card in range(CARDS)
)
"""By card, the other cards of the same colour and symbol, as a mask. Empty for wilds, which have no colour."""

_WORTH = tuple(
    (points, mask_of(card for card in range(CARDS) if POINTS[card] == points)) for points in sorted(set(POINTS) - {0})
)


def points_in(mask: int) -> int:
    """Return the points of the cards in a bit mask."""
    return sum(points * (mask & cards).bit_count() for points, cards in _WORTH)


def _named(card: int, symbols: tuple[str, ...], colour_form: str) -> str:
    colour = COLOUR[card]
    return symbols[SYMBOL[card]] if colour is None else colour_form.format(COLOURS[colour]) + symbols[SYMBOL[card]]


NAMES = tuple(_named(card, _SYMBOL_NAMES, "{} ") for card in range(CARDS))
"""Face by card: ``red 5``, ``green skip``, ``wild draw four``."""
SHORTS = tuple(_named(card, _SYMBOL_SHORTS, "{:.1}") for card in range(CARDS))
"""Short face by card, for typing: ``r5``, ``gs``, ``yr``, ``b+2``, ``w``, ``w+4``."""


def _cards_by_face() -> Mapping[str, tuple[int, ...]]:
    faces: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for card in range(CARDS):
        faces[NAMES[card]] += (card,)
        faces[SHORTS[card]] += (card,)
    return dict(faces)


CARDS_BY_FACE = _cards_by_face()
"""The cards with a face, by its name and by its short form."""
