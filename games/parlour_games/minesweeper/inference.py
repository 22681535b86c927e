"""Exact inference from what a player sees of a board.

``Engine(width, height, mines).read(cells)`` returns ``Odds``: the cells that are safe, and those that are mines, in all
completions, the number of completions, and the probability of each cell. The modules, in order of use:

    constraints  deduction from single numbers, kept from one position to the next
    frontier     undecided cells next to numbers, as groups of equal cells in independent components
    component    counts the placements of one component by their number of mines
    layouts      distributes the mines among the components and the other cells, and names one completion by its number
    inference    runs all of these for the odds, and caches

They use the standard library and ``board`` only. Results are exact integers; some exist as floats, too, for speed.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import log
from operator import mul

from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.component import UNLIMITED, Count, count_by_need, count_placements
from parlour_games.minesweeper.constraints import MINED, UNDECIDED, Constraints, Impossible, TooLarge
from parlour_games.minesweeper.frontier import Component, ComponentShape, components, updated_components
from parlour_games.minesweeper.layouts import allowed, layout, reach, rest_weights, spare_odds, spare_ways, weights

MIXING = 8
"""The work of combining components is the square of the number of terms, divided by this."""


class Odds:
    """The odds of one position. A completion is a placement of all mines that fits the open cells."""

    def __init__(
        self, constraints: Constraints, parts: Sequence[Component], counts: Sequence[Count], left: int
    ) -> None:
        """``left`` is the number of undecided mines. Raises Impossible if they do not fit."""
        self.parts = tuple(parts)
        """The components."""
        self.left = left
        """Number of undecided mines."""
        self.cells = tuple(constraints.cells)
        """The position, by cell: 0–8, CLOSED or MINE."""
        self.known = tuple(constraints.known)
        """Knowledge from single numbers, by cell: UNDECIDED, OPEN, SAFE or MINED of ``constraints``."""
        self._single_safe = tuple(constraints.safe)
        self._counts = tuple(counts)
        self.spare_cells = constraints.undecided - sum([part.size for part in parts])
        """Number of spare cells."""
        possible = allowed(self._counts, self.spare_cells, left)
        if possible is None:
            raise Impossible(f"{left} mines cannot be placed on the cells that are left")
        self._spare_mines, self._indices = possible

    @property
    def work(self) -> int:
        """The cost of counting and combining the components, in units of the engine's budget."""
        return sum([count.work for count in self._counts]) + reach(self._counts) ** 2 // MIXING

    @cached_property
    def spare(self) -> tuple[int, ...]:
        """The undecided cells next to no number, ascending. All are equally likely to be mines."""
        near = {cell for part in self.parts for group in part.groups for cell in group}
        return tuple([c for c, known in enumerate(self.known) if known == UNDECIDED and c not in near])

    @cached_property
    def undecided(self) -> tuple[int, ...]:
        """The undecided cells: those of the components, then the spare ones."""
        return tuple([cell for part in self.parts for group in part.groups for cell in group]) + self.spare

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """The closed cells that are safe in every completion, ascending."""
        return tuple(sorted([*self._single_safe, *self.counted[0]]))

    @cached_property
    def mines(self) -> tuple[int, ...]:
        """The closed cells that are mines in every completion, ascending."""
        single = [c for c, known in enumerate(self.known) if known == MINED and self.cells[c] == CLOSED]
        return tuple(sorted(single + self.counted[1]))

    @cached_property
    def counted(self) -> tuple[list[int], list[int]]:
        """The undecided cells that are safe in every completion, and those that are mines."""
        safe: list[int] = []
        mines: list[int] = []
        for part, count, indices in zip(self.parts, self._counts, self._indices, strict=True):
            for group, none, full in zip(part.groups, *count.certain(indices), strict=True):
                if none:
                    safe += group
                elif full:
                    mines += group
        if self._spare_mines == {0}:
            safe += self.spare
        elif self._spare_mines == {self.spare_cells}:
            mines += self.spare
        return safe, mines

    @cached_property
    def solutions(self) -> int:
        """The number of completions."""
        if not self._counts:
            return spare_ways((), self.spare_cells, self.left)[0]
        first = self._counts[0]
        return sum(way * weight for way, weight in zip(first.ways, self._weights[0], strict=True))

    def layout(self, rank: int) -> list[int]:
        """Return all mines of completion ``rank``, from 0 to ``solutions`` − 1, in the order of ``layouts``."""
        decided = [cell for cell, known in enumerate(self.known) if known == MINED]
        return decided + layout(self.parts, self._counts, self.spare, self.left, rank)

    def mine(self, cell: int) -> Fraction:
        """Return the probability that ``cell`` is a mine, all completions being equally likely. 0 for an open cell."""
        if self.known[cell] != UNDECIDED:
            return Fraction(self.known[cell] == MINED)
        place = self._place.get(cell)
        if place is None:
            inside = sum(
                (count.least + i) * way * weight
                for count, by_index in zip(self._counts, self._weights, strict=True)
                for i, (way, weight) in enumerate(zip(count.ways, by_index, strict=True))
            )
            return (self.left - Fraction(inside, self.solutions)) / self.spare_cells
        part, group = place
        row, size = self._counts[part].mines[group], self.parts[part].shape.sizes[group]
        mines = sum(number * weight for number, weight in zip(row, self._weights[part], strict=True))
        return Fraction(mines, self.solutions * size)

    @cached_property
    def risks(self) -> list[float]:
        """The probability of each cell to be a mine, as a float. Certain cells have exactly 0.0 or 1.0."""
        found = [1.0 if known == MINED else 0.0 for known in self.known]
        by_group, spare = self.shared_risks
        for part, risks in zip(self.parts, by_group, strict=True):
            for group, risk in zip(part.groups, risks, strict=True):
                for cell in group:
                    found[cell] = risk
        for cell in self.spare:
            found[cell] = spare
        for cell in self.safe:
            found[cell] = 0.0
        for cell in self.mines:
            found[cell] = 1.0
        return found

    @cached_property
    def shared_risks(self) -> tuple[list[list[float]], float]:
        """The risk of a cell of each group, by component, and of a spare cell. Faster than ``risks``, but rounded."""
        inside = 0.0
        found = []
        for part, count, weight in zip(self.parts, self._counts, self._float_weights, strict=True):
            scale = sum(map(mul, count.shares, weight))
            spread = [w / scale for w in weight]
            risks = [sum(map(mul, row, spread)) for row in count.risks]
            inside += sum(map(mul, risks, part.shape.sizes))
            found.append(risks)
        return found, (self.left - inside) / self.spare_cells if self.spare_cells else 0.0

    @cached_property
    def _weights(self) -> list[list[int]]:
        ways = [count.ways for count in self._counts]
        return weights(ways, rest_weights(ways, spare_ways(self._counts, self.spare_cells, self.left)))

    @property
    def log_solutions(self) -> float:
        """The natural logarithm of ``solutions``, computed much faster."""
        return self._tilted[3]

    @cached_property
    def _float_weights(self) -> list[list[float]]:
        """Weights proportional to ``_weights``."""
        powers, even, rest, _ = self._tilted
        return [[w * p for w, p in zip(weight, powers, strict=False)] for weight in weights(even, rest)]

    @cached_property
    def _tilted(self) -> tuple[list[float], list[list[float]], list[list[float]], float]:
        """The powers of a tilt, the tilted shares of the components, their ``rest_weights``, and ``log_solutions``."""
        counts = self._counts
        inside = self.left - sum([count.least for count in counts]) - reach(counts) / 2
        tilt = inside / (self.spare_cells - inside) if 0 < inside < self.spare_cells else 1.0
        spare, scale = spare_odds(counts, self.spare_cells, self.left, tilt)
        powers = [tilt**i for i in range(max([len(count.ways) for count in counts], default=0))]
        tilted = [[share * p for share, p in zip(count.shares, powers, strict=False)] for count in counts]
        sums = [sum(shares) for shares in tilted]
        even = [[share / whole for share in shares] for shares, whole in zip(tilted, sums, strict=True)]
        rest = rest_weights(even, spare)
        total = log(rest[0][0]) + scale + sum([log(whole) for whole in sums]) + sum([c.log_ways for c in counts])
        return powers, even, rest, total

    @cached_property
    def _place(self) -> dict[int, tuple[int, int]]:
        """By undecided cell of the frontier, the indices of its component and its group."""
        return {
            cell: (index, number)
            for index, part in enumerate(self.parts)
            for number, group in enumerate(part.groups)
            for cell in group
        }


BUDGET = 300_000
"""Units of work for one component: about a quarter of a second. Expert boards need far fewer than 10,000."""


class Engine:
    """Exact inference for one board, from what a player sees of it.

    It caches the last position and every component that it has counted, so that the next position of a match is cheap.
    Positions may come in any order: results never depend on earlier calls.
    """

    def __init__(
        self,
        width: int,
        height: int,
        mines: int,
        *,
        largest: int | None = None,
        budget: int = BUDGET,
        states: int = UNLIMITED,
    ) -> None:
        """``largest`` limits the cells of a component, ``budget`` the work to count one, ``states`` those of all.

        A unit of work is a state of the count, which takes a few microseconds, and more for each 2^11 bits of its
        polynomial. The limits are not times, so that the same positions are too large on every machine.
        """
        self.width, self.height, self.mines = width, height, mines
        self._largest = width * height if largest is None else largest
        self._budget, self._states = budget, states
        self._counts: dict[ComponentShape, Count] = {}
        self._by_number: dict[tuple[ComponentShape, int], dict[int, Count]] = {}
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
        constraints = self._supposed(shown)
        for cell in safe:
            constraints.mark_safe(cell)
        return self._odds(constraints, self._updated(constraints))

    def numbers(
        self, cell: int, shown: Sequence[tuple[int, int]] = (), likeliest: float = 0.0
    ) -> Iterator[tuple[int, Odds]]:
        """Yield each number that a closed cell may have, and the odds that ``suppose(*shown, (cell, number))`` returns.

        Numbers near ``likeliest`` come first. All are counted together, which takes little longer than one of them.
        Cells that a single number would decide may be undecided in ``known``. Raises as ``read`` does.
        """
        constraints = self._supposed(shown)
        known = constraints.uncover(cell)
        parts = self._updated(constraints)
        at = next((at for at, part in enumerate(parts) if cell in part.numbers), None)
        counts = self._counted_all([part for place, part in enumerate(parts) if place != at])
        by_need = {0: counts}
        if at is not None:
            counted = self._by_need(parts[at].shape, parts[at].numbers.index(cell))
            by_need = {need: [*counts[:at], count, *counts[at:]] for need, count in counted.items()}
        for need in sorted(by_need, key=lambda need: abs(known + need - likeliest)):
            constraints.cells[cell] = known + need
            if at is not None:
                parts[at] = parts[at].needing(cell, need)
            try:
                odds = Odds(constraints, parts, by_need[need], self.mines - constraints.mined)
            except Impossible:
                continue
            yield known + need, odds

    def _supposed(self, shown: Iterable[tuple[int, int]]) -> Constraints:
        """Return what single numbers decide if the last position also showed these cells."""
        if self._constraints is None:
            raise ValueError("read a position first")
        constraints = self._constraints.copy()
        for cell, value in shown:
            constraints.show(cell, value)
        return constraints

    def _updated(self, constraints: Constraints) -> list[Component]:
        """Return the components of a position derived from the last one."""
        before = self._constraints
        assert before is not None, "a position was read"
        return updated_components(constraints, before, self._components(before))

    def _components(self, constraints: Constraints) -> list[Component]:
        """Return the components of the last position."""
        if self._parts is None:
            self._parts = components(constraints)
        return self._parts

    def _odds(self, constraints: Constraints, parts: Sequence[Component]) -> Odds:
        return Odds(constraints, parts, self._counted_all(parts), self.mines - constraints.mined)

    def _counted_all(self, parts: Sequence[Component]) -> list[Count]:
        for part in parts:
            if part.size > self._largest:
                raise TooLarge(f"a component has {part.size} cells, more than {self._largest}")
        counts: list[Count] = []
        left = self._states
        for part in parts:
            counts.append(self._counted(part, left))
            left -= counts[-1].states
        return counts

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

    def _counted(self, part: Component, most: int) -> Count:
        found = self._counts.get(part.shape)
        if found is None:
            found = self._counts[part.shape] = count_placements(part.shape, self._budget, most)
        elif found.states > most:
            raise TooLarge(f"counting a component takes more than {most} states")
        return found

    def _by_need(self, shape: ComponentShape, number: int) -> dict[int, Count]:
        """Return the counts of a component by what its ``number`` needs."""
        found = self._by_number.get((shape, number))
        if found is None:
            found = self._by_number[shape, number] = count_by_need(shape, number, self._budget)
        return found
