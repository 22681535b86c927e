"""Count the completions of a position, and name one of them by its number, without listing them.

``rest_weights`` and ``weights`` distribute the mines among the components and the spare cells, which touch no number.
Their input is the number of placements of each component, by its number of mines, and weights for the mines left to the
spare cells. The output is, for each component and each number of mines in it, the weight of all completions of the
rest. The functions work on exact ints and on floats.

The undecided cells are put in order: component by component, ascending in each, then the spare cells, ascending. The
completions are sorted with mines before safe cells, and numbered from 0. Numbering needs exact counts only: how many
completions of the cells decided so far have a mine in the next cell?
"""

from collections.abc import Sequence
from math import comb, lgamma, log
from typing import TypeVar

from parlour_games.minesweeper.component import UNLIMITED, Count, count_placements
from parlour_games.minesweeper.constraints import Impossible
from parlour_games.minesweeper.frontier import Component, ComponentShape, connected

Number = TypeVar("Number", int, float)


def rest_weights(polynomials: Sequence[Sequence[Number]], spare: Sequence[Number]) -> list[list[Number]]:
    """Return for each number of polynomials that are left out, from the first on, the weights of the others.

    ``spare[t]`` is the weight of a choice of terms whose indices add up to t. Its length is the largest sum plus one.
    ``found[n][t]`` is that of all choices for the polynomials from n on, where the indices of those before add up to t.
    """
    found = [list(spare)]
    for polynomial in reversed(polynomials):
        found.append(lowered(polynomial, found[-1]))
    return found[::-1]


def weights(polynomials: Sequence[Sequence[Number]], rest: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Return the weight of each term of each polynomial; ``rest`` is what ``rest_weights`` returns."""
    behind: list[Number] = [1]
    found = []
    for polynomial, weight in zip(polynomials, rest[1:], strict=True):
        found.append(lowered(behind, weight))
        behind = product(behind, polynomial)
    return found


def spare_ways(counts: Sequence[Count], cells: int, mines: int) -> list[int]:
    """Return the numbers of ways to place the remaining mines on the spare cells.

    The index is the number of mines that the components have above their minimum. ``cells`` is the number of spare
    cells, ``mines`` that of all undecided mines.
    """
    left = mines - sum([count.least for count in counts])
    ways = [0] * reach(counts)
    first, last = max(left - cells, 0), min(left, len(ways) - 1)
    if first <= last:
        ways[first] = comb(cells, left - first)
    for more in range(first + 1, last + 1):
        inside = left - more + 1
        ways[more] = ways[more - 1] * inside // (cells - inside + 1)
    return ways


def spare_odds(counts: Sequence[Count], cells: int, mines: int, tilt: float) -> tuple[list[float], float]:
    """Return floats proportional to ``spare_ways[i] / tilt**i``, and the logarithm of the factor between them.

    With a tilt near the ratio of mines to safe cells among the spare cells, all values stay in the range of floats.
    """
    left = mines - sum([count.least for count in counts])
    size = reach(counts)
    first, last = max(left - cells, 0), min(left, size - 1)
    middle = (first + last) // 2
    odds = [0.0] * size
    odds[middle] = 1.0
    for more in range(middle + 1, last + 1):
        inside = left - more + 1
        odds[more] = odds[more - 1] * inside / (cells - inside + 1) / tilt
    for more in range(middle - 1, first - 1, -1):
        inside = left - more
        odds[more] = odds[more + 1] * (cells - inside + 1) / inside * tilt
    return odds, _log_comb(cells, left - middle) - middle * log(tilt)


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def reach(counts: Sequence[Count]) -> int:
    """Return the number of possible sums of the components' mines, gaps included."""
    return 1 + sum([len(count.ways) - 1 for count in counts])


def lowered(polynomial: Sequence[Number], weight: Sequence[Number]) -> list[Number]:
    """Return Σ_i polynomial[i] · weight[i + t] for each t for which ``weight`` has all terms."""
    size = len(weight) - len(polynomial) + 1
    found: list[Number] = [0] * size
    for index, factor in enumerate(polynomial):
        if factor:
            for t in range(size):
                found[t] += factor * weight[index + t]
    return found


def product(left: Sequence[Number], right: Sequence[Number]) -> list[Number]:
    """Return the product of two polynomials."""
    found: list[Number] = [0] * (len(left) + len(right) - 1)
    for index, factor in enumerate(right):
        if factor:
            for place, other in enumerate(left, index):
                found[place] += factor * other
    return found


def allowed(counts: Sequence[Count], cells: int, mines: int) -> tuple[set[int], list[list[int]]] | None:
    """Return the possible numbers of mines on the spare cells, and the possible indices of each component.

    The arguments are those of ``spare_ways``. Return None if nothing is possible.
    """
    left = mines - sum([count.least for count in counts])
    size = reach(counts)
    first, last = max(left - cells, 0), min(left, size - 1)
    if first == 0 and last == size - 1 and all(0 not in count.ways for count in counts):  # nothing limits, as usual
        return set(range(left - last, left + 1)), [list(range(len(count.ways))) for count in counts]
    ahead = [(1 << last + 1) - (1 << first) if first <= last else 0]
    for count in reversed(counts):
        ahead.append(_shifted(ahead[-1], count.possible, down=True))
    if not ahead[-1] & 1:
        return None
    behind = 1
    found = []
    for count, after in zip(counts, reversed(ahead[:-1]), strict=True):
        possible = _shifted(after, behind, down=True) & count.possible
        found.append([index for index in range(len(count.ways)) if possible >> index & 1])
        behind = _shifted(behind, count.possible, down=False)
    totals = behind & ahead[0]
    return {left - more for more in range(size) if totals >> more & 1}, found


def _shifted(bits: int, by: int, *, down: bool) -> int:
    """Return the union of ``bits`` shifted by the index of each bit that is set in ``by``."""
    found = place = 0
    while by >> place:
        if by >> place & 1:
            found |= bits >> place if down else bits << place
        place += 1
    return found


def layout(
    parts: Sequence[Component], counts: Sequence[Count], spare: Sequence[int], left: int, rank: int
) -> list[int]:
    """Return the mines among the undecided cells in completion ``rank``; ``left`` is their number."""
    rest = rest_weights([count.ways for count in counts], spare_ways(counts, len(spare), left))
    mines: list[int] = []
    extra = 0
    for part, each, weight in zip(parts, counts, rest[1:], strict=True):
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
    shape = ComponentShape(
        tuple([needs[number] for number in index]),
        tuple([sizes[group] for _, group in groups]),
        tuple([tuple([index[number] for number in numbers]) for numbers, _ in groups]),
    )
    count = count_placements(shape, UNLIMITED)
    return count.least, count.ways


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
