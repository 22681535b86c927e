"""A bot for Minesweeper. The board is turn.view["rows"]; what it returns is the number of a cell to open."""

from parlour_bots import Turn, run

GAME = "minesweeper"


def play(turn: Turn) -> int:
    """Open any cell that is closed; cells are numbered row by row, from 0."""
    board = "".join(turn.view["rows"])
    return turn.rng.choice([cell for cell, char in enumerate(board) if char == "."])


if __name__ == "__main__":
    run(play)
