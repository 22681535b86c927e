"""The stakes of a round: a seat's probability to win the match after each outcome."""

from collections.abc import Callable
from math import exp, sqrt

import attrs

from parlour_bots.uno.search.playout import NOBODY, Position
from parlour_games.uno.cards import points_in

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

    def of(self, position: Position, chances: list[float] | None = None) -> float:
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

    def _points(self, position: Position, winner: int) -> float:
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
