"""Results of pairings, and what they come to for each entrant."""

import json
from collections.abc import Iterable

import attrs

from parlour_server.contests.pairing import Pairing

_ALWAYS = ("ranks", "scores")


@attrs.frozen
class Result:
    """The result of a pairing, by seat. Without ranks there is no winner.

    ``forfeits``: the seats that forfeited. ``faults``: how often the clock of each ran out. ``dropped``: the seats of
    entrants that were dropped from the contest.
    """

    ranks: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Result":
        """Return the result that was stored."""
        return cls(**{name: tuple(seats) for name, seats in json.loads(text).items()})

    def text(self) -> str:
        """Return it as it is stored."""
        return json.dumps(attrs.asdict(self, filter=lambda field, value: bool(value) or field.name in _ALWAYS))

    def won(self, seat: int) -> bool:
        """Whether ``seat`` won: it is the only first; after forfeits, the only best of those that did not forfeit."""
        there = [rank for each, rank in enumerate(self.ranks) if each not in self.forfeits]
        if not there or seat in self.forfeits:
            return False
        best = min(there) if self.forfeits else 1
        return self.ranks[seat] == best and there.count(best) == 1

    def counts(self, seat: int) -> bool:
        """Whether this counts as a game of the entrant at ``seat``."""
        return bool(self.ranks) or seat in self.forfeits

    @property
    def void(self) -> bool:
        """Whether it counts for no entrant."""
        return not self.ranks and not self.forfeits


BYE = Result((1,), (0,))
"""The result of an entrant without an opponent."""


@attrs.define
class Record:
    """The games of an entrant that count, its wins and points, and what it failed to do."""

    games: int = 0
    wins: int = 0
    points: int = 0
    forfeits: int = 0
    faults: int = 0

    @property
    def merit(self) -> tuple[float, float]:
        """Return the share of games won, and the points a game."""
        games = self.games or 1
        return self.wins / games, self.points / games


class Standing:
    """The records of some entrants. Those who come first in ``entrants`` come first among equals."""

    def __init__(self, entrants: Iterable[int]) -> None:
        self.records = {entrant: Record() for entrant in entrants}

    def add(self, pairing: Pairing, result: Result) -> None:
        """Count the result of a pairing. Its entrants must be among these."""
        for seat, entrant in enumerate(pairing):
            record = self.records[entrant]
            record.games += result.counts(seat)
            record.wins += result.won(seat)
            record.points += result.scores[seat] if result.scores else 0
            record.forfeits += seat in result.forfeits
            record.faults += result.faults[seat] if result.faults else 0

    def order(self) -> list[int]:
        """Return the entrants, best first: by the share of games won (a bye is a win), then by points a game."""
        return sorted(self.records, key=lambda entrant: self.records[entrant].merit, reverse=True)
