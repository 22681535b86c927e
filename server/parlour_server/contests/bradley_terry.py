"""Strengths of players from their results together: the Bradley–Terry model with a normal prior.

``i`` beats ``j`` with probability 1 / (1 + exp(s_j - s_i)), where s is a strength. The fit is the maximum of the
posterior, by Newton's method; errors are those of its normal approximation. The prior gives a finite strength to a
player who has won every match.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, sqrt

_EXACT = 1e-6
_ROUNDS = 50


class Strengths:
    """The strengths of ``players``, which are numbers from 0. ``prior``: the standard deviation before any match."""

    def __init__(self, players: int, prior: float) -> None:
        self.fitted = [0.0] * players
        """The strengths, as of the last ``fit``."""
        self._prior = prior**-2
        self._pairs: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
        """By pair, the smaller number first: the weight of their matches, and of those that the first one has won."""

    def add(self, ranks: Sequence[tuple[int, int]]) -> None:
        """Add a match: its players with their ranks. Equal ranks are half a win each.

        In a match of n each pair counts 2 / n: a ranking of n tells about as much as n - 1 games of two.
        """
        weight = 2 / max(2, len(ranks))
        for at, (one, rank) in enumerate(ranks):
            for other, behind in ranks[at + 1 :]:
                won = 1.0 if rank < behind else 0.5 if rank == behind else 0.0
                pair = self._pairs[min(one, other), max(one, other)]
                pair[0] += weight
                pair[1] += weight * (won if one < other else 1 - won)

    def fit(self) -> None:
        """Find the most probable strengths, starting from those of the last fit."""
        for _ in range(_ROUNDS):
            slopes = [-strength * self._prior for strength in self.fitted]
            for (one, other), (weight, wins) in self._pairs.items():
                more = wins - weight * _chance(self.fitted[one] - self.fitted[other])
                slopes[one] += more
                slopes[other] -= more
            steps = _solved(_cholesky(self._curvature()), slopes)
            longest = max(map(abs, steps), default=0.0)
            part = min(1.0, 1 / longest) if longest else 1.0  # far from the maximum a whole step may lead past it
            self.fitted = [strength + part * step for strength, step in zip(self.fitted, steps, strict=True)]
            if longest < _EXACT:
                return

    def errors(self) -> list[float]:
        """Return the standard errors of the strengths relative to their average, which results do not tell.

        The covariance of the strengths is the inverse of the curvature.
        """
        factor, players = _cholesky(self._curvature()), range(len(self.fitted))
        average = _forward(factor, [1 / len(self.fitted)] * len(self.fitted)) if self.fitted else []
        columns = (_forward(factor, [float(row == number) for row in players]) for number in players)
        apart = ([each - mean for each, mean in zip(column, average, strict=True)] for column in columns)
        return [sqrt(_product(column, column)) for column in apart]

    def _curvature(self) -> list[list[float]]:
        """Return the negative second derivatives of the logarithm of the posterior: a positive definite matrix."""
        found = [[0.0] * len(self.fitted) for _ in self.fitted]
        for number, row in enumerate(found):
            row[number] = self._prior
        for (one, other), (weight, _) in self._pairs.items():
            chance = _chance(self.fitted[one] - self.fitted[other])
            curve = weight * chance * (1 - chance)
            found[one][one] += curve
            found[other][other] += curve
            found[one][other] -= curve
            found[other][one] -= curve
        return found


def _chance(ahead: float) -> float:
    """Return the probability to win with a strength that is ``ahead``."""
    return 1 / (1 + exp(-ahead)) if ahead > 0 else 1 - 1 / (1 + exp(ahead))


def _cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the lower triangle whose product with its transpose is the matrix."""
    rows: list[list[float]] = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for value, other in zip(line, rows, strict=False):
            row.append((value - _product(row, other)) / other[-1])
        row.append(sqrt(line[number] - _product(row, row)))
        rows.append(row)
    return rows


def _forward(factor: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve factor · x = values."""
    found: list[float] = []
    for row, value in zip(factor, values, strict=True):
        found.append((value - _product(row, found)) / row[-1])
    return found


def _solved(factor: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve factor · factorᵀ · x = values."""
    found = _forward(factor, values)
    for number in reversed(range(len(found))):
        found[number] /= factor[number][number]
        for other in range(number):
            found[other] -= factor[number][other] * found[number]
    return found


def _product(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=False))
