"""Worlds: the mine layouts that complete a position, all of them or a fair sample.

A world is an int with one bit per mined cell. The worlds of a position are ranked from 0, and the world of a rank can
be computed without the others.

Allocations are the ways to distribute a component's mines over its groups of cells. Work is counted, so that a
position costs the same on every machine.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations
from math import comb, prod

import attrs

from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.frontier import Component, ComponentShape
from parlour_games.minesweeper.inference import Odds

WORK = 2_000
"""The work that costs one more reading."""


def readings(odds: Odds) -> int:
    """Return the cost of reading a position, where an ordinary one costs 1.

    Cached parts count in full.
    """
    return 1 + odds.work // WORK


class OutOfWork(Exception):
    """A search has exceeded its budget."""


@attrs.define
class WorkBudget:
    """The remaining work of a search."""

    left: int

    def take(self, work: int) -> None:
        """Use up ``work``. Raises OutOfWork if that was not left."""
        self.left -= work
        if self.left < 0:
            raise OutOfWork


def allocations(shape: ComponentShape) -> Iterator[list[int]]:
    """Yield the number of mines per group for each allocation that satisfies the numbers."""
    needs = list(shape.needs)
    room = [0] * len(needs)
    for size, touching in zip(shape.sizes, shape.touching, strict=True):
        for number in touching:
            room[number] += size
    placed = [0] * len(shape.sizes)

    def place(group: int) -> Iterator[list[int]]:
        if group == len(placed):
            yield placed
            return
        size, touching = shape.sizes[group], shape.touching[group]
        for number in touching:
            room[number] -= size
        low = max(0, max(needs[number] - room[number] for number in touching))
        high = min(size, min(needs[number] for number in touching))
        for mines in range(low, high + 1):
            for number in touching:
                needs[number] -= mines
            placed[group] = mines
            yield from place(group + 1)
            for number in touching:
                needs[number] += mines
        for number in touching:
            room[number] += size

    return place(0)


ALLOCATIONS = 4_000
"""The most allocations of a component's mines to its groups."""
GOLDEN_BITS = 192
GOLDEN = 0x9E3779B97F4A7C15F39CC0605CEDC8341082276BF3A27251
"""The fractional part of the golden ratio, times 2 ** GOLDEN_BITS."""


def worlds(odds: Odds, most: int) -> list[int]:
    """Return the completions of ``odds``, or a sample of about ``most`` if there are more.

    The sample is fair and the same for the same position: its ranks are spaced evenly by the golden ratio. Mines that a
    single number determines are left out. Raises TooLarge if a component has more than ALLOCATIONS allocations.
    """
    ranked = _Ranked(odds)
    if ranked.count <= most:
        return [ranked.world(rank) for rank in range(ranked.count)]
    mask = (1 << GOLDEN_BITS) - 1
    ranks = [(index * GOLDEN & mask) * ranked.count >> GOLDEN_BITS for index in range(most)]
    return [ranked.world(rank) for rank in sorted(set(ranks))]


class _Ranked:
    """The worlds of a position in a fixed order."""

    def __init__(self, odds: Odds) -> None:
        self.parts = [_Part(part, odds.left) for part in odds.parts]
        self.spare = [1 << cell for cell in odds.spare]
        self.left = odds.left
        self._ways: dict[tuple[int, int], int] = {}
        self.count = self._completions(0, odds.left)
        """The number of worlds."""

    def world(self, rank: int) -> int:
        left, world = self.left, 0
        for index, part in enumerate(self.parts):
            for mines, ends in part.ends.items():
                ways = ends[-1] * self._completions(index + 1, left - mines)
                if rank < ways:
                    break
                rank -= ways
            rank, own = divmod(rank, ends[-1])
            world |= part.placement(mines, own)
            left -= mines
        return world | _chosen(self.spare, left, rank)

    def _completions(self, first: int, left: int) -> int:
        """Return the number of ways to place ``left`` mines in the parts from ``first`` on and the spare cells."""
        if left < 0:
            return 0
        if first == len(self.parts):
            return comb(len(self.spare), left)
        ways = self._ways.get((first, left))
        if ways is None:
            ends = self.parts[first].ends
            ways = sum(ends[mines][-1] * self._completions(first + 1, left - mines) for mines in ends)
            self._ways[first, left] = ways
        return ways


class _Part:
    """The placements of one component, ordered within each number of mines."""

    def __init__(self, part: Component, left: int) -> None:
        """List the allocations of at most ``left`` mines. Raises TooLarge."""
        self.choices: dict[int, list[list[list[int]]]] = {}
        """For each number of mines, its allocations: the possible placements in each group with mines."""
        by_group = [_choices(group) for group in part.groups]
        for number, placed in enumerate(allocations(part.shape)):
            if number >= ALLOCATIONS:
                raise TooLarge(f"the mines of a component have more than {ALLOCATIONS} allocations")
            if (mines := sum(placed)) <= left:
                lists = [by_group[group][inside] for group, inside in enumerate(placed) if inside]
                self.choices.setdefault(mines, []).append(lists)
        self.ends = {
            mines: list(accumulate(prod(map(len, lists)) for lists in listed)) for mines, listed in self.choices.items()
        }
        """For each number of mines, the cumulative number of placements by allocation."""

    def placement(self, mines: int, rank: int) -> int:
        ends = self.ends[mines]
        index = bisect_right(ends, rank)
        rank -= ends[index - 1] if index else 0
        placed = 0
        for choice in self.choices[mines][index]:
            rank, chosen = divmod(rank, len(choice))
            placed |= choice[chosen]
        return placed


def _choices(cells: Sequence[int]) -> list[list[int]]:
    """Return for each number of mines in these cells the possible placements."""
    placed = (combinations(cells, mines) for mines in range(len(cells) + 1))
    return [[sum(1 << cell for cell in chosen) for chosen in each] for each in placed]


def _chosen(bits: list[int], count: int, rank: int) -> int:
    """Return the union of ``count`` of the ``bits``: the combination with this rank."""
    chosen, ways = 0, comb(len(bits), count)
    for left, bit in zip(range(len(bits), 0, -1), bits, strict=True):
        if not count:
            break
        inside = ways * count // left
        if rank < inside:
            chosen |= bit
            count -= 1
            ways = inside
        else:
            rank -= inside
            ways -= inside
    return chosen
