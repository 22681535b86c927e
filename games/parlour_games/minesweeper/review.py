"""Review the openings of a finished match: which were certain, which were guesses, and with what odds.

The odds are those that the player could have computed from the cells open before the action; for the action that placed
the mines, from what the first click keeps free.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from parlour_games.game import Plain
from parlour_games.minesweeper.board import IS_MINE, Board
from parlour_games.minesweeper.grid import around
from parlour_games.minesweeper.inference import Engine, TooLarge
from parlour_games.minesweeper.options import Shape, reach
from parlour_games.minesweeper.visible_board import VisibleBoard, known

BUDGET = 20_000
"""Units of work for one component, as in ``inference.Engine``. Openings that need more are not judged."""
WORK = 4_000_000
"""The maximum of cells times actions. Openings after that are not judged."""
CERTAIN = 10_000
"""Odds are reported in ten-thousandths, rounded down. A guess always has fewer than this."""
GUESSES = 1_000
"""The maximum number of guesses reported per seat."""

Log: TypeAlias = Sequence[tuple[int, Sequence[int]]]
"""Actions in order: the seat, and the cells it opened directly."""


def review(
    board: Board, promise: str, start: int | None, logs: Sequence[Log], ends: Sequence[str], seats: int
) -> Plain:
    """Judge all openings. Return ``{"seats": [{"forced", "unjudged", "guesses": [[x, y, odds], …]}, …]}``.

    ``start`` is the cell that the server opened, None if it opened none; ``ends`` are the final visible boards, one
    character per cell. ``forced`` counts the certain openings, ``unjudged`` those whose odds would take too long.
    """
    rows = [{"forced": 0, "unjudged": 0, "guesses": []} for _ in range(seats)]
    for log, end in zip(logs, ends, strict=True):
        _judge(board, promise, start, log, end, rows, WORK // len(logs))
    return {"seats": rows}


def _judge(board: Board, promise: str, start: int | None, log: Log, end: str, rows: list[Plain], work: int) -> None:
    shape = board.shape
    visible = VisibleBoard(shape.width, shape.height)
    engine = Engine(shape.width, shape.height, shape.mines, budget=BUDGET)
    for cell in _kept(log, end):
        visible.flag(cell, True)
    if start is not None:
        visible.open_cell(board, start)
    for number, (seat, cells) in enumerate(log):
        unknown: list[Fraction | None] = [None] * len(cells)
        judged = _odds(engine, visible, promise, cells) if number * shape.cells < work else unknown
        for cell, odds in zip(cells, judged, strict=True):
            _enter(rows[seat], shape, cell, odds)
        for cell in cells:
            visible.flag(cell, False)
            if board.numbers[cell] == IS_MINE:
                visible.explode(cell)
            else:
                visible.open_cell(board, cell)


def _kept(log: Log, end: str) -> list[int]:
    """Return the cells that did not open as neighbours of a 0: those left closed, and those opened directly."""
    closed = [cell for cell, char in enumerate(end) if char in ".F"]
    return closed + [cell for _, cells in log for cell in cells]


def _odds(engine: Engine, visible: VisibleBoard, promise: str, cells: Sequence[int]) -> list[Fraction | None]:
    """Return the probability of each cell to be safe, None where computing it would take too long."""
    if not visible.open and promise != "any":
        return _promised(Shape(engine.width, engine.height, engine.mines), promise, cells)
    try:
        read = engine.read(known(visible.rows()))
    except TooLarge:
        return [None] * len(cells)
    return [1 - read.mine(cell) for cell in cells]


def _promised(shape: Shape, promise: str, cells: Sequence[int]) -> list[Fraction | None]:
    """Return the odds of cells opened by the action that placed the mines."""
    free = set(around(shape.width, shape.height, cells[0], reach(shape, promise)))
    elsewhere = 1 - Fraction(shape.mines, shape.cells - len(free))
    return [Fraction(1) if cell in free else elsewhere for cell in cells]


def _enter(row: Plain, shape: Shape, cell: int, odds: Fraction | None) -> None:
    if odds is None or (odds < 1 and len(row["guesses"]) >= GUESSES):
        row["unjudged"] += 1
    elif odds == 1:
        row["forced"] += 1
    else:
        y, x = divmod(cell, shape.width)
        row["guesses"].append([x, y, int(odds * CERTAIN)])
