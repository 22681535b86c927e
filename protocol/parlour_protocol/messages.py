"""The vocabulary of protocol version 1: the values and messages of both directions. SPEC.md says what each is for.

Values are plain data, which both encodings carry unchanged. Messages are frozen Structs, which ``wire`` reads. ``t`` is
a message's tag on the wire. A field with a default may be absent there; one without is always there, possibly as null.
``as_`` is ``as``, and ``from_`` is ``from``. A request stands beside its answer, and says what servers and clients need
to know about it.
"""

from enum import Enum, auto
from typing import Annotated, Any, ClassVar, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, get_args

from msgspec import Meta, Struct, field

INT_LIMIT = 2**53
"""Integers lie strictly between minus this and this, the range that every JSON reader keeps exact."""
ID_LIMIT = 64
"""The longest ``id`` of a message, in characters."""
Plain: TypeAlias = dict[str, Any]
"""Plain data: str, int, bool, None, list, and maps with string keys."""
Integer: TypeAlias = Annotated[int, Meta(gt=-INT_LIMIT, lt=INT_LIMIT)]
Id: TypeAlias = Annotated[str, Meta(max_length=ID_LIMIT)] | Integer
SECRET_LIMIT = 128
"""The longest secret, in characters."""
Secret: TypeAlias = Annotated[str, Meta(max_length=SECRET_LIMIT)]
"""What clients are to send back later, so it is no longer than what they may send."""
Nonce: TypeAlias = Annotated[
    str, Meta(pattern="^(?:[0-9a-f]{64})$", max_length=64, description="64 digits of 0-9 and a-f")
]
"""A nonce of 32 bytes in lowercase hex."""
Kind: TypeAlias = Literal["human", "bot"]
Kinds: TypeAlias = Literal["any", "humans", "bots"]
Among: TypeAlias = Literal["all", "human", "bot", "llm"]
"""The players of a ladder. Language models are bots that declare themselves."""
Role: TypeAlias = Literal["player", "spectator"]
Starts: TypeAlias = Literal["host", "full"]
"""What begins the first match of a room: its host, or a player who takes the last seat."""
WebhookFormat: TypeAlias = Literal["json", "ntfy", "discord"]
"""The body of a webhook call: the fields of a notice as JSON, or a message for ntfy or Discord."""
RoomState: TypeAlias = Literal["waiting", "playing", "pause", "finished", "closed"]
Unrated: TypeAlias = Literal["casual", "chosen", "daily", "alone", "absent", "clock", "address"]
"""Why a match is not rated: it changes no rating and counts in no standings."""
Seats: TypeAlias = dict[str, Integer]
"""Seat number as a decimal string → a number (milliseconds left, a rank, a score)."""


class Seen(TypedDict):
    """How far a client has followed a room; sent with ``hello`` to resume."""

    room: str
    epoch: Integer
    seq: Integer


class Clock(TypedDict):
    """A room's clock, in milliseconds: the bank at the start of a match, what each decision adds, the bank's limit."""

    bank: Integer
    add: Integer
    cap: NotRequired[Integer]


DEFAULT_CLOCK: Clock = {"bank": 60_000, "add": 15_000}
"""The clock of a room that is created without one."""
LONGEST_PACE = 60_000
"""The maximum time, in milliseconds, that a house bot takes for a card or a click."""
LONGEST_DELAY = 60_000
"""The maximum delay of what spectators see, in milliseconds."""


class BeaconRound(TypedDict):
    """A round of a public beacon in an older match: the hash of its network, and its randomness, in hex."""

    chain: str
    round: Integer
    randomness: NotRequired[str]


class Deal(TypedDict):
    """What determines the deals of a match: the secret S in hex, the context, and the nonces by seat ("": none).

    ``beacon``: in the deal of an older match, the round whose randomness is one more nonce.
    """

    secret: str
    context: str
    nonces: list[str]
    beacon: NotRequired[BeaconRound]


class FairView(TypedDict):
    """What binds the deals of the next or current match.

    The commitment C and the nonces by seat, in hex; ``context`` is the room's code, ``/`` and the number of the match.
    ``deal``: every match of the room has the same deal, which its creator chose, or which is that of the day.
    ``beacon``: in a chosen deal of an older match, the round whose randomness is one more nonce.
    """

    commit: str
    context: str
    nonces: dict[str, str]
    deal: NotRequired[Literal["chosen", "daily"]]
    beacon: NotRequired[BeaconRound]


class SeatRow(TypedDict):
    """One seat as everyone sees it. ``left`` is the time until a stand-in plays for its owner, in milliseconds.

    ``style``: how an invited bot plays there. ``wins``: the matches of this room that its owner has won.
    """

    seat: Integer
    name: str
    kind: Kind
    here: bool
    ready: bool
    by: Literal["owner", "standin"]
    rating: NotRequired[Integer]
    left: NotRequired[Integer]
    style: NotRequired[str]
    wins: NotRequired[Integer]


class SeatRequest(TypedDict):
    """A spectator who has asked the owner of ``seat`` for it."""

    seat: Integer
    name: str
    kind: Kind


class Table(TypedDict):
    """A room as everyone in it sees it, apart from the game.

    ``size``: how many seats there are, taken or free. ``pace``: milliseconds that house bots take for a card or click.
    ``requests``: who has asked for which seat; absent: no one. ``delay``: milliseconds until spectators see a match.
    ``queue``: the names of those who wait for a seat; absent: no one. ``seat_code``: a seat takes a second code.
    ``unrated``: why the match under way, or one that began now, is not rated; absent: it is. ``beacon``: not sent.
    """

    state: RoomState
    host: str | None
    options: Plain
    watchers: Integer
    fair: FairView
    hints: bool
    seats: list[SeatRow]
    size: NotRequired[Integer]
    clock: NotRequired[Clock | None]
    standin: NotRequired[bool]
    start: NotRequired[Starts]
    kinds: NotRequired[Kinds]
    watch: NotRequired[bool]
    private: NotRequired[bool]
    pace: NotRequired[Integer | None]
    requests: NotRequired[list[SeatRequest]]
    delay: NotRequired[Integer]
    queue: NotRequired[list[str]]
    seat_code: NotRequired[bool]
    beacon: NotRequired[bool]
    unrated: NotRequired[Unrated]


class Offer(TypedDict):
    """An optional decision, with ``rid`` and ``legal`` as in a ``turn``."""

    rid: Integer
    legal: list[Plain]


ChatRow = TypedDict("ChatRow", {"from": str, "text": str})
"""One line of a room's chat."""


class PlayerRow(TypedDict):
    """A player who sits in a room of the lobby."""

    name: str
    kind: Kind


class RoomRow(TypedDict):
    """A room in the lobby. ``players``: those who sit there, by seat; absent if no one may watch.

    ``people``: how many people sit there. ``rules``: how the room is played, in English. Clients with words
    of their own say it from ``options`` and ``clock``, which older servers leave out. ``seat_code`` and ``standin``:
    as in Table. ``unrated``: why no match of the room is rated.
    """

    room: str
    game: str
    state: RoomState
    seats: Integer
    taken: Integer
    kinds: Kinds
    watch: bool
    host: str | None
    players: NotRequired[list[PlayerRow]]
    people: NotRequired[Integer]
    rules: NotRequired[list[str]]
    options: NotRequired[Plain]
    clock: NotRequired[Clock | None]
    seat_code: NotRequired[bool]
    standin: NotRequired[bool]
    unrated: NotRequired[Unrated]


class BotRow(TypedDict):
    """A bot that can be invited: the games it plays, for how many more rooms it is free, and in which styles."""

    name: str
    games: list[str]
    free: Integer
    house: NotRequired[bool]
    rating: NotRequired[Integer]
    styles: NotRequired[list[str]]


class Answer(TypedDict, total=False):
    """The ``ok`` to an act, carried inside the view message of the same move."""

    re: Id
    rid: Integer
    act: Plain


class BoardTime(TypedDict):
    """The time of a board that was cleared alone, in milliseconds."""

    board: str
    ms: Integer


class Result(TypedDict):
    """How a match ended. Ranks count from 1 and may be shared. ``time`` counts in lists of best times.

    ``unrated``: why it is not rated; absent: it is, unless it was aborted or has expired.
    """

    ranks: Seats
    scores: Seats
    why: str
    stats: NotRequired[Plain]
    time: NotRequired[BoardTime]
    unrated: NotRequired[Unrated]


class Speaker(TypedDict):
    """Who wrote a line of chat."""

    name: str
    kind: Kind
    seat: Integer | None


class MeetingRow(TypedDict):
    """The matches of a contest's bot against another one."""

    name: str
    games: Integer
    wins: Integer


class StandingsRow(TypedDict):
    """One row of a leaderboard. ``style``: how a bot has played, if it was always the same.

    ``rank``: the place, where the format of a contest decides it; equals share it. ``group``: a group or division.
    Of a ladder: ``low`` and ``high``, the 95 % interval of the rating, and ``past``, the ratings until now.
    """

    name: str
    kind: Kind
    games: Integer
    wins: Integer
    points: Integer
    rating: NotRequired[Integer]
    style: NotRequired[str]
    forfeits: NotRequired[Integer]
    faults: NotRequired[Integer]
    against: NotRequired[list[MeetingRow]]
    rank: NotRequired[Integer]
    group: NotRequired[Integer]
    low: NotRequired[Integer]
    high: NotRequired[Integer]
    past: NotRequired[list[Integer]]


class ChainLink(TypedDict):
    """A link of the server's public chain: a match that begins, or with ``over`` one that is over.

    ``at`` is in seconds since 1970. ``parlour_games.chain`` and docs/fairness.md define the hashes.
    """

    n: Integer
    at: Integer
    match: str
    hash: str
    over: NotRequired[str]


class RankedName(TypedDict):
    """A player of a finished match, and its rank from 1."""

    name: str
    rank: Integer


class MissedRow(TypedDict):
    """A match that ended while one was away: how many milliseconds ago, one's ``rank``, and all players by rank.

    ``void``: the match does not count, such as one that was aborted or in a casual room.
    """

    digest: str
    room: str
    game: str
    ago: Integer
    rank: Integer
    players: list[RankedName]
    void: NotRequired[bool]


class PresetRow(TypedDict):
    """Rules that someone has saved under a name. ``mine``: the client that asks has saved them."""

    game: str
    name: str
    by: str
    mine: bool
    options: Plain
    seats: Integer
    clock: Clock | None


class FinishRow(TypedDict):
    """A finished match of a profile: how long ago in milliseconds, the rank among how many, and the score.

    ``board`` and ``ms`` are a time; ``record``: no time was better, the best one ``before`` included. ``unrated``: why
    the match is no record: odds were shown, or its deal was chosen. Only a client's own table lists such matches.
    """

    ago: Integer
    rank: Integer
    players: Integer
    score: Integer
    board: NotRequired[str]
    ms: NotRequired[Integer]
    record: NotRequired[bool]
    before: NotRequired[Integer]
    unrated: NotRequired[Literal["odds", "chosen"]]


class ProfileRow(TypedDict):
    """The results of a name at one game: matches, wins, wins in a row now and at most, and the best time by board."""

    game: str
    matches: Integer
    wins: Integer
    streak: Integer
    longest: Integer
    times: list[BoardTime]
    last: list[FinishRow]
    rating: NotRequired[Integer]


class DailyBoard(TypedDict):
    """A daily board, its game, and what comes first in its table: the shortest time, or the most or fewest points."""

    board: str
    game: str
    best: Literal["time", "most", "fewest"]


class DailyRow(TypedDict):
    """A name that has finished the board of a day, its time in milliseconds, and its points where they count."""

    name: str
    kind: Kind
    ms: Integer
    points: NotRequired[Integer]


class OwnDaily(TypedDict):
    """The results of a name on the daily boards: time and points on this one, and the days in a row up to it.

    ``room``: that of the attempt that counts, the first one.
    """

    played: bool
    days: Integer
    room: NotRequired[str]
    ms: NotRequired[Integer]
    points: NotRequired[Integer]


class Position(TypedDict):
    """The view and events of a viewer after a line of a finished match. No ``view``: the same as before."""

    events: list[Plain]
    view: NotRequired[Plain]


class ContestView(TypedDict):
    """The progress of a contest."""

    state: Literal["running", "stopped", "finished"]
    game: str
    tables: Integer
    done: Integer
    playing: Integer
    void: Integer
    away: list[str]
    left: NotRequired[Integer]
    format: NotRequired[str]


# --- messages --------------------------------------------------------------------------------------------------


class Tag:
    """The tag with which a Struct is encoded, read from its class or from an instance."""

    def __get__(self, _: Struct | None, cls: type[Struct]) -> str:
        """Return the tag of ``cls``."""
        return str(cls.__struct_config__.tag)


class Sent(Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """The base of all messages that servers send."""

    t: ClassVar = Tag()


class Reply(Sent, frozen=True, kw_only=True):
    """The base of messages that answer a request: ``re`` is its ``id``."""

    re: Id | None = None


ReplyT = TypeVar("ReplyT", bound=Reply)


class WhenLost(Enum):
    """What a client does with a request if the connection breaks before the answer."""

    ASK_AGAIN = auto()
    """Sends it again: it only reads."""
    REPEAT = auto()
    """Sends it again unless what it asks for has happened, which the rooms of ``welcome`` show."""
    REPORT = auto()
    """Says that it may or may not have been done."""


class Request(Struct, Generic[ReplyT], frozen=True, kw_only=True, tag_field="t"):
    """The base of all messages that clients send, with the answer to each. Any may be answered by ``error``."""

    t: ClassVar = Tag()
    abilities: ClassVar[tuple[str, ...]] = ()
    """What ``can`` of ``welcome`` lists where this message is known, or what it has gained."""
    cost: ClassVar[int] = 1
    """The tokens that it costs."""
    lost: ClassVar[WhenLost] = WhenLost.REPORT
    id: Id | None = None


class RoomRequest(Request[ReplyT], Generic[ReplyT], frozen=True):
    """The base of requests that a room answers, wherever it lives."""

    room: str


# --- any request -----------------------------------------------------------------------------------------------


class Ok(Reply, frozen=True, tag="ok"):
    """The request is done. For an act: the action that was recorded for this rid."""

    room: str | None = None
    rid: Integer | None = None
    act: Plain | None = None
    seat: Integer | None = None


class Error(Reply, frozen=True, tag="error"):
    """A refusal: what was wrong, what is legal, what to do next."""

    code: str
    msg: str
    hint: str | None = None
    room: str | None = None
    rid: Integer | None = None
    why: str | None = None
    act: Plain | None = None
    legal: list[Plain] | None = None
    left: Integer | None = None
    retry_after: Integer | None = None
    strikes: list[Integer] | None = None
    phrase: str | None = None
    fields: Plain | None = None


# --- the connection --------------------------------------------------------------------------------------------


class Welcome(Reply, frozen=True, tag="welcome"):
    """The answer to hello. ``rooms`` holds the codes of the rooms where the identity has a seat.

    ``ssh``: the port at which the host of the server serves the terminal's screens.
    """

    name: str
    server: str
    limits: Plain
    can: list[str]
    rooms: list[str]
    token: Secret | None = None
    ssh: Integer | None = None


class Hello(Request[Welcome], frozen=True, tag="hello"):
    """Take a name, or return as a known identity with a token or key."""

    name: str
    kind: Kind
    token: Secret | None = None
    key: Secret | None = None
    ticket: Secret | None = None
    rooms: list[Seen] | None = None
    can: Annotated[list[str], Meta(max_length=32)] | None = None


class Pong(Reply, frozen=True, tag="pong"):
    """The answer to ping."""


class Ping(Request[Pong], frozen=True, tag="ping"):
    """Request a pong."""


class Bye(Sent, frozen=True, tag="bye"):
    """The server closes the socket after this message."""

    code: str
    msg: str
    retry_after: Integer | None = None


# --- the stream of a room, numbered by seq ---------------------------------------------------------------------


class Joined(Reply, frozen=True, tag="joined"):
    """The whole room, which replaces all that the client knows of it.

    ``seat_code``: the code for its seats, for the host and those who have one. ``elapsed``: milliseconds since the
    board was opened, in a game that measures them.
    """

    room: str
    epoch: Integer
    seq: Integer
    game: str
    seat: Integer | None
    table: Table
    view: Plain | None
    events: list[Plain]
    gap: bool
    may: list[Offer]
    clocks: Seats
    chat: list[ChatRow]
    why: Literal["join", "invited", "resume", "sync", "standin"] | None = None
    seat_code: Secret | None = None
    elapsed: Integer | None = None


class Update(Sent, frozen=True, tag="update"):
    """A change in the game, with the whole view."""

    room: str
    seq: Integer
    view: Plain
    events: list[Plain]
    may: list[Offer]
    clocks: Seats
    ok: Answer | None = None


class Turn(Sent, frozen=True, tag="turn"):
    """An update that asks for a decision: answer ``rid`` with an act within ``left`` ms (null: no clock)."""

    room: str
    seq: Integer
    game: str
    seat: Integer
    view: Plain
    events: list[Plain]
    may: list[Offer]
    clocks: Seats
    rid: Integer
    left: Integer | None
    legal: list[Plain] | None = None
    ok: Answer | None = None


class Over(Sent, frozen=True, tag="over"):
    """The end of a match: its result, the secret S of its deals, what S was bound to, and the digest of its record."""

    room: str
    seq: Integer
    view: Plain
    events: list[Plain]
    clocks: Seats
    result: Result
    reveal: str
    digest: str
    commit: str | None = None
    context: str | None = None
    ok: Answer | None = None


class SeatsChanged(Sent, frozen=True, tag="seats"):
    """The room apart from the game has changed."""

    room: str
    seq: Integer
    table: Table


class Said(Sent, frozen=True, tag="chat", rename={"from_": "from"}):
    """A line of chat."""

    room: str
    seq: Integer
    from_: Speaker
    text: str


# --- rooms -----------------------------------------------------------------------------------------------------


class Create(Request[Joined], frozen=True, tag="create", rename={"as_": "as"}):
    """Open a room and enter it. An absent clock means the default, null means no clocks.

    ``style``: how a bot plays, shown at its seat. ``seat_code``: only those who send a second code may take a seat.
    ``beacon``: refused with ``no_beacon``. ``rated``: False opens a casual room, whose matches count for no one.
    """

    cost = 10
    lost = WhenLost.REPEAT

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


class Redirect(Reply, frozen=True, tag="redirect"):
    """The room lives on another server: connect there with this ticket."""

    room: str
    url: str
    ticket: Secret


class Join(RoomRequest[Joined], frozen=True, tag="join", rename={"as_": "as"}):
    """Enter a room by its code. ``style``: how a bot plays, shown at its seat. ``seat_code``: that of the room."""

    abilities = ("watch",)
    lost = WhenLost.REPEAT

    as_: Role = "player"
    style: str | None = None
    seat_code: Annotated[str, Meta(max_length=16)] | None = None


class Left(Reply, frozen=True, tag="left"):
    """You are no longer in this room."""

    room: str
    why: Literal["left", "kicked", "banned", "expired", "aborted", "replaced", "forfeited"]


class Leave(RoomRequest[Left], frozen=True, tag="leave"):
    """Leave a room for good."""

    lost = WhenLost.REPEAT


class Rooms(Reply, frozen=True, tag="rooms"):
    """A page of the lobby."""

    rooms: list[RoomRow]
    bots: list[BotRow]
    after: str | None = None


class List(Request[Rooms], frozen=True, tag="list"):
    """Request the lobby; ``after`` a room code requests the next page, ``room`` the row of that room alone."""

    cost = 2
    lost = WhenLost.ASK_AGAIN

    game: str | None = None
    after: str | None = None
    room: str | None = None


# --- in a room -------------------------------------------------------------------------------------------------


class Ready(RoomRequest[Ok], frozen=True, tag="ready"):
    """Be ready for a match or rematch, end a pause, or take one's seat back from a stand-in."""

    abilities = ("nonce",)
    lost = WhenLost.REPEAT

    ready: bool = True
    nonce: Nonce | None = None


class Start(RoomRequest[Ok], frozen=True, tag="start"):
    """Begin a match now (host only)."""


class Act(RoomRequest[Ok], frozen=True, tag="act"):
    """Answer decision ``rid`` with an index into its ``legal``, or with an action in full."""

    rid: Integer
    act: Integer | Plain
    why: Annotated[str, Meta(max_length=1024)] | None = None


class Chat(RoomRequest[Ok], frozen=True, tag="chat"):
    """Send a line of chat to the room."""

    cost = 4

    text: Annotated[str, Meta(max_length=200)]


class Invite(RoomRequest[Ok], frozen=True, tag="invite"):
    """Seat an available bot, or any free one if none is named, and let it play in a ``style`` (host only)."""

    bot: str | None = None
    seat: Integer | None = None
    style: str | None = None


class Manage(RoomRequest[Ok], frozen=True, tag="manage"):
    """Kick, ban or mute someone in the room, make them host, or give them time (host only)."""

    do: Literal["kick", "ban", "mute", "unmute", "host", "addtime"]
    name: str


class Configure(RoomRequest[Ok], frozen=True, tag="configure"):
    """Change options, seats and clock for the next match (host only); what is absent is as absent in ``create``."""

    abilities = ("configure",)

    options: Plain | None = None
    seats: Integer | None = None
    clock: Clock | None = field(default_factory=lambda: DEFAULT_CLOCK)


class Handover(RoomRequest[Ok], frozen=True, tag="handover"):
    """As a spectator, ask the owner of ``seat`` for it; as an owner, give the seat ``to`` someone who has asked.

    With neither: take one's request back, or decline the requests for one's seat.
    """

    abilities = ("handover",)

    seat: Integer | None = None
    to: str | None = None


class Hurry(RoomRequest[Ok], frozen=True, tag="hurry"):
    """Let bots play without pauses until the end of the match, if all people at the table want that."""

    abilities = ("hurry",)


class Queue(RoomRequest[Ok], frozen=True, tag="queue"):
    """Wait for a seat at a full table as a spectator, or stop waiting."""

    abilities = ("queue",)

    wait: bool = True
    seat_code: Annotated[str, Meta(max_length=16)] | None = None


class OfferBot(Request[Ok], frozen=True, tag="offer"):
    """Make a bot available for these games, in up to ``max`` rooms at the same time; 0 withdraws it.

    ``styles``: the ways in which it can play, its usual one first.
    """

    abilities = ("offer",)

    games: Annotated[list[str], Meta(max_length=16)]
    max: Annotated[int, Meta(ge=0, le=64)]
    styles: Annotated[list[str], Meta(max_length=32)] | None = None


# --- what is stored --------------------------------------------------------------------------------------------


class StandingsRows(Reply, frozen=True, tag="standings"):
    """A page of a leaderboard, best first. ``ago``: of a ladder, the milliseconds since the times of ``past``."""

    rows: list[StandingsRow]
    after: str | None = None
    contest: ContestView | None = None
    ago: list[Integer] | None = None


class Standings(Request[StandingsRows], frozen=True, tag="standings"):
    """Request a leaderboard. ``ladder``: that of ``game`` by strength, among all or one sort of players."""

    abilities = ("standings", "ladder")
    lost = WhenLost.ASK_AGAIN

    game: str | None = None
    contest: str | None = None
    after: str | None = None
    cross: bool = False
    ladder: Among | None = None


class ProfileRows(Reply, frozen=True, tag="profile"):
    """The results of a name on this server, by game."""

    name: str
    kind: Kind
    games: list[ProfileRow]


class Profile(Request[ProfileRows], frozen=True, tag="profile"):
    """Request what a name has done on this server; absent: one's own."""

    abilities = ("profile",)
    lost = WhenLost.ASK_AGAIN

    name: str | None = None


class Described(Reply, frozen=True, tag="described"):
    """A game for clients that do not know it: its seats (least, usual, most), its options, its words by key.

    ``layout``: how fields of its view are shown.
    """

    game: str
    seats: list[Integer]
    options: list[Plain]
    words: Plain
    layout: Plain | None = None


class Describe(Request[Described], frozen=True, tag="describe"):
    """Request what a client needs to show a game that it does not know; ``lang`` such as ``de``."""

    abilities = ("describe",)
    lost = WhenLost.ASK_AGAIN

    game: str
    lang: Annotated[str, Meta(max_length=16)] = "en"


class DailyRows(Reply, frozen=True, tag="daily"):
    """The table of a daily board: who has finished it, the best first. ``left``: milliseconds until the next day.

    ``boards``: all that this server has.
    """

    day: str
    board: str
    commit: str
    context: str
    left: Integer
    rows: list[DailyRow]
    you: OwnDaily | None = None
    secret: str | None = None
    boards: list[DailyBoard] | None = None


class Daily(Request[Joined | DailyRows], frozen=True, tag="daily"):
    """Request the table of a daily board; absent: today's. Or ``play`` today's board."""

    abilities = ("daily",)
    lost = WhenLost.REPEAT

    board: str = "beginner"
    day: str | None = None
    play: bool = False


class FileLines(Reply, frozen=True, tag="file"):
    """Lines of a match file; ``after`` is where to continue, absent at the end. ``views``: what each line led to.

    ``review``: with the first lines, whether the server reviews this match.
    """

    digest: str
    lines: list[str]
    after: Integer | None = None
    views: list[Position] | None = None
    review: bool | None = None


class File(Request[FileLines], frozen=True, tag="file"):
    """Request the match file of a finished match; knowing its digest proves that the client was there.

    ``views``: with the positions of the match, as ``seat`` saw them, or a spectator.
    """

    abilities = ("file", "replay")
    lost = WhenLost.ASK_AGAIN

    digest: str
    after: Integer = 0
    views: bool = False
    seat: Integer | None = None


class Reviewed(Reply, frozen=True, tag="review"):
    """The review of a seat: how many of its decisions are judged, and when all are, what was found.

    ``of`` is 0 before it is known. ``after`` is where to continue with the decisions, absent at their end.
    """

    digest: str
    seat: Integer
    done: Integer
    of: Integer
    decisions: list[Plain] | None = None
    rounds: list[Plain] | None = None
    after: Integer | None = None


class Review(Request[Reviewed], frozen=True, tag="review"):
    """Request the review of a seat in a finished match. ``after``: the number of decisions that the client has."""

    abilities = ("review",)
    lost = WhenLost.ASK_AGAIN

    digest: str
    seat: Integer
    after: Integer = 0


class Continue(Request[Joined], frozen=True, tag="continue"):
    """Play on from act number ``act`` of a finished match, in the place of seat ``seat``, against house bots."""

    abilities = ("continue",)
    cost = 10

    digest: str
    act: Integer
    seat: Integer = 0


class ChainLinks(Reply, frozen=True, tag="chain"):
    """Links of the server's public chain; ``after`` is where to continue, absent at the end."""

    links: list[ChainLink]
    after: Integer | None = None


class Chain(Request[ChainLinks], frozen=True, tag="chain"):
    """Request links of the server's public chain, from number ``after`` + 1 on."""

    abilities = ("chain",)
    lost = WhenLost.ASK_AGAIN

    after: Integer = 0


class MissedRows(Reply, frozen=True, tag="missed"):
    """The last matches that ended while one was away, the latest first."""

    matches: list[MissedRow]


class Missed(Request[MissedRows], frozen=True, tag="missed"):
    """Request the matches that ended while one was away. ``seen``: digests of those to leave out from now on."""

    abilities = ("missed",)
    lost = WhenLost.ASK_AGAIN

    seen: Annotated[list[str], Meta(max_length=100)] | None = None


class PresetRows(Reply, frozen=True, tag="presets"):
    """The presets that the people of this server have saved, by game and name."""

    presets: list[PresetRow]


class Presets(Request[PresetRows], frozen=True, tag="presets"):
    """Request the presets of the people of this server, of one ``game`` or all; or first save or remove one's own.

    Saved are ``options``, ``seats`` and ``clock``, which are as in ``configure``.
    """

    abilities = ("presets",)

    do: Literal["list", "save", "remove"] = "list"
    game: str | None = None
    name: Annotated[str, Meta(max_length=30)] | None = None
    options: Plain | None = None
    seats: Integer | None = None
    clock: Clock | None = field(default_factory=lambda: DEFAULT_CLOCK)


class WebhookState(Reply, frozen=True, tag="webhook"):
    """One's own webhook: its ``host`` alone, because its URL is a secret; without one, no field but ``re``.

    ``off``: why it was switched off. ``test``: what came of the test that was asked for, ``delivered`` or a fault.
    """

    host: str | None = None
    format: WebhookFormat | None = None
    lang: str | None = None
    off: str | None = None
    test: str | None = None


class Webhook(Request[WebhookState], frozen=True, tag="webhook"):
    """Request one's own webhook, which the server calls when it is one's turn; or first set, test or remove it.

    Saved are ``url``, ``format`` and ``lang``, the language of what it says.
    """

    abilities = ("webhook",)

    do: Literal["show", "set", "test", "remove"] = "show"
    url: Annotated[str, Meta(max_length=500)] | None = None
    format: WebhookFormat = "json"
    lang: Annotated[str, Meta(max_length=32)] | None = None


# --- identities and the server ---------------------------------------------------------------------------------


class Delete(Request[Ok], frozen=True, tag="delete"):
    """Delete one's own identity, proved by its key."""

    key: Secret


class Admin(Request[Ok], frozen=True, tag="admin"):
    """Do what only the admin may, with the admin token."""

    token: str
    do: Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain", "contest", "beacon"]
    name: str | None = None
    room: str | None = None
    args: Plain | None = None


ClientMessage: TypeAlias = Request[Any]
ServerMessage: TypeAlias = Sent


def answer_of(request: type[Request[ReplyT]]) -> type[ReplyT]:
    """Return the type of the answers to a request, which may be a union."""
    [base] = request.__orig_bases__  # type: ignore[attr-defined]
    answer: type[ReplyT] = get_args(base)[0]
    return answer


def messages(base: type[Struct]) -> dict[str, Any]:
    """Return the messages derived from ``base`` by tag, in the order of their declarations."""
    below = base.__subclasses__()
    return {tag: cls for each in below for tag, cls in messages(each).items()} if below else {str(base.t): base}  # type: ignore[attr-defined]
