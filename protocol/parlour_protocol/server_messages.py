"""The messages of servers: frozen Structs, which msgspec encodes as they are, and decodes for clients.

``t`` is a message's tag on the wire. A field with a default may be absent there; one without is always there, possibly
as null. ``from_`` is ``from``. Nested values are in ``types``.
"""

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from parlour_protocol.tags import Tag
from parlour_protocol.types import (
    Answer,
    BotRow,
    ChainLink,
    ChatRow,
    ContestView,
    DailyBoard,
    DailyRow,
    Id,
    Integer,
    Kind,
    MissedRow,
    Offer,
    OwnDaily,
    Plain,
    Position,
    PresetRow,
    ProfileRow,
    Result,
    RoomRow,
    Seats,
    Secret,
    Speaker,
    StandingsRow,
    Table,
    WebhookFormat,
)


class Sent(Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """The base of all messages that servers send."""

    t: ClassVar = Tag()


# --- the stream of a room, numbered by seq -----------------------------------------------------------


class Joined(Sent, frozen=True, tag="joined"):
    """The whole room, which replaces all that the client knows of it.

    ``seat_code``: the code for its seats, for the host and those who have one.
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
    re: Id | None = None


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


# --- answers and the rest, not numbered --------------------------------------------------------------


class Welcome(Sent, frozen=True, tag="welcome"):
    """The answer to hello. ``rooms`` holds the codes of the rooms where the identity has a seat."""

    name: str
    server: str
    limits: Plain
    can: list[str]
    rooms: list[str]
    token: Secret | None = None
    re: Id | None = None


class Rooms(Sent, frozen=True, tag="rooms"):
    """A page of the lobby."""

    rooms: list[RoomRow]
    bots: list[BotRow]
    after: str | None = None
    re: Id | None = None


class Ok(Sent, frozen=True, tag="ok"):
    """The request is done. For an act: the action that was recorded for this rid."""

    re: Id | None = None
    room: str | None = None
    rid: Integer | None = None
    act: Plain | None = None
    seat: Integer | None = None


class Error(Sent, frozen=True, tag="error"):
    """A refusal: what was wrong, what is legal, what to do next."""

    code: str
    msg: str
    hint: str | None = None
    re: Id | None = None
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


class Left(Sent, frozen=True, tag="left"):
    """You are no longer in this room."""

    room: str
    why: Literal["left", "kicked", "banned", "expired", "aborted", "replaced", "forfeited"]
    re: Id | None = None


class Redirect(Sent, frozen=True, tag="redirect"):
    """The room lives on another server: connect there with this ticket."""

    room: str
    url: str
    ticket: Secret
    re: Id | None = None


class Pong(Sent, frozen=True, tag="pong"):
    """The answer to ping."""

    re: Id | None = None


class StandingsRows(Sent, frozen=True, tag="standings"):
    """A page of a leaderboard, best first. ``ago``: of a ladder, the milliseconds since the times of ``past``."""

    rows: list[StandingsRow]
    after: str | None = None
    re: Id | None = None
    contest: ContestView | None = None
    ago: list[Integer] | None = None


class ProfileRows(Sent, frozen=True, tag="profile"):
    """The results of a name on this server, by game."""

    name: str
    kind: Kind
    games: list[ProfileRow]
    re: Id | None = None


class Described(Sent, frozen=True, tag="described"):
    """A game for clients that do not know it: its seats (least, usual, most), its options, its words by key."""

    game: str
    seats: list[Integer]
    options: list[Plain]
    words: Plain
    re: Id | None = None


class DailyRows(Sent, frozen=True, tag="daily"):
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
    re: Id | None = None
    boards: list[DailyBoard] | None = None


class ChainLinks(Sent, frozen=True, tag="chain"):
    """Links of the server's public chain; ``after`` is where to continue, absent at the end."""

    links: list[ChainLink]
    after: Integer | None = None
    re: Id | None = None


class MissedRows(Sent, frozen=True, tag="missed"):
    """The last matches that ended while one was away, the latest first."""

    matches: list[MissedRow]
    re: Id | None = None


class PresetRows(Sent, frozen=True, tag="presets"):
    """The presets that the people of this server have saved, by game and name."""

    presets: list[PresetRow]
    re: Id | None = None


class WebhookState(Sent, frozen=True, tag="webhook"):
    """One's own webhook: its ``host`` alone, because its URL is a secret; without one, no field but ``re``.

    ``off``: why it was switched off. ``test``: what came of the test that was asked for, ``delivered`` or a fault.
    """

    host: str | None = None
    format: WebhookFormat | None = None
    lang: str | None = None
    off: str | None = None
    test: str | None = None
    re: Id | None = None


class FileLines(Sent, frozen=True, tag="file"):
    """Lines of a match file; ``after`` is where to continue, absent at the end. ``views``: what each line led to."""

    digest: str
    lines: list[str]
    after: Integer | None = None
    re: Id | None = None
    views: list[Position] | None = None


class Reviewed(Sent, frozen=True, tag="review"):
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
    re: Id | None = None


class Bye(Sent, frozen=True, tag="bye"):
    """The server closes the socket after this message."""

    code: str
    msg: str
    retry_after: Integer | None = None


ServerMessage: TypeAlias = (
    Joined | Update | Turn | Over | SeatsChanged | Said | Welcome | Rooms | Ok | Error | Left | Redirect | Pong
    | StandingsRows | ProfileRows | Described | DailyRows | FileLines | ChainLinks | MissedRows | PresetRows
    | WebhookState | Reviewed | Bye
)  # fmt: skip
