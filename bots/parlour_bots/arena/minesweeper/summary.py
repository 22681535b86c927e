"""Summarise the results of a contest: rates with intervals, times, and the difference between two bots."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from statistics import median

import attrs

from parlour_bots.arena.measures import shares
from parlour_games.statistics import Deals, matched_pairs, wilson
from parlour_protocol.messages import Plain


@attrs.frozen
class BoardResult:
    """The result of one bot on one board. Times are milliseconds; ``flagged`` and ``open`` are from 0 to 1."""

    id: str | int
    won: bool
    ms: float
    """The time of all answers."""
    guesses: int
    """The opened cells that could have been mines."""
    moves: int
    """The number of answers."""
    longest: float
    """The time of the slowest answer."""
    flagged: float
    open: float
    mistakes: int
    stuck: bool = False
    """Whether the game was stopped because the bot made no progress. It counts as lost."""
    usage: dict[str, int] = attrs.field(factory=dict)
    """The use of a language model; empty for other bots."""
    value: float | None = None
    """The probability that perfect play wins from the endgame on, else 1 or 0 by the end; None if it was not asked."""

    def line(self) -> Plain:
        """Return the data for the output file."""
        line = {"id": self.id, "won": self.won, "ms": round(self.ms, 3), "guesses": self.guesses, "moves": self.moves}
        return line if self.value is None else {**line, "value": self.value}


@attrs.frozen
class Mean:
    """An average with its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], least: float) -> "Mean":
        """Return the mean of values from ``least`` to 1."""
        deals = Deals()
        for value in values:
            deals.add(value)
        return cls(deals.mean, *deals.within(least, 1.0))


@attrs.frozen
class Summary:
    """The results of one bot. ``low`` and ``high`` bound the true win rate with 95 % confidence (Wilson's interval)."""

    bot: str
    games: int
    wins: int
    low: float
    high: float
    typical: float
    """The median time per game."""
    p95: float
    longest: float
    longest_move: float
    """The time of the slowest answer."""
    guesses: float
    """The average per game."""
    mistakes: int
    stuck: int
    usage: Mapping[str, int] = attrs.field(factory=dict)
    """The use of a language model; empty for other bots."""
    decision: float | None = None
    """The average time of an answer."""
    value: Mean | None = None
    """The average value of a game, if games are valued."""

    @property
    def rate(self) -> float:
        """Return the share of games won."""
        return self.wins / self.games

    def plain(self) -> Plain:
        """Return the summary as plain data."""
        return {
            "bot": self.bot,
            "games": self.games,
            "wins": self.wins,
            "rate": self.rate,
            "low": self.low,
            "high": self.high,
            "ms": {"median": self.typical, "p95": self.p95, "max": self.longest},
            "ms_per_move_max": self.longest_move,
            "guesses": self.guesses,
            "mistakes": self.mistakes,
            "stuck": self.stuck,
            **({"usage": shares(self.usage), "ms_per_move": self.decision} if self.usage else {}),
            **({"value": attrs.asdict(self.value)} if self.value else {}),
        }


def summary(bot: str, results: Sequence[BoardResult]) -> Summary:
    """Return the summary of at least one result."""
    wins, games = sum(each.won for each in results), len(results)
    times = sorted(each.ms for each in results)
    return Summary(
        bot,
        games,
        wins,
        *wilson(wins, games),
        typical=median(times),
        p95=percentile(times, 95),
        longest=times[-1],
        longest_move=max(each.longest for each in results),
        guesses=sum(each.guesses for each in results) / games,
        mistakes=sum(each.mistakes for each in results),
        stuck=sum(each.stuck for each in results),
        usage=sum((Counter(each.usage) for each in results), Counter()),
        decision=sum(times) / max(1, sum(each.moves for each in results)),
        value=Mean.of(values, 0.0) if (values := _values(results)) else None,
    )


def percentile(ordered: Sequence[float], share: int) -> float:
    """Return a percentile of ascending values, by nearest rank."""
    return ordered[max(0, ceil(len(ordered) * share / 100) - 1)]


@attrs.frozen
class Difference:
    """The difference between two bots on the same boards.

    Only this bot won the ``gained`` boards, only the other the ``lost`` ones. ``low`` and ``high`` bound the true
    difference of the win rates with 95 % confidence (Agresti and Min's adjusted Wald interval for matched pairs, 2005).
    ``z`` is McNemar's statistic. ``value`` is the average difference of the values of the same boards, if games are
    valued.
    """

    games: int
    gained: int
    lost: int
    low: float
    high: float
    value: Mean | None = None

    @property
    def rate(self) -> float:
        """Return the difference of the win rates, positive if this bot won more."""
        return (self.gained - self.lost) / self.games

    @property
    def z(self) -> float:
        """Return (gained - lost) / √(gained + lost), 0 if both bots had the same results."""
        return (self.gained - self.lost) / sqrt(self.gained + self.lost or 1)

    def plain(self) -> Plain:
        """Return the difference as plain data."""
        plain = {**attrs.asdict(self), "rate": self.rate, "z": self.z}
        if self.value is None:
            del plain["value"]
        return plain


def difference(first: Sequence[BoardResult], other: Sequence[BoardResult]) -> Difference:
    """Return the difference of ``other`` from ``first``, whose results are on the same boards in the same order."""
    pairs = [(one.won, another.won) for one, another in zip(first, other, strict=True)]
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    values = [another - one for one, another in zip(_values(first), _values(other), strict=True)]
    value = Mean.of(values, -1.0) if values else None
    return Difference(len(pairs), gained, lost, *matched_pairs(gained, lost, len(pairs)), value)


def _values(results: Sequence[BoardResult]) -> list[float]:
    """Return the values of games, none unless they were asked for."""
    return [each.value for each in results if each.value is not None]
