"""Ratings: how strong each bot is on one scale, from who won against whom.

The model is Luce's: at a table each seat wins with a chance in proportion to the strength of its bot; for two seats
that is Bradley and Terry's. The strengths are those under which the games are most likely, where each bot is also
given one win and one loss against the average, so that a bot that wins always has a rating too. They are told as Elo
does: the average is 1500, and who wins ten times as often is 400 above. The intervals allow for deals whose games
depend on each other (the sandwich estimator, a deal being the unit).
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
"""The most that a strength moves in one step."""

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[list[float]]


@attrs.define
class Wins:
    """The wins of each bot in each deal: how many deals, the sums, and the sums of the products of each two bots."""

    totals: Vector
    products: Matrix
    deals: int = 0

    @classmethod
    def none(cls, bots: int) -> "Wins":
        """Return the wins before the first deal."""
        return cls([0.0] * bots, [[0.0] * bots for _ in range(bots)])

    def add(self, wins: Sequence[float]) -> None:
        """Count one more deal, in which each bot won so many games."""
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
    """Return the rating of each bot, whose line-ups played each deal once from every seat."""
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
    """Return with what chance each bot of a line-up wins, from one of its seats or another."""
    weights = {bot: exp(strengths[bot]) * lineup.count(bot) for bot in set(lineup)}
    whole = sum(weights.values())
    return {bot: weight / whole for bot, weight in weights.items()}


def _expected(lineups: Sequence[Sequence[int]], strengths: Vector) -> Vector:
    """Return how many games of a deal each bot should win."""
    expected = [0.0] * len(strengths)
    for lineup in lineups:
        for bot, chance in _chances(lineup, strengths).items():
            expected[bot] += len(lineup) * chance
    return expected


def _curve(lineups: Sequence[Sequence[int]], deals: int, strengths: Vector) -> Matrix:
    """Return by how much the slope falls as each strength rises: the information."""
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
    """Return the sum over all deals of the products of what two bots won beyond what was expected."""
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
    """Return half the width of each interval: the spread of a strength above the average of all."""
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
    """Return the inverse of a symmetric matrix whose eigenvalues are positive, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(row_number == column) for column in range(size))] for row_number, row in enumerate(matrix)]
    for number in range(size):
        pivot = rows[number][number]
        rows[number] = [value / pivot for value in rows[number]]
        for other in range(size):
            if other != number and (factor := rows[other][number]):
                rows[other] = [value - factor * known for value, known in zip(rows[other], rows[number], strict=True)]
    return [row[size:] for row in rows]
