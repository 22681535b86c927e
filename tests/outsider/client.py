"""A player that comes back after every lost connection, and notes all that it is shown."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import msgpack
from tests.outsider import policy
from tests.outsider.ledger import Ledger, RoomNotes
from tests.outsider.sight import Map
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Subprotocol

LOST = (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, TimeoutError)
"""How a connection that is cut, or a server that is down, shows itself."""
SILENCE = 8
"""The seconds without a message after which a player gives a connection up."""
NUDGE = 0.5
"""The seconds of quiet after which a player does what its room may wait for."""


class GivenUp(Exception):
    """The server refused what it must allow."""


@dataclass
class Table:
    """A room as those who want to play in it agreed: the first player opens it."""

    game: str
    seats: int
    options: Map
    players: int = 0
    """How many of the seats belong to our players; the others are for house bots. 0: all."""
    matches: int = 1
    """How many matches to play, or more: until ``open`` is false."""
    lasting: bool = False
    clock: Map | None = field(default_factory=lambda: {"bank": 60_000, "add": 15_000})
    dawdle: float = 0
    """How often a player lets its time run out."""
    resign: float = 0
    """How often a player gives up, of all its decisions."""
    code: str = ""
    digests: dict[str, str] = field(default_factory=dict)
    """context → digest of its match file."""


class Player:
    """One identity at one table."""

    def __init__(
        self, name: str, addresses: Sequence[Callable[[], str]], table: Table, *, host: bool, rng: Random
    ) -> None:
        self.ledger = Ledger(name)
        self.name = name
        self.table = table
        self.finished = False
        self.connections = 0
        self._addresses = addresses
        self._host = host
        self._rng = rng
        self._packed = rng.random() < 0.5
        self._key = rng.randbytes(16).hex() if rng.random() < 0.5 else None
        self._token = ""
        self._ids = count(1)
        self._asked: dict[int, str] = {}
        self._leaving = False
        self._welcome = False
        self._turn: Map | None = None
        self._nonces: dict[str, str] = {}

    @property
    def notes(self) -> RoomNotes:
        """What was noted on the one room."""
        return self.ledger.rooms[self.table.code]

    async def play(self) -> None:
        """Play until the table has had its matches, through any number of connections."""
        encoding = Subprotocol("parlour.v1.msgpack" if self._packed else "parlour.v1.json")
        while not self.finished:
            address = self._addresses[self.connections % len(self._addresses)]()
            try:
                async with asyncio.timeout(SILENCE):
                    socket = await connect(
                        address, subprotocols=[encoding], compression=None, proxy=None, close_timeout=1
                    )
                self.connections += 1
                async with socket:
                    await self._converse(socket)
            except LOST:
                await asyncio.sleep(0.05 + 0.2 * self._rng.random())

    async def _converse(self, socket: ClientConnection) -> None:
        self._asked, self._turn, self._welcome = {}, None, False
        hello: Map = {"t": "hello", "name": self.name, "kind": "bot", "rooms": self.ledger.seen(), "can": ["nonce"]}
        if self._token:
            hello["token"] = self._token
        if self._key:
            hello["key"] = self._key
        await self._send(socket, hello)
        quiet = 0.0
        while not self.finished:
            try:
                async with asyncio.timeout(NUDGE):
                    frame = await socket.recv()
            except TimeoutError:
                quiet += NUDGE
                if quiet >= SILENCE:
                    return
                if self._welcome:  # a frame before it would void the token that is still known
                    await self._nudge(socket)
                continue
            quiet = 0.0
            message = msgpack.unpackb(frame) if isinstance(frame, bytes) else json.loads(frame)
            await self._take(socket, message)

    async def _take(self, socket: ClientConnection, message: Map) -> None:
        if "re" in message or "re" in message.get("ok", {}):
            self._answered(message.get("re") or message["ok"]["re"])
        if message.get("room"):
            self.table.code = self.table.code or message["room"]
        self.ledger.note(message)
        match message["t"]:
            case "welcome":
                self._welcome = True
                self._token = message.get("token", self._token)
                await self._enter(socket, message["rooms"])
            case "joined":
                await self._joined(socket)
            case "turn":
                self._turn = message
                if self._rng.random() >= self.table.dawdle:
                    await self._answer(socket, message)
            case "seats":
                await self._prepare(socket)
            case "over":
                self.table.digests[message["context"]] = message["digest"]
            case "error":
                await self._refused(message)
            case "left":
                self.finished = True
        for rid, act in policy.react(message.get("may", []), self._rng):
            await self._act(socket, rid, act, message)

    async def _enter(self, socket: ClientConnection, rooms: list[str]) -> None:
        if self.table.code in rooms:
            return
        if self._leaving:
            self.finished = True
        elif self.table.code and self.notes.epoch:
            raise GivenUp(f"{self.name} is no longer in {self.table.code}")
        elif self._host:
            table = self.table
            settings = {"options": table.options, "clock": table.clock, "private": True}
            await self._ask(socket, t="create", game=table.game, seats=table.seats, **settings)
        elif self.table.code:
            await self._ask(socket, t="join", room=self.table.code)

    async def _joined(self, socket: ClientConnection) -> None:
        """Ask again for what was sent under an open decision and perhaps never arrived."""
        await self._prepare(socket)
        for rid in list(self.notes.sent):
            if rid not in self.notes.acknowledged:
                await self._ask(socket, t="act", room=self.table.code, rid=rid, act=self.notes.sent[rid][-1])

    async def _prepare(self, socket: ClientConnection) -> None:
        """Send a nonce once for each commitment; take the seat back from a stand-in."""
        notes = self.notes
        fair = notes.table["fair"]
        seat = next(seat for seat in notes.table["seats"] if seat["seat"] == notes.seat)
        ready: Map = {"t": "ready", "room": self.table.code}
        if seat["by"] == "standin" and self._rng.random() < 0.5:
            await self._ask(socket, **ready)
        elif notes.table["state"] in ("waiting", "finished") and fair["commit"] not in self._nonces:
            self._nonces[fair["commit"]] = self._rng.randbytes(32).hex()
            await self._ask(socket, **ready, nonce=self._nonces[fair["commit"]])

    async def _answer(self, socket: ClientConnection, turn: Map) -> None:
        act = {"do": "resign"} if self._rng.random() < self.table.resign else policy.answer(turn, self._rng)
        await self._act(socket, turn["rid"], act, turn)

    async def _act(self, socket: ClientConnection, rid: int, act: int | Map, message: Map) -> None:
        self.notes.sent[rid].append(policy.recorded(act, message))
        await self._ask(socket, t="act", room=self.table.code, rid=rid, act=act)

    async def _refused(self, error: Map) -> None:
        code = error["code"]
        if code in ("stale", "rate_limited", "busy", "retry", "wrong_state", "no_bot", "drain", "name_taken"):
            await asyncio.sleep(min(error.get("retry_after", 100), 1000) / 1000)
            if code == "name_taken":
                raise OSError("the name is not free yet")
        elif not (code in ("no_such_rid", "room_full") and self.notes.epoch):
            raise GivenUp(f"{self.name} was refused: {error}")

    async def _nudge(self, socket: ClientConnection) -> None:
        """Do what the room may be waiting for."""
        notes = self.notes
        if not notes.epoch:
            if self.table.code and not self._host:
                await self._ask(socket, t="join", room=self.table.code)
            return
        room = {"room": self.table.code}
        state, seats = notes.table["state"], notes.table["seats"]
        if state == "finished" and len(notes.over) >= self.table.matches and not self.table.lasting:
            self._leaving = True
            await self._ask(socket, t="leave", **room)
        elif state in ("waiting", "finished") and self._host:
            ours = self.table.players or self.table.seats
            if len(seats) >= self.table.seats:
                await self._ask(socket, t="start", **room)
            elif len(seats) >= ours:
                await self._ask(socket, t="invite", **room)
        elif state == "playing" and self._turn is not None and self._turn["rid"] not in notes.acknowledged:
            await self._answer(socket, self._turn)

    async def _ask(self, socket: ClientConnection, **message: Any) -> None:
        number = next(self._ids)
        self._asked[number] = message["t"]
        await self._send(socket, {**message, "id": number})

    async def _send(self, socket: ClientConnection, message: Map) -> None:
        await socket.send(msgpack.packb(message) if self._packed else json.dumps(message))

    def _answered(self, number: int) -> None:
        if self._asked.pop(number, None) is None:
            self.ledger.faults.append(f"request {number} of {self.name} was answered twice, or never made")


async def fetch(address: str, digests: Sequence[str]) -> dict[str, str]:
    """Fetch match files by their digests, page by page."""
    files = {}
    async with connect(address, compression=None, proxy=None) as socket:

        async def ask(**message: Any) -> Map:
            await socket.send(json.dumps(message))
            answer: Map = json.loads(await socket.recv())
            return answer

        await ask(t="hello", name="referee", kind="bot")
        for digest in digests:
            lines: list[str] = []
            after: int | None = 0
            while after is not None:
                answer = await ask(t="file", digest=digest, after=after)
                while answer.get("code") == "rate_limited":
                    await asyncio.sleep(answer.get("retry_after", 100) / 1000)
                    answer = await ask(t="file", digest=digest, after=after)
                if answer["t"] != "file":
                    raise GivenUp(f"the file {digest} was refused: {answer}")
                lines += answer["lines"]
                after = answer.get("after")
            files[digest] = "".join(line + "\n" for line in lines)
        with suppress(*LOST):
            await ask(t="ping")
    return files
