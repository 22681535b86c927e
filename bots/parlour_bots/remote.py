"""A bot over the network: one connection, any number of tables, each with a player of its own.

Each table has a task that takes the room's messages in order and lets the bot think in a thread, so that a
slow bot holds up one table and nothing else.
"""

import asyncio
import os
from collections.abc import Callable

import attrs

from parlour_bots.mistakes import Mistake
from parlour_bots.player import Player
from parlour_bots.sdk import Entrant
from parlour_client.connection import Connection
from parlour_client.faults import Refused
from parlour_client.session import Session
from parlour_protocol.messages import (
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
    players: dict[str, Player] = attrs.field(factory=dict, init=False)
    """The player of each room it was in, by code."""
    _tables: dict[str, _Table] = attrs.field(factory=dict, init=False)

    async def talk(self) -> None:
        """Play until the connection ends. Raises Refused if the server denies a request or throws the bot out."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for message in self.connection:
                    self.watch(message)
                    await self._take(message, tasks)
                for table in self._tables.values():
                    table.inbox.put_nowait(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None

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
        """A request was refused: the end of a bot that came for one table, to be shrugged off by one that stays."""
        if not self.stay:
            raise Refused(error.code, f"{error.msg}" + (f" ({error.hint})" if error.hint else ""))

    def _sit(self, room: str, tasks: asyncio.TaskGroup) -> None:
        if room not in self._tables:
            player = Player(self.entrant, f"{self.seed}/{room}", self.report)
            self.players[room], self._tables[room] = player, _Table(player)
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
            for act in await asyncio.to_thread(receive, message) if asks else receive(message):
                await self.connection.send(act)
            if isinstance(message, Over) and not self.stay:
                await self.connection.send(Leave(message.room))


def _missed(turn: Turn) -> Update:
    """Return what remains of a turn that was over before the bot had time for it."""
    return Update(turn.room, turn.seq, turn.view, turn.events, [], turn.clocks)


def connection(url: str, name: str, *, key: str | None = None, ticket: str | None = None) -> Connection:
    """Return the connection, not yet opened, of a bot called ``name``."""
    return Connection(url, Session(name, "bot", entropy=os.urandom, key=key, ticket=ticket))


async def play_room(guest: Guest, room: str) -> Player:
    """Join ``room`` and play until the match is over, or until the connection ends for one who stays.

    Raises the faults of the client: CannotConnect, Refused, WrongProtocol, Interrupted.
    """
    async with guest.connection:
        await guest.connection.send(Join(room))
        await guest.talk()
    return guest.players[room.upper()]
