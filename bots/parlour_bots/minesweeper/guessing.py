"""Guessing: choose a cell when none is safe and it is not the endgame.

A candidate is valued by what follows. Each number that it may show leads to a position, which is rated by its outlook:
safe cells that reveal more, otherwise the safety of the next guess. The value is the expectation over the numbers, plus
a relief for resolving likely fifty-fifties. After the early game the best candidates are compared again, with the next
guess evaluated in the same way.

The weights were chosen by playing thousands of expert positions many times with each cell that different weights would
open. Near these weights the win rate changes by less than 0.05 %.

Fifty-fifties: shapes that no number can resolve once they are enclosed by mines.

Two adjacent cells share all neighbours except those at both ends. If these are mines or off the board, every open
neighbour touches both cells or neither: if one of them is a mine, it takes a guess. The same is true for a square of
four cells with two diagonal mines, if the four cells at its corners are mines. Where such a shape is likely, a guess in
it costs less than its risk, part of which cannot be avoided.

A cell of a pair is free if it is a mine only where the pair is enclosed. Each such world has a twin with the mine in
the other cell, no number tells the two apart, and at most one of them can be won. Opening a free cell keeps one of
every two, so that perfect play wins as often as before. Squares and chains of two pairs have no free cells: enumeration
finds boards where opening a cell that is a mine only in such a shape, if it is enclosed, loses a win.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import exp
from typing import NamedTuple

import attrs

from parlour_bots.minesweeper.worlds import readings
from parlour_games.minesweeper.board import CLOSED, MINE, neighbours
from parlour_games.minesweeper.constraints import MINED, OPEN, UNDECIDED, Impossible, TooLarge
from parlour_games.minesweeper.inference import Engine, Odds

MISSING = 1
"""The most enclosing cells that may be undecided; with more, the shape is too unlikely."""
ROUNDING = 1e-9
"""The largest rounding error of a probability."""


class FiftyFiftyShape(NamedTuple):
    """Two groups of cells: either all of one or all of the other are mines."""

    half: tuple[int, ...]
    other: tuple[int, ...]
    walls: tuple[int, ...]
    """The enclosing cells, which must be mines."""


class FiftyFifty(NamedTuple):
    """A shape that may be a fifty-fifty."""

    shape: FiftyFiftyShape
    chance: float
    """The probability that it is enclosed and the mines are in ``half``; for ``other`` it is the same."""


def fifty_fifties(width: int, height: int, engine: Engine, odds: Odds, most: int) -> list[FiftyFifty]:
    """Return the possible fifty-fifties of the position that ``engine`` read last, which has these ``odds``.

    The search stops after ``most`` readings.
    """
    found = []
    for shape in _open_shapes(width, height, odds):
        if most <= 0:
            break
        try:
            enclosed = engine.suppose(*((cell, MINE) for cell in _mines(shape, odds)), safe=shape.other)
        except (Impossible, TooLarge):
            most -= 1
            continue
        most -= readings(enclosed)
        found.append(FiftyFifty(shape, exp(enclosed.log_solutions - odds.log_solutions)))
    return found


def burdens(found: Iterable[FiftyFifty], odds: Odds) -> dict[int, float]:
    """Return for each cell of these fifty-fifties, including walls, the probability that one of them is real."""
    burden: dict[int, float] = {}
    for shape, chance in found:
        for cell in (*shape.other, *_mines(shape, odds)):
            burden[cell] = burden.get(cell, 0.0) + chance
    return burden


def free_cells(found: Iterable[FiftyFifty], odds: Odds) -> list[int]:
    """Return the free cells of pairs that may still turn out to be none. A certain pair costs the same at the end."""
    return sorted(
        {
            cell
            for shape, chance in found
            if len(shape.half) == 1
            for cell in shape.half + shape.other
            if abs(chance - odds.risks[cell]) < ROUNDING and chance < 0.5 - ROUNDING
        }
    )


def _mines(shape: FiftyFiftyShape, odds: Odds) -> list[int]:
    """Return the undecided cells that are mines if the shape is a fifty-fifty with the mines in ``half``."""
    return [cell for cell in shape.half + shape.walls if odds.known[cell] == UNDECIDED]


def _open_shapes(width: int, height: int, odds: Odds) -> Iterator[FiftyFiftyShape]:
    """Yield the shapes of undecided cells whose walls are known mines, except for MISSING of them."""
    known = odds.known
    by_corner = _shapes(width, height)
    for cell in odds.undecided:
        for shape in by_corner[cell]:
            missing = 0
            for wall in shape.walls:
                if known[wall] == UNDECIDED and missing < MISSING:
                    missing += 1
                elif known[wall] != MINED:
                    break
            else:
                if all(known[c] == UNDECIDED for c in shape.half + shape.other):
                    yield shape


_PAIR = (((0, 0),), ((1, 0),), ((-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)))
_SQUARE = (((0, 0), (1, 1)), ((1, 0), (0, 1)), ((-1, -1), (2, -1), (-1, 2), (2, 2)))
_COLUMN = tuple(tuple((y, x) for x, y in part) for part in _PAIR)
"""The half, the other half, and the walls of each shape, as (column, row) from its top left cell."""


@lru_cache(maxsize=16)
def _shapes(width: int, height: int) -> tuple[tuple[FiftyFiftyShape, ...], ...]:
    """Return for each cell the shapes with this top left cell."""
    return tuple(tuple(_at(width, height, x, y)) for y in range(height) for x in range(width))


def _at(width: int, height: int, x: int, y: int) -> Iterator[FiftyFiftyShape]:
    for parts in (_PAIR, _COLUMN, _SQUARE):
        half, other, walls = (
            [
                (y + down) * width + x + right
                for right, down in part
                if 0 <= x + right < width and 0 <= y + down < height
            ]
            for part in parts
        )
        if len(half) + len(other) == len(parts[0]) + len(parts[1]):
            yield FiftyFiftyShape(tuple(half), tuple(other), tuple(walls))


@attrs.frozen
class Style:
    """The weights for a phase of the game."""

    progress: float
    """The bonus for a safe cell that reveals more, over a safe next guess."""
    lead: float
    """The bonus for each further such cell, up to MOST_LEADS."""
    cut: float
    """The least safety of a candidate, relative to the safest."""
    finalists: int
    """The number of candidates that are compared with lookahead to the next guess."""

    @property
    def most(self) -> float:
        """Return the upper bound of outlooks."""
        return 1 + self.progress + MOST_LEADS * self.lead


EARLY = Style(progress=0.1, lead=0.0, cut=0.9, finalists=0)
LATER = Style(progress=0.0, lead=0.02, cut=0.85, finalists=2)
EARLY_SHARE = 0.1
"""The share of open safe cells up to which EARLY applies."""

MOST_LEADS = 4
RELIEF = 0.9
"""The share of a fifty-fifty's unavoidable risk that is not counted."""
FINAL_CUT = 0.97
"""The least value of a finalist, relative to the best candidate."""
CANDIDATES, SPARE_CANDIDATES = 20, 6
"""The number of candidates, and of different ones among them that touch no number."""
NEXT_CANDIDATES = 3
"""The number of candidates for the guess after a finalist."""
READINGS = 120_000
"""The positions that may be read for a guess, times the cells of the board."""
FEWEST_READINGS = 50
DIGITS = 9
"""Values are rounded, so that floating point errors do not break ties."""
NEGLIGIBLE = 1e-6

Shown = tuple[tuple[int, int], ...]
"""Assumed cells and their numbers."""


class Guess:
    """Compares the candidates of one position."""

    def __init__(self, width: int, height: int, engine: Engine, odds: Odds) -> None:
        """``odds`` belong to the position that ``engine`` read last, which has no safe cell."""
        self.engine, self.odds, self.width = engine, odds, width
        shown = sum(known == OPEN for known in odds.known)
        self.style = EARLY if shown < EARLY_SHARE * (width * height - engine.mines) else LATER
        self.around = neighbours(width, height)
        self.readings = max(FEWEST_READINGS, READINGS // (width * height))
        pairs = fifty_fifties(width, height, engine, odds, self.readings)
        self.burdens, self._free = burdens(pairs, odds), free_cells(pairs, odds)

    def free(self) -> int | None:
        """Return the free cell with the best outlook, which no other cell can beat; None if there is none."""
        return max(self._free, key=lambda cell: self._ahead(self.odds, (), cell, 0.0, deep=False), default=None)

    def best(self) -> tuple[int, float]:
        """Return the best candidate and its value."""
        ranked = self.ranked()
        finalists = [cell for cell, _ in ranked[: self.style.finalists]]
        return self._final(finalists) if len(finalists) > 1 else ranked[0]

    def ranked(self) -> list[tuple[int, float]]:
        """Return the best candidate and those close to it, the best first, and their values without lookahead."""
        margin = FINAL_CUT if self.style.finalists else 1.0
        worths: dict[int, float] = {}
        most = 0.0
        for cell in self._candidates(self.odds, SPARE_CANDIDATES)[:CANDIDATES]:
            if worths and self.readings <= 0:
                break
            worths[cell] = self._worth(cell, most * margin, deep=False)
            most = max(most, worths[cell])
        close = [(cell, worth) for cell, worth in worths.items() if worth >= most * margin]
        return sorted(close, key=lambda item: -item[1])

    def _final(self, finalists: list[int]) -> tuple[int, float]:
        chosen, most = finalists[0], 0.0
        for cell in finalists:
            if self.readings <= 0:
                break
            worth = self._worth(cell, most, deep=True)
            if worth > most:
                chosen, most = cell, worth
        return chosen, most

    def _candidates(self, odds: Odds, spare_candidates: int) -> list[int]:
        """Return the candidates, the safest first. Ties go to the left, then to the top, as in other solvers."""
        risks, near_numbers = odds.risks, odds.undecided[: len(odds.undecided) - odds.spare_cells]
        places = [(cell, False) for cell in near_numbers] + [(cell, True) for cell in self._spare(odds)]
        places = [place for place in places if 0 < risks[place[0]] < 1]
        limit = 1 - self.style.cut * (1 - min([risks[cell] for cell, _ in places]))
        ranked = sorted(
            [
                (round(risks[cell], DIGITS), is_spare, self._closed_near(odds, cell), cell % self.width, cell)
                for cell, is_spare in places
                if risks[cell] <= limit
            ]
        )
        kept: list[int] = []
        for _, is_spare, *_, cell in ranked:
            spare_candidates -= is_spare
            if not is_spare or spare_candidates >= 0:
                kept.append(cell)
        return kept

    def _spare(self, odds: Odds) -> list[int]:
        """Return the spare cells. Far from the frontier many are equivalent: of these only the first from the left."""
        spare, kept = frozenset(odds.spare), list[int]()
        inside: dict[int, int] = {}
        for cell in odds.spare:
            near = self.around[cell]
            if not spare.issuperset(near):
                kept.append(cell)
            elif cell % self.width < inside.setdefault(len(near), cell) % self.width:
                inside[len(near)] = cell
        return [*kept, *inside.values()]

    def _closed_near(self, odds: Odds, cell: int) -> int:
        cells = odds.cells
        return [cells[near] for near in self.around[cell]].count(CLOSED)

    def _worth(self, cell: int, needed: float, *, deep: bool) -> float:
        """Return the value of a candidate, or 0 as soon as it cannot exceed ``needed``."""
        safe = 1 - self.odds.risks[cell]
        relief = 1 + RELIEF * min(self.burdens.get(cell, 0.0), safe, 1 - safe) / safe
        return round(self._ahead(self.odds, (), cell, needed / relief, deep=deep) * relief, DIGITS)

    def _ahead(self, odds: Odds, shown: Shown, cell: int, needed: float, *, deep: bool) -> float:
        """Return the outlook after ``cell``, or 0 as soon as it cannot exceed ``needed``.

        ``odds`` belong to the position with the assumptions ``shown``.
        """
        left, worth = 1 - odds.risks[cell], 0.0
        for after, more in self._numbers(odds, shown, cell):
            if worth + left * self.style.most <= needed:
                return 0.0
            share = exp(after.log_solutions - odds.log_solutions)
            left -= share
            worth += share * self._outlook(after, more, deep=deep)
            if left < NEGLIGIBLE:
                break
        return worth

    def _numbers(self, odds: Odds, shown: Shown, cell: int) -> Iterator[tuple[Odds, Shown]]:
        """Yield the odds and assumptions for each number that the cell may show, likely ones first."""
        likeliest = sum([odds.risks[near] for near in self.around[cell]])
        try:
            for number, after in self.engine.numbers(cell, shown, likeliest):
                self.readings -= readings(after)
                yield after, (*shown, (cell, number))
        except TooLarge:
            self.readings = 0

    def _outlook(self, odds: Odds, shown: Shown, *, deep: bool) -> float:
        """Return 1 or more if a safe cell reveals more or no cell is unsure, else the value of the next guess."""
        style = self.style
        leads = self._leads(odds, 1 + MOST_LEADS if style.lead else 1) if odds.safe else 0
        if leads:
            return 1 + style.progress + style.lead * (leads - 1)
        smallest = _smallest_risk(odds)
        if not deep or smallest == 0 or self.readings <= 0:
            return 1 - smallest
        most = 0.0
        for cell in self._candidates(odds, NEXT_CANDIDATES)[:NEXT_CANDIDATES]:
            if (1 - odds.risks[cell]) * self.style.most > most:
                most = max(most, self._ahead(odds, shown, cell, most, deep=False))
        return most

    def _leads(self, odds: Odds, most: int) -> int:
        """Return the number of safe cells with an unsure neighbour, up to ``most``."""
        known, around, leads = odds.known, self.around, 0
        sure = set().union(odds.safe, *odds.counted)
        for cell in odds.safe:
            for near in around[cell]:
                if known[near] == UNDECIDED and near not in sure:
                    leads += 1
                    break
            if leads == most:
                break
        return leads


def _smallest_risk(odds: Odds) -> float:
    """Return the smallest risk of an unsure cell, 0 if there is none."""
    by_group, spare = odds.shared_risks
    risks = [risk for risks in by_group for risk in risks if risk > ALMOST]
    if odds.spare_cells and spare > ALMOST:
        risks.append(spare)
    smallest = min(risks, default=0.0)
    return smallest if smallest < 1 - ALMOST else 0.0


ALMOST = 1e-9
"""The largest rounding error of a risk of 0 or 1."""
