"""A small asynchronous client: ask a server, take seats, answer decisions.

::

    async with Client("ws://localhost:7777", "maria", kind="bot") as client:
        seat = await client.create("uno", {"scoring": "single"}, seats=2)
        while (decision := await seat.decision()) is not None:
            await seat.act(decision.rid, 0)
        print(seat.result)

Messages, views, events and actions are plain data, as the protocol describes them. Lost connections are restored, and
an act that was under way is sent again. All errors are subclasses of ``Fault``.
"""

import asyncio
import contextlib
import os
from itertools import count
from time import monotonic
from typing import Any, Self, overload

import attrs
from msgspec import structs

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault, Interrupted, Refused, Usage
from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_client.core.url import entering
from parlour_protocol import wire
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import (
    Act,
    ClientMessage,
    Error,
    Joined,
    Kind,
    Leave,
    Left,
    Ok,
    Over,
    Plain,
    Ready,
    Reply,
    ReplyT,
    Request,
    SeatsChanged,
    ServerMessage,
    Start,
    Turn,
    Update,
    Welcome,
    answer_of,
)

__all__ = ["Client", "Decision", "Fault", "Refused", "Seat"]

PATIENCE = 30.0
"""Seconds to wait for an answer of the server."""


@attrs.frozen
class Decision:
    """A question to a seat. Answer it by its ``rid``, with an index into ``legal`` or with an action."""

    rid: int
    view: Plain
    legal: list[Plain]
    """Empty for a game that lists no actions."""
    events: list[Plain]
    """The events since the previous decision, oldest first.

    The client adds ``control``, with ``seat`` and ``by``, where a ``standin`` or again the ``owner`` took our seat.
    """
    left: int | None
    """Milliseconds left on the clock when the decision was returned; None without a clock."""


class Client:
    """A player at a server, in any number of rooms. Use it as an asynchronous context manager."""

    def __init__(
        self, url: str, name: str, *, kind: Kind = "bot", token: str | None = None, key: str | None = None
    ) -> None:
        """``token``: that of an earlier ``welcome``, to return to its seats. ``key`` protects the name."""
        self.seats: dict[str, Seat] = {}
        """The seats that we hold, by room."""
        self._session = Session(name, kind, entropy=os.urandom, token=token, key=key)
        self._connection = Connection(url, self._session)
        self._answers: dict[object, asyncio.Future[ServerMessage]] = {}
        self._ids = count(1)
        self._held: set[str] = set()
        """The rooms in which we had seats when we connected."""
        self._changed = asyncio.Condition()
        """Notified of each message, after it has been handled."""
        self._reader: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The name that the server gave us."""
        return self._session.name

    @property
    def token(self) -> str | None:
        """The token with which this player can return. Keep it secret."""
        return self._session.token

    @property
    def can(self) -> list[str]:
        """The abilities of the server, including the names of its games."""
        return [*self._connection.can]

    @property
    def connected(self) -> bool:
        """Whether the connection has not ended. While it is lost, it is being restored."""
        return self._reader is not None and not self._reader.done()

    async def __aenter__(self) -> Self:
        """Connect and say hello. Raises Fault."""
        await self._connection.__aenter__()
        self._reader = asyncio.create_task(self._read())
        async with self._changed:  # the first message is the welcome
            await self._changed.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. The server keeps the seats for a while: see ``token``."""
        await self._connection.close()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader

    @overload
    async def ask(self, message: Request[ReplyT]) -> ReplyT: ...
    @overload
    async def ask(self, message: Plain) -> Plain: ...
    async def ask(self, message: Request[Any] | Plain) -> Reply | Plain:
        """Send a request, such as ``{"t": "list"}``, and return its answer in the same form. Raises Refused, Fault."""
        if isinstance(message, Request):
            answer: Reply = await self._ask(message)
            return answer
        return wire.plain(await self._exchange(_message(message)))

    async def create(self, game: str, options: Plain | None = None, **fields: Any) -> "Seat":
        """Open a room and take a seat there. ``fields``: more of the message ``create``. Raises Refused, Fault."""
        return await self._enter({"t": "create", "game": game, "options": options or {}, "start": "full", **fields})

    async def join(self, room: str, **fields: Any) -> "Seat":
        """Take a seat in a room. Its code may have that for the seats after a ``-``. Raises Refused, Fault."""
        return await self._enter({**wire.plain(entering(room)), **fields})

    async def back(self, room: str) -> "Seat":
        """Return to a seat that the player of our token holds. Raises Refused if there is none, Fault."""
        code = room.upper()
        async with self._changed:
            await self._changed.wait_for(lambda: code in self.seats or code not in self._held or not self.connected)
        if not self.connected:
            raise self._end()
        if code not in self.seats:
            raise Refused("not_in_room", f"{self.name} has no seat in {code}")
        return self.seats[code]

    async def _enter(self, message: Plain) -> "Seat":
        joined = await self._exchange(_message(message))
        if not isinstance(joined, Joined) or joined.room not in self.seats:
            raise Usage(f"{message['t']} led to no seat. A client without a seat can only watch")
        return self.seats[joined.room]

    async def _ask(self, message: Request[ReplyT]) -> ReplyT:
        found, answer = await self._exchange(message), answer_of(type(message))
        return found if isinstance(found, answer) else answer()  # an ok inside a message of the room

    async def _exchange(self, message: ClientMessage) -> ServerMessage:
        asked = structs.replace(message, id=f"ask-{next(self._ids)}")
        return await self._sent(asked, asked.id)

    async def _sent(self, message: ClientMessage, key: object) -> ServerMessage:
        """Send ``message`` and return the answer that arrives under ``key``. Raises Refused, Fault."""
        if not self.connected:
            raise self._end()
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = asyncio.get_running_loop().create_future()
        try:
            await self._connection.send(message)
            # asyncio.wait_for drops a cancellation that comes with the answer before Python 3.12
            done, _ = await asyncio.wait((answer,), timeout=PATIENCE)
            if not done:
                raise Interrupted(f"the server did not answer {message.t} within {PATIENCE:.0f} s")
            found = answer.result()
        finally:
            self._answers.pop(key, None)
        if isinstance(found, Error):
            raise Refused(found.code, f"{found.msg}{f' ({found.hint})' if found.hint else ''}", found)
        return found

    async def _read(self) -> None:
        try:
            async for message in self._connection:
                await self._receive(message)
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(Interrupted("the connection ended before the answer came"))
                    answer.exception()  # if no one waits for it, this is no warning
            async with self._changed:
                self._changed.notify_all()

    async def _receive(self, message: ServerMessage) -> None:
        room = getattr(message, "room", None)
        if isinstance(message, Welcome):
            self._held = {*message.rooms}
        if isinstance(message, Joined) and message.seat is not None:
            self.seats.setdefault(message.room, Seat(self, message.room))
        seat = self.seats.get(room or "")
        if seat is not None:
            await seat._receive(message)
        if isinstance(message, Left):
            self.seats.pop(message.room, None)
            self._held.discard(message.room)
        for key in _answered(message):
            if (answer := self._answers.get(key)) is not None and not answer.done():
                answer.set_result(message)
        async with self._changed:
            self._changed.notify_all()

    def _end(self) -> Fault:
        ended = self._reader is not None and self._reader.done() and not self._reader.cancelled()
        error = self._reader.exception() if self._reader and ended else None
        return error if isinstance(error, Fault) else Interrupted(f"not connected: {self._connection.state.reason}")


class Seat:
    """A seat of this player in a room. It sends ``ready`` for the first match."""

    def __init__(self, client: Client, room: str) -> None:
        self.room = room
        """The code of the room."""
        self.state: JoinedRoom
        """The room as we see it. Its class is private."""
        self.client = client
        """The player in this seat."""
        self._events: list[Plain] = []
        self._commit = ""
        self._left = False
        self._due: float | None = None
        """When our clock runs out, in seconds of ``monotonic``; None: it does not run."""
        self._stood_in = False
        self._answered: set[int] = set()
        """The decisions that we have answered: an answer that is given again does not clear the events."""

    @property
    def seat(self) -> int | None:
        """The number of the seat, from 0."""
        return self.state.seat

    @property
    def view(self) -> Plain:
        """The current view of the match."""
        return self.state.view or {}

    @property
    def result(self) -> Plain | None:
        """The result of the last match (``ranks``, ``scores``, ``why``), None while one is being played."""
        return {**self.state.over.result} if self.state.over else None

    @property
    def events(self) -> list[Plain]:
        """The events since our last answer, oldest first."""
        return [*self._events]

    async def decision(self) -> Decision | None:
        """Wait for the next decision and return it; None when the match is over or the seat is lost. Raises Fault."""
        if self.state.stood_in and self.state.under_way:
            await self.ready()
        async with self.client._changed:
            await self.client._changed.wait_for(lambda: self.question is not None or self._ended)
        return self.question

    @property
    def question(self) -> Decision | None:
        """The open decision, None while there is none."""
        asked = self.state.question
        if asked is None or self.state.over is not None or self._left:
            return None
        left = asked.left if self._due is None else max(0, round((self._due - monotonic()) * 1000))
        return Decision(asked.rid, self.view, asked.legal, self.events, left)

    async def act(self, rid: int, act: int | Plain, why: str | None = None) -> None:
        """Answer decision ``rid``. Repeating an answer plays nothing. Raises Refused, Fault."""
        await self.client._sent(Act(self.room, rid, act, why), (self.room, rid))

    async def ready(self) -> None:
        """Be ready for another match, or take the seat back from a stand-in. Raises Refused, Fault."""
        await self.client._ask(Ready(self.room))

    async def start(self) -> None:
        """Begin a match as the host, or end a pause. Returns when the match goes on. Raises Refused, Fault."""
        last = self.state.over
        await self.client._ask(Start(self.room))
        async with self.client._changed:
            await self.client._changed.wait_for(
                lambda: self.state.under_way or self.state.over is not last or not self.client.connected
            )

    async def leave(self) -> None:
        """Give up the seat. Raises Refused, Fault."""
        await self.client.ask(Leave(self.room))

    @property
    def _ended(self) -> bool:
        if not self.client.connected:
            raise self.client._end()
        return self._left or self.state.over is not None

    async def _receive(self, message: ServerMessage) -> None:
        if isinstance(message, Joined):
            self.state = JoinedRoom.of(message)
            self._events += message.events
        elif not isinstance(message, Left):
            before = self.state.over
            self.state.apply(message)
            if before is not None and self.state.over is None:
                self._events = []  # those of the match before
        if isinstance(message, Update | Turn | Over):
            self._events += message.events
        self._note_clock(message)
        if self.state.stood_in is not self._stood_in:
            self._stood_in = self.state.stood_in
            by = "standin" if self._stood_in else "owner"
            self._events.append({"e": "control", "seat": self.seat, "by": by})
        if isinstance(message, Left):
            self._left = True
        if isinstance(message, Joined | SeatsChanged):
            await self._agree()
        for key in _answered(message):
            if isinstance(key, tuple) and not isinstance(message, Error) and key[1] not in self._answered:
                self._answered.add(key[1])
                self._events = [*message.events] if isinstance(message, Update | Turn | Over) else []

    def _note_clock(self, message: ServerMessage) -> None:
        """Note when our clock runs out, if a message says what is left."""
        if isinstance(message, Joined | Update):
            left = message.clocks.get(str(self.seat))
        else:
            left = message.left if isinstance(message, Turn | Error) else None
        if left is not None:
            self._due = monotonic() + left / 1000
        elif isinstance(message, Turn):
            self._due = None

    async def _agree(self) -> None:
        """Declare ourselves ready for the first match of the room."""
        table = self.state.table
        commit = table["fair"]["commit"]
        if table["state"] == "waiting" and commit != self._commit:
            self._commit = commit
            await self.client._connection.send(Ready(self.room))


def _message(plain: Plain) -> ClientMessage:
    try:
        return wire.client_message(plain)
    except Refusal as refusal:
        raise Usage(refusal.msg) from None


def _answered(message: ServerMessage) -> list[object]:
    """Return the keys of the requests that ``message`` answers: their ids, and (room, rid) for acts."""
    keys: list[object] = []
    if (re := getattr(message, "re", None)) is not None:
        keys.append(re)
    if isinstance(message, Ok | Error) and message.room is not None and message.rid is not None:
        keys.append((message.room, message.rid))
    if isinstance(message, Update | Turn | Over) and message.ok and "rid" in message.ok:
        keys.append((message.room, message.ok["rid"]))
    if isinstance(message, Update | Turn | Over) and message.ok and "re" in message.ok:
        keys.append(message.ok["re"])
    return keys
