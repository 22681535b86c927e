"""Minesweeper as lines of text; implements ``text.base.Lines``."""

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper import commands, events
from parlour_client.text.minesweeper import review as mines_review
from parlour_client.text.minesweeper.board import FLAG, MINES, NUMBERS, Board, Player, board_of, name, picture
from parlour_client.text.minesweeper.words import cells, name_of, some
from parlour_games.plural import counted
from parlour_protocol.messages import Offer, Over, Plain

HELP = [
    "A cell is its column's letter and its row's number: d5 opens it, d5 e6 f6 opens several in that order.",
    "f d5 flags a cell or takes the flag away. c d5 opens all around an open number whose flags are in place.",
    "Several at once: f d5 e5 c d4. In a duel d5 looks for a mine, b d5 throws your bomb. resign gives up.",
    "board, or an empty line, shows the board: . closed, F flagged, * a mine that was set off, blank: no mine near.",
]

_TITLES = {"solo": "Alone", "race": "A race", "coop": "Together", "duel": "A duel"}

_BOMBS = {"ready": "ready", "kept": "for when you are behind", "thrown": "thrown"}
_DONE = {
    "out": "You are out; the others play on.",
    "done": "You have cleared the board; the others play on.",
    "frozen": "Your clock has run out; the others play on.",
}


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    return events.describe(room, event)


def state(room: JoinedRoom) -> list[str]:
    """Return the mode and level, and the progress once there is a board."""
    board = board_of(room)
    if board is None:
        return [f"{_title(room.table['options'])}."]
    size = f"{board.width}×{board.height} cells, {counted(board.mines, 'mine')}"
    return [f"{_title(room.table['options'])}: {size}.", _standing(room, board)]


def board(room: JoinedRoom) -> list[str]:
    """Return the board as lines; a finished one with a legend."""
    here = board_of(room)
    return [*picture(here), *mines_review.legend(here)] if here else []


def question(room: JoinedRoom) -> list[str]:
    """Return the prompt: the question, the clock and the progress."""
    board, asked = board_of(room), room.question
    if board is None or asked is None or _idle(room, board):
        return []
    clock = f" ({max(1, round(asked.left / 1000))} s)" if asked.left is not None else ""
    if board.phase == "new":
        return [f"Open a first cell{clock}, for example {name([board.width // 2, board.height // 2])}; ? for help."]
    asks = "Your turn: find a mine" if board.mode == "duel" else "Your move"
    return [f"{asks}{clock}. {_standing(room, board)}"]


def offer(room: JoinedRoom, offer: Offer) -> str | None:
    """Return None: the game has no optional decisions."""


def action(action: Plain) -> str:
    """Return an action as text."""
    match action:
        case {"do": str(do), "cells": list(at)}:
            return f"{do} {cells(at)}"
        case {"do": "bomb", "at": at}:
            return f"bomb {name(at)}"
        case {"do": "seq", "moves": list(moves)}:
            return counted(len(moves), "move")
    return str(action.get("do"))


def choose(room: JoinedRoom, text: str) -> tuple[int, Plain]:
    """Return the rid and the action for ``text``. Raises UnclearInput."""
    board = board_of(room)
    idle = "There is no board yet." if board is None else _idle(room, board)
    if board is None or room.question is None or idle:
        raise UnclearInput(idle or _waiting(room, board))
    return room.question.rid, commands.choose(board, text)


def hand(room: JoinedRoom) -> str:
    """Return our progress: the game has no hand."""
    board = board_of(room)
    if board is None:
        return "There is no board yet."
    own = board.player(room.seat)
    if own is None:
        hidden = " Spectators see the board of a race when it is over." if board.rows is None else ""
        return f"You are watching.{hidden}"
    if board.mode == "duel":
        return f"You have found {some(own.found, 'mine', 'mines')}; your bomb is {_BOMBS.get(own.bomb, own.bomb)}."
    return f"You have opened {some(own.open, 'cell', 'cells')}."


def review(room: JoinedRoom, over: Over) -> list[str]:
    """Return the statistics of a finished match."""
    return mines_review.statistics(room, over)


# --- the state of the match ---


def _title(options: Plain) -> str:
    """Return the mode and level of the match."""
    mode, level = options.get("mode"), options.get("level")
    words = [_TITLES.get(str(mode), str(mode))]
    words += [f"level {level}"] if mode != "duel" or level == "custom" else []
    words += ["no guess needed"] if options.get("no_guess") else []
    words += [f"{options['lives']} lives"] if options.get("lives", 1) != 1 else []
    words += [f"{options['penalty']} ms for a mine"] if options.get("penalty") else []
    return ", ".join(words)


def _idle(room: JoinedRoom, board: Board) -> str | None:
    """Return why we cannot act; None if we play."""
    player = board.player(room.seat)
    if player is None:
        return "You are watching."
    if board.phase == "making":
        return "The board is being made."
    if not board.playing or board.rows is None:
        return "The board is finished."
    return _DONE.get(player.state)


def _waiting(room: JoinedRoom, board: Board | None) -> str:
    turn = (room.view or {}).get("turn")
    if board and board.mode == "duel" and isinstance(turn, int) and turn != room.seat:
        return f"It is not your turn: {room.name(turn)} is asked."
    return "There is nothing to decide now."


def _standing(room: JoinedRoom, board: Board) -> str:
    if board.mode == "duel":
        return _duel_standing(room, board)
    own = f"{counted(board.safe, 'cell')} to open."
    if board.rows is not None:
        marked = f"{board.count(FLAG + MINES)} of {counted(board.mines, 'mine')} marked"
        own = f"{board.count(NUMBERS)} of {board.safe} open, {marked}{_lives(room, board)}."
    others = [
        f"{name_of(room, seat)} {_progress(player)}"
        for seat, player in enumerate(board.players)
        if len(board.players) > 1 and (board.mode == "coop" or seat != room.seat)
    ]
    return f"{own} Opened by {', '.join(others)}." if others else own


def _lives(room: JoinedRoom, board: Board) -> str:
    """Return the lives left, "" in a match with one life."""
    if board.lives is None or room.table["options"].get("lives") == 1:
        return ""
    return f", {some(board.lives, 'life', 'lives')} left"


def _progress(player: Player) -> str:
    return str(player.open) if player.state == "in" else f"{player.open} ({player.state})"


def _duel_standing(room: JoinedRoom, board: Board) -> str:
    sides = zip("AB", board.players, strict=False)
    counts = ", ".join(f"{name_of(room, seat)} {one.found} ({char})" for seat, (char, one) in enumerate(sides))
    own = board.player(room.seat)
    bomb = " You may throw your bomb: b CELL." if own and own.bomb == "ready" and board.playing else ""
    return f"Found: {counts}; {board.mines // 2 + 1} of {board.mines} win.{bomb}"
