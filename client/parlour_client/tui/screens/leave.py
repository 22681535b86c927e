"""Warnings before leaving a room."""

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry


@attrs.frozen
class LeaveWarning:
    """The effect of leaving now. ``question``: to confirm first, if not empty. ``keeps``: the seat stays reserved."""

    question: str = ""
    keeps: bool = False


def leave_warning(room: JoinedRoom | None, entry: Entry, *, lost: bool) -> LeaveWarning:
    """Return the warning for a player who entered with ``entry``. ``lost``: there is no connection."""
    if room is None or room.seat is None:
        return LeaveWarning()
    if not entry.keep:
        return LeaveWarning(say("tui.leave.own") if room.under_way else "")
    if lost:
        return LeaveWarning(say("tui.leave.lost") if room.under_way else "", keeps=True)
    if entry.ends and _others(room):
        return LeaveWarning(say("tui.leave.stops"), keeps=True)
    return LeaveWarning(say("tui.leave.given_up") if room.under_way else "")


def _others(room: JoinedRoom) -> bool:
    """Return whether other people are present."""
    return any(row["kind"] == "human" and row["here"] and row["seat"] != room.seat for row in room.table["seats"])
