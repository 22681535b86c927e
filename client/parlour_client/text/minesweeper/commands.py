"""Parse typed Minesweeper moves: ``d5``, ``f d5 e6``, ``c d4``, ``f d5 c d4``.

A verb applies to all cells up to the next verb. Without a verb, cells are opened.
"""

import re

from parlour_client.core.phrases import say
from parlour_client.text.actions import column_name
from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, Board, cell, name
from parlour_client.text.minesweeper.words import said
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
        raise UnclearInput(say("minesweeper.why.no_bombs"))
    return _action(_Checker(board).checked(moves))


def _moves(board: Board, words: list[str]) -> list[Move]:
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
        example = f"{idle} {name([board.width // 2, board.height // 2])}".strip()
        raise UnclearInput(say("line.mines.wrong.which", verb=verb, example=example))
    if len(moves) > MAX_MOVES:
        raise UnclearInput(say("line.mines.wrong.many", n=len(moves), most=MAX_MOVES))
    return moves


def _cell(board: Board, word: str) -> tuple[int, int]:
    found = cell(word)
    if found is None:
        wrong = "line.mines.wrong.resign" if word in _GIVE_UP else "line.mines.wrong.unclear"
        raise UnclearInput(say(wrong, word=repr(word[:_LONGEST_QUOTED])))
    x, y = found
    if not (0 <= x < board.width and 0 <= y < board.height):
        last = column_name(board.width - 1)
        raise UnclearInput(say("line.mines.wrong.off", word=word, column=last, rows=board.height))
    return x, y


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
            raise UnclearInput(say("line.mines.wrong.alone"))
        return {"do": "bomb", "at": [x, y]}
    if any(verb != "open" for verb, *_ in moves):
        raise UnclearInput(say("line.mines.wrong.duel"))
    for _, x, y in moves:
        if board.at(x, y) != CLOSED:
            raise UnclearInput(said(None, "minesweeper.why.duel_open", at=[x, y]))
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
            _, *at = moves[0]
            raise UnclearInput(said(None, "line.mines.wrong.open", at=at, chord=self._board.at(*at) != "0"))
        return [self._check(move) for move in moves if move not in open_already]

    def _check(self, move: Move) -> Move:
        verb, x, y = move
        char = self._at((x, y))
        if char in MINES:
            raise UnclearInput(said(None, "minesweeper.why.mine", at=[x, y]))
        if verb == "open" and char == FLAG:
            raise UnclearInput(said(None, "line.mines.wrong.flagged", at=[x, y]))
        if verb == "flag":
            return self._flag(x, y, char)
        if verb == "chord":
            self._check_chord(x, y, char)
        self._opened = True
        return move

    def _flag(self, x: int, y: int, char: str) -> Move:
        if char in NUMBERS:
            raise UnclearInput(said(None, "minesweeper.why.open", at=[x, y]))
        self._flags[x, y] = CLOSED if char == FLAG else FLAG
        return ("unflag" if char == FLAG else "flag", x, y)

    def _check_chord(self, x: int, y: int, char: str) -> None:
        if char not in NUMBERS:
            if not self._opened:
                raise UnclearInput(said(None, "line.mines.wrong.closed", at=[x, y]))
            return
        around = [self._at(near) for near in self._board.around(x, y)]
        marked = sum(near in FLAG + MINES for near in around)
        if marked != int(char):
            raise UnclearInput(said(None, "minesweeper.why.flags", at=[x, y], number=char, marked=marked))
        if CLOSED not in around:
            raise UnclearInput(said(None, "line.mines.wrong.nothing", at=[x, y]))

    def _at(self, at: tuple[int, int]) -> str:
        return self._flags.get(at) or self._board.at(*at)
