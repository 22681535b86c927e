"""The engine: asked for one position after the other, it says what is certain and how likely the rest is."""

from collections.abc import Iterable, Sequence

from parlour_games.minesweeper.inference.component import Count, count
from parlour_games.minesweeper.inference.constraints import Counting
from parlour_games.minesweeper.inference.errors import TooLarge
from parlour_games.minesweeper.inference.frontier import Component, Shape, components, renewed
from parlour_games.minesweeper.inference.odds import Odds

BUDGET = 300_000
"""Units of work for one component: about a quarter of a second. Expert boards stay far below 10,000."""


class Engine:
    """Exact inference for one board, from what a player sees of it.

    It remembers the last position and every component it has counted, so that a game's next position costs little.
    Any position may follow any other: the answers never depend on what was asked before.
    """

    def __init__(
        self, width: int, height: int, mines: int, *, largest: int | None = None, budget: int = BUDGET
    ) -> None:
        """Prepare for a board with that many ``mines``.

        ``largest``: how many cells a component may have, None for any number. ``budget``: how much work the count of
        one component may take. The unit is a state of the count, a few microseconds; it is no measure of time, so
        that whether a position is too large is the same everywhere.
        """
        self.width, self.height, self.mines = width, height, mines
        self._largest = width * height if largest is None else largest
        self._budget = budget
        self._counts: dict[Shape, Count] = {}
        self._counting: Counting | None = None
        self._parts: list[Component] | None = None
        """The components of the last position, if they have been needed."""

    def read(self, cells: Sequence[int]) -> Odds:
        """Return what follows from ``cells``: for each cell 0–8, CLOSED, or MINE if it is known to be one.

        Raises Impossible if no placement of the mines fits, TooLarge if a component exceeds what this engine may
        spend, ValueError if ``cells`` has not one value for each cell of the board.
        """
        counting = self.count(cells)
        return self._odds(counting, self._components(counting))

    def suppose(self, *shown: tuple[int, int], safe: Iterable[int] = ()) -> Odds:
        """Return what would follow from the position asked about last if these closed cells had these values.

        ``shown``: pairs (cell, number or MINE); zeros do not flood. ``safe``: cells that are safe, whatever they show.
        Raises Impossible and TooLarge as ``read`` does.
        """
        if self._counting is None:
            raise ValueError("no position has been read that something could be supposed of")
        before = self._counting
        counting = before.copy()
        for cell, value in shown:
            counting.show(cell, value)
        for cell in safe:
            counting.spare(cell)
        return self._odds(counting, renewed(counting, before, self._components(before)))

    def _components(self, counting: Counting) -> list[Component]:
        """Return the components of the last position."""
        if self._parts is None:
            self._parts = components(counting)
        return self._parts

    def _odds(self, counting: Counting, parts: Sequence[Component]) -> Odds:
        for part in parts:
            if part.size > self._largest:
                raise TooLarge(f"a component has {part.size} cells, more than {self._largest}")
        return Odds(counting, parts, [self._counted(part) for part in parts], self.mines - counting.mined)

    def count(self, cells: Sequence[int]) -> Counting:
        """Return what single numbers say about ``cells``: quick, and most often enough to go on. Not to be changed.

        Raises Impossible if they contradict each other, ValueError as ``read`` does.
        """
        if len(cells) != self.width * self.height:
            raise ValueError(f"{len(cells)} cells for a board of {self.width}×{self.height}")
        counting, self._counting, self._parts = self._counting, None, None
        if counting is None or not counting.read(cells):
            counting = Counting(self.width, self.height)
            counting.read(cells)
        self._counting = counting
        return counting

    def _counted(self, part: Component) -> Count:
        found = self._counts.get(part.shape)
        if found is None:
            found = self._counts[part.shape] = count(part.shape, self._budget)
        return found
