"""Every message of protocol version 1, in both directions. SPEC.md describes what each is for.

A message is a frozen attrs class, and ``t`` is its tag on the wire. A field with a default may be absent on the wire;
one without is always there, possibly as null. ``as_`` and ``from_`` are ``as`` and ``from``. Nested values are in
``types``.
"""

from typing import ClassVar, Literal, TypeAlias

import attrs

from parlour_protocol.types import DEFAULT_CLOCK as DEFAULT_CLOCK  # fmt: skip
from parlour_protocol.types import LONGEST_PACE as LONGEST_PACE
from parlour_protocol.types import Answer as Answer
from parlour_protocol.types import BotRow as BotRow
from parlour_protocol.types import ChatRow as ChatRow
from parlour_protocol.types import Clock as Clock
from parlour_protocol.types import ContestView as ContestView
from parlour_protocol.types import Deal as Deal
from parlour_protocol.types import FairView as FairView
from parlour_protocol.types import Id as Id
from parlour_protocol.types import Kind as Kind
from parlour_protocol.types import Kinds as Kinds
from parlour_protocol.types import MeetingRow as MeetingRow
from parlour_protocol.types import Offer as Offer
from parlour_protocol.types import Plain as Plain
from parlour_protocol.types import PlayerRow as PlayerRow
from parlour_protocol.types import Result as Result
from parlour_protocol.types import Role as Role
from parlour_protocol.types import RoomRow as RoomRow
from parlour_protocol.types import RoomState as RoomState
from parlour_protocol.types import SeatRow as SeatRow
from parlour_protocol.types import Seats as Seats
from parlour_protocol.types import Seen as Seen
from parlour_protocol.types import Speaker as Speaker
from parlour_protocol.types import StandingsRow as StandingsRow
from parlour_protocol.types import Starts as Starts
from parlour_protocol.types import Table as Table
from parlour_protocol.validators import Between, HexDigits, MaxLength

# --- client → server -------------------------------------------------------------------------------


@attrs.frozen
class Hello:
    """Take a name, or return as a known identity with a token or key."""

    t: ClassVar = "hello"
    name: str
    kind: Kind
    token: str | None = attrs.field(default=None, validator=MaxLength(128))
    key: str | None = attrs.field(default=None, validator=MaxLength(128))
    ticket: str | None = attrs.field(default=None, validator=MaxLength(128))
    rooms: list[Seen] | None = None
    can: list[str] | None = attrs.field(default=None, validator=MaxLength(32))
    id: Id | None = None


@attrs.frozen
class List:
    """Request the lobby; ``after`` a room code requests the next page."""

    t: ClassVar = "list"
    game: str | None = None
    after: str | None = None
    id: Id | None = None


@attrs.frozen
class Create:
    """Open a room and enter it. An absent clock means the default, null means no clocks."""

    t: ClassVar = "create"
    game: str
    options: Plain | None = None
    seats: int | None = None
    private: bool = False
    kinds: Kinds = "any"
    watch: bool = True
    hints: bool = True
    clock: Clock | None = attrs.field(factory=lambda: DEFAULT_CLOCK)
    standin: bool = True
    start: Starts = "host"
    as_: Role = "player"
    pace: int | None = attrs.field(default=None, validator=Between(0, LONGEST_PACE))
    deal: Deal | None = None
    id: Id | None = None


@attrs.frozen
class Join:
    """Enter a room by its code."""

    t: ClassVar = "join"
    room: str
    as_: Role = "player"
    id: Id | None = None


@attrs.frozen
class Leave:
    """Leave a room for good."""

    t: ClassVar = "leave"
    room: str
    id: Id | None = None


@attrs.frozen
class Ready:
    """Be ready for a match or rematch, end a pause, or take one's seat back from a stand-in."""

    t: ClassVar = "ready"
    room: str
    ready: bool = True
    nonce: str | None = attrs.field(default=None, validator=HexDigits(64))
    id: Id | None = None


@attrs.frozen
class Start:
    """Begin a match now (host only)."""

    t: ClassVar = "start"
    room: str
    id: Id | None = None


@attrs.frozen
class Act:
    """Answer decision ``rid`` with an index into its ``legal``, or with an action in full."""

    t: ClassVar = "act"
    room: str
    rid: int
    act: int | Plain
    why: str | None = attrs.field(default=None, validator=MaxLength(1024))
    id: Id | None = None


@attrs.frozen
class Chat:
    """Send a line of chat to the room."""

    t: ClassVar = "chat"
    room: str
    text: str = attrs.field(validator=MaxLength(200))
    id: Id | None = None


@attrs.frozen
class OfferBot:
    """Make a bot available for these games, in up to ``max`` rooms at the same time; 0 withdraws it."""

    t: ClassVar = "offer"
    games: list[str] = attrs.field(validator=MaxLength(16))
    max: int = attrs.field(validator=Between(0, 64))
    id: Id | None = None


@attrs.frozen
class Invite:
    """Seat an available bot, or any free one if none is named (host only)."""

    t: ClassVar = "invite"
    room: str
    bot: str | None = None
    seat: int | None = None
    id: Id | None = None


@attrs.frozen
class Manage:
    """Kick, ban or mute someone in the room, make them host, or give them time (host only)."""

    t: ClassVar = "manage"
    room: str
    do: Literal["kick", "ban", "mute", "unmute", "host", "addtime"]
    name: str
    id: Id | None = None


@attrs.frozen
class Standings:
    """Request a leaderboard."""

    t: ClassVar = "standings"
    game: str | None = None
    contest: str | None = None
    after: str | None = None
    cross: bool = False
    id: Id | None = None


@attrs.frozen
class File:
    """Request the match file of a finished match; knowing its digest proves that the client was there."""

    t: ClassVar = "file"
    digest: str
    after: int = 0
    id: Id | None = None


@attrs.frozen
class Admin:
    """Do what only the admin may, with the admin token."""

    t: ClassVar = "admin"
    token: str
    do: Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain", "contest"]
    name: str | None = None
    room: str | None = None
    args: Plain | None = None
    id: Id | None = None


@attrs.frozen
class Delete:
    """Delete one's own identity, proved by its key."""

    t: ClassVar = "delete"
    key: str = attrs.field(validator=MaxLength(128))
    id: Id | None = None


@attrs.frozen
class Ping:
    """Request a pong."""

    t: ClassVar = "ping"
    id: Id | None = None


ClientMessage: TypeAlias = (
    Hello | List | Create | Join | Leave | Ready | Start | Act | Chat | OfferBot | Invite | Manage | Standings | File
    | Admin | Delete | Ping
)  # fmt: skip

# --- server → client: the stream of a room, numbered by seq ----------------------------------------


@attrs.frozen
class Joined:
    """The whole room, which replaces all that the client knows of it."""

    t: ClassVar = "joined"
    room: str
    epoch: int
    seq: int
    game: str
    seat: int | None
    table: Table
    view: Plain | None
    events: list[Plain]
    gap: bool
    may: list[Offer]
    clocks: Seats
    chat: list[ChatRow]
    why: Literal["join", "invited", "resume", "sync", "standin"] | None = None
    re: Id | None = None


@attrs.frozen(slots=False)  # made in less than half the time; every move makes some
class Update:
    """A change in the game, with the whole view."""

    t: ClassVar = "update"
    room: str
    seq: int
    view: Plain
    events: list[Plain]
    may: list[Offer]
    clocks: Seats
    ok: Answer | None = None


@attrs.frozen(slots=False)  # made in less than half the time; every move makes some
class Turn:
    """An update that asks for a decision: answer ``rid`` with an act within ``left`` ms (null: no clock)."""

    t: ClassVar = "turn"
    room: str
    seq: int
    game: str
    seat: int
    view: Plain
    events: list[Plain]
    may: list[Offer]
    clocks: Seats
    rid: int
    left: int | None
    legal: list[Plain] | None = None
    ok: Answer | None = None


@attrs.frozen
class Over:
    """The end of a match: its result, the secret S of its deals, what S was bound to, and the digest of its record."""

    t: ClassVar = "over"
    room: str
    seq: int
    view: Plain
    events: list[Plain]
    clocks: Seats
    result: Result
    reveal: str
    digest: str
    commit: str | None = None
    context: str | None = None
    ok: Answer | None = None


@attrs.frozen
class SeatsChanged:
    """The room apart from the game has changed."""

    t: ClassVar = "seats"
    room: str
    seq: int
    table: Table


@attrs.frozen
class Said:
    """A line of chat."""

    t: ClassVar = "chat"
    room: str
    seq: int
    from_: Speaker
    text: str


# --- server → client: answers and the rest, not numbered --------------------------------------------


@attrs.frozen
class Welcome:
    """The answer to hello. ``rooms`` holds the codes of the rooms where the identity has a seat."""

    t: ClassVar = "welcome"
    name: str
    server: str
    limits: Plain
    can: list[str]
    rooms: list[str]
    token: str | None = attrs.field(default=None, validator=MaxLength(128))
    re: Id | None = None


@attrs.frozen
class Rooms:
    """A page of the lobby."""

    t: ClassVar = "rooms"
    rooms: list[RoomRow]
    bots: list[BotRow]
    after: str | None = None
    re: Id | None = None


@attrs.frozen
class Ok:
    """The request is done. For an act: the action that was recorded for this rid."""

    t: ClassVar = "ok"
    re: Id | None = None
    room: str | None = None
    rid: int | None = None
    act: Plain | None = None
    seat: int | None = None


@attrs.frozen
class Error:
    """A refusal: what was wrong, what is legal, what to do next."""

    t: ClassVar = "error"
    code: str
    msg: str
    hint: str | None = None
    re: Id | None = None
    room: str | None = None
    rid: int | None = None
    why: str | None = None
    act: Plain | None = None
    legal: list[Plain] | None = None
    left: int | None = None
    retry_after: int | None = None
    strikes: list[int] | None = None


@attrs.frozen
class Left:
    """You are no longer in this room."""

    t: ClassVar = "left"
    room: str
    why: Literal["left", "kicked", "banned", "expired", "aborted", "replaced", "forfeited"]
    re: Id | None = None


@attrs.frozen
class Redirect:
    """The room lives on another server: connect there with this ticket."""

    t: ClassVar = "redirect"
    room: str
    url: str
    ticket: str = attrs.field(validator=MaxLength(128))
    re: Id | None = None


@attrs.frozen
class Pong:
    """The answer to ping."""

    t: ClassVar = "pong"
    re: Id | None = None


@attrs.frozen
class StandingsRows:
    """A page of a leaderboard, best first."""

    t: ClassVar = "standings"
    rows: list[StandingsRow]
    after: str | None = None
    re: Id | None = None
    contest: ContestView | None = None


@attrs.frozen
class FileLines:
    """Lines of a match file; ``after`` is where to continue, absent at the end."""

    t: ClassVar = "file"
    digest: str
    lines: list[str]
    after: int | None = None
    re: Id | None = None


@attrs.frozen
class Bye:
    """The server closes the socket after this message."""

    t: ClassVar = "bye"
    code: str
    msg: str
    retry_after: int | None = None


ServerMessage: TypeAlias = (
    Joined | Update | Turn | Over | SeatsChanged | Said | Welcome | Rooms | Ok | Error | Left | Redirect | Pong
    | StandingsRows | FileLines | Bye
)  # fmt: skip
