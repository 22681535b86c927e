"""Minesweeper events as lines of text."""

from collections.abc import Callable
from typing import Any

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import board_of, name
from parlour_protocol.messages import Plain

_STEPS = 4
"""Progress of rivals in a race is reported at each quarter."""
_NAMED = 8
"""Cells named in one line."""
_WHY_OUT = {"resigned": "resigns", "left": "has left the match"}
_ENDS = {
    "won": "The board is clear: won.",
    "lost": "The board is lost.",
    "no_board": "No board without guessing was found.",
}


def describe(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    tell = _EVENTS.get(event["e"])
    return tell(room, event) if tell else None


def some(n: int, one: str, many: str) -> str:
    """Return a number of things as text."""
    return f"1 {one}" if n == 1 else f"{n} {many}"


def name_of(room: JoinedRoom, seat: int) -> str:
    """Return the name of the player at ``seat``, "you" if it is us."""
    return "you" if seat == room.seat else room.name(seat)


def cells(at: list[Any]) -> str:
    """Return the names of the cells ``[[x, y], …]``, at most the first few."""
    names = ", ".join(map(name, at[:_NAMED]))
    return f"{names} and {len(at) - _NAMED} more" if len(at) > _NAMED else names


def _tell(room: JoinedRoom, seat: int, does: str, do: str, rest: str = "") -> str:
    """Return a sentence about ``seat``, in the second person if it is ours."""
    return f"You {do}{rest}." if seat == room.seat else f"{room.name(seat)} {does}{rest}."


def _placed(room: JoinedRoom, event: Plain) -> str | None:
    if "n" not in event:
        return "The mines are laid." if (room.view or {}).get("mode") == "duel" else None
    where = f"{name(event['at'])} is open to begin with" if "at" in event else "Everybody has the same first cell"
    return f"The mines are laid. {where}: {some(event['n'], 'cell', 'cells')}."


def _open(room: JoinedRoom, event: Plain) -> str | None:
    if "at" not in event:
        return _rival(room, event)
    n = event["n"]
    rest = f" {cells(event['at'])}" + (f": {n} cells" if n != len(event["at"]) else "")
    return _tell(room, event["seat"], "opens", "open", rest)


def _rival(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about a rival's progress in a race if this opening passes a quarter."""
    board, seat = board_of(room), event["seat"]
    player = board.player(seat) if board and isinstance(seat, int) else None
    if board is None or player is None:
        raise WrongProtocol("an opening from the server has no player")
    later = _openings_behind(room, event)
    now = player.open - later
    before = now - event["n"]
    if now * _STEPS // max(1, board.safe) == before * _STEPS // max(1, board.safe) or player.state == "done":
        return None
    return f"{room.name(seat)} has opened {now} of {board.safe}."


def _openings_behind(room: JoinedRoom, event: Plain) -> int:
    """Return how many cells the seat opened after ``event``: the view includes later events of the same message."""
    seen, later = False, 0
    for each in room.events:
        if seen and each.get("e") == "open" and each.get("seat") == event["seat"]:
            later += each["n"]
        seen = seen or each is event
    return later


def _flag(room: JoinedRoom, event: Plain) -> str:
    which = cells(event["at"])
    if event["on"]:
        return _tell(room, event["seat"], "flags", "flag", f" {which}")
    return _tell(room, event["seat"], "takes", "take", f" the flag off {which}")


def _mine(room: JoinedRoom, event: Plain) -> str:
    where = f" the mine at {name(event['at'])}" if "at" in event else " a mine"
    line = _tell(room, event["seat"], "sets", "set", f" off{where}")
    board = board_of(room)
    return f"{line} {some(board.lives, 'life', 'lives')} left." if board and board.lives else line


def _out(room: JoinedRoom, event: Plain) -> str:
    seat, why = event["seat"], event["why"]
    board = board_of(room)
    frozen = board is not None and board.mode == "coop" and why == "clock"
    if seat == room.seat:
        return "You can open nothing more; the others play on." if frozen else "You are out."
    return f"{room.name(seat)} {'is frozen' if frozen else _WHY_OUT.get(why, 'is out')}."


def _done(room: JoinedRoom, event: Plain) -> str:
    return _tell(room, event["seat"], "has", "have", f" cleared the board in {event['ms'] / 1000:.1f} s")


def _found(room: JoinedRoom, event: Plain) -> str:
    mines = "a mine" if len(event["at"]) == 1 else "mines"
    return _tell(room, event["seat"], "finds", "find", f" {mines} at {cells(event['at'])}")


def _miss(room: JoinedRoom, event: Plain) -> str:
    came = f"; {event['n']} cells come open" if event["n"] != 1 else ""
    return _tell(room, event["seat"], "finds", "find", f" no mine at {name(event['at'])}{came}")


def _bomb(room: JoinedRoom, event: Plain) -> str:
    came = f": {some(event['found'], 'mine', 'mines')}, {some(event['n'], 'cell', 'cells')} open"
    return _tell(room, event["seat"], "bombs", "bomb", f" around {name(event['at'])}{came}")


_EVENTS: dict[str, Callable[[JoinedRoom, Any], str | None]] = {
    "making": lambda room, event: "Looking for a board without guessing.",
    "board": _placed,
    "open": _open,
    "flag": _flag,
    "mine": _mine,
    "out": _out,
    "done": _done,
    "found": _found,
    "miss": _miss,
    "bomb": _bomb,
    "pass": lambda room, event: _tell(room, event["seat"], "passes", "pass"),
    "end": lambda room, event: _ENDS.get(event["why"]),
}
