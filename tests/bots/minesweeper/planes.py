"""What cells show in worlds, drawn by lot, and how many of the worlds can be won, by trying everything."""

from functools import cache
from random import Random

from parlour_bots.minesweeper.playout import Cell

Shows = tuple[int | None, ...]
"""What a cell shows in each world; None where it is a mine."""


def drawn(rng: Random, worlds: int = 24, cells: int = 8) -> tuple[tuple[Shows, ...], list[Cell]]:
    """Return what cells show in that many worlds, in both ways to write it; the safest cell comes first.

    No cell is a mine in all of them.
    """
    shows: list[Shows] = [(1, *[rng.choice([None, None, 1, 2]) for _ in range(worlds - 1)]) for _ in range(cells)]
    shows.sort(key=lambda shown: shown.count(None))
    return tuple(shows), [_cell(place, shown) for place, shown in enumerate(shows)]


def _cell(place: int, shown: Shows) -> Cell:
    where = {number: sum(1 << world for world, value in enumerate(shown) if value == number) for number in (None, 1, 2)}
    return place, where.pop(None), [worlds for worlds in where.values() if worlds]


def parts(shown: Shows, worlds: frozenset[int]) -> list[frozenset[int]]:
    """Return the worlds in which a cell is safe, by what it shows."""
    safe = {number for world in worlds if (number := shown[world]) is not None}
    return [frozenset(world for world in worlds if shown[world] == number) for number in sorted(safe)]


@cache
def perfectly(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many of the worlds perfect play wins."""
    most = 1
    for shown in shows:
        if len(told := parts(shown, worlds)) > 1:
            most = max(most, sum(perfectly(shows, part) for part in told))
    return most


@cache
def simply(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many are won by whoever opens the safest cell that tells something."""
    telling = [told for shown in shows if len(told := parts(shown, worlds)) > 1]
    if not telling:
        return 1
    return sum(simply(shows, part) for part in max(telling, key=lambda told: sum(map(len, told))))


def improved(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many ``simply`` wins once the best cell is opened, after those that are safe and tell something."""
    telling = [told for shown in shows if len(told := parts(shown, worlds)) > 1]
    for told in telling:
        if sum(map(len, told)) == len(worlds):
            return sum(improved(shows, part) for part in told)
    return max((sum(simply(shows, part) for part in told) for told in telling), default=1)


def union(worlds: int) -> frozenset[int]:
    """Return the worlds of an int as ``drawn`` numbers them."""
    return frozenset(index for index in range(worlds.bit_length()) if worlds >> index & 1)
