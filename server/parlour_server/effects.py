"""Requests of the lobby to the node: messages, wake-ups, questions, relays, log events."""

import traceback
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour_protocol.messages import ClientMessage, DailyRows, Plain, ServerMessage
from parlour_server.persistence import Write
from parlour_server.rooms.audience import Person
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


class Ask(Struct, frozen=True):
    """Answer ``message`` of ``person`` on ``conn``, by the node's reader for it. ``known``: a part of the answer."""

    conn: int
    person: Person
    message: ClientMessage
    known: DailyRows | None = None


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


class LogFault(Struct, frozen=True):
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
    | Ask
    | Relay
    | Forward
    | EndRelays
    | LogFault
    | LogEvent
    | Drain
)


class Outbox:
    """Collects effects until the node takes them. Their order is the order in which they are carried out."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []

    def want(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects += effects

    def post(self, conn: int, message: ServerMessage) -> None:
        """Send ``message`` to one connection."""
        self.effects.append(Post((conn,), message))

    def log(self, event: str, **about: object) -> None:
        """Write a line to the server's log: no cards, no tokens, no addresses."""
        self.effects.append(LogEvent(event, about))

    def take(self) -> list[Effect]:
        """Return the effects and forget them."""
        taken, self.effects = self.effects, []
        return taken


def place(error: BaseException) -> str:
    """Return the line that raised ``error``, as ``file.py:line``."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return "".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)
