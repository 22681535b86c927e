"""Pairing: who meets whom in a round robin, or in a round of a Swiss contest; the results and what they come to.

Entrants are numbers from 0.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

import attrs

Pairing: TypeAlias = tuple[int, ...]
"""One game: the entrants in the order of their seats."""
MOST_PAIRINGS = 20_000
"""The largest number of games in a contest."""


def round_robin(entrants: int, players: int, games: int) -> list[Pairing]:
    """Return the pairings in which every ``players`` of the entrants meet ``games`` times, the seats rotating.

    Pairings of two follow the circle method, which keeps all entrants busy.
    """
    groups = _circle(entrants) if players == 2 else list(combinations(range(entrants), players))
    return [rotated(group, game) for game in range(games) for group in groups]


def swiss_round(standing: Sequence[int], met: set[tuple[int, int]], byes: set[int], players: int) -> list[Pairing]:
    """Return the pairings of the next round: entrants who stand equally well meet, preferably for the first time.

    ``standing``: all entrants, best first. ``met``: pairs (smaller first) that have met. With an odd one out, the
    lowest who has had no bye is paired alone: a bye.
    """
    left = list(standing)
    pairings: list[Pairing] = []
    spare = len(left) % players
    if spare == 1:
        bye = next((entrant for entrant in reversed(left) if entrant not in byes), left[-1])
        left.remove(bye)
        pairings.append((bye,))
    while left:
        pairings.append(_group(left, met, min(players, len(left))))
    return pairings


def pairs(pairing: Pairing) -> set[tuple[int, int]]:
    """Return the pairs that meet in a pairing, the smaller first."""
    return set(combinations(sorted(pairing), 2))


def _group(left: list[int], met: set[tuple[int, int]], size: int) -> Pairing:
    """Take the best of ``left`` and those next to it whom it has not met, as far as there are any."""
    group = [left.pop(0)]
    while len(group) < size:
        fresh = (entrant for entrant in left if not any(tuple(sorted((entrant, other))) in met for other in group))
        chosen = next(fresh, left[0])
        left.remove(chosen)
        group.append(chosen)
    return tuple(group)


def _circle(entrants: int) -> list[Pairing]:
    """Return all pairs, round by round: one stays, the others go around."""
    ring = [*range(entrants), *([-1] if entrants % 2 else [])]
    found: list[Pairing] = []
    for number in range(len(ring) - 1):
        half = [(ring[i], ring[-1 - i]) for i in range(len(ring) // 2)]
        found += [(b, a) if number % 2 else (a, b) for a, b in half if -1 not in (a, b)]
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


def rotated(group: Pairing, by: int) -> Pairing:
    """Return a group with its seats moved on ``by`` times."""
    by %= len(group)
    return group[by:] + group[:by]


_ALWAYS = ("ranks", "scores")


@attrs.frozen
class PairingResult:
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
    def read(cls, text: str) -> "PairingResult":
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


BYE = PairingResult((1,), (0,))
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

    def add(self, pairing: Pairing, result: PairingResult) -> None:
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
