"""Requests of the lobby to the node: messages, wake-ups, reads, relays, log events."""

from typing import Literal, TypeAlias

from msgspec import Struct

from parlour_games.game import Best
from parlour_protocol.messages import Among, DailyRows, Id, Plain, ServerMessage
from parlour_server.persistence import Write
from parlour_server.rooms.effects import Compute, Notify

AfterFault: TypeAlias = Literal["reloaded", "closed", "kept", "refused"]
"""What becomes of a room that failed: it is loaded again, or closed, or stays stored; or a request is refused."""


class Post(Struct, frozen=True):
    """Send ``message`` to these connections."""

    to: tuple[int, ...]
    message: ServerMessage


class Disconnect(Struct, frozen=True):
    """Close the connection with a WebSocket close code."""

    conn: int
    code: int
    reason: str


class Wake(Struct, frozen=True):
    """Call ``wake(room)`` at the node's time ``at`` in ms. Replaces the call before; None cancels it."""

    room: str
    at: int | None


class FetchFile(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with lines of a game file, from line ``after`` on."""

    conn: int
    re: Id | None
    digest: str
    after: int


class FetchReplay(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with lines of a game file and what ``seat`` saw after each; None: a spectator."""

    conn: int
    re: Id | None
    digest: str
    after: int
    seat: int | None


class FetchReview(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with the review of a seat, its decisions from number ``after`` on, from 0."""

    conn: int
    re: Id | None
    digest: str
    seat: int
    after: int


class FetchStandings(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with a leaderboard."""

    conn: int
    re: Id | None
    game: str | None
    after: str | None


class FetchLadder(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with the ladder of a game."""

    conn: int
    re: Id | None
    game: str
    among: Among
    after: str | None


class FetchProfile(Struct, frozen=True):
    """Answer ``conn`` with the profile of ``name``."""

    conn: int
    re: Id | None
    name: str


class FetchDaily(Struct, frozen=True):
    """Answer ``conn`` with ``about``, and the rows of its day and board, ``best`` first, and those of ``name``."""

    conn: int
    re: Id | None
    about: DailyRows
    name: str
    best: Best


class FetchChain(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with links of the public chain, from number ``after`` + 1 on."""

    conn: int
    re: Id | None
    after: int


class FetchMissed(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with the matches that ended while ``who`` was away."""

    conn: int
    re: Id | None
    who: str


class FetchPresets(Struct, frozen=True):
    """Read the presets of ``game``, or of all. ``saved``, ``removed``: the name of the one just changed by ``who``."""

    conn: int
    re: Id | None
    who: str
    game: str | None
    saved: str | None = None
    removed: str | None = None


class FetchWebhook(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with what ``who`` may see of their own webhook."""

    conn: int
    re: Id | None
    who: str


class TryWebhook(Struct, frozen=True):
    """Call the webhook of ``who``, called ``name``, and answer ``re`` on ``conn`` with what came of it."""

    conn: int
    re: Id | None
    who: str
    name: str


class Continue(Struct, frozen=True):
    """Answer ``re`` on ``conn`` with a room in which a finished match goes on before act number ``act``, from 1.

    The client plays ``seat``.
    """

    conn: int
    re: Id | None
    digest: str
    act: int
    seat: int


Query: TypeAlias = (
    FetchFile
    | FetchReplay
    | FetchReview
    | FetchStandings
    | FetchLadder
    | FetchProfile
    | FetchDaily
    | FetchChain
    | FetchMissed
    | FetchPresets
    | FetchWebhook
)
"""What the store is asked for a client."""


class Relay(Struct, frozen=True):
    """Relay messages between ``conn`` and ``room``, which lives at the node ``peer``.

    ``hello``: what to greet with there. ``join``: the request that is to be answered from there; None: it is in the
    room already, and nothing but its end ends that.
    """

    conn: int
    room: str
    peer: str
    hello: Plain
    join: Plain | None


class Forward(Struct, frozen=True):
    """Forward a message of ``conn`` about a room that is relayed to it."""

    conn: int
    room: str
    data: Plain


class EndRelays(Struct, frozen=True):
    """End all relays of ``conn``, which has closed."""

    conn: int


class Fault(Struct, frozen=True):
    """Log that our own code or a game failed in a room, or without one. The input had no effect.

    ``where`` is file and line; ``reason`` says why a stored room cannot be loaded.
    """

    room: str
    error: str
    where: str
    then: AfterFault = "reloaded"
    reason: str = ""


class LogEvent(Struct, frozen=True):
    """Write a line to the server's log: no cards, no tokens, no addresses."""

    event: str
    about: Plain


class Drain(Struct, frozen=True):
    """Stop the server, because an admin asked for it."""


Effect: TypeAlias = (
    Write
    | Post
    | Disconnect
    | Wake
    | Compute
    | Notify
    | Query
    | TryWebhook
    | Continue
    | Relay
    | Forward
    | EndRelays
    | Fault
    | LogEvent
    | Drain
)
