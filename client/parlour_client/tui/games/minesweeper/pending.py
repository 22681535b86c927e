"""What a person has done to a board that the server has not confirmed yet.

One act is under way at a time. What is done meanwhile waits, and goes as one act when the next question comes.
Flags show at once, marked as pending; an opening shows as a pending cell. A refusal drops all of it, so that
the board again shows nothing but what the server has said.
"""

from collections.abc import Sequence

import attrs

from parlour_client.text.minesweeper.board import CLOSED, FLAG, Board
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_protocol.messages import Plain

At = tuple[int, int]
Move = tuple[str, int, int]
"""Verb (``open``, ``flag``, ``unflag``, ``chord``, ``bomb``), x and y."""

_FLAGS = {"flag": FLAG, "unflag": CLOSED}
MOST = 4 * MAX_MOVES
"""Moves that wait at most: who clicks further ahead is not heard."""


@attrs.define
class PendingMoves:
    """The moves under way, sent under ``rid``, and those that wait, in order."""

    sent: list[Move] = attrs.field(factory=list)
    waiting: list[Move] = attrs.field(factory=list)
    rid: int | None = None

    def add(self, move: Move) -> None:
        """Let ``move`` wait for its turn; nothing happens beyond MOST."""
        if len(self.waiting) < MOST:
            self.waiting.append(move)

    def question_opened(self, rid: int | None) -> None:
        """Take note that the open question is ``rid``, None for none: what flew under another one has landed."""
        if rid != self.rid:
            self.sent, self.rid = [], None

    def next_act(self, rid: int, board: Board) -> Plain | None:
        """Return the act to answer question ``rid`` by, None if nothing waits or an act is under way."""
        if self.sent or not self.waiting:
            return None
        if board.mode == "duel":
            self.waiting = [move for move in self.waiting if move[0] == "bomb" or board.at(*move[1:]) == CLOSED]
        many = MAX_MOVES if not self._bombs else 1
        self.sent, self.waiting = self.waiting[:many], self.waiting[many:]
        self.rid = rid if self.sent else None
        return action(self.sent) if self.sent else None

    def clear(self) -> None:
        """Forget everything: it was refused, or there is nothing to be done any more."""
        self.sent, self.waiting, self.rid = [], [], None

    def applied_to(self, board: Board) -> Board:
        """Return ``board`` with its flags as they will be when all moves are made."""
        rows = [list(row) for row in board.rows or ()]
        for verb, x, y in self.all():
            if verb in _FLAGS and rows and rows[y][x] in CLOSED + FLAG:
                rows[y][x] = _FLAGS[verb]
        return attrs.evolve(board, rows=["".join(row) for row in rows]) if rows else board

    def all(self) -> list[Move]:
        """Return the moves under way and those that wait."""
        return [*self.sent, *self.waiting]

    def cells(self) -> frozenset[At]:
        """Return the cells that are pending."""
        return frozenset((x, y) for _, x, y in self.all())

    @property
    def _bombs(self) -> bool:
        return any(verb == "bomb" for verb, *_ in self.waiting)


def action(moves: Sequence[Move]) -> Plain:
    """Return ``moves``, at least one and of one verb if any is a bomb, as one action of the protocol."""
    verbs = {verb for verb, *_ in moves}
    if verbs == {"bomb"}:
        return {"do": "bomb", "at": list(moves[0][1:])}
    if len(verbs) == 1:
        return {"do": verbs.pop(), "cells": [[x, y] for _, x, y in moves]}
    return {"do": "seq", "moves": [list(move) for move in moves]}
