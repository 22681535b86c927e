"""Minesweeper rooms of a scripted server, with what a test does not care about filled in."""

from typing import Any

from tests.client.messages import joined, table

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.minesweeper.board import Board, SeatView
from parlour_protocol.messages import Plain

ROWS = ["..1F", "1112", "0000"]
"""A board of 4×3 with two mines."""


def player(opened: int = 0, state: str = "in", **more: Any) -> Plain:
    return {"state": state, "open": opened, **more}


def view(*players: Plain, rows: list[str] | None = None, **more: Any) -> Plain:
    """Return the view of a solo game on ROWS, if nothing else is said."""
    seated = list(players) or [player(9)]
    shown = ROWS if rows is None else rows
    size = {"width": len(shown[0]), "height": len(shown), "mines": 2, "safe": 10}
    return {"mode": "solo", "phase": "playing", **size, "rows": shown, "players": seated, **more}


def race(*players: Plain, **more: Any) -> Plain:
    return view(*players, mode="race", **more)


def room(shown: Plain | None, seat: int | None = 0, options: Plain | None = None, *events: Plain) -> JoinedRoom:
    """Return the room where ``events`` have led to ``shown``."""
    agreed = {"mode": "solo", "level": "beginner", "lives": 1, "penalty": 0} if options is None else options
    now = table("playing" if shown else "waiting", options=agreed)
    return JoinedRoom.of(joined(0, seat=seat, game="minesweeper", view=shown, table=now, events=list(events)))


def asked(shown: Plain | None, left: int | None = 14_000, **more: Any) -> JoinedRoom:
    """Return the room in which we are asked under rid 7."""
    here = room(shown, **more)
    here.question = Question(7, [], left)
    return here


def board(*rows: str, mode: str = "solo", phase: str = "playing", mines: int = 2, **more: Any) -> Board:
    shown = list(rows) or ROWS
    players = more.pop("players", [SeatView("in", 9)])
    size = len(shown[0]), len(shown)
    return Board(mode, phase, *size, mines, size[0] * size[1] - mines, players, shown, **more)


def duel(*rows: str, bomb: str = "ready", **more: Any) -> Board:
    return board(*rows, mode="duel", players=[SeatView("in", 0, 1, bomb), SeatView("in", 0, 2, "kept")], **more)
