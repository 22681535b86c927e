"""Restless guests for the soak: they play match after match, are cut off, die, come back, leave, are replaced."""

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
POLITE = 0.8
"""The share of parties that break up by saying goodbye; the others vanish, and are not seen again."""
CLOCK: Any = {"bank": 2_000, "add": 1_000}
GAMES: tuple[tuple[str, Plain], ...] = (
    ("uno", {"pause": 0, "breath": 100, "scoring": "single"}),
    ("uno", {"pause": 200, "preset": "chaos", "target": 60}),
    ("minesweeper", {"mode": "race", "level": "beginner", "penalty": 1}),
    ("minesweeper", {"mode": "coop", "level": "intermediate", "lives": 50}),
)


@attrs.define
class Settings:
    """How restless they are, in seconds; counts of what they did and saw."""

    url: str
    think: float = 0.05
    trouble: float = 4.0
    """Mean time between two troubles at a table."""
    stay: float = 90.0
    """Mean time until a table breaks up."""
    away: float = 40.0
    """Longest time that somebody stays away who has died."""
    seen: Counter[str] = attrs.field(factory=Counter)


class Guest:
    """One player, over any number of sockets and lives."""

    def __init__(self, settings: Settings, rng: random.Random, before: "Guest | None" = None) -> None:
        """``before``: who this one was at another table; None: somebody new."""
        self._settings, self._rng = settings, rng
        self._name: str = before._name if before else f"soak-{os.urandom(5).hex()}"
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._token: str | None = before._token if before else None
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def arrive(self, enter: Create | Join | None) -> None:
        """Connect, enter if there is something to enter, and play from then on. Raises Fault."""
        session = Session(self._name, "bot", entropy=os.urandom, token=self._token, on_token=self._keep)
        self._connection = Connection(self._settings.url, session)
        await self._connection.__aenter__()
        if enter is not None:
            await self._connection.send(enter)
        self._task = asyncio.create_task(self._play(self._connection))

    def cut(self) -> None:
        """Break the socket: the connection comes back by itself."""
        socket = self._connection._socket if self._connection else None
        if socket is not None:
            socket._raw.transport.abort()

    async def die(self) -> None:
        """Vanish as a process that is killed does."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self.cut()
        if self._connection is not None:
            await self._connection.close()

    async def leave(self) -> None:
        """Leave politely, and hang up."""
        if self._connection is not None and self.room.done():
            await self._connection.send(Leave(self.room.result()))
            await asyncio.sleep(0.2)
        await self.die()

    def _keep(self, token: str | None) -> None:
        self._token = token

    async def _play(self, connection: Connection) -> None:
        seen = self._settings.seen
        with suppress(Fault):
            async for message in connection:
                match message:
                    case Joined() if not self.room.done() and message.why != "resume":
                        self.room.set_result(message.room)
                    case Joined() if not self._is_here(message.room):  # one where it was when its party broke up
                        await connection.send(Leave(message.room))
                    case Turn():
                        await asyncio.sleep(self._settings.think * self._rng.random() * 2)
                        await connection.send(Act(message.room, message.rid, self._choice(message)))
                        seen["acts"] += 1
                    case Over():
                        seen["ends seen"] += 1
                        await connection.send(Start(message.room))
                    case Left() if self._is_here(message.room):
                        return
                    case Error():
                        seen[f"refused: {message.code}"] += 1
        seen["put out"] += 1

    def _is_here(self, room: str) -> bool:
        return self.room.done() and self.room.result() == room

    def _choice(self, turn: Turn) -> Any:
        if turn.legal is not None:
            return self._rng.randrange(len(turn.legal))
        rows: list[str] = turn.view.get("rows") or ["."]
        closed = [cell for cell, char in enumerate("".join(rows)) if char == "."]
        return self._rng.choice(closed) if closed else 0


async def table(settings: Settings, seed: int) -> None:
    """Keep a table busy for ever: one party after another sits down there, has its troubles, and breaks up."""
    rng, politely = random.Random(seed), False
    guests = [Guest(settings, rng) for _ in range(SEATS)]
    while True:
        guests = [Guest(settings, rng, before if politely else None) for before in guests]
        try:
            await _sit(guests, rng)
            settings.seen["parties"] += 1
            await _troubles(settings, guests, rng)
        except (Fault, TimeoutError) as fault:
            settings.seen[f"party failed: {type(fault).__name__}"] += 1
            await asyncio.sleep(1)
        finally:
            politely = rng.random() < POLITE
            await _break_up(guests, politely=politely)


async def _sit(guests: list[Guest], rng: random.Random) -> None:
    game, options = rng.choice(GAMES)
    await guests[0].arrive(Create(game, options, seats=SEATS, start="full", clock=CLOCK))
    room = await asyncio.wait_for(asyncio.shield(guests[0].room), 20)
    for guest in guests[1:]:
        await guest.arrive(Join(room))


async def _troubles(settings: Settings, guests: list[Guest], rng: random.Random) -> None:
    loop = asyncio.get_running_loop()
    until = loop.time() + rng.expovariate(1 / settings.stay)
    while loop.time() < until:
        await asyncio.sleep(rng.expovariate(1 / settings.trouble))
        guest = rng.choice(guests)
        if rng.random() < 0.5:
            settings.seen["cut off"] += 1
            guest.cut()
        else:
            settings.seen["killed"] += 1
            await guest.die()
            await asyncio.sleep(rng.random() ** 3 * settings.away)
            await guest.arrive(None)


async def _break_up(guests: list[Guest], *, politely: bool) -> None:
    await asyncio.gather(*(guest.leave() if politely else guest.die() for guest in guests), return_exceptions=True)
