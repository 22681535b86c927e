"""Seats of language models: connections that stay open between calls, found by what each call brings.

A seat is named by the code of its room and the token of its player. A call finds its connection here, or opens it again
by the token: calls may come from several MCP sessions, or after a restart of this process. A short name, which answers
repeat, stands for a seat as long as this process knows its player.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import attrs

from parlour_client.client import Client, Seat
from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault, Refused, Usage
from parlour_client.core.queries import listed, visiting
from parlour_client.core.room import LLM
from parlour_protocol.messages import BotRow, RoomRow

MOST = 256
"""Connections that are open at a time."""
IDLE = 1800.0
"""Seconds without a call after which a connection is closed. The token opens it again."""
_PARTS = 3
_SHORT = 12
"""Hexadecimal digits of a short name. It is as secret as the token, but only tried through this process."""


@attrs.define
class _Player:
    client: Client
    used: float


@attrs.define
class Seats:
    """The players of this process, by token. Use it as an asynchronous context manager."""

    url: str
    clock: Callable[[], float] = time.monotonic
    _players: dict[str, _Player] = attrs.field(factory=dict, init=False)
    _opening: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _visit: AsyncExitStack = attrs.field(factory=AsyncExitStack, init=False)
    _visitor: Connection | None = attrs.field(default=None, init=False)
    """The connection that lists rooms. It is kept, since a server limits the new names of an address."""
    _listing: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def __aenter__(self) -> "Seats":
        return self

    async def __aexit__(self, *_: object) -> None:
        for player in self._players.values():
            await player.client.close()
        self._players.clear()
        await self._visit.aclose()

    async def rooms(self) -> tuple[list[RoomRow], list[BotRow], list[str]]:
        """Return the open rooms, the bots that can be invited, and what the server can do. Raises Fault."""
        async with self._listing:  # answers come to one call at a time
            if self._visitor is None:
                self._visitor = await self._visit.enter_async_context(visiting(self.url))
            try:
                return *await listed(self._visitor), [*self._visitor.can]
            except (Fault, asyncio.CancelledError):
                self._visitor = None  # a late answer would be taken for the next one
                await self._visit.aclose()
                raise

    async def player(self, name: str | None) -> Client:
        """Connect a new player, under a free name if none is given. Raises Fault."""
        await self._make_room()
        client = Client(self.url, name or f"{LLM}-{os.urandom(3).hex()}")
        try:
            await client.__aenter__()
        except Refused as refused:
            if refused.code != "name_taken":
                raise
            raise Refused(refused.code, f"the name {client.name} is taken: choose another with sit(name=...)") from None
        self._keep(client)
        return client

    async def drop(self, client: Client) -> None:
        """Disconnect a player who has no seat."""
        self._players.pop(client.token or "", None)
        await client.close()

    async def seat(self, named: str) -> Seat:
        """Return the seat that ``named`` names. Raises Usage, Fault."""
        room, token, name = self._parts(named)
        async with self._opening:  # calls at the same time share the connection
            player = self._players.get(token)
            if player is None or not player.client.connected:
                await self._make_room()
                client = Client(self.url, name, token=token)
                await client.__aenter__()
                player = self._keep(client)
        player.used = self.clock()
        try:
            return await player.client.back(room)
        except Refused as refused:
            raise Refused(refused.code, f"your seat in {room} is gone: take another one with sit") from None

    def _parts(self, named: str) -> tuple[str, str, str]:
        """Return the room, the token and the name of a player. Raises Usage."""
        parts = named.strip().split("/", _PARTS - 1)
        if len(parts) == _PARTS and all(parts):
            return parts[0], parts[1], parts[2]
        if len(parts) != _PARTS - 1:
            raise Usage("this is not a seat: pass the seat exactly as sit returned it, or take one with sit")
        room, short = parts
        for token, player in self._players.items():
            if _digits(token) == short:
                return room, token, player.client.name
        raise Usage(
            "this short name of a seat is not known here, maybe after a restart: pass the long one, which is `seat` in"
            " the structured result of sit, or take a seat with sit"
        )

    def _keep(self, client: Client) -> _Player:
        player = self._players[client.token or ""] = _Player(client, self.clock())
        return player

    async def _make_room(self) -> None:
        now = self.clock()
        for token, player in list(self._players.items()):
            if now - player.used > IDLE or not player.client.connected:
                del self._players[token]
                await player.client.close()
        if len(self._players) >= MOST:
            raise Usage(f"{MOST} seats are taken through this MCP server: leave one, or try again later")


def name_of(seat: Seat, client: Client) -> str:
    """Return what names a seat in calls. It holds a secret."""
    return f"{seat.room}/{client.token}/{client.name}"


def short_name_of(seat: Seat) -> str:
    """Return a short name of a seat, for calls to the process that knows its player. It holds a secret."""
    return f"{seat.room}/{_digits(seat.client.token or '')}"


def _digits(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:_SHORT]
