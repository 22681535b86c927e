"""Interpret a key or click on a cell as a move, or explain why it is none.

``move`` works on the board as it will be after all pending moves. It returns the move, or a sentence for the turn line.
"""

from collections.abc import Callable

from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, Board, name
from parlour_client.tui.games.minesweeper.pending import At, Move

_BOMBS = {"kept": "Your bomb is for when you are behind.", "thrown": "You have thrown your bomb."}
_NO_FLAGS = "A duel has no flags: open what you take for a mine."


def move(board: Board, seat: int, verb: str, at: At) -> Move | str:
    """Return the move for ``verb`` (open, flag, chord, bomb) at ``at``, or why there is none."""
    if board.mode == "duel":
        return _duel(board, seat, verb, at)
    return _VERBS[verb](board, at)


def lacking(board: Board, at: At) -> tuple[int, int]:
    """Return the number of an open cell, and how many mines around it are flagged or known."""
    return int(board.at(*at)), sum(board.at(*near) in FLAG + MINES for near in board.around(*at))


def _duel(board: Board, seat: int, verb: str, at: At) -> Move | str:
    player = board.player(seat)
    if verb == "bomb":
        ready = player is not None and player.bomb == "ready"
        return ("bomb", *at) if ready else _BOMBS.get(player.bomb if player else "", "You have no bomb.")
    if verb != "open":
        return _NO_FLAGS
    if board.at(*at) != CLOSED:
        return f"{name(list(at))} is open already: look for a mine under a closed cell."
    return ("open", *at)


def _open(board: Board, at: At) -> Move | str:
    char, which = board.at(*at), name(list(at))
    if char == CLOSED:
        return ("open", *at)
    if char == FLAG:
        return f"{which} is flagged: take the flag away first."
    return _chord(board, at)


def _flag(board: Board, at: At) -> Move | str:
    char, which = board.at(*at), name(list(at))
    if char in NUMBERS:
        return f"{which} is open: it needs no flag."
    if char in MINES:
        return f"{which} is a mine that was set off."
    return ("unflag" if char == FLAG else "flag", *at)


def _chord(board: Board, at: At) -> Move | str:
    char, which = board.at(*at), name(list(at))
    if char in MINES:
        return f"{which} is a mine that was set off."
    if char not in NUMBERS:
        return f"{which} is closed: a chord is for an open number."
    number, marked = lacking(board, at)
    if not any(board.at(*near) == CLOSED for near in board.around(*at)):
        return f"Nothing around {which} is left to open."
    if marked != number:
        return f"{which} says {number}, but {marked} around it {'is' if marked == 1 else 'are'} flagged."
    return ("chord", *at)


def _no_bomb(board: Board, at: At) -> str:
    return "Bombs are for duels."


_VERBS: dict[str, Callable[[Board, At], Move | str]] = {
    "open": _open,
    "flag": _flag,
    "chord": _chord,
    "bomb": _no_bomb,
}
