"""The events of a room, as a room client reports them to the line mode and the screens."""

from typing import Literal, TypeAlias

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_client.play.download import Download
from parlour_protocol.messages import Over, Plain, PresetRow, RoomRow, Rooms

Kind: TypeAlias = Literal["event", "note", "warning"]
"""The subject of a note: the game, the room or the connection, or a danger."""


@attrs.frozen
class Connected:
    """The server has greeted us for the first time."""

    name: str


@attrs.frozen
class Entered:
    """We are in the room for the first time."""

    room: JoinedRoom


@attrs.frozen
class Resumed:
    """We are back in the room after a lost connection. ``gap``: some events are missing."""

    room: JoinedRoom
    gap: bool


@attrs.frozen
class RoomChanged:
    """The room is different now. ``events``: what has just happened in the game."""

    room: JoinedRoom
    events: list[Plain] = attrs.field(factory=list)


@attrs.frozen
class DecisionOpened:
    """A decision is open that we have not answered yet."""

    room: JoinedRoom


@attrs.frozen
class MatchResult:
    """The match is over. ``proved``: the revealed secret fits the commitment made before the match."""

    room: JoinedRoom
    over: Over
    proved: bool


@attrs.frozen
class Chatted:
    """A chat message."""

    name: str
    text: str


@attrs.frozen
class Note:
    """A line for the log."""

    text: str
    kind: Kind = "note"


@attrs.frozen
class Rejected:
    """The server has refused an act or another request in the room. ``code``: of its error."""

    room: JoinedRoom
    code: str
    text: str


@attrs.frozen
class Completed:
    """A request made with ``RoomClient.requests`` was carried out, or (not ``ok``) refused.

    ``code``: that of the server's refusal.
    """

    text: str
    ok: bool
    code: str = ""


@attrs.frozen
class SeatGiven:
    """We have been given a seat, or got one that became free. ``text`` says so."""

    text: str


@attrs.frozen
class Downloaded:
    """The match file is complete and can be written."""

    download: Download


@attrs.frozen
class RoomsListed:
    """The answer to ``list``."""

    rooms: Rooms


@attrs.frozen
class ActAnswered:
    """The server has answered the act that was on its way."""


@attrs.frozen
class Latency:
    """The server took ``ms`` to answer."""

    ms: int


@attrs.frozen
class Offered:
    """A room that we know by its code. Take a seat with ``Arrival.sit``."""

    row: RoomRow


@attrs.frozen
class PresetsListed:
    """The presets of the server for the game of the room."""

    rows: list[PresetRow]


RoomEvent: TypeAlias = (
    Connected
    | Offered
    | Entered
    | Resumed
    | RoomChanged
    | DecisionOpened
    | MatchResult
    | Chatted
    | Note
    | Rejected
    | Completed
    | SeatGiven
    | Downloaded
    | RoomsListed
    | PresetsListed
    | ActAnswered
    | Latency
)
