"""The types of message fields: names for plain types, and typed dictionaries for nested values.

All of them are plain data, which both encodings carry unchanged.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

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
"""Whom a ladder is of; language models are bots that say so."""
Role: TypeAlias = Literal["player", "spectator"]
Starts: TypeAlias = Literal["host", "full"]
"""What begins the first match of a room: its host, or the taking of its last seat."""
WebhookFormat: TypeAlias = Literal["json", "ntfy", "discord"]
"""What a webhook is sent: the fields of a notice as JSON, or a message for ntfy or Discord."""
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
"""The most milliseconds that a room may have house bots take for a card or click."""
LONGEST_DELAY = 60_000
"""The most milliseconds later that spectators may see a match."""


class BeaconRound(TypedDict):
    """A round of a public beacon in an older match: the hash of its network, and its randomness, in hex."""

    chain: str
    round: Integer
    randomness: NotRequired[str]


class Deal(TypedDict):
    """What the deals of a match follow from: the secret S in hex, the context, and the nonces by seat ("": none).

    ``beacon``: in the deal of an older match, the round whose randomness is one more nonce.
    """

    secret: str
    context: str
    nonces: list[str]
    beacon: NotRequired[BeaconRound]


class FairView(TypedDict):
    """What the deals of the next or current match are bound to.

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
    """A room in the lobby. ``players``: those who sit there, by seat; absent if nobody may watch.

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

    ``board`` and ``ms`` are a time that counts; ``record``: no time was better, the best one ``before`` included.
    """

    ago: Integer
    rank: Integer
    players: Integer
    score: Integer
    board: NotRequired[str]
    ms: NotRequired[Integer]
    record: NotRequired[bool]
    before: NotRequired[Integer]


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
    """The results of a name on the daily boards: time and points on this one, and the days in a row up to it."""

    played: bool
    days: Integer
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
