"""Boards that need no guess: layouts are tried in order until one can be cleared by certainty alone."""

from parlour_games.minesweeper.board import Board, Source
from parlour_games.minesweeper.inference import Engine, TooLarge
from parlour_games.minesweeper.options import Shape
from parlour_games.minesweeper.visible_board import Field, known

ATTEMPTS = 500
"""How many layouts are tried."""
UNBOUNDED = 2**62
LARGEST = 48
"""A layout on whose way a component of the frontier has more cells is rejected."""


def make(source: Source, shape: Shape, promise: str, first: int) -> int | None:
    """Return the number of the first attempt whose layout needs no guess, None if there is none."""
    for attempt in range(1, ATTEMPTS + 1):
        if needs_no_guess(Board(shape, source.mines(shape, promise, first, attempt)), first):
            return attempt
    return None


def needs_no_guess(board: Board, first: int) -> bool:
    """Whether opening, from ``first`` on, every cell that is safe in all completions clears the board.

    A completion is any placement of all mines that fits what is open. A property of the board, decided with exact
    integers; the order of opening does not matter.
    """
    shape = board.shape
    engine = Engine(shape.width, shape.height, shape.mines, largest=LARGEST, budget=UNBOUNDED)
    field = Field(shape.width, shape.height)
    safe: tuple[int, ...] = (first,)
    try:
        while safe:
            for cell in safe:
                field.open_cell(board, cell)
            if field.open == shape.safe:
                return True
            safe = engine.read(known(field.rows())).safe
    except TooLarge:
        pass
    return False
