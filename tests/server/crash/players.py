"""Bots that speak the protocol by hand and survive their server: they come back by token and repeat what had no answer.

Each player remembers all that it was shown and all that was acknowledged, for ``audit`` to compare with the log.
"""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar

import attrs
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import STILL
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PlayerT = TypeVar("PlayerT", bound="Player")
RANDOM = "random"
"""The place of kills at no place in particular."""
ENOUGH = 240
"""Seconds."""
SENSE = 0.9
"""How often a player does the first thing that it may do; purely random rounds of UNO take very long."""
HARMLESS = ("stale", "name_taken", "wrong_state")
"""Refusals that a crash explains: somebody was faster, or the answer to what had been done was lost. Any other means
that something was forgotten, and so do ``stale`` decisions of somebody who was asked again."""


@attrs.define(eq=False)
class House:
    """The server, which comes and goes, and what everybody at its tables has to know."""

    server: ServerProcess
    rng: random.Random
    up: asyncio.Event = attrs.field(factory=asyncio.Event)
    closing: bool = False
    """No more rematches."""
    counts: Counter[str] = attrs.field(factory=Counter)
    kills: Counter[str] = attrs.field(factory=Counter)
    """How often it was killed at which place, or at a random moment."""
    _kill_in: int = 0
    _due: asyncio.Event = attrs.field(factory=asyncio.Event)

    def hear(self) -> None:
        """A player has received a message."""
        self.counts["heard"] += 1
        self._kill_in -= 1
        if not self._kill_in:
            self._due.set()

    async def kill(self, place: str, then: str | None) -> None:
        """Let the server die at ``place``, as it was started to, or RANDOM; start it again, to die at ``then``.

        After the last time (``then`` is None) no match is begun.
        """
        if place == RANDOM:
            await self._random_moment()
            self.server.kill()
        else:
            ended = await asyncio.to_thread(self.server.wait, STILL)
            assert ended == -signal.SIGKILL, f"it ended by itself ({ended}): {self.server.log()[-2_000:]}"
        self.up.clear()
        self.kills[place] += 1
        self.closing = then is None
        self.server.crash = "" if then in (None, RANDOM) else f"{then}:{self._times(then)}"
        try:
            await asyncio.to_thread(self.server.restart)
        except ValueError:  # it has come to the place before it was ready
            assert self.server.crash
        else:
            self.up.set()

    def _times(self, place: str | None) -> int:
        """Return how often the server comes to ``place`` until it dies there; few times: while it loads its rooms."""
        return self.rng.randint(1, self.rng.choice((5, 50, 500 if place == "before-send" else 150)))

    async def heard(self, messages: int) -> None:
        """Wait until players have received so many more messages."""
        self._due.clear()
        self._kill_in = messages
        await self._due.wait()

    async def _random_moment(self) -> None:
        await self.heard(self.rng.randint(1, self.rng.choice((5, 50, 500))))
        for _ in range(self.rng.randrange(30)):
            await asyncio.sleep(0)


@attrs.define(eq=False)
class Table:
    """A room to be, and how many sit there. The code is known when its host has been told."""

    game: str
    seats: int
    options: Map
    code: asyncio.Future[str] = attrs.field(factory=lambda: asyncio.get_running_loop().create_future())


@attrs.define(eq=False)
class Player:
    """Somebody at one table. ``host`` opens the room and begins its matches; watchers only look on."""

    house: Any
    """A House, or what is like one."""
    table: Table
    name: str
    host: bool = False
    watches: bool = False
    token: str | None = None
    open: dict[int, Map] = attrs.field(factory=dict)
    """Acts without an answer, by rid."""
    shown: list[Map] = attrs.field(factory=list)
    """Every message with a view."""
    acknowledged: dict[int, Map] = attrs.field(factory=dict)
    """What was recorded for each rid, as the server said."""
    digests: set[str] = attrs.field(factory=set)
    finished: asyncio.Event = attrs.field(factory=asyncio.Event)
    seat: int | None = None
    room: str | None = None
    _epoch: int = 0
    _seq: int = 0
    _fresh: bool = False
    """Whether the message before was ``joined``."""

    async def play(self) -> None:
        """Come back whenever the connection is lost, until the house closes and the match is over."""
        while not self.finished.is_set():
            await self.house.up.wait()
            with suppress(ConnectionClosed, InvalidHandshake, ConnectionError, EOFError):
                async with open_socket(self.house.server.url, close_timeout=1) as socket:
                    await self._visit(socket)

    async def _visit(self, socket: Socket) -> None:
        await self._greet(socket)
        while not self.finished.is_set():
            message = await socket.receive(within=STILL)
            self.house.hear()
            await self._follow(socket, message)

    async def _greet(self, socket: Socket) -> None:
        fields: Map = {"name": self.name, "kind": "bot"}
        if self.token is not None:
            fields["token"] = self.token
        await socket.send("hello", **fields)

    async def _follow(self, socket: Socket, message: Map) -> None:
        if self._is_of_another_room(message):
            return
        if "seq" in message:
            self._remember(message)
        if "ok" in message:
            self._answered(message["ok"])
        handle = getattr(self, f"_on_{message['t']}", None)
        if handle is not None:
            await handle(socket, message)

    def _is_of_another_room(self, message: Map) -> bool:
        """Whether this is about the room of a ``create`` that came true after it had been repeated."""
        return self.room is not None and message.get("room", self.room) != self.room

    async def _on_welcome(self, socket: Socket, message: Map) -> None:
        self.token = message["token"]
        if message["rooms"] and self.room in (None, *message["rooms"]):
            return
        if self.host and not self.table.code.done():
            seats = {"seats": self.table.seats, "clock": None, "standin": False}
            await socket.send("create", game=self.table.game, options=self.table.options, **seats)
        else:
            role = "spectator" if self.watches else "player"
            await socket.send("join", room=await self.table.code, **{"as": role})

    async def _on_joined(self, socket: Socket, message: Map) -> None:
        if not self.table.code.done():
            self.table.code.set_result(message["room"])
        self.seat = message["seat"]
        for act in self.open.values():
            self.house.counts["repeated"] += 1
            await socket.send("act", **act)
        await self._on_seats(socket, message)
        await self._offered(socket, message)

    async def _on_seats(self, socket: Socket, message: Map) -> None:
        table = message["table"]
        if self.host and table["state"] == "waiting" and len(table["seats"]) == self.table.seats:
            await socket.send("start", room=message["room"])

    async def _on_turn(self, socket: Socket, message: Map) -> None:
        assert message["rid"] not in self.acknowledged, f"{self.name} was asked again for rid {message['rid']}"
        if message["rid"] not in self.open:
            await self._act(socket, message["room"], message["rid"], message.get("legal") or self._moves(message))
        await self._offered(socket, message)

    async def _on_update(self, socket: Socket, message: Map) -> None:
        await self._offered(socket, message)

    async def _on_over(self, socket: Socket, message: Map) -> None:
        self.digests.add(message["digest"])
        self.open.clear()
        if self.house.closing:
            self.finished.set()
        elif self.host:
            await socket.send("start", room=message["room"])

    async def _on_ok(self, socket: Socket, message: Map) -> None:
        if "rid" in message:
            self.house.counts["answered again"] += 1
            self._answered(message)

    async def _on_error(self, socket: Socket, message: Map) -> None:
        if message["code"] in ("busy", "retry"):  # the machine is: come back when we are told to
            await asyncio.sleep(message["retry_after"] / 1000)
            raise EOFError
        assert message["code"] in HARMLESS, f"{self.name}: {message}"
        if message["code"] == "name_taken":  # the answer to our hello was lost
            self.name += "x"
            await self._greet(socket)
        self.open.pop(message.get("rid", -1), None)

    async def _offered(self, socket: Socket, message: Map) -> None:
        for offer in message["may"]:
            if offer["rid"] not in self.open and self.house.rng.random() < 0.3:
                await self._act(socket, message["room"], offer["rid"], offer["legal"])

    async def _act(self, socket: Socket, room: str, rid: int, legal: list[Any]) -> None:
        choice = 0 if self.house.rng.random() < SENSE else self.house.rng.randrange(len(legal))
        act = choice if self.table.game == "uno" and self.house.rng.random() < 0.5 else legal[choice]
        self.open[rid] = {"room": room, "rid": rid, "act": act, "id": rid}
        await socket.send("act", **self.open[rid])

    def _moves(self, message: Map) -> list[Any]:
        """Return what may be done on a grid, a random closed cell first."""
        rows = message["view"]["rows"]
        closed = [[x, y] for y, row in enumerate(rows) for x, char in enumerate(row) if char in ".F"]
        self.house.rng.shuffle(closed)
        verbs = ["open"] if message["view"]["mode"] == "duel" else ["open", "flag", "unflag"]
        return [{"do": verb, "cells": closed[:1]} for verb in verbs]

    def _remember(self, message: Map) -> None:
        joined, seq = message["t"] == "joined", message["seq"]
        if joined:
            self.room = message["room"]
            assert message["epoch"] >= self._epoch, f"{self.name}: epoch {message['epoch']} after {self._epoch}"
        else:
            dense = seq == self._seq + 1 or (self._fresh and seq == self._seq)
            assert dense, f"{self.name}: seq {seq} after {self._seq}"
        self._fresh, self._seq = joined, seq
        if joined:
            self._epoch = message["epoch"]
        if message.get("view") is not None:
            self.shown.append(message)

    def _answered(self, answer: Map) -> None:
        rid, act = answer["rid"], answer["act"]
        before = self.acknowledged.setdefault(rid, act)
        assert before == act, f"{self.name}: rid {rid} was {before}, is {act}"
        self.open.pop(rid, None)
        self.house.counts["acknowledged"] += 1


def seated(
    house: Any, tables: Sequence[tuple[str, int, Map]], player: type[PlayerT], *, watched: bool = False
) -> list[PlayerT]:
    """Return a player for each seat of new tables, and for each table one who watches if it is ``watched``."""
    players = []
    for number, entry in enumerate(tables):
        table = Table(*entry)
        players += [player(house, table, f"seat{seat}at{number}", host=not seat) for seat in range(table.seats)]
        if watched:
            players.append(player(house, table, f"watcher{number}", watches=True))
    return players
