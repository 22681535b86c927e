"""Boards that no guess decides: kind boards, and boards that can be cleared by deduction alone.

On a kind board, another layout takes the place of the board where a forced guess hits a mine.

The new layout is uniformly random among all that fit what is shown and keep the cell free. It does not depend on the
old one. So a player who survives a guess learns nothing about the rest of the board from that.
"""

from parlour_games.fair import Words
from parlour_games.minesweeper.board import Board, Source, VisibleBoard, known
from parlour_games.minesweeper.component import UNLIMITED
from parlour_games.minesweeper.constraints import MINED, TooLarge
from parlour_games.minesweeper.inference import Engine, Odds
from parlour_games.minesweeper.options import KindLimits, Shape


def spare(board: Board, visible: VisibleBoard, cell: int, words: Words, limits: KindLimits) -> Board | None:
    """Return the board that replaces ``board`` when its mine at ``cell`` is opened; None if the mine goes off.

    Raises TooLarge if the position exceeds ``limits``.
    """
    shape = board.shape
    engine = Engine(
        shape.width, shape.height, shape.mines, largest=limits.cells, budget=UNLIMITED, states=limits.states
    )
    cells = known(visible.rows())
    simple = engine.deduce(cells)
    if simple.safe or simple.known[cell] == MINED:
        return None
    if not is_forced(engine.read(cells), cell):
        return None
    free = engine.suppose(safe=[cell])
    return Board(shape, free.layout(words.large(free.solutions)))


def is_forced(odds: Odds, cell: int) -> bool:
    """Whether opening ``cell`` is a forced guess: no closed cell is certainly safe, and it is not certainly a mine."""
    return not odds.safe and cell not in odds.mines


ATTEMPTS = 500
"""The maximum number of layouts to try."""
LARGEST_WITHOUT_GUESSES = 48
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
    engine = Engine(shape.width, shape.height, shape.mines, largest=LARGEST_WITHOUT_GUESSES, budget=UNLIMITED)
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
