"""Minesweeper in sentences: what each number says of the closed cells beside it; implements ``text_view.Sentences``."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper import lines
from parlour_client.text.minesweeper.board import CLOSED, FLAG, MINES, NUMBERS, At, Board, board_of, name
from parlour_client.text.minesweeper.words import said
from parlour_protocol.messages import Plain


def writing() -> list[str]:
    """Return how to write an answer."""
    return lines.manual()[:3]


def rules(room: JoinedRoom) -> list[str]:
    """Return how to answer in a duel."""
    return [say("line.mines.help.duel")] if room.table["options"].get("mode") == "duel" else []


def situation(room: JoinedRoom) -> list[str]:
    """Return the progress and the board."""
    board = board_of(room)
    return [*lines.state(room), *(_sentences(board) if board and board.playing else [])]


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    match action:
        case {"do": "bomb", "at": _}:
            return said(None, "minesweeper.review.action.bomb", action)
        case {"do": "seq", "moves": list(moves)}:
            return say("minesweeper.review.action.seq", n=len(moves))
    return said(None, "minesweeper.review.action", action)


def _sentences(board: Board) -> list[str]:
    """Return the board as lines: numbers with closed cells beside them, marked mines, and all other closed cells."""
    cells = [(x, y) for y in range(board.height) for x in range(board.width)] if board.rows else []
    beside = {at: [near for near in board.around(*at) if board.at(*near) == CLOSED] for at in cells}
    numbers = [at for at in cells if board.at(*at) in NUMBERS and beside[at]]
    near = {each for at in numbers for each in beside[at]}
    away = [at for at in cells if board.at(*at) == CLOSED and at not in near]
    return [
        *(_constraint(board, at, beside[at]) for at in numbers),
        *_listed("flagged", _runs(at for at in cells if board.at(*at) == FLAG)),
        *_listed("mines", _runs(at for at in cells if board.at(*at) in MINES)),
        *_listed("away", _runs(away)),
    ]


def _constraint(board: Board, at: At, closed: list[At]) -> str:
    """Return what the number at ``at`` says, as in "d4=2: e4 or e5 mined"; flags count as mines."""
    marked = sum(board.at(*near) in FLAG + MINES for near in board.around(*at))
    left, cells = int(board.at(*at)) - marked, [name(each) for each in closed]
    if left < 0:
        kind = "over"
    elif left == 0:
        kind = "none"
    elif left == len(cells):
        kind = "all"
    else:
        kind = "either" if (left, len(cells)) == (1, 2) else "some"
    fields = {"at": list(at), "number": board.at(*at), "n": left, "marked": marked, "kind": kind}
    joint = say("line.mines.or") if kind == "either" else ", "
    return said(None, "line.mines.number", fields, cells=joint.join(cells))


def _runs(cells: Iterable[At]) -> Iterator[str]:
    """Yield the cells by row, neighbours as a range: a1–c1."""
    for _, run in groupby(enumerate(cells), lambda each: (each[1][1], each[1][0] - each[0])):
        first, *rest = [at for _, at in run]
        yield f"{name(first)}–{name(rest[-1])}" if rest else name(first)


def _listed(kind: str, runs: Iterator[str]) -> list[str]:
    cells = ", ".join(runs)
    return [say("line.mines.cells", kind=kind, cells=cells)] if cells else []
