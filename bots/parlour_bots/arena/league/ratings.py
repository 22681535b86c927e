"""Ratings: the strength of each bot on one scale, fitted to the wins.

The model is Luce's: each seat wins with a probability in proportion to the strength of its bot. For two seats this is
the Bradley-Terry model. The fit maximises the likelihood, with one virtual win and loss per bot against the average, so
that a bot that always wins gets a finite rating. The scale is Elo's: the average is 1500, and tenfold odds are 400
points. The intervals use the sandwich estimator clustered by deal, since the games of a deal are not independent.
"""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import TypeAlias

import attrs

from parlour_client.core.intervals import Interval, Z

AVERAGE = 1500.0
SCALE = 400 / log(10)
STEPS = 100
_CLOSE = 1e-10
_STRIDE = 2.0
"""The largest change of a strength in one step."""

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[list[float]]


@attrs.define
class Wins:
    """Sufficient statistics of the wins per deal: their count, sums, and sums of products of two bots."""

    totals: Vector
    products: Matrix
    deals: int = 0

    @classmethod
    def none(cls, bots: int) -> "Wins":
        """Return the statistics before the first deal."""
        return cls([0.0] * bots, [[0.0] * bots for _ in range(bots)])

    def add(self, wins: Sequence[float]) -> None:
        """Add a deal, with the games won by each bot."""
        self.deals += 1
        for one, own in enumerate(wins):
            self.totals[one] += own
            row = self.products[one]
            for other, others in enumerate(wins):
                row[other] += own * others


@attrs.frozen
class Rating:
    """The rating of a bot and its 95 % interval."""

    value: float
    interval: Interval


def ratings(lineups: Sequence[Sequence[int]], wins: Wins) -> list[Rating]:
    """Return the rating of each bot. Each line-up played each deal once from every seat."""
    strengths = _fitted(lineups, wins)
    curve, expected = _curve(lineups, wins.deals, strengths), _expected(lineups, strengths)
    spread = _product(_product(curve := _inverse(curve), _scatter(wins, expected, strengths)), curve)
    middle = sum(strengths) / len(strengths)
    return [
        Rating(value := AVERAGE + SCALE * (strength - middle), (value - half, value + half))
        for strength, half in zip(strengths, _halves(spread), strict=True)
    ]


def _fitted(lineups: Sequence[Sequence[int]], wins: Wins) -> Vector:
    """Return the logarithms of the strengths, by Newton's method."""
    strengths = [0.0] * len(wins.totals)
    for _ in range(STEPS):
        expected = _expected(lineups, strengths)
        slope = [
            total - wins.deals * mean + 1 - 2 * _chance(own)
            for total, mean, own in zip(wins.totals, expected, strengths, strict=True)
        ]
        steps = [sum(map(_times, row, slope)) for row in _inverse(_curve(lineups, wins.deals, strengths))]
        longest = max(map(abs, steps))
        shorter = min(1.0, _STRIDE / longest) if longest else 0.0
        strengths = [own + shorter * step for own, step in zip(strengths, steps, strict=True)]
        if longest < _CLOSE:
            break
    return strengths


def _chances(lineup: Sequence[int], strengths: Vector) -> dict[int, float]:
    """Return each bot's probability to win with this line-up, from any of its seats."""
    weights = {bot: exp(strengths[bot]) * lineup.count(bot) for bot in set(lineup)}
    whole = sum(weights.values())
    return {bot: weight / whole for bot, weight in weights.items()}


def _expected(lineups: Sequence[Sequence[int]], strengths: Vector) -> Vector:
    """Return the expected wins of each bot per deal."""
    expected = [0.0] * len(strengths)
    for lineup in lineups:
        for bot, chance in _chances(lineup, strengths).items():
            expected[bot] += len(lineup) * chance
    return expected


def _curve(lineups: Sequence[Sequence[int]], deals: int, strengths: Vector) -> Matrix:
    """Return the information matrix: the negative second derivative of the log-likelihood."""
    curve = [[0.0] * len(strengths) for _ in strengths]
    for lineup in lineups:
        chances = _chances(lineup, strengths)
        for one, chance in chances.items():
            for other, others in chances.items():
                curve[one][other] += deals * len(lineup) * chance * ((one == other) - others)
    for bot, own in enumerate(strengths):
        curve[bot][bot] += 2 * _chance(own) * (1 - _chance(own))
    return curve


def _scatter(wins: Wins, expected: Vector, strengths: Vector) -> Matrix:
    """Return the scatter matrix: the sum over deals of products of two bots' residual wins."""
    scatter = [
        [
            product - wins.totals[one] * expected[other] - expected[one] * wins.totals[other]
            + wins.deals * expected[one] * expected[other]
            for other, product in enumerate(row)
        ]
        for one, row in enumerate(wins.products)
    ]  # fmt: skip
    for bot, own in enumerate(strengths):
        scatter[bot][bot] += _chance(own) ** 2 + (1 - _chance(own)) ** 2
    return scatter


def _halves(spread: Matrix) -> Vector:
    """Return half the width of each interval, for the strength relative to the average."""
    size = len(spread)
    rows = [sum(row) / size for row in spread]
    whole = sum(rows) / size
    return [SCALE * Z * sqrt(max(0.0, spread[bot][bot] - 2 * rows[bot] + whole)) for bot in range(size)]


def _chance(strength: float) -> float:
    return 1 / (1 + exp(-strength))


def _times(one: float, other: float) -> float:
    return one * other


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(map(_times, row, column)) for column in columns] for row in one]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [[*row, *(float(row_number == column) for column in range(size))] for row_number, row in enumerate(matrix)]
    for number in range(size):
        pivot = rows[number][number]
        rows[number] = [value / pivot for value in rows[number]]
        for other in range(size):
            if other != number and (factor := rows[other][number]):
                rows[other] = [value - factor * known for value, known in zip(rows[other], rows[number], strict=True)]
    return [row[size:] for row in rows]
