"""What follows from single numbers, kept from one position to the next.

A number all of whose mines are known makes its other closed neighbours safe; one that needs all its undecided
neighbours makes them mines. Applied until nothing changes, the result does not depend on the order; nearly all
of a game is played by this alone, and what remains undecided is left to be counted in components.
"""

from collections.abc import Sequence

from parlour_games.minesweeper.grid import CLOSED, MINE, neighbours
from parlour_games.minesweeper.inference.errors import Impossible

UNDECIDED, OPEN, SAFE, MINED = range(4)
"""What is known of a cell: nothing; it is open; closed and safe; it is a mine."""


class Counting:
    """The knowledge about a board whose cells only ever go from closed to known."""

    def __init__(self, width: int, height: int) -> None:
        size = width * height
        self.around = neighbours(width, height)
        self.cells = [CLOSED] * size
        """The position read last."""
        self.known = [UNDECIDED] * size
        """For each cell UNDECIDED, OPEN, SAFE or MINED."""
        self.need = [0] * size
        """For an open number how many of its undecided neighbours are mines."""
        self.free = [0] * size
        """For an open number how many of its neighbours are undecided."""
        self.active: set[int] = set()
        """The open numbers that have undecided neighbours."""
        self.safe: set[int] = set()
        """The closed cells known to be SAFE."""
        self.mined = 0
        """How many cells are MINED."""
        self.undecided = size
        """How many cells are UNDECIDED."""

    def copy(self) -> "Counting":
        """Return the same knowledge, to be led on without changing this."""
        other = Counting.__new__(Counting)
        other.around = self.around
        other.cells, other.known = self.cells.copy(), self.known.copy()
        other.need, other.free = self.need.copy(), self.free.copy()
        other.active, other.safe = self.active.copy(), self.safe.copy()
        other.mined, other.undecided = self.mined, self.undecided
        return other

    def show(self, cell: int, value: int) -> None:
        """Take in what one closed cell turns out to be: a number or MINE. Raises as ``read`` does."""
        self.cells[cell] = value
        self._show(cell, value)
        self._settle((cell,))

    def spare(self, cell: int) -> None:
        """Take in that a closed cell is safe, whatever it shows. Raises Impossible if it cannot be."""
        self._decide(cell, SAFE)
        self._settle((cell,))

    def read(self, cells: Sequence[int]) -> bool:
        """Take in the next position; return False, with nothing changed, if it does not follow from the last.

        Raises Impossible if a number contradicts others, and ValueError for a cell that is no cell's value:
        the object is then of no more use.
        """
        changed = [cell for cell, (old, new) in enumerate(zip(self.cells, cells, strict=True)) if old != new]
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
            raise ValueError(f"cell {cell} is {value}: no number from 0 to 8, nor CLOSED, nor MINE")

    def _open(self, cell: int, value: int) -> None:
        known = self.known
        if known[cell] == MINED:
            raise Impossible(f"cell {cell} is open, and its neighbours say it is a mine")
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
        """Count ``cell`` among the undecided no longer."""
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
        """Decide all that single numbers decide after these cells have changed."""
        known = self.known
        waiting = self._numbers_at(changed)
        while waiting:
            here = waiting.pop()
            need, free = self.need[here], self.free[here]
            if need < 0 or need > free:
                raise Impossible(f"the number at cell {here} cannot have its mines")
            if free and need in (0, free):
                verdict = MINED if need else SAFE
                found = [near for near in self.around[here] if known[near] == UNDECIDED]
                for cell in found:
                    self._decide(cell, verdict)
                waiting |= self._numbers_at(found)

    def _numbers_at(self, cells: Sequence[int]) -> set[int]:
        """Return the open numbers among the cells and next to them."""
        known, around = self.known, self.around
        found = {near for cell in cells for near in around[cell] if known[near] == OPEN}
        found.update(cell for cell in cells if known[cell] == OPEN)
        return found
