"""The effects of a room. A room does no I/O: it returns lists of these effects.

A room knows people (identity ids) and room time. The lobby translates its effects for the node, which knows sockets
and its own clock. The order matters: what follows an ``Append`` is sent after its commit.
"""

from typing import TypeAlias

from msgspec import Struct

from parlour_protocol.messages import Plain, ServerMessage
from parlour_server.persistence import Append, MatchFinished, SaveDaily, SaveLink, SaveMissed


class Send(Struct, frozen=True):
    """Send ``message`` to the people ``to``."""

    to: tuple[str, ...]
    message: ServerMessage


class WakeAt(Struct, frozen=True):
    """Call ``wake`` at room time ``at``; replaces the wake-up asked for before."""

    at: int


class Compute(Struct, frozen=True):
    """Do this computation for ``room`` off the event loop, then call ``settle`` with the result."""

    room: str
    name: str
    args: Plain


class StandInWanted(Struct, frozen=True):
    """Find a house bot to stand in at ``seat``."""

    seat: int


class Notify(Struct, frozen=True):
    """Notify ``who``, who is away, of their turn in ``room``: call their webhook, if they have one.

    ``turn`` tells one turn of theirs in the room from another. ``left``: milliseconds on their clock; None: no clock.
    """

    room: str
    game: str
    who: str
    name: str
    turn: str
    left: int | None


class SeatOwned(Struct, frozen=True):
    """``who`` now owns a seat in the room, or no longer does."""

    who: str
    seated: bool


class RoomClosed(Struct, frozen=True):
    """The room is closed and can be dropped."""


RoomEffect: TypeAlias = (
    Append
    | Send
    | WakeAt
    | Compute
    | Notify
    | StandInWanted
    | SeatOwned
    | MatchFinished
    | RoomClosed
    | SaveDaily
    | SaveLink
    | SaveMissed
)
