"""The messages of clients: frozen Structs, which ``wire.client_message`` reads strictly.

``t`` is a message's tag on the wire. A field with a default may be absent there; one without is always there.
``as_`` is ``as``. Nested values are in ``types``.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field

from parlour_protocol.tags import Tag
from parlour_protocol.types import (
    DEFAULT_CLOCK,
    LONGEST_DELAY,
    LONGEST_PACE,
    Among,
    Clock,
    Deal,
    Id,
    Integer,
    Kind,
    Kinds,
    Nonce,
    Plain,
    Role,
    Secret,
    Seen,
    Starts,
    WebhookFormat,
)


class Request(Struct, frozen=True, tag_field="t"):
    """The base of all messages that clients send."""

    t: ClassVar = Tag()


class Hello(Request, frozen=True, tag="hello"):
    """Take a name, or return as a known identity with a token or key."""

    name: str
    kind: Kind
    token: Secret | None = None
    key: Secret | None = None
    ticket: Secret | None = None
    rooms: list[Seen] | None = None
    can: Annotated[list[str], Meta(max_length=32)] | None = None
    id: Id | None = None


class List(Request, frozen=True, tag="list"):
    """Request the lobby; ``after`` a room code requests the next page, ``room`` the row of that room alone."""

    game: str | None = None
    after: str | None = None
    room: str | None = None
    id: Id | None = None


class Create(Request, frozen=True, tag="create", rename={"as_": "as"}):
    """Open a room and enter it. An absent clock means the default, null means no clocks.

    ``style``: how a bot plays, shown at its seat. ``seat_code``: only those who send a second code may take a seat.
    ``beacon``: refused with ``no_beacon``. ``rated``: False opens a casual room, whose matches
    count for nobody.
    """

    game: str
    options: Plain | None = None
    seats: Integer | None = None
    private: bool = False
    kinds: Kinds = "any"
    watch: bool = True
    hints: bool = True
    clock: Clock | None = field(default_factory=lambda: DEFAULT_CLOCK)
    standin: bool = True
    start: Starts = "host"
    as_: Role = "player"
    pace: Annotated[int, Meta(ge=0, le=LONGEST_PACE)] | None = None
    deal: Deal | None = None
    style: str | None = None
    delay: Annotated[int, Meta(ge=0, le=LONGEST_DELAY)] = 0
    seat_code: bool = False
    beacon: bool = False
    rated: bool = True
    id: Id | None = None


class Join(Request, frozen=True, tag="join", rename={"as_": "as"}):
    """Enter a room by its code. ``style``: how a bot plays, shown at its seat. ``seat_code``: that of the room."""

    room: str
    as_: Role = "player"
    style: str | None = None
    seat_code: Annotated[str, Meta(max_length=16)] | None = None
    id: Id | None = None


class Leave(Request, frozen=True, tag="leave"):
    """Leave a room for good."""

    room: str
    id: Id | None = None


class Ready(Request, frozen=True, tag="ready"):
    """Be ready for a match or rematch, end a pause, or take one's seat back from a stand-in."""

    room: str
    ready: bool = True
    nonce: Nonce | None = None
    id: Id | None = None


class Start(Request, frozen=True, tag="start"):
    """Begin a match now (host only)."""

    room: str
    id: Id | None = None


class Act(Request, frozen=True, tag="act"):
    """Answer decision ``rid`` with an index into its ``legal``, or with an action in full."""

    room: str
    rid: Integer
    act: Integer | Plain
    why: Annotated[str, Meta(max_length=1024)] | None = None
    id: Id | None = None


class Chat(Request, frozen=True, tag="chat"):
    """Send a line of chat to the room."""

    room: str
    text: Annotated[str, Meta(max_length=200)]
    id: Id | None = None


class OfferBot(Request, frozen=True, tag="offer"):
    """Make a bot available for these games, in up to ``max`` rooms at the same time; 0 withdraws it.

    ``styles``: the ways in which it can play, its usual one first.
    """

    games: Annotated[list[str], Meta(max_length=16)]
    max: Annotated[int, Meta(ge=0, le=64)]
    styles: Annotated[list[str], Meta(max_length=32)] | None = None
    id: Id | None = None


class Invite(Request, frozen=True, tag="invite"):
    """Seat an available bot, or any free one if none is named, and let it play in a ``style`` (host only)."""

    room: str
    bot: str | None = None
    seat: Integer | None = None
    style: str | None = None
    id: Id | None = None


class Manage(Request, frozen=True, tag="manage"):
    """Kick, ban or mute someone in the room, make them host, or give them time (host only)."""

    room: str
    do: Literal["kick", "ban", "mute", "unmute", "host", "addtime"]
    name: str
    id: Id | None = None


class Configure(Request, frozen=True, tag="configure"):
    """Change options, seats and clock for the next match (host only); what is absent is as absent in ``create``."""

    room: str
    options: Plain | None = None
    seats: Integer | None = None
    clock: Clock | None = field(default_factory=lambda: DEFAULT_CLOCK)
    id: Id | None = None


class Handover(Request, frozen=True, tag="handover"):
    """As a spectator, ask the owner of ``seat`` for it; as an owner, give the seat ``to`` someone who has asked.

    With neither: take one's request back, or decline the requests for one's seat.
    """

    room: str
    seat: Integer | None = None
    to: str | None = None
    id: Id | None = None


class Queue(Request, frozen=True, tag="queue"):
    """Wait for a seat at a full table as a spectator, or wait no more."""

    room: str
    wait: bool = True
    seat_code: Annotated[str, Meta(max_length=16)] | None = None
    id: Id | None = None


class Standings(Request, frozen=True, tag="standings"):
    """Request a leaderboard. ``ladder``: that of ``game`` by strength, among all or one sort of players."""

    game: str | None = None
    contest: str | None = None
    after: str | None = None
    cross: bool = False
    ladder: Among | None = None
    id: Id | None = None


class Profile(Request, frozen=True, tag="profile"):
    """Request what a name has done on this server; absent: one's own."""

    name: str | None = None
    id: Id | None = None


class Describe(Request, frozen=True, tag="describe"):
    """Request what a client needs to show a game that it does not know; ``lang`` such as ``de``."""

    game: str
    lang: Annotated[str, Meta(max_length=16)] = "en"
    id: Id | None = None


class Daily(Request, frozen=True, tag="daily"):
    """Request the table of a daily board; absent: today's. Or ``play`` today's board."""

    board: str = "beginner"
    day: str | None = None
    play: bool = False
    id: Id | None = None


class Chain(Request, frozen=True, tag="chain"):
    """Request links of the server's public chain, from number ``after`` + 1 on."""

    after: Integer = 0
    id: Id | None = None


class Missed(Request, frozen=True, tag="missed"):
    """Request the matches that ended while one was away. ``seen``: digests of those to leave out from now on."""

    seen: Annotated[list[str], Meta(max_length=100)] | None = None
    id: Id | None = None


class Presets(Request, frozen=True, tag="presets"):
    """Request the presets of the people of this server, of one ``game`` or all; or first save or remove one's own.

    Saved are ``options``, ``seats`` and ``clock``, which are as in ``configure``.
    """

    do: Literal["list", "save", "remove"] = "list"
    game: str | None = None
    name: Annotated[str, Meta(max_length=30)] | None = None
    options: Plain | None = None
    seats: Integer | None = None
    clock: Clock | None = field(default_factory=lambda: DEFAULT_CLOCK)
    id: Id | None = None


class Webhook(Request, frozen=True, tag="webhook"):
    """Request one's own webhook, which the server calls when it is one's turn; or first set, test or remove it.

    Saved are ``url``, ``format`` and ``lang``, the language of what it says.
    """

    do: Literal["show", "set", "test", "remove"] = "show"
    url: Annotated[str, Meta(max_length=500)] | None = None
    format: WebhookFormat = "json"
    lang: Annotated[str, Meta(max_length=32)] | None = None
    id: Id | None = None


class File(Request, frozen=True, tag="file"):
    """Request the match file of a finished match; knowing its digest proves that the client was there.

    ``views``: with the positions of the match, as ``seat`` saw them, or a spectator.
    """

    digest: str
    after: Integer = 0
    views: bool = False
    seat: Integer | None = None
    id: Id | None = None


class Review(Request, frozen=True, tag="review"):
    """Request the review of a seat in a finished match. ``after``: the number of decisions that the client has."""

    digest: str
    seat: Integer
    after: Integer = 0
    id: Id | None = None


class Continue(Request, frozen=True, tag="continue"):
    """Play on from act number ``act`` of a finished match, in the place of seat ``seat``, against house bots."""

    digest: str
    act: Integer
    seat: Integer = 0
    id: Id | None = None


class Admin(Request, frozen=True, tag="admin"):
    """Do what only the admin may, with the admin token."""

    token: str
    do: Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain", "contest", "beacon"]
    name: str | None = None
    room: str | None = None
    args: Plain | None = None
    id: Id | None = None


class Delete(Request, frozen=True, tag="delete"):
    """Delete one's own identity, proved by its key."""

    key: Secret
    id: Id | None = None


class Ping(Request, frozen=True, tag="ping"):
    """Request a pong."""

    id: Id | None = None


ClientMessage: TypeAlias = (
    Hello | List | Create | Join | Leave | Ready | Start | Act | Chat | OfferBot | Invite | Manage | Configure
    | Handover | Queue | Standings | Profile | Describe | Daily | File | Review | Continue | Chain | Missed | Presets
    | Webhook
    | Admin | Delete | Ping
)  # fmt: skip
