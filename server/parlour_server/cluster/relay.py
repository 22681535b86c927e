"""Passing on what a client and a room at another node say to each other, frame by frame.

For a client that cannot follow a redirect the node that it came to opens the side socket: with a ticket, as the client
itself would, in the client's own encoding. Every frame of the room goes to the client as it came; every message of the
client about the room goes there. When the other node is lost the client stays: what it had asked and was not answered
is answered ``retry`` (an act under the same rid can be repeated without harm), and the room is looked for until
somebody has taken it over; then ``joined`` comes again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Protocol

import attrs
import structlog
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from parlour_protocol.close_codes import POLICY, SHUT_OUT
from parlour_protocol.codec import FROM_SERVER, MAX_SERVER_FRAME, Codec, Frame
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import Act, Plain, Seen
from parlour_server.effects import EndRelays, Forward, Relay
from parlour_server.log_safety import place

WAITING = 64
"""Messages of a client that may wait for the other node before its socket is read no more."""
STALL = 20.0
"""Seconds in which the other node has to take what waits for it."""
OPENING = 5.0
"""Seconds in which the other node has to open a socket."""
PAUSES = (0.1, 0.25)
"""Seconds between tries to find a room again; the last one from then on."""
RETRY_AFTER = 1_000
"""Milliseconds after which it is worth while to ask again."""

_ANSWERS = ("ok", "error", "left", "joined")

log = structlog.get_logger()


class Link(Protocol):
    """A client's socket."""

    codec: Codec
    address: str

    def send(self, frame: Frame) -> bool:
        """Write a frame without waiting; False if the client had to be cut."""

    def hang(self, code: int, reason: str) -> None:
        """Close the socket behind what was written."""


class Lost(Exception):
    """The side socket is closed, or was not opened. ``code``: its close code."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(f"the side socket is lost ({code})")
        self.code = code


@attrs.frozen
class Ways:
    """What relays need of their node."""

    find: Callable[[int, str, Seen | None], Awaitable[bool]]
    """Look for the room of a connection once more, and go on there. False: not now."""
    ended: Callable[[int, str, bool], None]
    """A connection's relay is over; the flag: the client has to be told that it is out of the room."""


@attrs.define
class _Asked:
    """A request that has not been answered yet."""

    data: Plain

    def answered_by(self, data: Plain) -> bool:
        """Whether ``data``, or the answer inside it, answers this."""
        answer = data.get("ok") or (data if data["t"] in _ANSWERS else None)
        if not isinstance(answer, dict):
            return False
        if self.data.get("id") is not None:
            return bool(answer.get("re") == self.data["id"])
        if self.data["t"] == Act.t:
            return answer.get("re") is None and answer.get("rid") == self.data.get("rid")
        return answer is data and answer.get("re") is None and answer.get("rid") is None


class Relays:
    """All relays of a node."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._relays: dict[tuple[int, str], _Relay] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, wanted: Relay, link: Link) -> None:
        """Begin to relay a room to a connection, or go on at another node."""
        relay = self._relays.get((wanted.conn, wanted.room))
        if relay is None:
            relay = self._relays[wanted.conn, wanted.room] = _Relay(wanted, link, self._ways, self._over)
            relay.task = task = asyncio.get_running_loop().create_task(self._run(relay))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        relay.go(wanted)

    def forward(self, message: Forward, link: Link) -> None:
        """Pass a client's message on."""
        relay = self._relays.get((message.conn, message.room))
        if relay is None:
            _answer_retry(link, message.data)
        else:
            relay.say(message.data)

    async def caught_up(self, conn: int) -> None:
        """Return when little of what a connection has said waits for other nodes."""
        for (whose, _), relay in list(self._relays.items()):
            if whose == conn:
                await relay.caught_up.wait()

    def end(self, gone: EndRelays) -> None:
        """A connection is there no more."""
        for (conn, _), relay in list(self._relays.items()):
            if conn == gone.conn and relay.task is not None:
                relay.task.cancel()

    def keep_to(self, peers: Collection[str]) -> None:
        """Only these nodes live: what was relayed from others is looked for again. A frozen one would never hang up."""
        for relay in self._relays.values():
            relay.keep_to(peers)

    async def close(self) -> None:
        """End all."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, relay: "_Relay") -> None:
        left = True
        try:
            left = await relay.run()
        except Exception as error:
            log.error("a fault in a relay", error=type(error).__name__, where=place(error))
        finally:
            relay.give_up()
            self._over(relay, False)
        if left:
            self._ways.ended(relay.conn, relay.room, True)

    def _over(self, relay: "_Relay", ended: bool = True) -> None:
        """Have no more to do with a relay; ``ended``: its client is out of the room."""
        if self._relays.get((relay.conn, relay.room)) is relay:
            del self._relays[relay.conn, relay.room]
            if ended:
                self._ways.ended(relay.conn, relay.room, False)


class _Relay:
    """One client's way to one room."""

    def __init__(self, wanted: Relay, link: Link, ways: Ways, over: Callable[["_Relay"], None]) -> None:
        self.conn, self.room = wanted.conn, wanted.room
        self.task: asyncio.Task[None] | None = None
        self.caught_up = asyncio.Event()
        self.caught_up.set()
        self._link = link
        self._ways = ways
        self._over = over
        self._orders: asyncio.Queue[Relay] = asyncio.Queue()
        self._said: asyncio.Queue[Plain] = asyncio.Queue()
        self._asked: list[_Asked] = []
        self._inside = wanted.join is None
        self._lost = False
        self._out = False
        self._seen: Seen | None = None
        self._visiting: tuple[str, asyncio.Timeout] | None = None

    def go(self, wanted: Relay) -> None:
        """Go where the room is, from now on."""
        if wanted.join is not None:
            self._asked.append(_Asked(wanted.join))
        self._orders.put_nowait(wanted)

    def say(self, data: Plain) -> None:
        """Pass on what the client says, or answer it if there is no way just now."""
        if self._lost:
            _answer_retry(self._link, data)
            return
        self._asked.append(_Asked(data))
        self._said.put_nowait(data)
        if self._said.qsize() > WAITING:
            self.caught_up.clear()

    def give_up(self) -> None:
        """Answer all that waits for an answer."""
        self._said = asyncio.Queue()
        self.caught_up.set()
        asked, self._asked = self._asked, []
        for each in asked:
            _answer_retry(self._link, each.data)

    async def run(self) -> bool:
        """Relay until the client is out of the room. Returns whether it still has to be told that."""
        while True:
            wanted = await self._orders.get()
            try:
                await self._visit_while_it_lives(wanted)
            except Lost as lost:
                if lost.code in (SHUT_OUT, POLICY):
                    self._link.hang(lost.code, "strikes" if lost.code == POLICY else "banned")
                    return False
            if self._out or not self._inside:
                self._over(self)
                return False
            self._lost = True
            self.give_up()
            if await self._look_again():
                return False

    async def _look_again(self) -> bool:
        """Look for the room until it is found. Returns whether the way there needs no relay any more."""
        tries = 0
        while self._orders.empty():
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1
            if await self._ways.find(self.conn, self.room, self._seen):
                return self._orders.empty()
        return False

    def keep_to(self, peers: Collection[str]) -> None:
        """Leave the node where the room was, unless it is one of these."""
        if self._visiting is not None and self._visiting[0] not in peers:
            self._visiting[1].reschedule(asyncio.get_running_loop().time())
            self._visiting = None

    async def _visit_while_it_lives(self, wanted: Relay) -> None:
        try:
            async with asyncio.timeout(None) as limit:
                self._visiting = wanted.peer, limit
                try:
                    await self._visit(wanted)
                finally:
                    self._visiting = None
        except TimeoutError:
            raise Lost from None

    async def _visit(self, wanted: Relay) -> None:
        """Be at the room's node until that socket is lost. Raises Lost."""
        codec = self._link.codec
        try:
            async with asyncio.timeout(OPENING):
                socket = await connect(
                    wanted.peer,
                    subprotocols=[Subprotocol(codec.name)],
                    compression=None,
                    max_size=MAX_SERVER_FRAME,
                    proxy=None,
                    additional_headers={"X-Forwarded-For": self._link.address},
                    open_timeout=None,
                    close_timeout=1,
                )
        except (OSError, EOFError, TimeoutError, WebSocketException) as error:
            raise Lost from error
        try:
            await self._talk(socket, codec, wanted)
        except ConnectionClosed as closed:
            raise Lost(closed.rcvd.code if closed.rcvd else None) from None
        except Refusal:
            raise Lost from None
        except asyncio.CancelledError:
            socket.transport.abort()  # nobody may be there to close it with us
            raise
        finally:
            await socket.close()
            socket.protocol.parser.close()  # what it waits in knows the protocol, which knows it: none would be freed

    async def _talk(self, socket: ClientConnection, codec: Codec, wanted: Relay) -> None:
        await socket.send(codec.encode(wanted.hello))
        welcome = codec.decode(await socket.recv(), FROM_SERVER)
        if welcome.get("t") != "welcome":
            raise Lost
        if wanted.join is not None:
            await socket.send(codec.encode(wanted.join))
        elif self.room not in welcome["rooms"]:
            await socket.send(codec.encode({"t": "join", "room": self.room, "as": "spectator"}))
        saying = asyncio.get_running_loop().create_task(self._pass_on(socket, codec))
        try:
            while not self._out:
                self._hear(frame := await socket.recv(), codec.decode(frame, FROM_SERVER))
        finally:
            saying.cancel()

    async def _pass_on(self, socket: ClientConnection, codec: Codec) -> None:
        """Send what the client says; a node that does not take it in time is lost."""
        with suppress(ConnectionClosed):
            while True:
                data = await self._said.get()
                try:
                    async with asyncio.timeout(STALL):
                        await socket.send(codec.encode(data))
                except TimeoutError:
                    socket.transport.abort()
                    return
                if self._said.qsize() <= WAITING:
                    self.caught_up.set()

    def _hear(self, frame: Frame, data: Plain) -> None:
        kind = data.get("t")
        if kind == "bye" and data.get("code") not in ("strikes", "banned", "deleted"):
            return  # it is about the side socket, of which the client knows nothing
        self._settle(data)
        if kind == "joined":
            self._inside, self._lost = True, False
            self._seen = {"room": self.room, "epoch": data["epoch"], "seq": data["seq"]}
        elif kind in ("left", "error") and not self._remains(data):
            self._out = True
            self._over(self)
        elif self._seen is not None and "seq" in data:
            self._seen = {**self._seen, "seq": data["seq"]}
        self._link.send(frame)

    def _remains(self, data: Plain) -> bool:
        """Whether the client is in the room after an error, or on its way there."""
        return data["t"] == "error" and (self._inside or any(each.data["t"] == "join" for each in self._asked))

    def _settle(self, data: Plain) -> None:
        for each in self._asked:
            if each.answered_by(data):
                self._asked.remove(each)
                return


def _answer_retry(link: Link, data: Plain) -> None:
    """Answer a message that may or may not have been done."""
    error: Plain = {
        "t": "error",
        "code": "retry",
        "msg": "the server of this room is out of reach for a moment; that may or may not have been done",
        "hint": "try again, if it still makes sense; an act under the same rid counts once",
        "retry_after": RETRY_AFTER,
    }
    error |= {"re": data["id"]} if _is_id(data.get("id")) else {}
    error |= {"room": data["room"]} if isinstance(data.get("room"), str) else {}
    error |= {"rid": data["rid"]} if type(data.get("rid")) is int else {}
    link.send(link.codec.encode(error))


def _is_id(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and len(value) <= 64)
