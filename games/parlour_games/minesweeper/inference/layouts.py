"""Name one completion of a position by its number, without listing them.

The undecided cells are put in order: component by component, ascending in each, then the spare cells, ascending. The
completions are sorted with mines before safe cells, and numbered from 0. Numbering needs exact counts only: how many
completions of the cells decided so far have a mine in the next cell?
"""

from collections.abc import Sequence
from math import comb

from parlour_games.minesweeper.inference.combining import lowered, product, spare_ways
from parlour_games.minesweeper.inference.component import UNLIMITED, Count, count
from parlour_games.minesweeper.inference.errors import Impossible
from parlour_games.minesweeper.inference.frontier import Component, Shape, connected


def layout(
    parts: Sequence[Component], counts: Sequence[Count], spare: Sequence[int], left: int, rank: int
) -> list[int]:
    """Return the mines among the undecided cells in completion ``rank``; ``left`` is their number."""
    ahead = [spare_ways(counts, len(spare), left)]
    for each in reversed(counts):
        ahead.append(lowered(each.ways, ahead[-1]))
    mines: list[int] = []
    extra = 0
    for part, each, weight in zip(parts, counts, ahead[-2::-1], strict=True):
        placed, rank = _placed(part, each.least, weight[extra:], rank)
        extra += len(placed) - each.least
        mines += placed
    return mines + _chosen(spare, left - len(mines), rank)


def _placed(part: Component, least: int, weight: Sequence[int], rank: int) -> tuple[list[int], int]:
    """Return the mines of a component, and the rank among the completions that have them.

    ``weight[i]`` is the number of completions of what comes after it if it has ``least + i`` mines.
    """
    needs, sizes, touching = list(part.shape.needs), list(part.shape.sizes), part.shape.touching
    mines: list[int] = []
    for cell, group in sorted((cell, group) for group, cells in enumerate(part.groups) for cell in cells):
        sizes[group] -= 1
        lower = [need - (number in touching[group]) for number, need in enumerate(needs)]
        fewest, ways = _ways(lower, sizes, touching)
        first = len(mines) + 1 + fewest - least
        under = sum(way * weight[first + more] for more, way in enumerate(ways))
        if rank < under:
            mines.append(cell)
            needs = lower
        else:
            rank -= under
    return mines, rank


def _ways(needs: list[int], sizes: list[int], touching: tuple[tuple[int, ...], ...]) -> tuple[int, list[int]]:
    """Return the minimum number of mines that the groups may have, and the number of placements from there on."""
    groups = [(touching[group], [group]) for group, size in enumerate(sizes) if size]
    of_number: dict[int, list[int]] = {}
    for index, (numbers, _) in enumerate(groups):
        for number in numbers:
            of_number.setdefault(number, []).append(index)
    if any(need and (need < 0 or number not in of_number) for number, need in enumerate(needs)):
        return 0, []
    least, ways = 0, [1]
    try:
        for members in connected(groups, of_number):
            fewest, more = _counted(needs, sizes, [(groups[member][0], groups[member][1][0]) for member in members])
            least, ways = least + fewest, product(ways, more)
    except Impossible:
        return 0, []
    return least, ways


def _counted(needs: list[int], sizes: list[int], groups: list[tuple[tuple[int, ...], int]]) -> tuple[int, list[int]]:
    """Return what ``_ways`` does for connected groups, given as their numbers and their index. Raises Impossible."""
    index = {number: place for place, number in enumerate(sorted({n for numbers, _ in groups for n in numbers}))}
    shape = Shape(
        tuple([needs[number] for number in index]),
        tuple([sizes[group] for _, group in groups]),
        tuple([tuple([index[number] for number in numbers]) for numbers, _ in groups]),
    )
    found = count(shape, UNLIMITED)
    return found.least, found.ways


def _chosen(cells: Sequence[int], mines: int, rank: int) -> list[int]:
    """Return choice ``rank`` of ``mines`` cells."""
    found: list[int] = []
    for place, cell in enumerate(cells, start=1):
        under = comb(len(cells) - place, mines - 1) if mines else 0
        if rank < under:
            found.append(cell)
            mines -= 1
        else:
            rank -= under
    return found
