"""Pairing: who meets whom in a round robin, or in a round of a Swiss contest. Entrants are numbers from 0."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

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
