"""The unrounded figures of a contest, each with its confidence interval."""

from collections.abc import Sequence

import attrs

from parlour_bots.arena.engine.usage import shares
from parlour_bots.arena.league.standings import Meeting, Score, Standings
from parlour_games.statistics import Interval, Rating, more_games, told_apart
from parlour_protocol.messages import Plain


@attrs.frozen
class Row:
    """The figures of a bot. ``rate`` is the win rate per seat; times are milliseconds, None without answers."""

    name: str
    games: int
    seats: int
    wins: float
    rate: float
    interval: Interval
    total: int
    points: float
    points_interval: Interval | None
    rating: Rating
    mean: float | None
    p50: float | None
    p99: float | None
    faults: dict[str, int]
    usage: dict[str, int]
    """The use of a language model; empty for other bots."""

    def plain(self) -> Plain:
        """Return the row as plain data."""
        return {
            "name": self.name,
            "games": self.games,
            "seats": self.seats,
            "wins": self.wins,
            "win_rate": self.rate,
            "ci95": list(self.interval),
            "points": self.total,
            "points_per_game": self.points,
            "points_ci95": self.points_interval and list(self.points_interval),
            "rating": self.rating.value,
            "rating_ci95": list(self.rating.interval),
            "ms_mean": self.mean,
            "ms_p50": self.p50,
            "ms_p99": self.p99,
            "faults": sum(self.faults.values()),
            "fault_kinds": self.faults,
            **({"usage": shares(self.usage)} if self.usage else {}),
        }


@attrs.frozen
class Pair:
    """The figures of two bots in their common games: win rates per seat, their difference, and the verdict."""

    names: tuple[str, str]
    games: int
    deals: int
    wins: tuple[float, float]
    rates: tuple[float, float]
    intervals: tuple[Interval, Interval]
    """Of the rates."""
    difference: float
    interval: Interval
    points: float
    points_interval: Interval | None
    better: str | None
    """The better of the two; None if the interval contains 0."""
    more: int | None
    """The further games needed to confirm the difference, roughly; None if over ten million."""

    def plain(self) -> Plain:
        """Return the pair as plain data."""
        return {
            "bots": list(self.names),
            "games": self.games,
            "deals": self.deals,
            "wins": list(self.wins),
            "win_rates": list(self.rates),
            "win_rates_ci95": [list(interval) for interval in self.intervals],
            "difference": self.difference,
            "ci95": list(self.interval),
            "points_difference": self.points,
            "points_ci95": self.points_interval and list(self.points_interval),
            "better": self.better,
            "more_games": None if self.better else self.more,
            "verdict": self.verdict,
        }

    @property
    def verdict(self) -> str:
        """Return the verdict in words."""
        if self.better:
            return f"{self.better} is better"
        return f"not yet distinguishable: {f'about {self.more:,}' if self.more else 'over ten million'} more games"


def rows(standings: Standings, names: Sequence[str]) -> list[Row]:
    """Return a row per bot, in the given order."""
    return [
        _row(name, score, rating)
        for name, score, rating in zip(names, standings.scores, standings.ratings(), strict=True)
    ]


def pairs(standings: Standings, names: Sequence[str]) -> list[Pair]:
    """Return each pair of bots that met in a game."""
    return [_pair(meeting, names) for meeting in standings.meetings.values()]


def _row(name: str, score: Score, rating: Rating) -> Row:
    return Row(
        name,
        score.games,
        score.seats,
        score.wins,
        score.rates.mean,
        score.rates.within(0.0, 1.0),
        score.total,
        score.points.mean,
        score.points.interval(),
        rating,
        score.times.mean,
        score.times.percentile(50),
        score.times.percentile(99),
        dict(sorted(score.faults.items())),
        dict(score.usage),
    )


def _pair(meeting: Meeting, names: Sequence[str]) -> Pair:
    one, other = (names[bot] for bot in meeting.bots)
    differences = meeting.differences
    interval = differences.within(-1.0, 1.0)
    return Pair(
        (one, other),
        meeting.games,
        differences.count,
        (meeting.wins[0], meeting.wins[1]),
        (meeting.rates[0].mean, meeting.rates[1].mean),
        (meeting.rates[0].within(0.0, 1.0), meeting.rates[1].within(0.0, 1.0)),
        differences.mean,
        interval,
        meeting.points.mean,
        meeting.points.interval(),
        (one if differences.mean > 0 else other) if told_apart(interval) else None,
        more_games(differences, meeting.games // differences.count),
    )
