"""Minesweeper events as lines of text."""

from typing import Any

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import board_of
from parlour_client.text.minesweeper.words import said
from parlour_protocol.messages import Plain

_STEPS = 4
"""Progress of rivals in a race is reported at each quarter."""


def describe(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    tag, more, board = event["e"], dict[str, Any](), board_of(room)
    mode = board.mode if board else ""
    if f"minesweeper.event.{tag}" not in phrases:
        return None
    if tag == "board" and "n" not in event and mode != "duel":
        return None
    if tag == "open":
        if "at" not in event:
            return _rival(room, event)
        more["all"] = event["n"] if event["n"] != len(event["at"]) else None
    if tag == "mine":
        more["lives"] = board.lives if board else None
    if tag == "out" and (mode, event["why"]) == ("coop", "clock"):
        more["why"] = "frozen"
    return said(room, f"minesweeper.event.{tag}", event, **more) or None


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
    return said(room, "minesweeper.event.progress", {"seat": seat, "open": now, "safe": board.safe})


def _openings_behind(room: JoinedRoom, event: Plain) -> int:
    """Return how many cells the seat opened after ``event``: the view includes later events of the same message."""
    seen, later = False, 0
    for each in room.events:
        if seen and each.get("e") == "open" and each.get("seat") == event["seat"]:
            later += each["n"]
        seen = seen or each is event
    return later
