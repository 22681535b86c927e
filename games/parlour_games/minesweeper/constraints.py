"""Deduction from single numbers, kept from one position to the next.

If all mines of a number are known, its other closed neighbours are safe; if it needs all its undecided neighbours, they
are mines. These rules are applied until nothing changes, and the order does not matter. They decide nearly all of a
match. What remains undecided is counted in components.
"""

from collections.abc import Sequence
from itertools import compress
from operator import ne

from parlour_games.minesweeper.board import CLOSED, MINE, neighbours


class Impossible(ValueError):
    """The position is invalid: no placement of the mines fits the open cells."""


class TooLarge(ValueError):
    """A component has more cells, or needs more work to count, than the caller allows."""


UNDECIDED, OPEN, SAFE, MINED = range(4)
"""Knowledge about a cell: none; open; closed and safe; a mine."""


class Constraints:
    """Knowledge about a board. It only grows: a cell never becomes closed or undecided again."""

    def __init__(self, width: int, height: int) -> None:
        size = width * height
        self.around = neighbours(width, height)
        self.cells = [CLOSED] * size
        """The last position."""
        self.known = [UNDECIDED] * size
        """By cell: UNDECIDED, OPEN, SAFE or MINED."""
        self.need = [0] * size
        """By open number, how many of its undecided neighbours are mines."""
        self.free = [0] * size
        """By open number, how many of its neighbours are undecided."""
        self.active: set[int] = set()
        """The open numbers with undecided neighbours."""
        self.safe: set[int] = set()
        """The SAFE cells."""
        self.mined = 0
        """Number of MINED cells."""
        self.undecided = size
        """Number of UNDECIDED cells."""

    def copy(self) -> "Constraints":
        """Return an independent copy."""
        other = Constraints.__new__(Constraints)
        other.around = self.around
        other.cells, other.known = self.cells.copy(), self.known.copy()
        other.need, other.free = self.need.copy(), self.free.copy()
        other.active, other.safe = self.active.copy(), self.safe.copy()
        other.mined, other.undecided = self.mined, self.undecided
        return other

    def show(self, cell: int, value: int) -> None:
        """Add that a closed cell has ``value``, a number or MINE. Raises the errors of ``read``."""
        self.cells[cell] = value
        self._show(cell, value)
        self._settle((cell,))

    def mark_safe(self, cell: int) -> None:
        """Add that a closed cell is safe, with unknown number. Raises Impossible if it cannot be safe."""
        self._decide(cell, SAFE)
        self._settle((cell,))

    def uncover(self, cell: int) -> int:
        """Open a closed cell whose number is not known, and return how many of its mines are known.

        Its need counts as 0. Raises Impossible if it cannot be safe.
        """
        self.mark_safe(cell)
        self._open(cell, 0)
        mines, self.need[cell] = -self.need[cell], 0
        return mines

    def read(self, cells: Sequence[int]) -> bool:
        """Add the cells that have opened since the last position. Return False, changing nothing, if others changed.

        Raises Impossible if numbers contradict each other, and ValueError for an invalid value of a cell. After an
        error the object is unusable.
        """
        changed = [*compress(range(len(self.cells)), map(ne, self.cells, cells))]
        if any(self.cells[cell] != CLOSED for cell in changed):
            return False
        for cell in changed:
            self.cells[cell] = cells[cell]
        for cell in changed:
            self._show(cell, cells[cell])
        self._settle(changed)
        return True

    def _show(self, cell: int, value: int) -> None:
        if value == MINE:
            self._decide(cell, MINED)
        elif 0 <= value <= 8:
            self._open(cell, value)
        else:
            raise ValueError(f"cell {cell} is {value}, not a number from 0 to 8, CLOSED or MINE")

    def _open(self, cell: int, value: int) -> None:
        known = self.known
        if known[cell] == MINED:
            raise Impossible(f"cell {cell} is open, but its neighbours make it a mine")
        if known[cell] == UNDECIDED:
            self._leave(cell)
        known[cell] = OPEN
        self.safe.discard(cell)
        free = 0
        for near in self.around[cell]:
            if known[near] == UNDECIDED:
                free += 1
            elif known[near] == MINED:
                value -= 1
        self.need[cell], self.free[cell] = value, free
        if free:
            self.active.add(cell)

    def _leave(self, cell: int) -> None:
        """Remove ``cell`` from the undecided cells."""
        self.undecided -= 1
        free = self.free
        for near in self.around[cell]:
            if self.known[near] == OPEN:
                free[near] -= 1
                if not free[near]:
                    self.active.discard(near)

    def _decide(self, cell: int, known: int) -> None:
        if self.known[cell] == known:
            return
        if self.known[cell] != UNDECIDED:
            raise Impossible(f"cell {cell} would be safe and a mine")
        self._leave(cell)
        self.known[cell] = known
        if known == SAFE:
            self.safe.add(cell)
            return
        self.mined += 1
        for near in self.around[cell]:
            if self.known[near] == OPEN:
                self.need[near] -= 1

    def _settle(self, changed: Sequence[int]) -> None:
        """Apply the rules until nothing changes, starting at the cells that have changed."""
        known, needs, frees, around = self.known, self.need, self.free, self.around
        while changed:
            decided: list[int] = []
            for here in self._numbers_at(changed):
                need, free = needs[here], frees[here]
                if need < 0 or need > free:
                    raise Impossible(f"the number at cell {here} cannot have its mines")
                if free and need in (0, free):
                    found = [near for near in around[here] if known[near] == UNDECIDED]
                    for cell in found:
                        self._decide(cell, MINED if need else SAFE)
                    decided += found
            changed = decided

    def _numbers_at(self, cells: Sequence[int]) -> set[int]:
        """Return the open numbers among ``cells`` and their neighbours."""
        known, around = self.known, self.around
        found = {near for cell in cells for near in around[cell] if known[near] == OPEN}
        return found.union([cell for cell in cells if known[cell] == OPEN])
