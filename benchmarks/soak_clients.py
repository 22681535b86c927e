"""Clients for the soak test: they play matches, lose connections, are killed, reconnect, leave, and are replaced."""

import asyncio
import os
import random
from collections import Counter
from contextlib import suppress
from typing import Any

import attrs

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault
from parlour_client.core.session import Session
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Leave, Left, Over, Plain, Start, Turn

SEATS = 4
GRACEFUL = 0.8
"""The share of groups that leave their room properly; the others vanish and never return."""
CLOCK: Any = {"bank": 2_000, "add": 1_000}
GAMES: tuple[tuple[str, Plain], ...] = (
    ("uno", {"pause": 0, "breath": 100, "scoring": "single"}),
    ("uno", {"pause": 200, "preset": "chaos", "target": 60}),
    ("minesweeper", {"mode": "race", "level": "beginner", "penalty": 1}),
    ("minesweeper", {"mode": "coop", "level": "intermediate", "lives": 50}),
)


@attrs.define
class Settings:
    """Settings of the clients, times in seconds; and counts of events."""

    url: str
    think: float = 0.05
    disruption: float = 4.0
    """Mean time between two disruptions in a room."""
    stay: float = 90.0
    """Mean time until a group leaves its room."""
    away: float = 40.0
    """Longest time until a killed client returns."""
    counts: Counter[str] = attrs.field(factory=Counter)


class Client:
    """One player, over any number of connections."""

    def __init__(self, settings: Settings, rng: random.Random, previous: "Client | None" = None) -> None:
        """``previous``: the client whose identity this one continues; None for a new identity."""
        self._settings, self._rng = settings, rng
        self._name: str = previous._name if previous else f"soak-{os.urandom(5).hex()}"
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._token: str | None = previous._token if previous else None
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def connect(self, enter: Create | Join | None) -> None:
        """Connect, send ``enter`` if given, and start to play. Raises Fault."""
        session = Session(self._name, "bot", entropy=os.urandom, token=self._token, on_token=self._keep)
        self._connection = Connection(self._settings.url, session)
        await self._connection.__aenter__()
        if enter is not None:
            await self._connection.send(enter)
        self._task = asyncio.create_task(self._play(self._connection))

    def drop_connection(self) -> None:
        """Abort the TCP connection; the client reconnects automatically."""
        socket = self._connection._socket if self._connection else None
        if socket is not None:
            socket._raw.transport.abort()

    async def kill(self) -> None:
        """Stop without a message, like a killed process."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self.drop_connection()
        if self._connection is not None:
            await self._connection.close()

    async def leave(self) -> None:
        """Leave the room, then disconnect."""
        if self._connection is not None and self.room.done():
            await self._connection.send(Leave(self.room.result()))
            await asyncio.sleep(0.2)
        await self.kill()

    def _keep(self, token: str | None) -> None:
        self._token = token

    async def _play(self, connection: Connection) -> None:
        counts = self._settings.counts
        with suppress(Fault):
            async for message in connection:
                match message:
                    case Joined() if not self.room.done() and message.why != "resume":
                        self.room.set_result(message.room)
                    case Joined() if not self._is_here(message.room):  # a room it was in before its group left
                        await connection.send(Leave(message.room))
                    case Turn():
                        await asyncio.sleep(self._settings.think * self._rng.random() * 2)
                        await connection.send(Act(message.room, message.rid, self._choice(message)))
                        counts["acts"] += 1
                    case Over():
                        counts["matches over"] += 1
                        await connection.send(Start(message.room))
                    case Left() if self._is_here(message.room):
                        return
                    case Error():
                        counts[f"refused: {message.code}"] += 1
        counts["removed"] += 1

    def _is_here(self, room: str) -> bool:
        return self.room.done() and self.room.result() == room

    def _choice(self, turn: Turn) -> Any:
        if turn.legal is not None:
            return self._rng.randrange(len(turn.legal))
        rows: list[str] = turn.view.get("rows") or ["."]
        closed = [cell for cell, char in enumerate("".join(rows)) if char == "."]
        return self._rng.choice(closed) if closed else 0


async def keep_room_busy(settings: Settings, seed: int) -> None:
    """Run one group of clients after another: each opens a room, plays with disruptions, and leaves."""
    rng, gracefully = random.Random(seed), False
    clients = [Client(settings, rng) for _ in range(SEATS)]
    while True:
        clients = [Client(settings, rng, client if gracefully else None) for client in clients]
        try:
            await _join(clients, rng)
            settings.counts["groups"] += 1
            await _play_with_disruptions(settings, clients, rng)
        except (Fault, TimeoutError) as fault:
            settings.counts[f"group failed: {type(fault).__name__}"] += 1
            await asyncio.sleep(1)
        finally:
            gracefully = rng.random() < GRACEFUL
            await _leave(clients, gracefully=gracefully)


async def _join(clients: list[Client], rng: random.Random) -> None:
    game, options = rng.choice(GAMES)
    await clients[0].connect(Create(game, options, seats=SEATS, start="full", clock=CLOCK))
    room = await asyncio.wait_for(asyncio.shield(clients[0].room), 20)
    for client in clients[1:]:
        await client.connect(Join(room))


async def _play_with_disruptions(settings: Settings, clients: list[Client], rng: random.Random) -> None:
    loop = asyncio.get_running_loop()
    until = loop.time() + rng.expovariate(1 / settings.stay)
    while loop.time() < until:
        await asyncio.sleep(rng.expovariate(1 / settings.disruption))
        client = rng.choice(clients)
        if rng.random() < 0.5:
            settings.counts["connections dropped"] += 1
            client.drop_connection()
        else:
            settings.counts["killed"] += 1
            await client.kill()
            await asyncio.sleep(rng.random() ** 3 * settings.away)
            await client.connect(None)


async def _leave(clients: list[Client], *, gracefully: bool) -> None:
    left = (client.leave() if gracefully else client.kill() for client in clients)
    await asyncio.gather(*left, return_exceptions=True)
