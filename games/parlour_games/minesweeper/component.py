"""Count the placements of a component, by number of mines, and the mines of each group.

This is dynamic programming over the groups, in an order that keeps few numbers open. The state between two groups is
what each open number still needs. Each state has a polynomial whose coefficient of x^m counts the partial placements of
m mines that lead to it. A polynomial is one int, with coefficient m in bits m·B … m·B+B−1 and B large enough to
prevent overflow. This makes adding, shifting and multiplying polynomials single operations.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, log
from struct import unpack
from typing import NamedTuple

from parlour_games.minesweeper.constraints import Impossible, TooLarge
from parlour_games.minesweeper.frontier import ComponentShape

NEED_BITS = 4
"""Bits for what a number needs: at most eight mines."""
WORK_BITS = 11
"""A state costs one unit of work, plus one for each 2^11 bits of its polynomial."""
UNLIMITED = 2**62
"""A limit of work that is never reached."""
STEPS = 4_096
"""Size of the cache for the order of groups."""

_FORMATS = {32: "I", 64: "Q"}
"""The ``struct`` format of coefficients, by their width in bits."""

Touching = tuple[tuple[int, ...], ...]
"""By group, the indices of its numbers."""


class Count(NamedTuple):
    """The number of placements of a shape, exactly and as floats."""

    least: int
    """The minimum number of mines of a placement."""
    ways: list[int]
    """``ways[i]`` is the number of placements with ``least + i`` mines."""
    possible: int
    """Bit i is set if there is a placement with ``least + i`` mines."""
    mines: list[list[int]]
    """``mines[group][i]`` is the sum of the mines in the group over these placements."""
    shares: list[float]
    """``ways``, scaled to a sum of 1."""
    risks: list[list[float]]
    """``mines`` per cell of the group, scaled like ``shares``."""
    log_ways: float
    """The natural logarithm of the sum of ``ways``."""
    work: int
    """The cost of counting, in units of the limit of ``count_placements``."""
    states: int
    """The number of states, over all groups."""


class _Step(NamedTuple):
    """One step of the dynamic program: a group."""

    group: int
    size: int
    mask: int
    """Subtracting this from a state lowers each number of the group by one."""
    numbers: tuple[tuple[int, int], ...]
    """By number of the group, its position in the state in bits, and the number of its cells in later groups."""


_Layer = dict[int, int]
"""Polynomial by state."""


def count_placements(shape: ComponentShape, limit: int, most: int = UNLIMITED) -> Count:
    """Count the placements of ``shape``.

    Raises Impossible if there are none, and TooLarge if counting takes more than ``limit`` units of work or more than
    ``most`` states.
    """
    steps = _steps(shape.sizes, shape.touching)
    width = _width(sum(shape.sizes))
    layers, work, states = _forward(steps, _packed(shape.needs), width, limit, most)
    least, ways = _ways(layers[-1], width)
    sums = _backward(steps, layers, width)
    mines = [_unpacked(sums[group], width)[least:] for group in range(len(shape.sizes))]
    mines = [row + [0] * (len(ways) - len(row)) for row in mines]
    whole = sum(ways)
    shares = [number / whole for number in ways]
    risks = [[number / (whole * size) for number in row] for row, size in zip(mines, shape.sizes, strict=True)]
    possible = sum([1 << more for more, number in enumerate(ways) if number])
    return Count(least, ways, possible, mines, shares, risks, log(whole), work, states)


def count_ways(shape: ComponentShape) -> tuple[int, list[int]]:
    """Return the minimum number of mines, and the number of placements by the mines above it. Raises Impossible.

    These are ``least`` and ``ways`` of ``count_placements``, without what takes most of its time.
    """
    width = _width(sum(shape.sizes))
    steps = _steps(shape.sizes, shape.touching)
    layers, _, _ = _forward(steps, _packed(shape.needs), width, UNLIMITED, UNLIMITED)
    return _ways(layers[-1], width)


def _ways(last: _Layer, width: int) -> tuple[int, list[int]]:
    (total,) = last.values()
    ways = _unpacked(total, width)
    least = next(mines for mines, number in enumerate(ways) if number)
    return least, ways[least:]


def _width(cells: int) -> int:
    """Return the width of a coefficient in bits: enough for the placements in ``cells`` cells, and for their mines."""
    return next((width for width in _FORMATS if cells + 8 <= width), -(-cells // 8) * 8 + 8)


def _packed(needs: tuple[int, ...]) -> int:
    return sum(need << (NEED_BITS * index) for index, need in enumerate(needs))


def _forward(steps: Sequence[_Step], first: int, width: int, limit: int, most: int) -> tuple[list[_Layer], int, int]:
    layers: list[_Layer] = [{first: 1}]
    work = states = 0
    for step in steps:
        after: _Layer = {}
        binomials = _BINOMIALS[step.size]
        mask, numbers, size = step.mask, step.numbers, step.size
        for state, ways in layers[-1].items():
            low, high = 0, size
            for place, later in numbers:
                need = state >> place & 15
                if need < high:
                    high = need
                if need - later > low:
                    low = need - later
            for mines in range(low, high + 1):
                to = state - mines * mask
                term = ways * binomials[mines] << mines * width
                after[to] = after[to] + term if to in after else term
        work += len(after) + (sum(map(int.bit_length, after.values())) >> WORK_BITS)
        states += len(after)
        if states > most:
            raise TooLarge(f"counting a component takes more than {most} states")
        if work > limit:
            raise TooLarge(f"counting a component takes more work than {limit}")
        if not after:
            raise Impossible("the numbers of a component contradict each other")
        layers.append(after)
    return layers, work, states


def _backward(steps: Sequence[_Step], layers: list[_Layer], width: int) -> dict[int, int]:
    """Return by group the polynomial of its mines, summed over the placements."""
    after: _Layer = {0: 1}
    sums: dict[int, int] = {}
    for step, layer in zip(reversed(steps), reversed(layers[:-1]), strict=True):
        before: _Layer = {}
        total = 0
        terms = [(mines, mines * step.mask, mines * width) for mines in range(step.size + 1)]
        binomials = _BINOMIALS[step.size]
        for state, ways in layer.items():
            rest = weighted = 0
            for mines, lower, shift in terms:
                ahead = after.get(state - lower)
                if ahead is not None:
                    term = ahead * binomials[mines] << shift
                    rest += term
                    weighted += term * mines
            if rest:
                before[state] = rest
                if weighted:
                    total += ways * weighted
        sums[step.group] = total
        after = before
    return sums


def _unpacked(polynomial: int, width: int) -> list[int]:
    """Return the coefficients. The last one is not zero unless all are."""
    size, count = width // 8, -(-polynomial.bit_length() // width)
    data = polynomial.to_bytes(count * size, "little")
    if width in _FORMATS:
        return list(unpack(f"<{count}{_FORMATS[width]}", data))
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


@lru_cache(maxsize=STEPS)
def _steps(sizes: tuple[int, ...], touching: Touching) -> tuple[_Step, ...]:
    """Return the steps in order. They do not depend on what the numbers need."""
    later = [0] * (1 + max([max(numbers) for numbers in touching]))
    steps = []
    for group in reversed(_order(touching, len(later))):
        numbers, size = touching[group], sizes[group]
        mask = sum([1 << (NEED_BITS * number) for number in numbers])
        steps.append(_Step(group, size, mask, tuple([(NEED_BITS * number, later[number]) for number in numbers])))
        for number in numbers:
            later[number] += size
    return tuple(steps[::-1])


def _order(touching: Touching, numbers: int) -> list[int]:
    """Return the groups in an order that keeps few numbers open: begun but not finished."""
    groups_of: list[list[int]] = [[] for _ in range(numbers)]
    for group, touched in enumerate(touching):
        for number in touched:
            groups_of[number].append(group)
    left = [len(groups) for groups in groups_of]
    begun: set[int] = {_end(touching, groups_of)}
    seen = set(begun)
    placed = [False] * len(touching)
    order: list[int] = []
    while begun:
        number = min(begun, key=lambda n: (_newcomers(n, groups_of, touching, placed, seen), left[n], n))
        for group in groups_of[number]:
            if not placed[group]:
                placed[group] = True
                order.append(group)
                for other in touching[group]:
                    left[other] -= 1
                    seen.add(other)
                    begun.add(other)
        begun = {other for other in begun if left[other]}
    return order


def _newcomers(number: int, groups_of: list[list[int]], touching: Touching, placed: list[bool], seen: set[int]) -> int:
    """Return how many new numbers would be begun in order to finish ``number``."""
    return len({other for group in groups_of[number] if not placed[group] for other in touching[group]} - seen)


def _end(touching: Touching, groups_of: list[list[int]]) -> int:
    """Return a number at an end of the component: the last one in a breadth-first search from the first."""
    queue = [0]
    seen = {0}
    for number in queue:
        for group in groups_of[number]:
            for other in touching[group]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
    return queue[-1]


_BINOMIALS = [[comb(size, mines) for mines in range(size + 1)] for size in range(9)]
