"""Warnings before leaving a room."""

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry

_LOST = "The connection is lost. Your seat stays yours as long as it is held: the start screen leads back to it."
_STOPS = "The server runs in this program, so it stops for all. The room is saved: the start screen opens it again."
_OWN = "This match ends when you leave: there is no way back into it."
_GIVEN_UP = "A match is under way. If you leave, your seat is given up."


@attrs.frozen
class LeaveWarning:
    """What leaving means now. ``question``: to be confirmed first, if not empty. ``keeps``: the seat stays reserved."""

    question: str = ""
    keeps: bool = False


def leave_warning(room: JoinedRoom | None, entry: Entry, *, lost: bool) -> LeaveWarning:
    """Return the warning for a player who entered with ``entry``. ``lost``: there is no connection."""
    if room is None or room.seat is None:
        return LeaveWarning()
    if not entry.keep:
        return LeaveWarning(_OWN if room.under_way else "")
    if lost:
        return LeaveWarning(_LOST if room.under_way else "", keeps=True)
    if entry.ends and _others(room):
        return LeaveWarning(_STOPS, keeps=True)
    return LeaveWarning(_GIVEN_UP if room.under_way else "")


def _others(room: JoinedRoom) -> bool:
    """Return whether other people are present."""
    return any(row["kind"] == "human" and row["here"] and row["seat"] != room.seat for row in room.table["seats"])
