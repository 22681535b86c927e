"""Kind boards as ``SPEC.md`` describes them: whether a guess was forced, and the layout that spares it."""

from collections.abc import Callable, Iterable, Mapping
from math import comb

MOST = 64
"""How many cells may depend on one another."""
Known = Mapping[int, bool]
"""Closed cells that are certainly mines, or certainly safe."""
Constraint = tuple[frozenset[int], int]
"""Closed cells, and how many of them are mines."""


class Position:
    """What is shown of a board: its numbers with their closed neighbours, ascending, and its closed cells."""

    def __init__(self, numbers: Iterable[Constraint], closed: Iterable[int], mines: int) -> None:
        """``mines`` are those under closed cells."""
        self._numbers = [number for number in numbers if number[0]]
        self._closed = sorted(closed)
        self._mines = mines
        self._memory: dict[tuple[Constraint, ...], dict[int, int]] = {}

    def spared(self, cell: int, below: Callable[[int], int]) -> set[int] | None:
        """Return the mines under closed cells after a forced guess at ``cell``; None if its mine goes off."""
        known = self._deduced({})
        groups = self._groups(known)
        near = {each for cells, _ in groups for each in cells}
        far = [each for each in self._closed if each not in near and each not in known]
        if False in known.values() or cell in known or any(len(cells) > MOST for cells, _ in groups):
            return None
        if not all(self._ways({**known, each: True}) for each in [*near, *far[:1]]):
            return None
        if not self._ways({**known, cell: False}):
            return None
        known = self._deduced({**known, cell: False})
        row = [each for cells, _ in self._groups(known) for each in cells]
        row += [each for each in self._closed if each not in known and each not in set(row)]
        rank = below(self._ways(known))
        for each in row:
            ways = self._ways({**known, each: True})
            known[each] = rank < ways
            rank -= 0 if known[each] else ways
        return {each for each, mine in known.items() if mine}

    def _left(self, known: Known) -> list[Constraint]:
        return [
            (frozenset(cells - known.keys()), need - sum(known.get(cell, False) for cell in cells))
            for cells, need in self._numbers
        ]

    def _deduced(self, known: Known) -> dict[int, bool]:
        """Return what is known, and what single numbers decide then."""
        found = dict(known)
        while True:
            sure = [(cells, need) for cells, need in self._left(found) if cells and need in (0, len(cells))]
            if not sure:
                return found
            cells, need = sure[0]
            found |= dict.fromkeys(cells, need > 0)

    def _groups(self, known: Known) -> list[tuple[list[int], list[Constraint]]]:
        """Return the groups of cells that depend on one another, each with its numbers, by the first of these."""
        waiting = [number for number in self._left(known) if number[0]]
        groups = []
        while waiting:
            numbers = [waiting.pop(0)]
            cells = set(numbers[0][0])
            while more := [number for number in waiting if number[0] & cells]:
                waiting = [number for number in waiting if not number[0] & cells]
                numbers += more
                cells.update(*(each for each, _ in more))
            groups.append((sorted(cells), numbers))
        return groups

    def _ways(self, known: Known) -> int:
        """Return in how many ways all mines can lie."""
        if any(not 0 <= need <= len(cells) for cells, need in self._left(known)):
            return 0
        groups = self._groups(known)
        left = self._mines - sum(known.values())
        far = len(self._closed) - len(known) - sum(len(cells) for cells, _ in groups)
        total = {0: 1}
        for _, numbers in groups:
            ways: dict[int, int] = {}
            for before, times in total.items():
                for mines, more in self._placements(tuple(numbers)).items():
                    ways[before + mines] = ways.get(before + mines, 0) + times * more
            total = ways
        return sum(times * comb(far, left - mines) for mines, times in total.items() if mines <= left)

    def _placements(self, numbers: tuple[Constraint, ...]) -> dict[int, int]:
        """Return in how many ways each number of mines can lie in a group, one number after another."""
        if not numbers:
            return {0: 1}
        if numbers in self._memory:
            return self._memory[numbers]
        cells, _ = min(numbers, key=lambda number: len(number[0]))
        found: dict[int, int] = {}
        cell = min(cells)
        for mine in (True, False):
            rest = tuple((each - {cell}, more - (mine and cell in each)) for each, more in numbers)
            if all(0 <= more <= len(each) for each, more in rest):
                for mines, times in self._placements(tuple(number for number in rest if number[0])).items():
                    found[mines + mine] = found.get(mines + mine, 0) + times
        self._memory[numbers] = found
        return found
