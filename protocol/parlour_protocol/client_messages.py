"""The messages of clients: frozen attrs classes, which ``wire.client_message`` decodes strictly.

``t`` is a message's tag on the wire. A field with a default may be absent there; one without is always there.
``as_`` is ``as``. Nested values are in ``types``.
"""

from typing import ClassVar, Literal, TypeAlias

import attrs

from parlour_protocol.types import (
    DEFAULT_CLOCK,
    LONGEST_DELAY,
    LONGEST_PACE,
    Among,
    Clock,
    Deal,
    Id,
    Kind,
    Kinds,
    Plain,
    Role,
    Seen,
    Starts,
    WebhookFormat,
)
from parlour_protocol.validators import Between, HexDigits, MaxLength


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
    """Request the lobby; ``after`` a room code requests the next page, ``room`` the row of that room alone."""

    t: ClassVar = "list"
    game: str | None = None
    after: str | None = None
    room: str | None = None
    id: Id | None = None


@attrs.frozen
class Create:
    """Open a room and enter it. An absent clock means the default, null means no clocks.

    ``style``: how a bot plays, shown at its seat. ``seat_code``: only those who send a second code may take a seat.
    ``beacon``: each match waits for a round of a public beacon.
    """

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
    style: str | None = None
    delay: int = attrs.field(default=0, validator=Between(0, LONGEST_DELAY))
    seat_code: bool = False
    beacon: bool = False
    id: Id | None = None


@attrs.frozen
class Join:
    """Enter a room by its code. ``style``: how a bot plays, shown at its seat. ``seat_code``: that of the room."""

    t: ClassVar = "join"
    room: str
    as_: Role = "player"
    style: str | None = None
    seat_code: str | None = attrs.field(default=None, validator=MaxLength(16))
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
    """Make a bot available for these games, in up to ``max`` rooms at the same time; 0 withdraws it.

    ``styles``: the ways in which it can play, its usual one first.
    """

    t: ClassVar = "offer"
    games: list[str] = attrs.field(validator=MaxLength(16))
    max: int = attrs.field(validator=Between(0, 64))
    styles: list[str] | None = attrs.field(default=None, validator=MaxLength(32))
    id: Id | None = None


@attrs.frozen
class Invite:
    """Seat an available bot, or any free one if none is named, and let it play in a ``style`` (host only)."""

    t: ClassVar = "invite"
    room: str
    bot: str | None = None
    seat: int | None = None
    style: str | None = None
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
class Configure:
    """Change options, seats and clock for the next match (host only); what is absent is as absent in ``create``."""

    t: ClassVar = "configure"
    room: str
    options: Plain | None = None
    seats: int | None = None
    clock: Clock | None = attrs.field(factory=lambda: DEFAULT_CLOCK)
    id: Id | None = None


@attrs.frozen
class Handover:
    """As a spectator, ask the owner of ``seat`` for it; as an owner, give the seat ``to`` someone who has asked.

    With neither: take one's request back, or decline the requests for one's seat.
    """

    t: ClassVar = "handover"
    room: str
    seat: int | None = None
    to: str | None = None
    id: Id | None = None


@attrs.frozen
class Queue:
    """Wait for a seat at a full table as a spectator, or wait no more."""

    t: ClassVar = "queue"
    room: str
    wait: bool = True
    seat_code: str | None = attrs.field(default=None, validator=MaxLength(16))
    id: Id | None = None


@attrs.frozen
class Standings:
    """Request a leaderboard. ``ladder``: that of ``game`` by strength, among all or one sort of players."""

    t: ClassVar = "standings"
    game: str | None = None
    contest: str | None = None
    after: str | None = None
    cross: bool = False
    ladder: Among | None = None
    id: Id | None = None


@attrs.frozen
class Profile:
    """Request what a name has done on this server; absent: one's own."""

    t: ClassVar = "profile"
    name: str | None = None
    id: Id | None = None


@attrs.frozen
class Describe:
    """Request what a client needs to show a game that it does not know; ``lang`` such as ``de``."""

    t: ClassVar = "describe"
    game: str
    lang: str = attrs.field(default="en", validator=MaxLength(16))
    id: Id | None = None


@attrs.frozen
class Daily:
    """Request the table of a daily board; absent: today's. Or ``play`` today's board."""

    t: ClassVar = "daily"
    board: str = "beginner"
    day: str | None = None
    play: bool = False
    id: Id | None = None


@attrs.frozen
class Chain:
    """Request links of the server's public chain, from number ``after`` + 1 on."""

    t: ClassVar = "chain"
    after: int = 0
    id: Id | None = None


@attrs.frozen
class Missed:
    """Request the matches that ended while one was away. ``seen``: digests of those to leave out from now on."""

    t: ClassVar = "missed"
    seen: list[str] | None = attrs.field(default=None, validator=MaxLength(100))
    id: Id | None = None


@attrs.frozen
class Presets:
    """Request the presets of the people of this server, of one ``game`` or all; or first save or remove one's own.

    Saved are ``options``, ``seats`` and ``clock``, which are as in ``configure``.
    """

    t: ClassVar = "presets"
    do: Literal["list", "save", "remove"] = "list"
    game: str | None = None
    name: str | None = attrs.field(default=None, validator=MaxLength(30))
    options: Plain | None = None
    seats: int | None = None
    clock: Clock | None = attrs.field(factory=lambda: DEFAULT_CLOCK)
    id: Id | None = None


@attrs.frozen
class Webhook:
    """Request one's own webhook, which the server calls when it is one's turn; or first set, test or remove it.

    Saved are ``url``, ``format`` and ``lang``, the language of what it says.
    """

    t: ClassVar = "webhook"
    do: Literal["show", "set", "test", "remove"] = "show"
    url: str | None = attrs.field(default=None, validator=MaxLength(500))
    format: WebhookFormat = "json"
    lang: str | None = attrs.field(default=None, validator=MaxLength(32))
    id: Id | None = None


@attrs.frozen
class File:
    """Request the match file of a finished match; knowing its digest proves that the client was there.

    ``views``: with the positions of the match, as ``seat`` saw them, or a spectator.
    """

    t: ClassVar = "file"
    digest: str
    after: int = 0
    views: bool = False
    seat: int | None = None
    id: Id | None = None


@attrs.frozen
class Review:
    """Request the review of a seat in a finished match. ``after``: the number of decisions that the client has."""

    t: ClassVar = "review"
    digest: str
    seat: int
    after: int = 0
    id: Id | None = None


@attrs.frozen
class Continue:
    """Play on from act number ``act`` of a finished match, in the place of seat ``seat``, against house bots."""

    t: ClassVar = "continue"
    digest: str
    act: int
    seat: int = 0
    id: Id | None = None


@attrs.frozen
class Admin:
    """Do what only the admin may, with the admin token."""

    t: ClassVar = "admin"
    token: str
    do: Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain", "contest", "beacon"]
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
    Hello | List | Create | Join | Leave | Ready | Start | Act | Chat | OfferBot | Invite | Manage | Configure
    | Handover | Queue | Standings | Profile | Describe | Daily | File | Review | Continue | Chain | Missed | Presets
    | Webhook
    | Admin | Delete | Ping
)  # fmt: skip
