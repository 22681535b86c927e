"""What the lobby asks of the node: messages, wake-ups, reads, relays, log events."""

from typing import TypeAlias

import attrs

from parlour_protocol.messages import Id, Plain, ServerMessage
from parlour_server.persistence import Write
from parlour_server.rooms.effects import Compute


@attrs.frozen
class Post:
    """Send ``message`` to these connections."""

    to: tuple[int, ...]
    message: ServerMessage


@attrs.frozen
class Disconnect:
    """Close the connection with a WebSocket close code."""

    conn: int
    code: int
    reason: str


@attrs.frozen
class Wake:
    """Call ``wake(room)`` at the node's time ``at`` in ms. Replaces the call before; None cancels it."""

    room: str
    at: int | None


@attrs.frozen
class FetchFile:
    """Answer ``re`` on ``conn`` with lines of a game file, from line ``after`` on."""

    conn: int
    re: Id | None
    digest: str
    after: int


@attrs.frozen
class FetchStandings:
    """Answer ``re`` on ``conn`` with a leaderboard."""

    conn: int
    re: Id | None
    game: str | None
    after: str | None


@attrs.frozen
class Relay:
    """Relay messages between ``conn`` and ``room``, which lives at the node ``peer``.

    ``hello``: what to greet with there. ``join``: the request that is to be answered from there; None: it is in the
    room already, and nothing but its end ends that.
    """

    conn: int
    room: str
    peer: str
    hello: Plain
    join: Plain | None


@attrs.frozen
class Forward:
    """Forward a message of ``conn`` about a room that is relayed to it."""

    conn: int
    room: str
    data: Plain


@attrs.frozen
class EndRelays:
    """End all relays of ``conn``, which has closed."""

    conn: int


@attrs.frozen
class Fault:
    """Log that our own code failed in a room; ``where`` is file and line. The input had no effect."""

    room: str
    error: str
    where: str


@attrs.frozen
class LogEvent:
    """Write a line to the server's log: no cards, no tokens, no addresses."""

    event: str
    about: Plain


@attrs.frozen
class Drain:
    """Stop the server, because an admin asked for it."""


Effect: TypeAlias = (
    Write
    | Post
    | Disconnect
    | Wake
    | Compute
    | FetchFile
    | FetchStandings
    | Relay
    | Forward
    | EndRelays
    | Fault
    | LogEvent
    | Drain
)
