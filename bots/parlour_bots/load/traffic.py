"""The traffic of a load test: rooms of random players, with the latency of each act from due to shown.

In a closed loop a bot answers each turn immediately or after its think time. In an open loop acts are due at fixed
intervals, whether or not the last one has been shown, so that waiting for the server counts. Each room begins at a
random moment, so that the rooms do not act in the same instants.
"""

import asyncio
import os
import random  # noqa: TID251  random players need no reproducible seed
import time
from collections import Counter, deque

import attrs

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.session import Session
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Ok, Over, Plain, Start, Turn


@attrs.frozen
class Pattern:
    """The pace in each room. ``think``: seconds before an answer. ``rate``: acts per second, None in a closed loop."""

    game: str
    options: Plain
    seats: int
    think: float
    rate: float | None
    encoding: str

    @property
    def interval(self) -> float:
        """The seconds from one act of a room to the next, without waiting for the server."""
        return self.think if self.rate is None else 1 / self.rate


@attrs.define
class TrafficCounters:
    """The counters. ``latencies`` has the seconds of each act that was shown."""

    matches: int = 0
    lost: int = 0
    latencies: list[float] = attrs.field(factory=list)
    errors: Counter[str] = attrs.field(factory=Counter)


@attrs.define
class PendingTurn:
    """A turn that waits for its act, with the number of its client."""

    number: int
    turn: Turn


class TrafficRoom:
    """One room and its clients. ``tally`` can be replaced while they play."""

    def __init__(self, pattern: Pattern, tally: TrafficCounters, seed: int) -> None:
        self.tally = tally
        self.clients: list[Connection] = []
        self._pattern = pattern
        self._rng = random.Random(seed)
        self._due: deque[float] = deque()
        self._asked: deque[PendingTurn] = deque()
        self._sent: dict[tuple[int, int], float] = {}

    async def open(self, url: str) -> None:
        """Open the connections and a room that starts when all are seated. Raises Refused, Interrupted."""
        room: str | None = None
        for _ in range(self._pattern.seats):
            session = Session(f"load-{os.urandom(4).hex()}", "bot", entropy=os.urandom, can=())
            client = Connection(url, session, encoding=self._pattern.encoding)
            await client.__aenter__()
            self.clients.append(client)
            room = await self._enter(client, room)

    async def play(self) -> None:
        """Play match after match until cancelled, from a random moment of the first interval on."""
        await asyncio.sleep(self._rng.random() * self._pattern.interval)
        async with asyncio.TaskGroup() as tasks:
            for number, client in enumerate(self.clients):
                tasks.create_task(self._follow(number, client))
            if self._pattern.rate is not None:
                tasks.create_task(self._fall_due())

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(client.close() for client in self.clients))

    async def _enter(self, client: Connection, room: str | None) -> str:
        pattern = self._pattern
        create = Create(pattern.game, pattern.options, seats=pattern.seats, start="full", clock=None, standin=False)
        await client.send(Join(room) if room else create)
        async for message in client:
            if isinstance(message, Joined):
                return message.room
            if isinstance(message, Error):
                raise Refused(message.code, f"{client.url} refuses: {message.msg}")
        raise Interrupted(f"{client.url} ended the connection: {client.state.reason}")

    async def _follow(self, number: int, client: Connection) -> None:
        async for message in client:
            if ok := getattr(message, "ok", None):
                self._shown(number, ok["rid"])
            match message:
                case Turn():
                    await self._turn(number, message)
                case Over() if number == 0:  # the host
                    self.tally.matches += 1
                    await client.send(Start(message.room))
                case Ok(rid=int(rid)):
                    self._shown(number, rid)
                case Error():
                    self.tally.errors[message.code] += 1
        self.tally.lost += 1

    async def _turn(self, number: int, turn: Turn) -> None:
        if self._pattern.rate is not None:
            self._asked.append(PendingTurn(number, turn))
            await self._answer_due()
        else:
            if self._pattern.think:
                await asyncio.sleep(self._pattern.think)
            await self._act(PendingTurn(number, turn), time.perf_counter())

    async def _fall_due(self) -> None:
        """Make an act due at each interval."""
        at = time.perf_counter()
        while True:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            self._due.append(at)
            at += self._pattern.interval
            await self._answer_due()

    async def _answer_due(self) -> None:
        while self._due and self._asked:
            await self._act(self._asked.popleft(), self._due.popleft())

    async def _act(self, asked: PendingTurn, due: float) -> None:
        turn = asked.turn
        self._sent[asked.number, turn.rid] = due
        await self.clients[asked.number].send(Act(turn.room, turn.rid, self._choice(turn)))

    def _choice(self, turn: Turn) -> int:
        if turn.legal is not None:
            return self._rng.randrange(len(turn.legal))
        closed = [cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."]
        return self._rng.choice(closed) if closed else 0

    def _shown(self, number: int, rid: int) -> None:
        due = self._sent.pop((number, rid), None)
        if due is not None:
            self.tally.latencies.append(time.perf_counter() - due)
