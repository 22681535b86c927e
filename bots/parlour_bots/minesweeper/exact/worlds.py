"""Worlds: the completions of a position one by one, while they are few.

A world is one int with a bit for each cell that is a mine. Sets of worlds are ints too, with a bit for each world.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from parlour_games.minesweeper.inference import Odds
from parlour_games.minesweeper.inference.frontier import Component, Shape

Outcomes = dict[int, dict[int, int]]
"""For each undecided cell and each number it can show: the set of worlds in which it does."""


def worlds(odds: Odds) -> list[int]:
    """Return the completions of ``odds``, without the mines that single numbers have found."""
    found: dict[int, list[int]] = {0: [0]}
    for part in odds.parts:
        by_mines = _placements(part)
        after: dict[int, list[int]] = {}
        for mines, before in found.items():
            for more, placements in by_mines.items():
                if mines + more <= odds.left:
                    combined = after.setdefault(mines + more, [])
                    combined += [world | placement for world in before for placement in placements]
        found = after
    return [
        world | spare
        for mines, before in found.items()
        if 0 <= odds.left - mines <= len(odds.spare)
        for spare in _spare(odds.spare, odds.left - mines)
        for world in before
    ]


def outcomes(cells: Sequence[int], around: Sequence[Sequence[int]], found: Sequence[int]) -> Outcomes:
    """Return what each of these cells shows in which of the worlds; mines outside the worlds are not counted."""
    shown: Outcomes = {}
    for cell in cells:
        near, bit = sum(1 << other for other in around[cell]), 1 << cell
        by_number: dict[int, int] = {}
        for index, world in enumerate(found):
            if not world & bit:
                number = (near & world).bit_count()
                by_number[number] = by_number.get(number, 0) | 1 << index
        shown[cell] = by_number
    return shown


def _spare(cells: Sequence[int], mines: int) -> list[int]:
    return [sum(1 << cell for cell in chosen) for chosen in combinations(cells, mines)]


def _placements(part: Component) -> dict[int, list[int]]:
    """Return the placements of a component by their number of mines."""
    choices = [
        [
            [sum(1 << cell for cell in chosen) for chosen in combinations(group, mines)]
            for mines in range(len(group) + 1)
        ]
        for group in part.groups
    ]
    found: dict[int, list[int]] = {}
    for placed in _spread(part.shape):
        combined = [0]
        for group, mines in enumerate(placed):
            if mines:
                combined = [world | more for world in combined for more in choices[group][mines]]
        found.setdefault(sum(placed), []).extend(combined)
    return found


def _spread(shape: Shape) -> Iterator[list[int]]:
    """Yield for each way to serve the needs how many mines each group has."""
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
