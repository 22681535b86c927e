"""The cost of drawing a 30×16 Minesweeper board on an 80×24 terminal: CPU time from a new view to the output.

Asserts the budgets: 3 ms for a changed cell, 8 ms for the whole board.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter, process_time

from rich.text import Text
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from benchmarks.results import Row, show
from parlour_client.text.minesweeper.board import Board, SeatView
from parlour_client.text.minesweeper.odds import HintEngine
from parlour_client.tui.colors import DEFAULT
from parlour_client.tui.games.minesweeper.board import BoardView, Marks
from parlour_client.tui.glyphs import UNICODE
from parlour_client.tui.theme import Appearance
from parlour_games.fair import Fair
from parlour_games.minesweeper.board import Board as Laid
from parlour_games.minesweeper.board import Dealt, VisibleBoard
from parlour_games.minesweeper.options import Shape

ROUNDS = 100
CHANGED, WHOLE = 3.0, 8.0
"""Budgets in milliseconds."""


class BoardApp(App[int]):
    """An application that shows only a board."""

    def __init__(self) -> None:
        super().__init__()
        self.look = Appearance(UNICODE, DEFAULT)
        self.board = BoardView(self.look)

    def compose(self) -> ComposeResult:
        """Yield the board."""
        yield self.board


def measure() -> list[Row]:
    """Return the results."""
    return asyncio.run(_measure())


async def _measure() -> list[Row]:
    app, board = BoardApp(), half_open(Shape(30, 16, 99), 60)
    async with app.run_test(size=(80, 24)) as pilot:
        app.board.show(board, Marks(), Text())
        await pilot.pause()
        other = _flagged(board)
        boards = [board, other]
        idle = await _cost(pilot, lambda n: None)
        cell = await _cost(pilot, lambda n: app.board.show(boards[n % 2], Marks(), Text())) - idle
        whole = await _cost(pilot, lambda n: app.board.refresh()) - idle
        cursor = await _cost(pilot, lambda n: app.board.point((n % 30, 5))) - idle
    assert cell <= CHANGED, f"drawing a changed cell takes {cell:.1f} ms"
    assert whole <= WHOLE, f"drawing a board takes {whole:.1f} ms"
    return [
        ("drawing a changed cell of an expert board, CPU", cell, "ms"),
        ("drawing a cursor move by one cell, CPU", cursor, "ms"),
        ("drawing a whole expert board, CPU", whole, "ms"),
        ("odds of a half-open expert board", _odds(Shape(30, 16, 99), 60), "ms"),
        ("odds of 100×100 with 2,000 mines, 400 openings", _odds(Shape(100, 100, 2_000), 400), "ms"),
    ]


def half_open(shape: Shape, openings: int) -> Board:
    """Return a board with about ``openings`` safe cells opened, spread evenly."""
    deal = Fair(bytes(32), "benchmark", []).deal(1)
    laid = Laid(shape, Dealt(deal).mines(shape, "any", 0, 1))
    field = VisibleBoard(shape.width, shape.height)
    safe = [cell for cell in range(shape.cells) if cell not in set(laid.mines)]
    for cell in safe[:: max(1, len(safe) // openings)]:
        field.open_cell(laid, cell)
    return Board(
        "solo",
        "playing",
        shape.width,
        shape.height,
        shape.mines,
        shape.safe,
        [SeatView("in", field.open)],
        field.rows(),
    )


def _flagged(board: Board) -> Board:
    """Return the board with one more flag."""
    rows = list(board.rows or ())
    rows[8] = rows[8].replace(".", "F", 1)
    return Board(
        board.mode, board.phase, board.width, board.height, board.mines, board.safe, board.players, rows, board.lives
    )


async def _cost(pilot: Pilot[int], do: Callable[[int], object]) -> float:
    """Return the CPU milliseconds per call of ``do``, including drawing the change."""
    began = process_time()
    for number in range(ROUNDS):
        do(number)
        await pilot.pause()
    return (process_time() - began) / ROUNDS * 1e3


def _odds(shape: Shape, openings: int) -> float:
    board = half_open(shape, openings)
    began = perf_counter()
    HintEngine().hints(board)
    return (perf_counter() - began) * 1e3


if __name__ == "__main__":
    show(measure())
