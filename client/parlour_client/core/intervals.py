"""Rates and differences with their intervals, from games of which several share a deal.

The games of one deal are not independent, so a deal is the unit: what counts is the average of each deal. To the deals
that were played two imaginary ones are added, one at either end of what is possible, as Agresti and Coull (1998) do
for single games: without them a few deals that came out alike would look certain. Then the interval is the normal one.
"""

from math import ceil, isfinite, sqrt
from typing import TypeAlias

import attrs

Interval: TypeAlias = tuple[float, float]
Z = 1.959964
"""Standard deviations of a 95 % interval."""
POWER = 0.8416
"""Standard deviations for a chance of four in five."""
FAR = 10_000_000
"""The number of games beyond which a verdict takes too long."""


@attrs.define
class Deals:
    """One value for each deal: how many there are, their sum, and the sum of their squares."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Count one more deal."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """Return the average."""
        return self.total / self.count

    def within(self, low: float, high: float) -> Interval:
        """Return the 95 % interval of the mean of values that can only be from ``low`` to ``high``."""
        size = self.count + 2
        middle = (self.total + low + high) / size
        half = Z * self._spread(low, high) / sqrt(size)
        return max(low, min(self.mean, middle - half)), min(high, max(self.mean, middle + half))

    def interval(self) -> Interval | None:
        """Return the 95 % interval of the mean of values without bounds; None for fewer than two deals."""
        if self.count < 2:
            return None
        half = Z * sqrt(max(0.0, self.squares - self.total * self.mean) / (self.count - 1) / self.count)
        return self.mean - half, self.mean + half

    def needed(self, low: float, high: float) -> float:
        """Return how many deals would show a mean like this to differ from 0, with a chance of four in five."""
        if not self.total:
            return float("inf")
        return float(((Z + POWER) * self._spread(low, high) / self.mean) ** 2)

    def _spread(self, low: float, high: float) -> float:
        """Return the standard deviation, the two imaginary deals among the others."""
        size, total, squares = self.count + 2, self.total + low + high, self.squares + low * low + high * high
        return sqrt(max(0.0, squares - total * total / size) / (size - 1))


def wilson(wins: float, games: int) -> Interval:
    """Return Wilson's score interval for a rate of ``wins`` in independent ``games``."""
    rate, spread = wins / games, Z * Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def matched_pairs(gained: int, lost: int, games: int) -> Interval:
    """Return Agresti and Min's interval (2005) for a difference of two rates on the same boards.

    ``gained`` boards only the second bot won, ``lost`` only the first. Half a game is added to each of the four
    outcomes of a pair.
    """
    balance, size = gained - lost, games + 2
    half = Z * sqrt(gained + lost + 1 - balance * balance / size) / size
    return max(-1.0, balance / size - half), min(1.0, balance / size + half)


def told_apart(interval: Interval) -> bool:
    """Return whether 0 is outside: chance alone would hardly make such a difference."""
    return interval[0] > 0 or interval[1] < 0


def more_games(differences: Deals, games_a_deal: int) -> int | None:
    """Return about how many further games would tell two bots apart; None if that is out of sight."""
    needed = (differences.needed(-1.0, 1.0) - differences.count) * games_a_deal
    return max(games_a_deal, ceil(needed)) if isfinite(needed) and needed < FAR else None
