"""Parse typed Minesweeper moves: ``d5``, ``f d5 e6``, ``c d4``, ``f d5 c d4``.

A verb applies to all cells up to the next verb. Without a verb, cells are opened.
"""

import re

from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, Board, cell, column, name
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_protocol.messages import Plain

_VERBS = {
    "o": "open", "open": "open",
    "f": "flag", "flag": "flag",
    "c": "chord", "chord": "chord",
    "b": "bomb", "bomb": "bomb",
}  # fmt: skip
_GIVE_UP = ("resign", "pass")
_LONGEST_QUOTED = 20

Move = tuple[str, int, int]


def choose(board: Board, text: str) -> Plain:
    """Return the action for ``text`` on ``board``, which has rows. Raises UnclearInput."""
    words = [word for word in re.split(r"[\s,;]+", text.lower()) if word]
    if words == ["resign"]:
        return {"do": "resign"}
    moves = _moves(board, words)
    if board.mode == "duel":
        return _duel(board, moves)
    if any(verb == "bomb" for verb, *_ in moves):
        raise UnclearInput("Bombs are for duels.")
    return _action(_Checker(board).checked(moves))


def _moves(board: Board, words: list[str]) -> list[Move]:
    """Return the verb and cell of each move."""
    moves: list[Move] = []
    verb, idle = "open", ""
    for word in words:
        if word in _VERBS:
            if idle:
                break
            verb, idle = _VERBS[word], word
        else:
            moves.append((verb, *_cell(board, word)))
            idle = ""
    if idle or not moves:
        raise UnclearInput(
            f"{verb.capitalize()} which cell? For example: {idle} {_example(board)}".replace(":  ", ": ")
        )
    if len(moves) > MAX_MOVES:
        raise UnclearInput(f"That is {len(moves)} cells: name at most {MAX_MOVES} at a time.")
    return moves


def _cell(board: Board, word: str) -> tuple[int, int]:
    found = cell(word)
    if found is None:
        raise UnclearInput(_no_cell(word))
    x, y = found
    if not (0 <= x < board.width and 0 <= y < board.height):
        raise UnclearInput(
            f"{word} is off the board: columns are a to {column(board.width - 1)}, rows 1 to {board.height}."
        )
    return x, y


def _no_cell(word: str) -> str:
    if word in _GIVE_UP:
        return "resign, alone, gives up; there is no passing."
    return (
        f"{word[:_LONGEST_QUOTED]!a} is not clear: a cell is a column's letter and a row's number, like d5. "
        "d5 opens, f d5 flags, c d5 opens around."
    )


def _example(board: Board) -> str:
    return name([board.width // 2, board.height // 2])


def _action(moves: list[Move]) -> Plain:
    verbs = {verb for verb, *_ in moves}
    if len(verbs) == 1:
        return {"do": verbs.pop(), "cells": [[x, y] for _, x, y in moves]}
    return {"do": "seq", "moves": [list(move) for move in moves]}


def _duel(board: Board, moves: list[Move]) -> Plain:
    """Return the action in a duel, where players open cells to find mines."""
    verb, x, y = moves[0]
    if verb == "bomb":
        if len(moves) > 1:
            raise UnclearInput("A bomb is thrown alone, at one cell: b d5")
        return {"do": "bomb", "at": [x, y]}
    if any(verb != "open" for verb, *_ in moves):
        raise UnclearInput("In a duel you look for mines: d5 opens, b d5 throws your bomb around it.")
    for _, x, y in moves:
        if board.at(x, y) != CLOSED:
            raise UnclearInput(f"{name([x, y])} is open already: look for a mine under a closed cell.")
    return {"do": "open", "cells": [[x, y] for _, x, y in moves]}


class _Checker:
    """Checks a sequence of moves against the board, as far as it is known before they are made."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._flags: dict[tuple[int, int], str] = {}
        """Cells flagged or unflagged by the moves so far."""
        self._opened = False
        """Whether the moves so far may have opened further cells."""

    def checked(self, moves: list[Move]) -> list[Move]:
        """Return the moves, without openings of open cells if there are others. Raises UnclearInput."""
        open_already = [move for move in moves if move[0] == "open" and self._board.at(*move[1:]) in NUMBERS]
        if len(open_already) == len(moves):
            which, number = name(moves[0][1:]), self._board.at(*moves[0][1:])
            around = f" c {which} opens around it, if its flags are in place." if number != "0" else ""
            raise UnclearInput(f"{which} is open already.{around}")
        return [self._check(move) for move in moves if move not in open_already]

    def _check(self, move: Move) -> Move:
        verb, x, y = move
        which, char = name([x, y]), self._at((x, y))
        if char in MINES:
            raise UnclearInput(f"{which} is a mine that was set off.")
        if verb == "open" and char == FLAG:
            raise UnclearInput(f"{which} is flagged: f {which} takes the flag away first.")
        if verb == "flag":
            return self._flag(x, y, which, char)
        if verb == "chord":
            self._check_chord(x, y, which, char)
        self._opened = True
        return move

    def _flag(self, x: int, y: int, which: str, char: str) -> Move:
        """Toggle the flag of a closed cell."""
        if char in NUMBERS:
            raise UnclearInput(f"{which} is open: it needs no flag.")
        self._flags[x, y] = CLOSED if char == FLAG else FLAG
        return ("unflag" if char == FLAG else "flag", x, y)

    def _check_chord(self, x: int, y: int, which: str, char: str) -> None:
        if char not in NUMBERS:
            if not self._opened:
                raise UnclearInput(f"{which} is closed: c opens around an open number.")
            return
        around = [self._at(near) for near in self._board.around(x, y)]
        marked = sum(near in FLAG + MINES for near in around)
        if marked != int(char):
            raise UnclearInput(f"{which} says {char}, but {marked} around it {'is' if marked == 1 else 'are'} flagged.")
        if CLOSED not in around:
            raise UnclearInput(f"Nothing around {which} is left to be opened.")

    def _at(self, at: tuple[int, int]) -> str:
        return self._flags.get(at) or self._board.at(*at)
