"""Count the placements of a component, by number of mines, and the mines of each group.

This is dynamic programming over the groups, in an order that keeps few numbers open. The state between two groups is
what each open number still needs. Each state has a polynomial whose coefficient of x^m counts the partial placements of
m mines that lead to it. A polynomial is one int, with coefficient m in bits m·B … m·B+B−1 and B large enough to
prevent overflow. This makes adding, shifting and multiplying polynomials single operations.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb, log
from operator import eq
from struct import unpack
from typing import NamedTuple

import attrs

from parlour_games.minesweeper.constraints import Impossible, TooLarge
from parlour_games.minesweeper.frontier import ComponentShape

NEED_BITS = 4
"""Bits for what a number needs: at most eight mines."""
WORK_BITS = 11
"""A state costs one unit of work, plus one for each 2^11 bits of its polynomial."""
UNLIMITED = 2**62
"""A limit of work that is never reached."""
NONE = -1
"""In place of a number that may need anything: there is none."""
STEPS = 4_096
"""Size of the cache for the order of groups."""

_FORMATS = {32: "I", 64: "Q"}
"""The ``struct`` format of coefficients, by their width in bits."""

Touching = tuple[tuple[int, ...], ...]
"""By group, the indices of its numbers."""


@attrs.define(slots=False, eq=False)
class Count:
    """The number of placements of a shape, exactly and as floats. Most of it is computed when it is first used."""

    least: int
    """The minimum number of mines of a placement."""
    ways: list[int]
    """``ways[i]`` is the number of placements with ``least + i`` mines."""
    passes: "Passes"
    first: int = 0
    """The bit at which the polynomials of this count begin in those of ``passes``."""

    @property
    def work(self) -> int:
        """The cost of counting, in units of the limit of ``count_placements``."""
        return self.passes.work

    @property
    def states(self) -> int:
        """The number of states, over all groups."""
        return self.passes.states

    @cached_property
    def possible(self) -> int:
        """Bit i is set if there is a placement with ``least + i`` mines."""
        return sum([1 << more for more, number in enumerate(self.ways) if number])

    @cached_property
    def shares(self) -> list[float]:
        """``ways``, scaled to a sum of 1."""
        whole = sum(self.ways)
        return [number / whole for number in self.ways]

    @cached_property
    def log_ways(self) -> float:
        """The natural logarithm of the sum of ``ways``."""
        return log(sum(self.ways))

    @cached_property
    def mines(self) -> list[list[int]]:
        """``mines[group][i]`` is the sum of the mines in the group over these placements."""
        terms, width = self.least + len(self.ways), self.passes.width
        rows = _unpacked(b"".join([each.to_bytes(terms * width // 8, "little") for each in self._sums]), width)
        return [rows[at + self.least : at + terms] for at in range(0, len(rows), terms)]

    @cached_property
    def risks(self) -> list[list[float]]:
        """``mines`` per cell of the group, scaled like ``shares``."""
        whole = sum(self.ways)
        sizes = [whole * size for size in self.passes.sizes]
        return [[number / size for number in row] for row, size in zip(self.mines, sizes, strict=True)]

    def certain(self, indices: Sequence[int]) -> tuple[list[bool], list[bool]]:
        """Return by group whether it has no mines, and whether only mines, in all placements of these ``ways``."""
        sizes = self.passes.sizes
        if len(indices) == len(self.ways):
            whole = sum([way << mines * self.passes.width for mines, way in enumerate(self.ways, self.least)])
            return [not each for each in self._sums], list(map(eq, self._sums, [whole * size for size in sizes]))
        rows = [[row[index] for index in indices] for row in self.mines]
        full = [[self.ways[index] * size for index in indices] for size in sizes]
        return [not any(row) for row in rows], list(map(eq, rows, full))

    @cached_property
    def _sums(self) -> list[int]:
        """By group the polynomial of its mines."""
        only = (1 << self.passes.apart) - 1
        return [each >> self.first & only for each in self.passes.sums]


class _Step(NamedTuple):
    """One step of the dynamic program: a group."""

    group: int
    size: int
    mask: int
    """Subtracting this from a state lowers each number of the group by one."""
    numbers: tuple[tuple[int, int], ...]
    """By number that limits the group, its position in the state in bits, and its number of cells in later groups."""
    free: bool
    """Whether the group touches the number that may need anything."""


_Layer = dict[int, int]
"""Polynomial by state."""


def count_placements(shape: ComponentShape, limit: int, most: int = UNLIMITED) -> Count:
    """Count the placements of ``shape``.

    Raises Impossible if there are none, and TooLarge if counting takes more than ``limit`` units of work or more than
    ``most`` states.
    """
    return Passes(shape, NONE, limit, most).counts()[0]


def count_by_need(shape: ComponentShape, number: int, limit: int) -> dict[int, Count]:
    """Count the placements of ``shape`` for each value of what ``number`` may need, in place of its need.

    All are counted together, which takes little longer than one of them. Raises as ``count_placements`` does.
    """
    return Passes(shape, number, limit, UNLIMITED).counts()


class Passes:
    """The two passes over the groups of a shape; the one back is made when it is used.

    With a ``free`` number, whatever it needs, the polynomials have a second variable, whose power is the number of its
    mines: coefficient x^m y^k is in bits k·A + m·B … k·A + m·B+B−1, with A large enough for all m.
    """

    def __init__(self, shape: ComponentShape, free: int, limit: int, most: int) -> None:
        """Pass forward. Raises the errors of ``count_placements``."""
        cells = sum(shape.sizes)
        self.sizes = shape.sizes
        self.width = _width(cells)
        self.apart = self.width * (cells + 1)
        self.work = self.states = 0
        self._steps = _steps(shape.sizes, shape.touching, free)
        needs = [0 if number == free else need for number, need in enumerate(shape.needs)]
        self._layers: list[_Layer] = [{sum([need << NEED_BITS * number for number, need in enumerate(needs)]): 1}]
        for step in self._steps:
            self._forward(step)
            if self.states > most:
                raise TooLarge(f"counting a component takes more than {most} states")
            if self.work > limit:
                raise TooLarge(f"counting a component takes more work than {limit}")
            if not self._layers[-1]:
                raise Impossible("the numbers of a component contradict each other")

    def counts(self) -> dict[int, Count]:
        """Return the placements by the mines of the free number; without one, all of them under 0."""
        (total,) = self._layers[-1].values()
        found = {}
        for mines in range(-(-total.bit_length() // self.apart)):
            first = mines * self.apart
            polynomial = total >> first & (1 << self.apart) - 1
            if polynomial:
                terms = -(-polynomial.bit_length() // self.width)
                ways = _unpacked(polynomial.to_bytes(terms * self.width // 8, "little"), self.width)
                least = next(least for least, number in enumerate(ways) if number)
                found[mines] = Count(least, ways[least:], self, first)
        return found

    def _forward(self, step: _Step) -> None:
        after: _Layer = {}
        binomials, shift = _BINOMIALS[step.size], self._shift(step)
        mask, numbers, size = step.mask, step.numbers, step.size
        for state, ways in self._layers[-1].items():
            low, high = 0, size
            for place, later in numbers:
                need = state >> place & 15
                if need < high:
                    high = need
                if need - later > low:
                    low = need - later
            for mines in range(low, high + 1):
                to = state - mines * mask
                term = ways * binomials[mines] << mines * shift
                after[to] = after[to] + term if to in after else term
        self.work += len(after) + (sum(map(int.bit_length, after.values())) >> WORK_BITS)
        self.states += len(after)
        self._layers.append(after)

    @cached_property
    def sums(self) -> list[int]:
        """By group the polynomial of its mines, summed over the placements."""
        after: _Layer = {0: 1}
        sums = [0] * len(self._steps)
        for step, layer in zip(reversed(self._steps), reversed(self._layers[:-1]), strict=True):
            before: _Layer = {}
            total = 0
            binomials, shift = _BINOMIALS[step.size], self._shift(step)
            terms = [(mines, mines * step.mask, mines * shift) for mines in range(step.size + 1)]
            for state, ways in layer.items():
                rest = weighted = 0
                for mines, lower, higher in terms:
                    ahead = after.get(state - lower)
                    if ahead is not None:
                        term = ahead * binomials[mines] << higher
                        rest += term
                        weighted += term * mines
                if rest:
                    before[state] = rest
                    if weighted:
                        total += ways * weighted
            sums[step.group] = total
            after = before
        self._layers.clear()
        return sums

    def _shift(self, step: _Step) -> int:
        """Return the bits by which each mine of a group shifts the polynomials."""
        return self.width + self.apart if step.free else self.width


def _width(cells: int) -> int:
    """Return the width of a coefficient in bits: enough for the placements in ``cells`` cells, and for their mines."""
    return next((width for width in _FORMATS if cells + 8 <= width), -(-cells // 8) * 8 + 8)


def _unpacked(data: bytes, width: int) -> list[int]:
    """Return the coefficients of polynomials, given as bytes one after the other."""
    size = width // 8
    if width in _FORMATS:
        return list(unpack(f"<{len(data) // size}{_FORMATS[width]}", data))
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


@lru_cache(maxsize=STEPS)
def _steps(sizes: tuple[int, ...], touching: Touching, free: int) -> tuple[_Step, ...]:
    """Return the steps in order. They do not depend on what the numbers need, and ``free`` may need anything."""
    later = [0] * (1 + max([max(numbers) for numbers in touching]))
    steps = []
    for group in reversed(_order(touching, len(later))):
        size, mask, limiting = sizes[group], 0, []
        for number in touching[group]:
            if number != free:
                mask |= 1 << NEED_BITS * number
                limiting.append((NEED_BITS * number, later[number]))
                later[number] += size
        steps.append(_Step(group, size, mask, tuple(limiting), free in touching[group]))
    return tuple(steps[::-1])


def _order(touching: Touching, numbers: int) -> list[int]:
    """Return the groups in an order that keeps few numbers open: begun but not finished."""
    groups_of: list[list[int]] = [[] for _ in range(numbers)]
    reach = [0] * numbers
    for group, touched in enumerate(touching):
        together = sum([1 << number for number in touched])
        for number in touched:
            groups_of[number].append(group)
            reach[number] |= together
    left = [len(groups) for groups in groups_of]
    begun = {_end(touching, groups_of)}
    seen = sum([1 << number for number in begun])
    placed = [False] * len(touching)
    order: list[int] = []
    while begun:
        number = min(begun, key=lambda n: ((reach[n] & ~seen).bit_count(), left[n], n))
        seen |= reach[number]
        for group in groups_of[number]:
            if not placed[group]:
                placed[group] = True
                order.append(group)
                for other in touching[group]:
                    left[other] -= 1
                    begun.add(other)
        begun = {other for other in begun if left[other]}
    return order


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
