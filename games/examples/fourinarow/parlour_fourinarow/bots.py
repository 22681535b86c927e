"""A bot for four in a row."""

from parlour_bots import Turn
from parlour_fourinarow.game import SIGNS

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def threats(turn: Turn) -> dict[str, object]:
    """Complete an own row, else block one of the opponent, else play near the middle."""
    board, line = turn.view["board"], turn.options["line"]
    for sign in (SIGNS[turn.seat], SIGNS[1 - turn.seat]):
        for action in turn.legal:
            if longest(board, action["column"], sign) >= line:
                return action
    middle = (len(board[0]) - 1) / 2
    return min(turn.legal, key=lambda action: (abs(action["column"] - middle), turn.rng.random()))


def longest(board: list[str], x: int, sign: str) -> int:
    """Return the length of the longest row through a disc dropped into column ``x``."""
    y = max(row for row in range(len(board)) if board[row][x] == ".")
    return max(1 + _run(board, x, y, dx, dy, sign) + _run(board, x, y, -dx, -dy, sign) for dx, dy in _DIRECTIONS)


def _run(board: list[str], x: int, y: int, dx: int, dy: int, sign: str) -> int:
    found = 0
    while 0 <= (x := x + dx) < len(board[0]) and 0 <= (y := y + dy) < len(board) and board[y][x] == sign:
        found += 1
    return found
