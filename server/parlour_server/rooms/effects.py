"""What a room asks of its lobby. A room does nothing itself: it returns lists of these.

A room speaks of people (identity ids) and room time. The lobby translates for the node, which knows sockets and its own
clock. The order matters: what is sent after an ``Append`` leaves after its commit.
"""

from typing import TypeAlias

import attrs

from parlour_protocol.messages import Plain, ServerMessage
from parlour_server.persistence import Append, MatchFinished

# --- a room asks ------------------------------------------------------------------------------------


@attrs.frozen
class Send:
    """Tell the people ``to``."""

    to: tuple[str, ...]
    message: ServerMessage


@attrs.frozen
class WakeAt:
    """Call ``wake`` at room time ``at``; replaces the wake-up asked for before; None: not at all."""

    at: int | None


@attrs.frozen
class Compute:
    """Do this computation for ``room`` off the event loop, then call ``settle``."""

    room: str
    name: str
    args: Plain


@attrs.frozen
class StandInWanted:
    """A house bot would be welcome to stand in at ``seat``."""

    seat: int


@attrs.frozen
class SeatOwned:
    """``who`` now owns a seat here, or no longer does."""

    who: str
    seated: bool


@attrs.frozen
class RoomClosed:
    """The room is closed and can be forgotten."""


RoomEffect: TypeAlias = Append | Send | WakeAt | Compute | StandInWanted | SeatOwned | MatchFinished | RoomClosed

# --- the lobby asks of the node -----------------------------------------------------------------------
