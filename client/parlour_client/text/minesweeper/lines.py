"""Minesweeper as lines of text; implements ``text.base.Lines``."""

from parlour_client.core.phrases import say
from parlour_client.core.printing import time_left
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper import commands
from parlour_client.text.minesweeper.board import FLAG, MINES, NUMBERS, Board, board_of, picture
from parlour_client.text.minesweeper.odds import HintEngine, withheld
from parlour_client.text.minesweeper.review import in_characters as in_characters
from parlour_client.text.minesweeper.review import legend
from parlour_client.text.minesweeper.review import review as review
from parlour_client.text.minesweeper.words import event as event
from parlour_client.text.minesweeper.words import how_to as how_to
from parlour_client.text.minesweeper.words import in_short as in_short
from parlour_client.text.minesweeper.words import said
from parlour_protocol.messages import Offer, Plain

_MANUAL = ("cells", "flags", "several", "duel", "board", "hint")


def manual() -> list[str]:
    """Return how to answer, in a few lines."""
    return [say(f"line.mines.help.{part}") for part in _MANUAL]


def state(room: JoinedRoom) -> list[str]:
    """Return the mode and level, and the progress once there is a board."""
    board, options = board_of(room), room.table["options"]
    title = _title(options)
    if board is None:
        return [say("line.mines.size", options, title=title) if options.get("width") else f"{title}."]
    size = {"width": board.width, "height": board.height, "mines": board.mines}
    return [say("line.mines.size", size, title=title), _standing(room, board)]


def board(room: JoinedRoom) -> list[str]:
    """Return the board as lines; a finished one with a legend."""
    here = board_of(room)
    return [*picture(here), *legend(here)] if here else []


def question(room: JoinedRoom) -> list[str]:
    """Return the prompt: the question, the clock and the progress."""
    board, asked = board_of(room), room.question
    if board is None or asked is None or _idle(room, board):
        return []
    left = None if asked.left is None else time_left(max(1000, asked.left))
    if board.phase == "new":
        return [said(room, "line.mines.first", at=[board.width // 2, board.height // 2], left=left)]
    return [say("line.mines.asked", mode=board.mode, left=left, standing=_standing(room, board))]


def hint(room: JoinedRoom) -> list[str]:
    """Return the certain cells, and those with the least risk."""
    board = board_of(room)
    idle = _idle(room, board)
    if board is None or idle:
        return [idle or ""]
    if why := withheld(room):
        return [why]
    hints = HintEngine().hints(board)
    if hints.trouble:
        return [hints.trouble]
    best = sorted(hints.best)
    certain = {"safe": sorted(hints.safe), "mines": sorted(hints.mines)}
    listed = {word: [list(at) for at in cells] or None for word, cells in {**certain, "best": best}.items()}
    risk = hints.risks[best[0]] if best else None
    told = said(room, "line.mines.hint", listed, mode=board.mode, risk=risk, elsewhere=hints.elsewhere).strip()
    return [told, *([say("line.hints_shown")] if room.help() else [])]


def offer(room: JoinedRoom, offer: Offer) -> str | None:
    """Return None: the game has no optional decisions."""


def choose(room: JoinedRoom, text: str) -> tuple[int, Plain]:
    """Return the rid and the action for ``text``. Raises UnclearInput."""
    board = board_of(room)
    idle = _idle(room, board)
    if board is None or room.question is None or idle:
        raise UnclearInput(idle or _waiting(room, board))
    return room.question.rid, commands.choose(board, text)


def hand(room: JoinedRoom) -> str:
    """Return our progress: the game has no hand."""
    board = board_of(room)
    if board is None:
        return say("line.mines.no_board")
    own = board.player(room.seat)
    if own is None:
        return say("line.mines.hidden" if board.rows is None else "line.watching")
    if board.mode == "duel":
        return say("line.mines.found", n=own.found, bomb=own.bomb)
    return say("line.mines.opened", n=own.open)


def out(room: JoinedRoom) -> bool:
    """Return whether we have hit too many mines, given up or cleared our board, while others still play."""
    board = board_of(room)
    own = board.player(room.seat) if board else None
    return own is not None and own.state in ("out", "done")


def progress(room: JoinedRoom) -> int | None:
    """Return the number of cells that we have opened."""
    board = board_of(room)
    own = board.player(room.seat) if board and board.mode != "duel" else None
    return own.open if own else None


# --- the state of the match ---


def _title(options: Plain) -> str:
    level = None if options.get("mode") == "duel" or options.get("level") == "custom" else options.get("level")
    return say("line.mines.title", options, level=level, kind=options.get("kind", False))


def _idle(room: JoinedRoom, board: Board | None) -> str | None:
    """Return why we cannot act; None if we play."""
    if board is None:
        return say("line.mines.no_board")
    player = board.player(room.seat)
    if player is None:
        return say("line.watching")
    if board.phase == "making":
        return say("line.mines.making")
    if not board.playing or board.rows is None:
        return say("line.mines.finished")
    return None if player.state == "in" else say("line.mines.state", state=player.state)


def _waiting(room: JoinedRoom, board: Board | None) -> str:
    turn = (room.view or {}).get("turn")
    if board and board.mode == "duel" and isinstance(turn, int) and turn != room.seat:
        return said(room, "line.not_turn", seat=turn)
    return say("line.idle")


def _standing(room: JoinedRoom, board: Board) -> str:
    if board.mode == "duel":
        return _duel_standing(room, board)
    own = say("line.mines.to_open", n=board.safe)
    if board.rows is not None:
        lives = None if room.table["options"].get("lives") == 1 else board.lives
        counts = {"open": board.count(NUMBERS), "safe": board.safe, "marked": board.count(FLAG + MINES)}
        own = say("line.mines.standing", counts, mines=board.mines, lives=lives)
    others = [
        said(room, "line.mines.progress", seat=seat, n=player.open, state=player.state)
        for seat, player in enumerate(board.players)
        if len(board.players) > 1 and (board.mode == "coop" or seat != room.seat)
    ]
    return say("line.mines.opened_by", own=own, others=", ".join(others)) if others else own


def _duel_standing(room: JoinedRoom, board: Board) -> str:
    sides = zip("AB", board.players, strict=False)
    counts = ", ".join(
        said(room, "line.mines.side", seat=seat, n=one.found, char=char) for seat, (char, one) in enumerate(sides)
    )
    own = board.player(room.seat)
    bomb = own is not None and own.bomb == "ready" and board.playing
    return say("line.mines.duel", counts=counts, most=board.mines // 2 + 1, mines=board.mines, bomb=bomb)
