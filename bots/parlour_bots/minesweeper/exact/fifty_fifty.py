"""Fifty-fifties: shapes that no number can resolve once they are enclosed by mines.

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

from parlour_bots.minesweeper.exact.worlds import readings
from parlour_games.minesweeper.board import MINE
from parlour_games.minesweeper.inference import Engine, Impossible, Odds, TooLarge
from parlour_games.minesweeper.inference.constraints import MINED, UNDECIDED

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
