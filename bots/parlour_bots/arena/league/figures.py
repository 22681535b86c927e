"""The standings of a contest, and its unrounded figures, each with its confidence interval.

Only complete deals count, which every line-up has played from every seat. Rates are per seat: if three of four equal
players are the same bot, it wins 75 per cent of the games, but 25 per seat.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import attrs

from parlour_bots.arena.league.game import LeagueOutcome, Schedule
from parlour_bots.arena.measures import Times, shares
from parlour_games.statistics import Deals, Interval, RatingInterval, Wins, more_games, ratings, told_apart
from parlour_protocol.messages import Plain


@attrs.define
class Score:
    """The totals of one bot: wins per deal and seat, points, times and faults."""

    games: int = 0
    seats: int = 0
    wins: float = 0.0
    total: int = 0
    """The points of all games."""
    rates: Deals = attrs.field(factory=Deals)
    points: Deals = attrs.field(factory=Deals)
    """Per game and seat."""
    times: Times = attrs.field(factory=Times)
    faults: Counter[str] = attrs.field(factory=Counter)
    usage: Counter[str] = attrs.field(factory=Counter)


@attrs.define
class Meeting:
    """The common games of two bots: the wins of each per seat, and their difference."""

    bots: tuple[int, int]
    games: int = 0
    wins: list[float] = attrs.field(factory=lambda: [0.0, 0.0])
    rates: tuple[Deals, Deals] = attrs.field(factory=lambda: (Deals(), Deals()))
    differences: Deals = attrs.field(factory=Deals)
    points: Deals = attrs.field(factory=Deals)
    """The lead of the first bot in points per game and seat."""


@attrs.define
class LeagueStandings:
    """The standings after some deals. ``add`` takes the games in order."""

    schedule: Schedule
    scores: list[Score] = attrs.field(init=False)
    meetings: dict[tuple[int, int], Meeting] = attrs.field(init=False)
    deals: int = attrs.field(init=False, default=0)
    stopped: int = attrs.field(init=False, default=0)
    """Games that were stopped."""
    _wins: Wins = attrs.field(init=False)
    _open: list[LeagueOutcome] = attrs.field(init=False, factory=list)
    """The games of the incomplete deal."""

    def __attrs_post_init__(self) -> None:
        self.scores = [Score() for _ in range(self.schedule.bots)]
        tables = map(frozenset, self.schedule.lineups)
        pairs = sorted({pair for table in tables for pair in combinations(sorted(table), 2)})
        self.meetings = {pair: Meeting(pair) for pair in pairs}
        self._wins = Wins.none(self.schedule.bots)

    def add(self, outcome: LeagueOutcome) -> None:
        """Add a game; it counts when its deal is complete."""
        self._open.append(outcome)
        if len(self._open) == self.schedule.a_deal:
            self._count(self._open)
            self._open = []

    def ratings(self) -> list[RatingInterval]:
        """Return the rating of each bot."""
        return ratings(self.schedule.lineups, self._wins)

    def _count(self, games: Sequence[LeagueOutcome]) -> None:
        self.deals += 1
        self.stopped += sum(game.stopped for game in games)
        for bot, score in enumerate(self.scores):
            mine = [game for game in games if bot in game.seats]
            won, points, seats = _sums(mine, bot)
            score.games += len(mine)
            score.seats += seats
            score.wins += won
            score.total += points
            score.rates.add(won / seats)
            score.points.add(points / seats)
        self._wins.add([_sums(games, bot)[0] for bot in range(len(self.scores))])
        for pair, meeting in self.meetings.items():
            _meet(meeting, [game for game in games if {*pair} <= {*game.seats}])
        for game in games:
            self._note(game)

    def _note(self, game: LeagueOutcome) -> None:
        """Count the times and faults of a game."""
        for bot, times, faults in zip(game.seats, game.times, game.faults, strict=True):
            self.scores[bot].times.add(Times.read(times))
            self.scores[bot].faults.update(faults)
        for bot, usage in zip(game.seats, game.usage, strict=False):
            self.scores[bot].usage.update(usage)


def _sums(games: Iterable[LeagueOutcome], bot: int) -> tuple[float, int, int]:
    """Return the wins, points and seats of a bot in these games."""
    seats = [(game, seat) for game in games for seat, other in enumerate(game.seats) if other == bot]
    return sum(game.share(seat) for game, seat in seats), sum(game.points[seat] for game, seat in seats), len(seats)


def _meet(meeting: Meeting, games: Sequence[LeagueOutcome]) -> None:
    one, other = (_sums(games, bot) for bot in meeting.bots)
    meeting.games += len(games)
    rates = [won / seats for won, _, seats in (one, other)]
    for number, (won, rate) in enumerate(zip((one[0], other[0]), rates, strict=True)):
        meeting.wins[number] += won
        meeting.rates[number].add(rate)
    meeting.differences.add(rates[0] - rates[1])
    meeting.points.add(one[1] / one[2] - other[1] / other[2])


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
    rating: RatingInterval
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


def rows(standings: LeagueStandings, names: Sequence[str]) -> list[Row]:
    """Return a row per bot, in the given order."""
    return [
        _row(name, score, rating)
        for name, score, rating in zip(names, standings.scores, standings.ratings(), strict=True)
    ]


def pairs(standings: LeagueStandings, names: Sequence[str]) -> list[Pair]:
    """Return each pair of bots that met in a game."""
    return [_pair(meeting, names) for meeting in standings.meetings.values()]


def _row(name: str, score: Score, rating: RatingInterval) -> Row:
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
