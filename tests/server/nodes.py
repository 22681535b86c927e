"""A node without sockets: guests whose links the test holds, and a store whose commits it can hold back or fail."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs
from tests.server.rooms.fake import FAKES
from tests.support.waiting import PATIENCE

from parlour_games.registry import AnyGame
from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON, Codec, Frame
from parlour_protocol.wire import plain, server_message
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.compute import Worker
from parlour_server.node.node import Node
from parlour_server.node.webhook_calls import Caller
from parlour_server.persistence import Rated, Write
from parlour_server.settings import ServerSettings
from parlour_server.store.base import NotStored
from parlour_server.store.sqlite.store import SqliteStore

MessageT = TypeVar("MessageT", bound=m.ServerMessage)
WriteT = TypeVar("WriteT", bound=Write)


class HeldStore(SqliteStore):
    """A real store whose commits can be held back, counted and made to fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, synced=False)
        self.commits: list[list[Write]] = []
        """All that the node wanted to store, also in vain."""
        self.loads: list[str] = []
        self.failures: list[Exception] = []
        """What the next commits fail with."""
        self.load_failures: list[Exception] = []
        self._asked = asyncio.Condition()
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Let commits and loads wait."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    async def asked(self, commits: int) -> None:
        """Wait until so many commits have been asked for."""
        async with asyncio.timeout(PATIENCE), self._asked:
            await self._asked.wait_for(lambda: len(self.commits) >= commits)

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        async with self._asked:
            self.commits.append(list(writes))
            self._asked.notify_all()
        await self._open.wait()
        if self.failures:
            raise self.failures.pop(0)
        return await super().commit(writes)

    async def load(self, room: str) -> tuple[int, list[str]]:
        self.loads.append(room)
        await self._open.wait()
        if self.load_failures:
            raise self.load_failures.pop(0)
        return await super().load(room)

    def fail(self, error: Exception | None = None) -> None:
        self.failures.append(error or NotStored("the disk is full"))


@attrs.define(eq=False)
class Guest:
    """A socket as the node knows it, and the client behind it."""

    node: Node
    name: str
    conn: int = 0
    token: str | None = None
    closed: int | None = None
    """The close code."""
    is_open: bool = True
    address: str = "192.0.2.1"
    owner: str | None = None
    codec: Codec = CODECS[JSON]
    inbox: asyncio.Queue[m.ServerMessage] = attrs.field(factory=asyncio.Queue)

    def send(self, payload: Frame) -> None:
        message = server_message(self.codec.decode(payload, FROM_SERVER))
        assert message is not None
        self.inbox.put_nowait(message)

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or code

    async def say(self, message: m.ClientMessage) -> None:
        pause = self.node.receive(self.conn, plain(message))
        if pause is not None:
            await pause

    async def hear(self, cls: type[MessageT]) -> MessageT:
        """Return the next message of a class; what comes before it is forgotten."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.inbox.get()
                if isinstance(message, cls):
                    return message

    async def ask(self, message: m.ClientMessage, cls: type[MessageT]) -> MessageT:
        await self.say(message)
        return await self.hear(cls)

    async def accepted(self) -> m.Answer:
        """Return the next answer to an act that has been accepted, in whatever message it comes."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.inbox.get()
                assert not isinstance(message, m.Error), message
                answer: m.Answer | None = getattr(message, "ok", None)
                if answer is not None:
                    return answer

    def told(self) -> list[m.ServerMessage]:
        """Return and forget what has come so far."""
        return [self.inbox.get_nowait() for _ in range(self.inbox.qsize())]

    async def greet(self, kind: m.Kind = "human", **more: Any) -> m.Welcome:
        welcome = await self.ask(m.Hello(self.name, kind, token=self.token, **more), m.Welcome)
        self.token = welcome.token
        return welcome

    def leave(self) -> None:
        self.node.disconnect(self.conn)


class Here(Worker):
    """Does computations at once, in this process."""

    async def compute(self, game: AnyGame, name: str, args: m.Plain, *_: Any) -> m.Plain:
        return game.compute(name, args)


class House:
    """A node and its store."""

    def __init__(self, path: Path, settings: ServerSettings = ServerSettings()) -> None:
        self.path = path
        self.settings = settings
        self.time = 1_000.0
        self.store = HeldStore(path)
        self._entropy = random.Random(7)
        self._addresses = 0
        self.node = self._node()

    def _node(self) -> Node:
        self.lobby = Lobby(
            {"uno": Uno(), **FAKES}, self._entropy.randbytes, self.settings, server="local", admin="operator"
        )
        caller = None if self.lobby.webhooks is None else Caller(self.lobby.webhooks)
        return Node(self.lobby, self.store, Metrics(), Here(), lambda: self.time, caller, "https://games.example")

    def reopen(self) -> None:
        """Open the store again, after the node has stopped."""
        self.store = HeldStore(self.path)
        self.node = self._node()

    async def restart(self) -> None:
        """Let another node begin with what is stored, as after a crash: the one before does nothing more."""
        self.node.queue.stopped = True  # whoever waits there is let go
        await self.node._worker.close()
        self.node = self._node()
        await self.node.start()

    def connect(self, name: str, token: str | None = None, address: str | None = None) -> Guest:
        """Return somebody who has not said anything yet, by default from an address of their own."""
        self._addresses += 1
        guest = Guest(self.node, name, token=token, address=address or f"192.0.2.{self._addresses % 256}")
        guest.conn = self.node.connect(guest)
        return guest

    async def guest(self, name: str, token: str | None = None, address: str | None = None, **greeting: Any) -> Guest:
        guest = self.connect(name, token, address)
        await guest.greet(**greeting)
        return guest

    async def back(self, guest: Guest) -> tuple[Guest, m.Welcome]:
        """Return ``guest`` on a new socket, and its welcome; the old socket has gone before."""
        if guest.conn in self.node.sockets and guest.node is self.node:
            guest.leave()
        again = self.connect(guest.name, guest.token)
        return again, await again.greet()

    async def table(self, *names: str, game: str = "uno", **create: Any) -> tuple[str, list[Guest]]:
        """Return a room in which a match has begun, and its players by seat, their inboxes empty."""
        guests = [await self.guest(name) for name in names]
        create = {"clock": None, **create}
        joined = await guests[0].ask(m.Create(game, seats=len(names), **create), m.Joined)
        for guest in guests[1:]:
            await guest.ask(m.Join(joined.room), m.Joined)
        await guests[0].ask(m.Start(joined.room), m.Ok)
        await self.settled()
        for guest in guests:
            guest.told()
        return joined.room, guests

    def turn(self, room: str) -> tuple[int, int]:
        """Return the seat that must decide first, and the rid."""
        match = self.lobby.rooms.loaded[room].room.match
        assert match is not None
        decision = match.book.obligations()[0]
        return decision.seat, decision.rid

    def lines(self, room: str, kind: str = "") -> list[str]:
        """Return the stored lines of a room, or those of one kind of record."""
        rows = self.store._db.execute("SELECT line FROM log WHERE room = ? ORDER BY n", (room,)).fetchall()
        return [line for (line,) in rows if f'"r":"{kind}' in line]

    def written(self, kind: type[WriteT]) -> list[WriteT]:
        """Return all of one kind that the node wanted to store, also in vain."""
        return [write for writes in self.store.commits for write in writes if isinstance(write, kind)]

    async def settled(self) -> None:
        """Wait until everything is stored and told."""
        async with asyncio.timeout(PATIENCE):
            await self.node.queue.settled()

    async def close(self) -> None:
        self.store.let_go()
        self.store.failures.clear()
        await self.node.stop(0)


async def tick() -> None:
    """Let everything happen that can happen now."""
    for _ in range(10):
        await asyncio.sleep(0)
