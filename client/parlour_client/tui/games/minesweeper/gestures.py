"""Interpret a key or click on a cell as a move, or explain why it is none.

``move`` works on the board as it will be after all pending moves. It returns the move, or a sentence for the turn line.
"""

from collections.abc import Callable

from parlour_client.core.phrases import say
from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, At, Board
from parlour_client.text.minesweeper.words import said
from parlour_client.tui.games.minesweeper.pending import Move


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
        return ("bomb", *at) if ready else say("minesweeper.why.bomb", bomb=player.bomb if player else None)
    if verb != "open":
        return say("minesweeper.why.no_flags")
    if board.at(*at) != CLOSED:
        return _why("duel_open", at)
    return ("open", *at)


def _open(board: Board, at: At) -> Move | str:
    char = board.at(*at)
    if char == CLOSED:
        return ("open", *at)
    if char == FLAG:
        return _why("flagged", at)
    return _chord(board, at)


def _flag(board: Board, at: At) -> Move | str:
    char = board.at(*at)
    if char in NUMBERS:
        return _why("open", at)
    if char in MINES:
        return _why("mine", at)
    return ("unflag" if char == FLAG else "flag", *at)


def _chord(board: Board, at: At) -> Move | str:
    char = board.at(*at)
    if char in MINES:
        return _why("mine", at)
    if char not in NUMBERS:
        return _why("closed", at)
    number, marked = lacking(board, at)
    if not any(board.at(*near) == CLOSED for near in board.around(*at)):
        return _why("nothing", at)
    if marked != number:
        return _why("flags", at, number=number, marked=marked)
    return ("chord", *at)


def _no_bomb(board: Board, at: At) -> str:
    return say("minesweeper.why.no_bombs")


def _why(key: str, at: At, **more: int) -> str:
    return said(None, f"minesweeper.why.{key}", at=list(at), **more)


_VERBS: dict[str, Callable[[Board, At], Move | str]] = {
    "open": _open,
    "flag": _flag,
    "chord": _chord,
    "bomb": _no_bomb,
}
