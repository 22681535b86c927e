"""Texts of the turn line: the state, the cell under the cursor, and why there is nothing to do."""

from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import FLAG, MINES, NUMBERS, Board, name
from parlour_client.tui.games.minesweeper.gestures import lacking
from parlour_client.tui.games.minesweeper.odds import Hints
from parlour_client.tui.games.minesweeper.pending import At
from parlour_client.tui.theme.glyphs import Glyphs
from parlour_client.tui.widgets.turn_line import stood_in, take_back
from parlour_games.plural import counted

_MODES = {"solo": "YOUR BOARD", "race": "RACE", "coop": "TOGETHER"}
_STATES = {"out": "YOU ARE OUT", "done": "CLEARED", "frozen": "TIME IS UP"}
_ENDS = {"won": "CLEARED", "lost": "LOST", "no_board": "NO BOARD", "race": "THE RACE IS OVER"}
_PLAY_ON = "the others play on"


def headline(room: JoinedRoom, board: Board) -> str:
    """Return the state as a short text."""
    if room.over or board.phase == "over":
        return _end(room)
    player = board.player(room.seat)
    if player is None:
        return "WATCHING"
    if player.state in _STATES:
        return _STATES[player.state]
    if room.stood_in:
        return stood_in()
    if board.phase == "making":
        return "MAKING A BOARD"
    if board.mode == "duel":
        asked = asked_seat(room)
        return "YOUR TURN" if asked == room.seat else f"{room.name(asked).upper()}'S TURN"
    return "OPEN A FIRST CELL" if board.phase == "new" else _MODES.get(board.mode, "")


def rule(room: JoinedRoom, board: Board, cursor: At, hints: Hints | None, aiming: bool) -> str:
    """Return a text about the cell under the cursor, the odds, or why the match does not continue."""
    if board.phase == "making":
        return "one that needs no guess; it may take a few seconds"
    if board.rows is None:
        return "the board is shown when the race is over"
    if room.stood_in and board.playing:
        return take_back()
    why = idle(room, board)
    if why or board.player(room.seat) is None:
        return _PLAY_ON if board.playing and board.player(room.seat) else ""
    if aiming:
        return f"b again throws the bomb around {name(list(cursor))}, esc keeps it"
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
        return "You are watching."
    if board.phase == "making":
        return "The board is being made: wait a moment."
    if not board.playing or room.over or board.rows is None:
        return "The board is finished."
    if player.state != "in":
        return f"{_STATES.get(player.state, player.state).capitalize()}: {_PLAY_ON}."
    if room.stood_in:
        return f"{stood_in()}: {take_back()}."
    if board.mode == "duel" and asked_seat(room) != room.seat:
        return f"It is not your turn: {room.name(asked_seat(room))} is asked."
    return None


def asked_seat(room: JoinedRoom) -> int:
    """Return the seat whose turn it is in a duel, -1 for nobody."""
    turn = (room.view or {}).get("turn")
    return turn if isinstance(turn, int) else -1


def caption(room: JoinedRoom, board: Board, glyphs: Glyphs) -> str:
    """Return the caption of the board: level, size, mines."""
    options = room.table["options"]
    words = ["duel" if board.mode == "duel" and options.get("level") != "custom" else str(options.get("level", ""))]
    words += [f"{board.width}{glyphs.times}{board.height}", counted(board.mines, "mine")]
    words += ["no guess needed"] if options.get("no_guess") else []
    return f" {glyphs.dot} ".join(word for word in words if word)


def _end(room: JoinedRoom) -> str:
    result = room.over.result if room.over else None
    if result is None:
        return "OVER"
    first = [int(seat) for seat, rank in result["ranks"].items() if rank == 1]
    why = str(result["why"])
    if why in ("won", "lost", "no_board") or not first:
        return _ENDS.get(why, "OVER")
    if room.seat in first:
        return "YOU WIN"
    return f"{room.name(first[0]).upper()} WINS" if len(first) == 1 else _ENDS.get(why, "OVER")


def _cell(board: Board, at: At) -> str:
    which, char = name(list(at)), board.at(*at)
    if char == FLAG:
        return f"{which} flagged"
    if char in MINES:
        return f"{which} a mine"
    if char not in NUMBERS:
        return f"{which} closed"
    number, marked = lacking(board, at)
    if board.mode == "duel" or not number:
        return f"{which} open"
    return f"{which} {marked} of {number} flagged"
