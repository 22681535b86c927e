"""Who meets whom in a contest: round robin, or Swiss. Entrants are numbers from 0, a table a tuple of them by seat."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]
"""One game: the entrants in the order of their seats."""
MOST_TABLES = 20_000
"""How many games a contest has at most."""


def round_robin(entrants: int, players: int, games: int) -> list[Table]:
    """Return the tables at which every ``players`` of the entrants meet ``games`` times, the seats rotating.

    Two at a table are paired by the circle method, so that everybody is busy all the time.
    """
    groups = _circle(entrants) if players == 2 else list(combinations(range(entrants), players))
    return [_rotated(group, game) for game in range(games) for group in groups]


def swiss_round(standing: Sequence[int], met: set[tuple[int, int]], byes: set[int], players: int) -> list[Table]:
    """Return the tables of the next round: entrants who stand equally well meet, if they can for the first time.

    ``standing``: all entrants, best first. ``met``: pairs (smaller first) that have met. With an odd one out, the
    lowest who has had no bye sits alone: a bye.
    """
    left = list(standing)
    tables: list[Table] = []
    spare = len(left) % players
    if spare == 1:
        bye = next((entrant for entrant in reversed(left) if entrant not in byes), left[-1])
        left.remove(bye)
        tables.append((bye,))
    while left:
        tables.append(_table(left, met, min(players, len(left))))
    return tables


def pairs(table: Table) -> set[tuple[int, int]]:
    """Return the pairs that meet at ``table``, the smaller first."""
    return set(combinations(sorted(table), 2))


def _table(left: list[int], met: set[tuple[int, int]], size: int) -> Table:
    """Take the best of ``left`` and those next to it whom it has not met, as far as there are any."""
    group = [left.pop(0)]
    while len(group) < size:
        fresh = (entrant for entrant in left if not any(tuple(sorted((entrant, other))) in met for other in group))
        chosen = next(fresh, left[0])
        left.remove(chosen)
        group.append(chosen)
    return tuple(group)


def _circle(entrants: int) -> list[Table]:
    """Return all pairs, round by round: one stays, the others go around."""
    ring = [*range(entrants), *([-1] if entrants % 2 else [])]
    found: list[Table] = []
    for number in range(len(ring) - 1):
        half = [(ring[i], ring[-1 - i]) for i in range(len(ring) // 2)]
        found += [(b, a) if number % 2 else (a, b) for a, b in half if -1 not in (a, b)]
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


def _rotated(group: Table, by: int) -> Table:
    by %= len(group)
    return group[by:] + group[:by]
