"""Find boards that need no guess: try layouts in order until one can be cleared by deduction alone."""

from parlour_games.minesweeper.board import Board, Source
from parlour_games.minesweeper.inference import UNLIMITED, Engine, TooLarge
from parlour_games.minesweeper.options import Shape
from parlour_games.minesweeper.visible_board import VisibleBoard, known

ATTEMPTS = 500
"""The maximum number of layouts to try."""
LARGEST = 48
"""The maximum number of cells in a component of the frontier. Other layouts are rejected."""


def make(source: Source, shape: Shape, promise: str, first: int) -> int | None:
    """Return the number of the first attempt that needs no guess, None if all of them do."""
    for attempt in range(1, ATTEMPTS + 1):
        if needs_no_guess(Board(shape, source.mines(shape, promise, first, attempt)), first):
            return attempt
    return None


def needs_no_guess(board: Board, first: int) -> bool:
    """Whether repeatedly opening all certainly safe cells, starting at ``first``, clears the board.

    A cell is certainly safe if it is safe in every placement of all mines that fits the open cells. The result depends
    only on the board: it is computed with exact integers, and the order of opening does not matter.
    """
    shape = board.shape
    engine = Engine(shape.width, shape.height, shape.mines, largest=LARGEST, budget=UNLIMITED)
    visible = VisibleBoard(shape.width, shape.height)
    safe: tuple[int, ...] = (first,)
    try:
        while safe:
            for cell in safe:
                visible.open_cell(board, cell)
            if visible.open == shape.safe:
                return True
            safe = engine.read(known(visible.rows())).safe
    except TooLarge:
        pass
    return False
