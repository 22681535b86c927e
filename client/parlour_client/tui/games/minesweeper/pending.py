"""Moves that the server has not confirmed yet.

Only one act is pending at a time. Further moves are queued and sent as one act with the next question. Flags are shown
immediately, marked as pending; an opening shows as a pending cell. A refusal drops all pending moves, so that the board
shows only what the server has confirmed.
"""

from collections.abc import Sequence

import attrs

from parlour_client.text.minesweeper.board import CLOSED, FLAG, At, Board
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_protocol.messages import Plain

Move = tuple[str, int, int]
"""Verb (``open``, ``flag``, ``unflag``, ``chord``, ``bomb``), x and y."""

_FLAGS = {"flag": FLAG, "unflag": CLOSED}
MOST = 4 * MAX_MOVES
"""The most moves queued; further clicks are ignored."""


@attrs.define
class PendingMoves:
    """The moves sent as the answer to ``rid``, and the queued ones."""

    sent: list[Move] = attrs.field(factory=list)
    waiting: list[Move] = attrs.field(factory=list)
    rid: int | None = None

    def add(self, move: Move) -> None:
        """Queue ``move``, unless the queue is full."""
        if len(self.waiting) < MOST:
            self.waiting.append(move)

    def question_opened(self, rid: int | None) -> None:
        """Note the open question ``rid`` (None for none): moves sent for another one are confirmed."""
        if rid != self.rid:
            self.sent, self.rid = [], None

    def next_act(self, rid: int, board: Board) -> Plain | None:
        """Return the act that answers ``rid``, None if no move is queued or an act is pending."""
        if self.sent or not self.waiting:
            return None
        if board.mode == "duel":
            self.waiting = [move for move in self.waiting if move[0] == "bomb" or board.at(*move[1:]) == CLOSED]
        many = MAX_MOVES if not self._bombs else 1
        self.sent, self.waiting = self.waiting[:many], self.waiting[many:]
        self.rid = rid if self.sent else None
        return action(self.sent) if self.sent else None

    def clear(self) -> None:
        """Drop all moves, after a refusal or at the end."""
        self.sent, self.waiting, self.rid = [], [], None

    def applied_to(self, board: Board) -> Board:
        """Return ``board`` with the flags of all pending moves."""
        rows = [list(row) for row in board.rows or ()]
        for verb, x, y in self.all():
            if verb in _FLAGS and rows and rows[y][x] in CLOSED + FLAG:
                rows[y][x] = _FLAGS[verb]
        return attrs.evolve(board, rows=["".join(row) for row in rows]) if rows else board

    def all(self) -> list[Move]:
        """Return the sent and queued moves."""
        return [*self.sent, *self.waiting]

    def cells(self) -> frozenset[At]:
        """Return the cells that are pending."""
        return frozenset((x, y) for _, x, y in self.all())

    @property
    def _bombs(self) -> bool:
        return any(verb == "bomb" for verb, *_ in self.waiting)


def action(moves: Sequence[Move]) -> Plain:
    """Combine ``moves`` into one action of the protocol. Bombs cannot be combined with other verbs."""
    verbs = {verb for verb, *_ in moves}
    if verbs == {"bomb"}:
        return {"do": "bomb", "at": list(moves[0][1:])}
    if len(verbs) == 1:
        return {"do": verbs.pop(), "cells": [[x, y] for _, x, y in moves]}
    return {"do": "seq", "moves": [list(move) for move in moves]}
