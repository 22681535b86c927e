"""A bot over the network: one connection, any number of tables, each with a player of its own.

Each table has a task that takes the room's messages in order and lets the bot think in a thread, so that a
slow bot holds up one table and nothing else.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.play.player import Player
from parlour_bots.sdk import Entrant
from parlour_client.core.connection import Connection, State
from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.session import Session
from parlour_client.storage.credentials import Credentials
from parlour_protocol.messages import (
    Act,
    Create,
    Error,
    Join,
    Joined,
    Leave,
    Left,
    OfferBot,
    Over,
    Ready,
    SeatsChanged,
    ServerMessage,
    Turn,
    Update,
    Welcome,
)

_UNDER_WAY = ("playing", "pause", "closed")


@attrs.define
class _Table:
    """One room: who plays in it, what it has sent that nobody has looked at yet, and its newest decision."""

    player: Player
    inbox: asyncio.Queue[ServerMessage | None] = attrs.field(factory=asyncio.Queue)
    newest: int = 0
    commit: str = ""


def _warn(text: str) -> None:
    sys.stderr.write(f"WARNING: {text}\n")


@attrs.define
class Guest:
    """A bot on a connection. ``talk`` plays wherever it is seated until the connection ends."""

    connection: Connection
    entrant: Entrant
    report: Callable[[Mistake], None]
    seed: object = 0
    stay: bool = False
    """Whether to remain at the table after a match."""
    offer: OfferBot | None = None
    """What it may be invited to. Without it the connection ends with the last table."""
    watch: Callable[[ServerMessage], None] = lambda message: None
    """Called with every message, before anything is done about it."""
    doubt: Callable[[str], None] = _warn
    """Called with what does not fit in the fairness of a match: its commitment, its nonces, its secret."""
    last: Player | None = attrs.field(default=None, init=False)
    """The player at the table that it came to last."""
    _tables: dict[str, _Table] = attrs.field(factory=dict, init=False)

    async def talk(self) -> None:
        """Play until the connection ends. Raises Refused if the server denies a request or throws the bot out."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for message in self.connection:
                    self._tell_doubts()
                    self.watch(message)
                    await self._take(message, tasks)
                for table in self._tables.values():
                    table.inbox.put_nowait(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None

    def _tell_doubts(self) -> None:
        reports = self.connection.session.reports
        for report in reports:
            if report.code == "fairness":
                self.doubt(f"{report.room}: {report.text}")
        reports.clear()

    async def _take(self, message: ServerMessage, tasks: asyncio.TaskGroup) -> None:
        match message:
            case Welcome() if self.offer:
                await self.connection.send(self.offer)
            case Error(rid=None):
                self._denied(message)
            case Left():
                await self._left(message)
            case Joined() if message.seat is not None:
                self._sit(message.room, tasks)
        await self._post(message)

    def _denied(self, error: Error) -> None:
        """A request was refused: the end of a bot that came for one table and does not get a seat there."""
        if not self.offer and not self._tables:
            raise Refused(error.code, f"{error.msg}" + (f" ({error.hint})" if error.hint else ""))

    def _sit(self, room: str, tasks: asyncio.TaskGroup) -> None:
        if room not in self._tables:
            self.last = Player(self.entrant, f"{self.seed}/{room}", self.report)
            self._tables[room] = _Table(self.last)
            tasks.create_task(self._play(self._tables[room]))

    async def _left(self, left: Left) -> None:
        table = self._tables.pop(left.room, None)
        if table is None:
            return
        table.inbox.put_nowait(None)
        if not self.stay and table.player.over is None:
            raise Refused(left.why, f"out of {left.room} before the match was over: {left.why}")
        if not self.offer and not self._tables:
            await self.connection.close()

    async def _post(self, message: ServerMessage) -> None:
        """Pass a message on to its table, and tell the room that we are ready under each new commitment."""
        table = self._tables.get(getattr(message, "room", None) or "")
        if table is None:
            return
        if isinstance(message, Turn):
            table.newest = max(table.newest, message.rid)
        if isinstance(message, Joined | SeatsChanged):
            await self._agree(table, message)
        table.inbox.put_nowait(message)

    async def _agree(self, table: _Table, message: Joined | SeatsChanged) -> None:
        state, commit = message.table["state"], message.table["fair"]["commit"]
        if state in _UNDER_WAY or commit == table.commit or (state == "finished" and not self.stay):
            return
        table.commit = commit
        await self.connection.send(Ready(message.room))  # the session adds its nonce

    async def _play(self, table: _Table) -> None:
        while (message := await table.inbox.get()) is not None:
            if isinstance(message, Turn) and message.rid < table.newest:
                message = _missed(message)
            asks = isinstance(message, Turn) or bool(getattr(message, "may", None))
            receive = table.player.receive
            for act in await _aside(receive, message) if asks else receive(message):
                await self.connection.send(act)
            if isinstance(message, Over) and not self.stay:
                await self.connection.send(Leave(message.room))


def _missed(turn: Turn) -> Update:
    """Return what remains of a turn that was over before the bot had time for it."""
    return Update(turn.room, turn.seq, turn.view, turn.events, [], turn.clocks)


def connection(
    url: str,
    name: str,
    *,
    key: str | None = None,
    ticket: str | None = None,
    mine: Credentials | None = None,
    on_state: Callable[[State], None] | None = None,
) -> Connection:
    """Return the connection, not yet opened, of a bot called ``name``; ``mine``: what it was known by last time."""
    known = mine or Credentials(name)
    session = Session(name, "bot", entropy=os.urandom, key=key, ticket=ticket, token=known.token, on_token=known.keep)
    return Connection(url, session, on_state=on_state)


async def play_room(guest: Guest, room: str | Create) -> Player:
    """Join ``room``, or open it, and play until the match is over, or until the connection ends for one who stays.

    Raises the faults of the client: CannotConnect, Refused, WrongProtocol, Interrupted.
    """
    async with guest.connection:
        await guest.connection.send(room if isinstance(room, Create) else Join(room))
        await guest.talk()
    if guest.last is None or (guest.last.over is None and not guest.stay):
        raise Interrupted(f"the connection ended before the match was over: {guest.connection.state.reason}")
    return guest.last


async def serve(guest: Guest) -> None:
    """Be there for invitations and contests until the connection ends for good. Raises as ``play_room`` does."""
    async with guest.connection:
        await guest.talk()
    raise Interrupted(f"the connection ended: {guest.connection.state.reason}")


async def _aside(receive: Callable[[ServerMessage], list[Act]], message: ServerMessage) -> list[Act]:
    """Let a bot think in a daemon thread of its own.

    One that never comes back holds up neither the other tables, as it would in a pool of few threads, nor Ctrl-C.
    """
    answer: Future[list[Act]] = Future()
    answer.set_running_or_notify_cancel()

    def think() -> None:
        try:
            answer.set_result(receive(message))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=think, daemon=True, name=f"bot in {getattr(message, 'room', '')}").start()
    return await asyncio.wrap_future(answer)
