"""What a room wants done. A room does no I/O: it returns lists of these effects.

A room knows people (identity ids) and room time. The lobby translates its effects for the node, which knows sockets
and its own clock. The order matters: what follows an ``Append`` is sent after its commit.
"""

from typing import TypeAlias

import attrs

from parlour_protocol.messages import Plain, ServerMessage
from parlour_server.persistence import Append, MatchFinished


@attrs.frozen
class Send:
    """Send ``message`` to the people ``to``."""

    to: tuple[str, ...]
    message: ServerMessage


@attrs.frozen
class WakeAt:
    """Call ``wake`` at room time ``at``; replaces the wake-up asked for before."""

    at: int


@attrs.frozen
class Compute:
    """Do this computation for ``room`` off the event loop, then call ``settle`` with the result."""

    room: str
    name: str
    args: Plain


@attrs.frozen
class StandInWanted:
    """Find a house bot to stand in at ``seat``."""

    seat: int


@attrs.frozen
class SeatOwned:
    """``who`` now owns a seat in the room, or no longer does."""

    who: str
    seated: bool


@attrs.frozen
class RoomClosed:
    """The room is closed and can be dropped."""


RoomEffect: TypeAlias = Append | Send | WakeAt | Compute | StandInWanted | SeatOwned | MatchFinished | RoomClosed
