"""Estimate who wins an unfinished round: a softmax over one score per seat.

The weights are a maximum likelihood fit to the winners of 130,000 rounds between sensible players with a little noise:
one set for two players, one for more.
"""

from math import exp

import attrs

from parlour_bots.uno.search.playout import ATTACKS, BLUE, GREEN, PLAIN_WILDS, RED, YELLOW, Position
from parlour_games.uno.cards import FOURS, MATCH, SYMBOL, WILDS

_COLOURED = RED | YELLOW | GREEN | BLUE


@attrs.frozen
class Weights:
    """The weights of a seat's features, in logits."""

    count: tuple[float, ...]
    """By number of cards, from 1 to twelve or more."""
    fits_now: tuple[float, ...]
    """By number of coloured cards that fit, up to three, for the seat to play."""
    fits_later: tuple[float, ...]
    """The same for the other seats."""
    wild: float
    """Per Wild in the hand."""
    wild_four: float
    """Per Wild Draw Four in the hand."""
    attack: float
    """Per attack in the hand."""
    colour: float
    """Per colour in the hand."""
    place: tuple[float, float, float]
    """By turns until the seat plays, up to two."""
    last_fits: tuple[float, float, float]
    """Its only card fits, by turns until it plays, up to two or more."""
    second_fits: tuple[float, float]
    """One of its two cards fits, by turns until it plays."""
    low_wild: float
    """One of its two cards is wild."""
    threatened: float
    """It has one card and plays next, and the seat to play can attack."""


TWO = Weights(
    count=(0.74, 0.49, 0.42, 0.21, 0.06, -0.12, -0.29, -0.44, -0.59, -0.68, -0.90, -1.17),
    fits_now=(-0.32, 0.11, 0.14, 0.10),
    fits_later=(-0.16, 0.04, 0.09, 0.10),
    wild=0.50,
    wild_four=1.02,
    attack=0.27,
    colour=-0.28,
    place=(0.03, -0.03, 0.00),
    last_fits=(5.66, 1.05, 0.00),
    second_fits=(0.41, 0.22),
    low_wild=0.98,
    threatened=-0.25,
)
MANY = Weights(
    count=(1.88, 1.10, 0.60, 0.13, -0.27, -0.65, -0.99, -1.28, -1.59, -1.86, -2.09, -2.62),
    fits_now=(-0.44, 0.13, 0.23, 0.17),
    fits_later=(-0.06, 0.02, 0.06, 0.01),
    wild=0.62,
    wild_four=0.78,
    attack=0.07,
    colour=0.09,
    place=(0.12, 0.06, 0.02),
    last_fits=(5.94, 1.40, 0.58),
    second_fits=(0.43, 0.16),
    low_wild=0.81,
    threatened=-0.72,
)


def chances(position: Position) -> list[float]:
    """Return each seat's probability to win the round, before a turn."""
    weights = TWO if len(position.hands) == 2 else MANY
    match = MATCH[position.colour][SYMBOL[position.pile[-1]]]
    seats, step, seat = len(position.hands), position.step, position.turn
    powers = [0.0] * seats
    attacked = position.hands[seat] & match & ATTACKS
    for ahead in range(seats):
        standing = _standing(position.hands[seat], match, ahead, weights)
        if ahead == 1 and attacked and position.hands[seat].bit_count() == 1:
            standing += weights.threatened
        powers[seat] = exp(standing)
        seat = (seat + step) % seats
    total = sum(powers)
    return [power / total for power in powers]


def _standing(hand: int, match: int, ahead: int, weights: Weights) -> float:
    cards = hand.bit_count()
    fits = (hand & match & _COLOURED).bit_count()
    colours = (hand & RED > 0) + (hand & YELLOW > 0) + (hand & GREEN > 0) + (hand & BLUE > 0)
    standing = (
        weights.count[cards - 1 if cards < 12 else 11]
        + (weights.fits_later if ahead else weights.fits_now)[fits if fits < 3 else 3]
        + weights.attack * (hand & ATTACKS).bit_count()
        + weights.colour * colours
    )
    if ahead < 3:
        standing += weights.place[ahead]
    wilds = hand & WILDS
    if wilds:
        standing += weights.wild * (wilds & PLAIN_WILDS).bit_count() + weights.wild_four * (wilds & FOURS).bit_count()
    if cards < 3:
        standing += _low(cards, fits or wilds, wilds, ahead, weights)
    return standing


def _low(cards: int, playable: int, wilds: int, ahead: int, weights: Weights) -> float:
    """Return the additional score of a hand of one or two cards."""
    low = weights.low_wild if wilds else 0.0
    if playable and cards == 1:
        return low + weights.last_fits[ahead if ahead < 2 else 2]
    return low + weights.second_fits[ahead] if playable and ahead < 2 else low
