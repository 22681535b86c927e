"""Texts of the turn line: the state, the cell under the cursor, and why there is nothing to do."""

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import FLAG, MINES, NUMBERS, At, Board, name
from parlour_client.text.minesweeper.odds import Hints
from parlour_client.text.minesweeper.words import said
from parlour_client.tui.games.minesweeper.moves import lacking
from parlour_client.tui.theme.glyphs import Glyphs
from parlour_client.tui.widgets.turn_line import stood_in, take_back

_ENDS = {"won": "won", "lost": "lost", "no_board": "no_board", "race": "race_over"}


def headline(room: JoinedRoom, board: Board) -> str:
    """Return the state as a short text."""
    if room.over or board.phase == "over":
        return _end(room)
    player = board.player(room.seat)
    if player is None:
        return say("minesweeper.turn.watching")
    if player.state != "in":
        return say(f"minesweeper.state.{player.state}")
    if room.stood_in:
        return stood_in()
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
        return take_back()
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
        return f"{stood_in()}: {take_back()}."
    if board.mode == "duel" and asked_seat(room) != room.seat:
        return said(room, "minesweeper.why.not_turn", seat=asked_seat(room))
    return None


def asked_seat(room: JoinedRoom) -> int:
    """Return the seat whose turn it is in a duel, -1 for nobody."""
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


def _end(room: JoinedRoom) -> str:
    result = room.over.result if room.over else None
    if result is None:
        return say("minesweeper.turn.over")
    first = [int(seat) for seat, rank in result["ranks"].items() if rank == 1]
    why = str(result["why"])
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
