"""The standings of a contest: totals per bot and per pair of bots.

Only complete deals count, which every line-up has played from every seat. Rates are per seat: if three of four equal
players are the same bot, it wins 75 per cent of the games, but 25 per seat.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import attrs

from parlour_bots.arena.engine.timings import Times
from parlour_bots.arena.league.game import Outcome
from parlour_bots.arena.league.schedule import Schedule
from parlour_games.statistics import Deals, Rating, Wins, ratings


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
class Standings:
    """The standings after some deals. ``add`` takes the games in order."""

    schedule: Schedule
    scores: list[Score] = attrs.field(init=False)
    meetings: dict[tuple[int, int], Meeting] = attrs.field(init=False)
    deals: int = attrs.field(init=False, default=0)
    stopped: int = attrs.field(init=False, default=0)
    """Games that were stopped."""
    _wins: Wins = attrs.field(init=False)
    _open: list[Outcome] = attrs.field(init=False, factory=list)
    """The games of the incomplete deal."""

    def __attrs_post_init__(self) -> None:
        self.scores = [Score() for _ in range(self.schedule.bots)]
        tables = map(frozenset, self.schedule.lineups)
        pairs = sorted({pair for table in tables for pair in combinations(sorted(table), 2)})
        self.meetings = {pair: Meeting(pair) for pair in pairs}
        self._wins = Wins.none(self.schedule.bots)

    def add(self, outcome: Outcome) -> None:
        """Add a game; it counts when its deal is complete."""
        self._open.append(outcome)
        if len(self._open) == self.schedule.a_deal:
            self._count(self._open)
            self._open = []

    def ratings(self) -> list[Rating]:
        """Return the rating of each bot."""
        return ratings(self.schedule.lineups, self._wins)

    def _count(self, games: Sequence[Outcome]) -> None:
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

    def _note(self, game: Outcome) -> None:
        """Count the times and faults of a game."""
        for bot, times, faults in zip(game.seats, game.times, game.faults, strict=True):
            self.scores[bot].times.add(Times.read(times))
            self.scores[bot].faults.update(faults)
        for bot, usage in zip(game.seats, game.usage, strict=False):
            self.scores[bot].usage.update(usage)


def _sums(games: Iterable[Outcome], bot: int) -> tuple[float, int, int]:
    """Return the wins, points and seats of a bot in these games."""
    seats = [(game, seat) for game in games for seat, other in enumerate(game.seats) if other == bot]
    return sum(game.share(seat) for game, seat in seats), sum(game.points[seat] for game, seat in seats), len(seats)


def _meet(meeting: Meeting, games: Sequence[Outcome]) -> None:
    one, other = (_sums(games, bot) for bot in meeting.bots)
    meeting.games += len(games)
    rates = [won / seats for won, _, seats in (one, other)]
    for number, (won, rate) in enumerate(zip((one[0], other[0]), rates, strict=True)):
        meeting.wins[number] += won
        meeting.rates[number].add(rate)
    meeting.differences.add(rates[0] - rates[1])
    meeting.points.add(one[1] / one[2] - other[1] / other[2])
