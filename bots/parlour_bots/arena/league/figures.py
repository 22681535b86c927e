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

    def row(self, name: str, rating: RatingInterval) -> "Row":
        """Return the figures of the bot."""
        times = self.times
        return Row(
            name,
            self.games,
            self.seats,
            self.wins,
            self.rates.mean,
            self.rates.within(0.0, 1.0),
            self.total,
            self.points.mean,
            self.points.interval(),
            rating.value,
            rating.interval,
            times.mean,
            times.percentile(50),
            times.percentile(99),
            dict(sorted(self.faults.items())),
            dict(self.usage),
        )


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

    def pair(self, names: Sequence[str]) -> "Pair":
        """Return the figures of the two bots."""
        one, other = (names[bot] for bot in self.bots)
        differences, (rate, other_rate) = self.differences, self.rates
        interval = differences.within(-1.0, 1.0)
        better = (one if differences.mean > 0 else other) if told_apart(interval) else None
        return Pair(
            (one, other),
            self.games,
            differences.count,
            (self.wins[0], self.wins[1]),
            (rate.mean, other_rate.mean),
            (rate.within(0.0, 1.0), other_rate.within(0.0, 1.0)),
            differences.mean,
            interval,
            self.points.mean,
            self.points.interval(),
            better,
            None if better else more_games(differences, self.games // differences.count),
        )


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

    def rows(self, names: Sequence[str]) -> list["Row"]:
        """Return a row per bot, in the given order."""
        found = ratings(self.schedule.lineups, self._wins)
        return [score.row(name, rating) for name, score, rating in zip(names, self.scores, found, strict=True)]

    def pairs(self, names: Sequence[str]) -> list["Pair"]:
        """Return each pair of bots that met in a game."""
        return [meeting.pair(names) for meeting in self.meetings.values()]

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
    """The figures of a bot, by their names in JSON. Times are milliseconds, None without answers."""

    name: str
    games: int
    seats: int
    wins: float
    win_rate: float
    """Per seat."""
    ci95: Interval
    """Of the win rate."""
    points: int
    points_per_game: float
    points_ci95: Interval | None
    rating: float
    rating_ci95: Interval
    ms_mean: float | None
    ms_p50: float | None
    ms_p99: float | None
    fault_kinds: dict[str, int]
    usage: dict[str, int]
    """The use of a language model; empty for other bots."""

    def plain(self) -> Plain:
        """Return the row as plain data."""
        plain = attrs.asdict(self, filter=attrs.filters.exclude("usage"))
        usage = {"usage": shares(self.usage)} if self.usage else {}
        return {**plain, "faults": sum(self.fault_kinds.values()), **usage}


@attrs.frozen
class Pair:
    """The figures of two bots in their common games, by their names in JSON. Rates are per seat."""

    bots: tuple[str, str]
    games: int
    deals: int
    wins: tuple[float, float]
    win_rates: tuple[float, float]
    win_rates_ci95: tuple[Interval, Interval]
    difference: float
    ci95: Interval
    """Of the difference."""
    points_difference: float
    points_ci95: Interval | None
    better: str | None
    """The better of the two; None if the interval contains 0."""
    more_games: int | None
    """The further games needed to confirm the difference, roughly; None if it is confirmed, or if over ten million."""

    def plain(self) -> Plain:
        """Return the pair as plain data."""
        return {**attrs.asdict(self), "verdict": self.verdict}

    @property
    def verdict(self) -> str:
        """Return the verdict in words."""
        if self.better:
            return f"{self.better} is better"
        more = f"about {self.more_games:,}" if self.more_games else "over ten million"
        return f"not yet distinguishable: {more} more games"
