"""The frontier: undecided cells next to open numbers, in groups of equal cells and independent components.

Cells that touch the same active numbers are interchangeable and form a group. Groups that share a number, directly or
through others, form a component. Components depend on each other only through the total number of mines.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from parlour_games.minesweeper.constraints import UNDECIDED, Constraints

_Group: TypeAlias = tuple[tuple[int, ...], list[int]]
"""Its numbers, its cells."""


class ComponentShape(NamedTuple):
    """A component without its place on the board. Equal shapes have equal counts."""

    needs: tuple[int, ...]
    """By number, how many mines its groups have in total."""
    sizes: tuple[int, ...]
    """By group, its number of cells."""
    touching: tuple[tuple[int, ...], ...]
    """By group, the indices of its numbers, ascending."""


class Component(NamedTuple):
    """A connected part of the frontier."""

    shape: ComponentShape
    groups: tuple[tuple[int, ...], ...]
    """The cells of each group, ascending. Groups are in the order of ``shape``."""
    numbers: tuple[int, ...]
    """The cells of the numbers, ascending, in the order of ``shape``."""

    @property
    def size(self) -> int:
        """The number of undecided cells."""
        return sum(self.shape.sizes)

    def needing(self, number: int, need: int) -> "Component":
        """Return the component with another need of the number at this cell."""
        needs = [need if cell == number else other for cell, other in zip(self.numbers, self.shape.needs, strict=True)]
        return self._replace(shape=self.shape._replace(needs=tuple(needs)))


def components(constraints: Constraints) -> list[Component]:
    """Return the components of a position, ordered by their first number."""
    return _of_numbers(constraints, constraints.active)


def updated_components(constraints: Constraints, before: Constraints, parts: Sequence[Component]) -> list[Component]:
    """Return the components of a position derived from ``before``, whose components are ``parts``.

    Only components affected by new knowledge are computed again.
    """
    touched = _touched(constraints, before)
    kept = [part for part in parts if touched.isdisjoint(part.numbers)]
    left = constraints.active.difference(*[part.numbers for part in kept])
    return sorted(kept + _of_numbers(constraints, left), key=lambda part: part.numbers[0])


def _touched(constraints: Constraints, before: Constraints) -> set[int]:
    """Return the numbers that are new or have changed, and those that share a cell with a new one."""
    need, free, old_need, old_free = constraints.need, constraints.free, before.need, before.free
    touched = constraints.active - before.active
    for number in tuple(touched):
        for cell in constraints.around[number]:
            if constraints.known[cell] == UNDECIDED:
                touched.update(constraints.around[cell])
    touched.update([n for n in before.active if need[n] != old_need[n] or free[n] != old_free[n]])
    return touched


def _of_numbers(constraints: Constraints, numbers: Iterable[int]) -> list[Component]:
    """Return the components of these active numbers. No other number shares cells with them."""
    groups = _groups(constraints, numbers)
    of_number: dict[int, list[int]] = {}
    for index, (touching, _) in enumerate(groups):
        for number in touching:
            of_number.setdefault(number, []).append(index)
    return [_component(constraints, groups, members) for members in connected(groups, of_number)]


def _groups(constraints: Constraints, numbers: Iterable[int]) -> list[_Group]:
    """Return the groups of the undecided neighbours of these numbers, as (numbers, cells)."""
    known, around = constraints.known, constraints.around
    touched: dict[int, list[int]] = {}
    for number in sorted(numbers):
        for cell in around[number]:
            if known[cell] == UNDECIDED:
                if cell in touched:
                    touched[cell].append(number)
                else:
                    touched[cell] = [number]
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell, touching in touched.items():
        groups.setdefault(tuple(touching), []).append(cell)
    return list(groups.items())


def connected(groups: list[_Group], of_number: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the indices of the groups of each component."""
    seen = [False] * len(groups)
    for first in range(len(groups)):
        if seen[first]:
            continue
        seen[first] = True
        members = [first]
        for member in members:
            for number in groups[member][0]:
                for other in of_number[number]:
                    if not seen[other]:
                        seen[other] = True
                        members.append(other)
        yield members


def _component(constraints: Constraints, groups: list[_Group], members: list[int]) -> Component:
    mine = sorted(groups[member] for member in members)
    numbers = sorted({number for touching, _ in mine for number in touching})
    index = {number: place for place, number in enumerate(numbers)}
    shape = ComponentShape(
        tuple([constraints.need[number] for number in numbers]),
        tuple([len(cells) for _, cells in mine]),
        tuple([tuple([index[number] for number in touching]) for touching, _ in mine]),
    )
    return Component(shape, tuple([tuple(sorted(cells)) for _, cells in mine]), tuple(numbers))
