"""Moves: the keys for them, what a key or click on a cell means, and moves that the server has not confirmed yet.

``move`` works on the board as it will be after all pending moves. It returns the move, or a sentence for the turn line.

Only one act is pending at a time. Further moves are queued and sent as one act with the next question. Flags are shown
immediately, marked as pending; an opening shows as a pending cell. A refusal drops all pending moves, so that the board
shows only what the server has confirmed.

The texts of the turn line say the state, the cell under the cursor, and why there is nothing to do.
"""

from collections.abc import Callable, Sequence

import attrs
from textual.binding import Binding, BindingType

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, At, Board, name
from parlour_client.text.minesweeper.odds import Hints
from parlour_client.text.minesweeper.words import said
from parlour_client.tui.glyphs import Glyphs
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_games.minesweeper.duel import BOMB_REACH
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
        many = 1 if any(verb == "bomb" for verb, *_ in self.waiting) else MAX_MOVES
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


def action(moves: Sequence[Move]) -> Plain:
    """Combine ``moves`` into one action of the protocol. Bombs cannot be combined with other verbs."""
    verbs = {verb for verb, *_ in moves}
    if verbs == {"bomb"}:
        return {"do": "bomb", "at": list(moves[0][1:])}
    if len(verbs) == 1:
        return {"do": verbs.pop(), "cells": [[x, y] for _, x, y in moves]}
    return {"do": "seq", "moves": [list(move) for move in moves]}


def move(board: Board, seat: int, verb: str, at: At) -> Move | str:
    """Return the move for ``verb`` (open, flag, chord, bomb) at ``at``, or why there is none."""
    if board.mode == "duel":
        return _duel(board, seat, verb, at)
    return _VERBS[verb](board, at)


def in_range(board: Board, at: At) -> frozenset[At]:
    """Return the cells that a bomb at ``at`` reaches."""
    (x, y), reach = at, range(-BOMB_REACH, BOMB_REACH + 1)
    near = ((x + dx, y + dy) for dx in reach for dy in reach)
    return frozenset((a, b) for a, b in near if 0 <= a < board.width and 0 <= b < board.height)


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


def _why(key: str, at: At, **more: int) -> str:
    return said(None, f"minesweeper.why.{key}", at=list(at), **more)


_VERBS: dict[str, Callable[[Board, At], Move | str]] = {
    "open": _open,
    "flag": _flag,
    "chord": _chord,
    "bomb": lambda board, at: say("minesweeper.why.no_bombs"),
}


BINDINGS: list[BindingType] = [
    Binding("space,enter", "move('open')", id="mines.open"),
    Binding("f", "move('flag')", id="mines.flag"),
    Binding("c", "move('chord')", id="mines.chord"),
    Binding("b", "bomb", id="mines.bomb"),
    Binding("escape", "keep_bomb", id="mines.keep"),
    Binding("n", "next", id="mines.next", system=True),
    Binding("H", "odds", id="mines.odds"),
    Binding("z", "zoom", id="mines.zoom"),
]
"""Actions on the cell under the cursor, and of the widget. The board has those that move the cursor."""
KEYS: list[tuple[str, str]] = [
    ("arrows, h j k l", "tui.help.mines.move"),
    ("home end", "tui.help.mines.row"),
    ("g G", "tui.help.mines.ends"),
    ("space, enter, click", "tui.help.mines.open"),
    ("f, right_click", "tui.help.mines.flag"),
    ("c, middle_click", "tui.help.mines.chord"),
    ("n", "tui.help.mines.next"),
    ("H", "tui.help.mines.odds"),
    ("b, esc", "tui.help.mines.bomb"),
    ("z, wheel", "tui.help.mines.zoom"),
    ("00:04+", "tui.help.mines.clock"),
]
"""(keys, phrase)."""


_ENDS = {"won": "won", "lost": "lost", "no_board": "no_board", "race": "race_over"}


def headline(room: JoinedRoom, board: Board) -> str:
    """Return the state as a short text."""
    if room.over or board.phase == "over":
        return _end(room, board)
    player = board.player(room.seat)
    if player is None:
        return say("minesweeper.turn.watching")
    if player.state != "in":
        return say(f"minesweeper.state.{player.state}")
    if room.stood_in:
        return say("tui.stood_in")
    if board.phase == "making":
        return say("minesweeper.turn.making")
    if board.mode == "duel":
        asked = asked_seat(room)
        yours = say("minesweeper.turn.yours")
        return yours if asked == room.seat else said(room, "minesweeper.turn.other", seat=asked).upper()
    return say(f"minesweeper.turn.{'new' if board.phase == 'new' else board.mode}")


def rule(room: JoinedRoom, board: Board, cursor: At, hints: Hints | None, aiming: bool) -> str:
    """Return a text about the cell under the cursor, the odds, or why the match does not continue."""
    if board.phase == "making":
        return say("minesweeper.rule.making")
    if board.rows is None:
        return say("minesweeper.rule.hidden")
    if room.stood_in and board.playing:
        return say("tui.take_back")
    why = idle(room, board)
    if why or board.player(room.seat) is None:
        return say("minesweeper.rule.play_on") if board.playing and board.player(room.seat) else ""
    if aiming:
        return said(room, "tui.mines.aiming", at=list(cursor))
    here = _cell(board, cursor)
    if hints is None:
        return here
    return (
        f"{name(list(cursor))} {hints.risks[cursor]} %, {hints.summary()}" if cursor in hints.risks else hints.summary()
    )


def idle(room: JoinedRoom, board: Board) -> str | None:
    """Return why we cannot act, None if we can."""
    player = board.player(room.seat)
    if player is None:
        return say("minesweeper.why.watching")
    if board.phase == "making":
        return say("minesweeper.why.making")
    if not board.playing or room.over or board.rows is None:
        return say("minesweeper.why.finished")
    if player.state != "in":
        return say("minesweeper.why.state", state=player.state)
    if room.stood_in:
        return f"{say('tui.stood_in')}: {say('tui.take_back')}."
    if board.mode == "duel" and asked_seat(room) != room.seat:
        return said(room, "minesweeper.why.not_turn", seat=asked_seat(room))
    return None


def asked_seat(room: JoinedRoom) -> int:
    """Return the seat on turn in a duel, or -1 if there is none."""
    turn = (room.view or {}).get("turn")
    return turn if isinstance(turn, int) else -1


def caption(room: JoinedRoom, board: Board, glyphs: Glyphs) -> str:
    """Return the caption of the board: level, size, mines."""
    options = room.table["options"]
    level = "duel" if board.mode == "duel" and options.get("level") != "custom" else options.get("level")
    words = [say("line.mines.board_name", level=level) if level else ""]
    words += [f"{board.width}{glyphs.times}{board.height}", say("tui.mines.mines", n=board.mines)]
    words += [say("tui.mines.no_guess")] if options.get("no_guess") else []
    words += [say("minesweeper.rules.kind")] if options.get("kind") else []
    return f" {glyphs.dot} ".join(word for word in words if word)


def _end(room: JoinedRoom, board: Board) -> str:
    result = room.over.result if room.over else None
    if result:
        first, why = [int(seat) for seat, rank in result["ranks"].items() if rank == 1], str(result["why"])
    elif board.phase != "over":
        first, why = [], ""
    else:  # the result follows when the openings have been judged
        done = [seat for seat, player in enumerate(board.players) if player.state == "done"]
        first = done if board.mode == "duel" else []
        why = board.mode if board.mode in ("race", "duel") else "won" if done else "lost"
    if why not in ("won", "lost", "no_board") and first:
        if room.seat in first:
            return say("minesweeper.turn.you_win")
        if len(first) == 1:
            return said(room, "minesweeper.turn.wins", seat=first[0]).upper()
    return say(f"minesweeper.turn.{_ENDS.get(why, 'over')}")


def _cell(board: Board, at: At) -> str:
    char = board.at(*at)
    if char in NUMBERS and board.mode != "duel":
        number, marked = lacking(board, at)
        if number:
            return said(None, "tui.mines.number", at=list(at), marked=marked, number=number)
    known = "mine" if char in MINES else char if char in FLAG + NUMBERS else "closed"
    return said(None, "tui.mines.cell", at=list(at), char=known)
