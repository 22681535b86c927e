"""The stakes of a round: a seat's probability to win the match after each outcome, and who wins an unfinished round.

An unfinished round is estimated by a softmax over one score per seat.

The weights are a maximum likelihood fit to the winners of 130,000 rounds between sensible players with a little noise:
one set for two players, one for more.
"""

from collections.abc import Callable
from math import exp, sqrt

import attrs

from parlour_bots.uno.playout import ATTACKS, BLUE, GREEN, NOBODY, PLAIN_WILDS, RED, YELLOW, PlayoutPosition
from parlour_games.uno.cards import FOURS, MATCH, SYMBOL, WILDS, points_in

LEFT_OVER = 36.0
"""The average points left in a loser's hand."""
PERSISTENCE = 0.15
"""The share of a hand's points above this average that remains until the end of the round."""


@attrs.frozen
class Stakes:
    """The value of a round by its winner, if each loser is left with the average points.

    ``slopes``: for each winner, the change per additional point in each hand; None where points do not count.
    """

    by_winner: tuple[float, ...]
    slopes: tuple[tuple[float, ...], ...] | None

    def of(self, position: PlayoutPosition, chances: list[float] | None = None) -> float:
        """Return the value of a finished round, or of one in which the seats have these ``chances``."""
        if chances is None:
            if position.winner == NOBODY:
                return sum(self.by_winner) / len(self.by_winner)
            value = self.by_winner[position.winner]
            return value + self._points(position, position.winner) if self.slopes else value
        value = sum([chance * worth for chance, worth in zip(chances, self.by_winner, strict=True)])
        if self.slopes:
            more = [chance * self._points(position, seat) for seat, chance in enumerate(chances)]
            value += PERSISTENCE * sum(more)
        return value

    def _points(self, position: PlayoutPosition, winner: int) -> float:
        assert self.slopes is not None
        slopes = self.slopes[winner]
        return sum(
            [
                slopes[seat] * (points_in(hand) - LEFT_OVER)
                for seat, hand in enumerate(position.hands)
                if seat != winner and slopes[seat]
            ]
        )


def stakes(me: int, scores: list[int], scoring: str, target: int) -> Stakes:
    """Return the stakes for ``me`` under a scoring; ``scores`` are the current ones by seat."""
    if scoring == "single":
        return Stakes(tuple(float(seat == me) for seat in range(len(scores))), None)
    worth = [_worth(winner, me, scores, scoring, target) for winner in range(len(scores))]
    return Stakes(tuple(value for value, _ in worth), tuple(slopes for _, slopes in worth))


def _worth(winner: int, me: int, scores: list[int], scoring: str, target: int) -> tuple[float, tuple[float, ...]]:
    """Return the value for ``me`` if ``winner`` wins the round, and the change per point in each hand."""
    seats = range(len(scores))

    def value(more: int) -> float:
        """Return the value if the hand of seat ``more`` has 20 points above the average."""
        after = [float(score) for score in scores]
        for seat in seats:
            points = LEFT_OVER + 20 * (seat == more)
            if seat != winner:
                after[winner if scoring == "race" else seat] += points
        return _CHANCE[scoring](after, me, target)

    usual = value(NOBODY)
    return usual, tuple((value(seat) - usual) / 20 if seat != winner else 0.0 for seat in seats)


def _race(scores: list[float], me: int, target: float) -> float:
    """Return the probability to be the first to reach ``target``."""
    if max(scores) >= target:
        return float(scores[me] == max(scores))
    missing = [target - score for score in scores]
    gain = LEFT_OVER * (len(scores) - 1)
    return _share([-each for each in missing], me, sqrt(gain * 2 * sum(missing) / len(missing)))


def _fewest(scores: list[float], me: int, target: float) -> float:
    """Return the probability to have the fewest points when a seat reaches ``target``."""
    rest = max(0.0, target - max(scores))
    return _share([-score for score in scores], me, sqrt(LEFT_OVER * rest) + LEFT_OVER / 2)


def _outlasting(scores: list[float], me: int, target: float) -> float:
    """Return the probability to be the last seat below ``target``."""
    left = [target - score for score in scores]
    if max(left) <= 0:
        return float(scores[me] == min(scores))
    if left[me] <= 0:
        return 0.0
    still_in = [each for each in left if each > 0]
    return _share(still_in, still_in.index(left[me]), sqrt(LEFT_OVER * sum(still_in) / len(still_in)) + LEFT_OVER / 2)


def _share(merits: list[float], me: int, spread: float) -> float:
    """Return the share of ``me`` in a softmax of ``merits`` with this ``spread``."""
    best = max(merits)
    powers = [exp(1.4 * (merit - best) / spread) for merit in merits]
    return powers[me] / sum(powers)


_CHANCE: dict[str, Callable[[list[float], int, float], float]] = {
    "race": _race,
    "lowest": _fewest,
    "elimination": _outlasting,
}
"""The probability to win the match, from the scores, the seat and the target; all seats are equally strong."""


_COLOURED = RED | YELLOW | GREEN | BLUE


@attrs.frozen
class StakeWeights:
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


TWO = StakeWeights(
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
MANY = StakeWeights(
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


def chances(position: PlayoutPosition) -> list[float]:
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


def _standing(hand: int, match: int, ahead: int, weights: StakeWeights) -> float:
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


def _low(cards: int, playable: int, wilds: int, ahead: int, weights: StakeWeights) -> float:
    """Return the additional score of a hand of one or two cards."""
    low = weights.low_wild if wilds else 0.0
    if playable and cards == 1:
        return low + weights.last_fits[ahead if ahead < 2 else 2]
    return low + weights.second_fits[ahead] if playable and ahead < 2 else low
