"""The engine: find certain cells and probabilities for one position after another."""

from collections.abc import Iterable, Sequence

from parlour_games.minesweeper.inference.component import Count, count
from parlour_games.minesweeper.inference.constraints import Constraints
from parlour_games.minesweeper.inference.errors import TooLarge
from parlour_games.minesweeper.inference.frontier import Component, Shape, components, updated_components
from parlour_games.minesweeper.inference.odds import Odds

BUDGET = 300_000
"""Units of work for one component: about a quarter of a second. Expert boards need far fewer than 10,000."""


class Engine:
    """Exact inference for one board, from what a player sees of it.

    It caches the last position and every component that it has counted, so that the next position of a match is cheap.
    Positions may come in any order: results never depend on earlier calls.
    """

    def __init__(
        self, width: int, height: int, mines: int, *, largest: int | None = None, budget: int = BUDGET
    ) -> None:
        """``largest`` limits the cells of a component, ``budget`` the work to count one.

        A unit of work is a state of the count, which takes a few microseconds. The limit is not a time, so that the
        same positions are too large on every machine.
        """
        self.width, self.height, self.mines = width, height, mines
        self._largest = width * height if largest is None else largest
        self._budget = budget
        self._counts: dict[Shape, Count] = {}
        self._constraints: Constraints | None = None
        self._parts: list[Component] | None = None
        """The components of the last position, None until they are needed."""

    def read(self, cells: Sequence[int]) -> Odds:
        """Return the odds of a position. ``cells`` has for each cell 0–8, CLOSED, or MINE for a known mine.

        Raises Impossible if no placement of the mines fits, TooLarge if a component exceeds the limits of this engine,
        and ValueError if ``cells`` does not have one value per cell of the board.
        """
        constraints = self.deduce(cells)
        return self._odds(constraints, self._components(constraints))

    def suppose(self, *shown: tuple[int, int], safe: Iterable[int] = ()) -> Odds:
        """Return the odds of the last position if some closed cells had given values.

        ``shown`` are pairs (cell, number or MINE); zeros do not open their neighbours. ``safe`` are safe cells with
        unknown numbers. Raises Impossible and TooLarge as ``read`` does.
        """
        if self._constraints is None:
            raise ValueError("read a position first")
        before = self._constraints
        constraints = before.copy()
        for cell, value in shown:
            constraints.show(cell, value)
        for cell in safe:
            constraints.mark_safe(cell)
        return self._odds(constraints, updated_components(constraints, before, self._components(before)))

    def _components(self, constraints: Constraints) -> list[Component]:
        """Return the components of the last position."""
        if self._parts is None:
            self._parts = components(constraints)
        return self._parts

    def _odds(self, constraints: Constraints, parts: Sequence[Component]) -> Odds:
        for part in parts:
            if part.size > self._largest:
                raise TooLarge(f"a component has {part.size} cells, more than {self._largest}")
        return Odds(constraints, parts, [self._counted(part) for part in parts], self.mines - constraints.mined)

    def deduce(self, cells: Sequence[int]) -> Constraints:
        """Return what single numbers decide in a position: fast, and usually enough. Do not change the result.

        Raises Impossible if they contradict each other, and ValueError as ``read`` does.
        """
        if len(cells) != self.width * self.height:
            raise ValueError(f"{len(cells)} cells for a board of {self.width}×{self.height}")
        constraints, self._constraints, self._parts = self._constraints, None, None
        if constraints is None or not constraints.read(cells):
            constraints = Constraints(self.width, self.height)
            constraints.read(cells)
        self._constraints = constraints
        return constraints

    def _counted(self, part: Component) -> Count:
        found = self._counts.get(part.shape)
        if found is None:
            found = self._counts[part.shape] = count(part.shape, self._budget)
        return found
