"""Turns on hand-made Minesweeper positions."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from parlour_bots.boards import BoardPosition, position
from parlour_bots.sdk import Turn
from parlour_games.minesweeper.board import IS_MINE, Board, VisibleBoard
from parlour_games.minesweeper.options import Shape
from parlour_protocol.messages import Plain


def view(*rows: str, mines: int, mode: str = "solo", phase: str = "playing") -> Plain:
    size = {"width": len(rows[0]), "height": len(rows), "mines": mines}
    return {"mode": mode, "phase": phase, "rows": list(rows), **size}


def turn(*rows: str, mines: int, mode: str = "solo", phase: str = "playing", seed: int = 1) -> Turn:
    shown = view(*rows, mines=mines, mode=mode, phase=phase)
    return Turn("minesweeper", "K7QD", 0, 1, shown, [], None, [], Random(seed))


def here(*rows: str, mines: int = 1) -> BoardPosition:
    return position(view(*rows, mines=mines))


def drawn(data: st.DataObject) -> tuple[Board, Turn]:
    """Return a board and the turn of somebody who has opened a few of its safe cells."""
    shape = Shape(6, 6, data.draw(st.integers(1, 12)))
    cells = data.draw(st.permutations(range(shape.cells)))
    board, field = Board(shape, list(cells[: shape.mines])), VisibleBoard(shape.width, shape.height)
    for cell in cells[shape.mines : shape.mines + data.draw(st.integers(1, 8))]:
        field.open_cell(board, cell)
    return board, turn(*field.rows(), mines=shape.mines)


def is_sound(play: Callable[[Turn], tuple[Plain, str]], data: st.DataObject) -> bool:
    """Whether an answer to some position that was not left to chance opens no mine and flags nothing else."""
    board, asked = drawn(data)
    action, why = play(asked)
    if why == "random":
        return True
    width = board.shape.width
    return all((board.numbers[y * width + x] == IS_MINE) == (verb == "flag") for verb, x, y in action["moves"])
