"""Statistics of matches: rates and differences with their intervals, strengths of players, and tallies.

Games of one deal are not independent, so a deal is the unit: what counts is the average of each deal. To the deals
that were played two imaginary ones are added, one at either end of what is possible, as Agresti and Coull (1998) do
for single games: without them a few deals that came out alike would look certain. Then the interval is the normal one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil, exp, isfinite, log, sqrt
from typing import Any, Literal, TypeAlias

import attrs
import msgspec
from msgspec import Struct

Interval: TypeAlias = tuple[float, float]
Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[list[float]]
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
    """Return about how many further games would tell two bots apart; None if they would be too many."""
    needed = (differences.needed(-1.0, 1.0) - differences.count) * games_a_deal
    return max(games_a_deal, ceil(needed)) if isfinite(needed) and needed < FAR else None


# --- strengths of players, from single matches ---

_EXACT, _ROUNDS = 1e-6, 50
"""Of the strengths: the change at which a fit ends, and the most steps."""


class Strengths:
    """The strengths of ``players``, numbers from 0, by the Bradley–Terry model with a normal prior.

    ``i`` beats ``j`` with probability 1 / (1 + exp(s_j - s_i)), where s is a strength. The fit is the maximum of the
    posterior, by Newton's method; errors are those of its normal approximation. ``prior``, the standard deviation
    before any match, gives a finite strength to a player who has won every match.
    """

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
        return [sqrt(_dot(column, column)) for column in apart]

    def _curvature(self) -> Matrix:
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


# --- ratings of bots, from deals that each line-up plays from every seat ---

AVERAGE = 1500.0
SCALE = 400 / log(10)
STEPS = 100
_CLOSE = 1e-10
_STRIDE = 2.0
"""The largest change of a strength in one step."""


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
class RatingInterval:
    """The rating of a bot and its 95 % interval."""

    value: float
    interval: Interval


def ratings(lineups: Sequence[Sequence[int]], wins: Wins) -> list[RatingInterval]:
    """Return the rating of each bot. Each line-up played each deal once from every seat.

    The model is Luce's: each seat wins with a probability in proportion to the strength of its bot. For two seats this
    is the Bradley–Terry model. The fit maximises the likelihood, with one virtual win and loss per bot against the
    average, so that a bot that always wins gets a finite rating. The scale is Elo's: the average is 1500, and tenfold
    odds are 400 points. The intervals use the sandwich estimator clustered by deal.
    """
    strengths = _fitted(lineups, wins)
    curve, expected = _curve(lineups, wins.deals, strengths), _expected(lineups, strengths)
    factor = _cholesky(curve)
    rows = [_solved(factor, row) for row in _scatter(wins, expected, strengths)]
    spread = [_solved(factor, column) for column in zip(*rows, strict=True)]
    middle = sum(strengths) / len(strengths)
    return [
        RatingInterval(value := AVERAGE + SCALE * (strength - middle), (value - half, value + half))
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
        steps = _solved(_cholesky(_curve(lineups, wins.deals, strengths)), slope)
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


# --- linear algebra ---


def _cholesky(matrix: Sequence[Sequence[float]]) -> Matrix:
    """Return the lower triangle whose product with its transpose is the matrix."""
    rows: Matrix = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for value, other in zip(line, rows, strict=False):
            row.append((value - _dot(row, other)) / other[-1])
        row.append(sqrt(line[number] - _dot(row, row)))
        rows.append(row)
    return rows


def _forward(factor: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve factor · x = values."""
    found: list[float] = []
    for row, value in zip(factor, values, strict=True):
        found.append((value - _dot(row, found)) / row[-1])
    return found


def _solved(factor: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve factor · factorᵀ · x = values."""
    found = _forward(factor, values)
    for number in reversed(range(len(found))):
        found[number] /= factor[number][number]
        for other in range(number):
            found[other] -= factor[number][other] * found[number]
    return found


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=False))


KEPT = 10
"""The latest matches that a tally lists."""


class BestTime(Struct, frozen=True):
    """A board that was cleared alone: its name, such as ``expert``, and the time in milliseconds."""

    board: str
    ms: int


class Finish(Struct, omit_defaults=True):
    """A finished match. ``at`` is in seconds since 1970, ``players`` the number of seats."""

    at: int
    rank: int
    players: int
    score: int
    board: str | None = None
    ms: int | None = None
    record: bool = False
    """Whether no board of this name had been cleared faster."""
    before: int | None = None
    """The best time before a record; None: it was the first."""
    unrated: Literal["odds", "chosen"] | None = None
    """Why it is no record: odds were shown, or the deal was chosen, for practice."""


class Tally(Struct):
    """The results of a player at one game. A win is a first rank, alone or shared."""

    matches: int = 0
    wins: int = 0
    streak: int = 0
    """Wins in a row up to the last match."""
    longest: int = 0
    times: dict[str, int] = msgspec.field(default_factory=dict)
    """The best time by board, in milliseconds."""
    last: list[Finish] = msgspec.field(default_factory=list)
    """The latest matches, the last one first."""

    def add(self, finish: Finish) -> None:
        """Count a match. One for practice is only listed; one with odds counts for no best time and no streak."""
        if finish.unrated != "chosen":
            self._count(finish, finish.rank == 1)
        self.last = [finish, *self.last][:KEPT]

    def _count(self, finish: Finish, won: bool) -> None:
        record = finish.unrated is None
        self.matches += 1
        self.wins += won
        self.streak = self.streak + record if won else 0
        self.longest = max(self.longest, self.streak)
        if record and finish.board is not None and finish.ms is not None:
            best = self.times.get(finish.board)
            if best is None or finish.ms < best:
                finish.record, finish.before = True, best
                self.times[finish.board] = finish.ms

    def row(self, game: str, now: int) -> dict[str, Any]:
        """Return it as a profile has it for ``game``: plain data. ``now`` is in seconds since 1970."""
        plain = msgspec.to_builtins(self)
        times = [{"board": board, "ms": ms} for board, ms in sorted(self.times.items())]
        last = [{"ago": max(0, now - finish.pop("at")) * 1000, **finish} for finish in plain["last"]]
        return {**plain, "game": game, "times": times, "last": last}

    def text(self) -> str:
        """Return it as JSON."""
        return msgspec.json.encode(self).decode()


def tally(text: str | None) -> Tally:
    """Return the tally in ``text``, a new one for None. Raises msgspec.MsgspecError."""
    return Tally() if text is None else msgspec.json.decode(text, type=Tally)
