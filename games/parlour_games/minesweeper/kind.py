"""Kind boards: where a forced guess hits a mine, another layout takes the place of the board.

The new layout is uniformly random among all that fit what is shown and keep the cell free. It does not depend on the
old one. So a player who survives a guess learns nothing about the rest of the board from that.
"""

from parlour_games.fair import Words
from parlour_games.minesweeper.board import Board
from parlour_games.minesweeper.inference import UNLIMITED, Engine, Odds, TooLarge
from parlour_games.minesweeper.visible_board import VisibleBoard, known

LARGEST = 64
"""The maximum number of cells in a component of the frontier. With a larger one no guess counts as forced."""


def spare(board: Board, visible: VisibleBoard, cell: int, words: Words) -> Board | None:
    """Return the board that replaces ``board`` when its mine at ``cell`` is opened; None if the mine goes off."""
    shape = board.shape
    engine = Engine(shape.width, shape.height, shape.mines, largest=LARGEST, budget=UNLIMITED)
    try:
        odds = engine.read(known(visible.rows()))
    except TooLarge:
        return None
    if not is_forced(odds, cell):
        return None
    free = engine.suppose(safe=[cell])
    return Board(shape, free.layout(words.large(free.solutions)))


def is_forced(odds: Odds, cell: int) -> bool:
    """Whether opening ``cell`` is a forced guess: no closed cell is certainly safe, and it is not certainly a mine."""
    return not odds.safe and cell not in odds.mines
