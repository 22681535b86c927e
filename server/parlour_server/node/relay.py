"""Relay frames between a client and a room at another node.

If a client cannot follow a redirect, the node that it has connected to opens the side connection in its place: with a
ticket, and in the client's encoding. Every frame of the room goes to the client unchanged, every message of the client
about the room goes to the other node. When that node is lost, the client stays connected: its unanswered requests are
answered with ``retry`` (repeating an act under the same rid is harmless), and the relay looks for the room until
another node has taken it over. Then the client gets ``joined`` again.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Protocol

import attrs
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from parlour_protocol.codec import FROM_SERVER, MAX_SERVER_FRAME, Codec, Frame
from parlour_protocol.errors import POLICY, SHUT_OUT, Refusal
from parlour_protocol.messages import Act, Plain, Seen
from parlour_server.effects import EndRelays, Forward, Relay
from parlour_server.node.sockets import RETRY_AFTER, ClientSocket
from parlour_server.node.tasks import Tasks

WAITING = 64
"""Messages of a client that may wait for the other node before the node stops reading its socket."""
STALL = 20.0
"""Seconds in which the other node has to accept a message."""
OPENING = 5.0
"""Seconds for opening a socket to the other node."""
PAUSES = (0.1, 0.25)
"""Seconds between attempts to find a room again; the last value repeats."""

_ANSWERS = ("ok", "error", "left", "joined")


class RelayLost(Exception):
    """The side socket is closed, or was not opened. ``code``: its close code."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(f"the side socket is lost ({code})")
        self.code = code


class RoomFinder(Protocol):
    """The part of the node's routing that relays need."""

    async def find_again(self, conn: int, room: str, seen: Seen | None) -> bool:
        """Look for the room of a broken relay and continue there. Returns False if it cannot be found now."""

    def relay_ended(self, conn: int, room: str, left: bool) -> None:
        """Forget a relay that has ended. ``left``: the client has to be told that it is out of the room."""


@attrs.define
class _Request:
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
    """The relays of a node."""

    def __init__(self, finder: RoomFinder, tasks: Tasks) -> None:
        self._finder = finder
        self._node_tasks = tasks
        self._relays: dict[tuple[int, str], _Relay] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, wanted: Relay, client: ClientSocket) -> None:
        """Start to relay a room to a connection, or continue at another node."""
        relay = self._relays.get((wanted.conn, wanted.room))
        if relay is None:
            relay = self._relays[wanted.conn, wanted.room] = _Relay(wanted, client, self._finder, self._over)
            relay.task = task = asyncio.get_running_loop().create_task(self._run(relay))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        relay.move_to(wanted)

    def forward(self, message: Forward, client: ClientSocket) -> None:
        """Forward a client's message."""
        relay = self._relays.get((message.conn, message.room))
        if relay is None:
            _answer_retry(client, message.data)
        else:
            relay.forward(message.data)

    async def caught_up(self, conn: int) -> None:
        """Return when few messages of a connection wait for other nodes."""
        for (whose, _), relay in list(self._relays.items()):
            if whose == conn:
                await relay.caught_up.wait()

    def end(self, gone: EndRelays) -> None:
        """End the relays of a connection that has closed."""
        for (conn, _), relay in list(self._relays.items()):
            if conn == gone.conn and relay.task is not None:
                relay.task.cancel()

    def keep_to(self, peers: Collection[str]) -> None:
        """End visits to all nodes but ``peers``, which are alive. A frozen node would never close its socket."""
        for relay in self._relays.values():
            relay.keep_to(peers)

    async def close(self) -> None:
        """End all relays."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, relay: "_Relay") -> None:
        left = True
        try:
            left = await relay.run()
        except Exception as error:
            self._node_tasks.report(error)
        finally:
            relay.give_up()
            self._over(relay, False)
        if left:
            self._finder.relay_ended(relay.conn, relay.room, True)

    def _over(self, relay: "_Relay", ended: bool = True) -> None:
        """Remove a relay. ``ended``: its client is out of the room."""
        if self._relays.get((relay.conn, relay.room)) is relay:
            del self._relays[relay.conn, relay.room]
            if ended:
                self._finder.relay_ended(relay.conn, relay.room, False)


class _Relay:
    """The relay between one client and one room."""

    def __init__(
        self, wanted: Relay, client: ClientSocket, finder: RoomFinder, over: Callable[["_Relay"], None]
    ) -> None:
        self.conn, self.room = wanted.conn, wanted.room
        self.task: asyncio.Task[None] | None = None
        self.caught_up = asyncio.Event()
        self.caught_up.set()
        self._client = client
        self._finder = finder
        self._over = over
        self._targets: asyncio.Queue[Relay] = asyncio.Queue()
        self._outgoing: asyncio.Queue[Plain] = asyncio.Queue()
        self._requests: list[_Request] = []
        self._inside = wanted.join is None
        self._lost = False
        self._out = False
        self._seen: Seen | None = None
        self._visiting: tuple[str, asyncio.Timeout] | None = None

    def move_to(self, wanted: Relay) -> None:
        """Continue at the node where the room is now."""
        if wanted.join is not None:
            self._requests.append(_Request(wanted.join))
        self._targets.put_nowait(wanted)

    def forward(self, data: Plain) -> None:
        """Forward a message of the client, or answer ``retry`` while the room is lost."""
        if self._lost:
            _answer_retry(self._client, data)
            return
        self._requests.append(_Request(data))
        self._outgoing.put_nowait(data)
        if self._outgoing.qsize() > WAITING:
            self.caught_up.clear()

    def give_up(self) -> None:
        """Answer all open requests with ``retry``."""
        self._outgoing = asyncio.Queue()
        self.caught_up.set()
        requests, self._requests = self._requests, []
        for each in requests:
            _answer_retry(self._client, each.data)

    async def run(self) -> bool:
        """Relay until the client is out of the room. Returns whether it still has to be notified."""
        while True:
            wanted = await self._targets.get()
            try:
                await self._visit_while_alive(wanted)
            except RelayLost as lost:
                if lost.code in (SHUT_OUT, POLICY):
                    self._client.close(lost.code, "strikes" if lost.code == POLICY else "banned")
                    return False
            if self._out or not self._inside:
                self._over(self)
                return False
            self._lost = True
            self.give_up()
            if await self._find_again():
                return False

    async def _find_again(self) -> bool:
        """Look for the room until it is found. Returns True if it needs no relay now."""
        tries = 0
        while self._targets.empty():
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1
            if await self._finder.find_again(self.conn, self.room, self._seen):
                return self._targets.empty()
        return False

    def keep_to(self, peers: Collection[str]) -> None:
        """End the current visit unless its node is one of ``peers``."""
        if self._visiting is not None and self._visiting[0] not in peers:
            self._visiting[1].reschedule(asyncio.get_running_loop().time())
            self._visiting = None

    async def _visit_while_alive(self, wanted: Relay) -> None:
        try:
            async with asyncio.timeout(None) as limit:
                self._visiting = wanted.peer, limit
                try:
                    await self._visit(wanted)
                finally:
                    self._visiting = None
        except TimeoutError:
            raise RelayLost from None

    async def _visit(self, wanted: Relay) -> None:
        """Connect to the room's node and relay until that socket is lost. Raises RelayLost."""
        from websockets.asyncio.client import connect  # a server on its own starts sooner without it

        codec = self._client.codec
        try:
            async with asyncio.timeout(OPENING):
                socket = await connect(
                    wanted.peer,
                    subprotocols=[Subprotocol(codec.name)],
                    compression=None,
                    max_size=MAX_SERVER_FRAME,
                    proxy=None,
                    additional_headers={"X-Forwarded-For": self._client.address},
                    open_timeout=None,
                    close_timeout=1,
                )
        except (OSError, EOFError, TimeoutError, WebSocketException) as error:
            raise RelayLost from error
        try:
            await self._relay_frames(socket, codec, wanted)
        except ConnectionClosed as closed:
            raise RelayLost(closed.rcvd.code if closed.rcvd else None) from None
        except Refusal:
            raise RelayLost from None
        except asyncio.CancelledError:
            socket.transport.abort()  # the other node may never answer a closing handshake
            raise
        finally:
            await socket.close()
            socket.protocol.parser.close()  # breaks a reference cycle between parser and protocol

    async def _relay_frames(self, socket: Connection, codec: Codec, wanted: Relay) -> None:
        await socket.send(codec.encode(wanted.hello))
        welcome = codec.decode(await socket.recv(), FROM_SERVER)
        if welcome.get("t") != "welcome":
            raise RelayLost
        if wanted.join is not None:
            await socket.send(codec.encode(wanted.join))
        elif self.room not in welcome["rooms"]:
            await socket.send(codec.encode({"t": "join", "room": self.room, "as": "spectator"}))
        sending = asyncio.get_running_loop().create_task(self._send_outgoing(socket, codec))
        try:
            while not self._out:
                self._deliver(frame := await socket.recv(), codec.decode(frame, FROM_SERVER))
        finally:
            sending.cancel()

    async def _send_outgoing(self, socket: Connection, codec: Codec) -> None:
        """Send the client's messages. A node that does not accept a message in time counts as lost."""
        with suppress(ConnectionClosed):
            while True:
                data = await self._outgoing.get()
                try:
                    async with asyncio.timeout(STALL):
                        await socket.send(codec.encode(data))
                except TimeoutError:
                    socket.transport.abort()
                    return
                if self._outgoing.qsize() <= WAITING:
                    self.caught_up.set()

    def _deliver(self, frame: Frame, data: Plain) -> None:
        kind = data.get("t")
        if kind == "bye" and data.get("code") not in ("strikes", "banned", "deleted"):
            return  # about the side socket, which the client does not know
        self._settle(data)
        if kind == "joined":
            self._inside, self._lost = True, False
            self._seen = {"room": self.room, "epoch": data["epoch"], "seq": data["seq"]}
        elif kind in ("left", "error") and not self._remains(data):
            self._out = True
            self._over(self)
        elif self._seen is not None and "seq" in data:
            self._seen = {**self._seen, "seq": data["seq"]}
        self._client.send(frame)

    def _remains(self, data: Plain) -> bool:
        """Whether the client is in the room after an error, or is joining it."""
        return data["t"] == "error" and (self._inside or any(each.data["t"] == "join" for each in self._requests))

    def _settle(self, data: Plain) -> None:
        for each in self._requests:
            if each.answered_by(data):
                self._requests.remove(each)
                return


def _answer_retry(client: ClientSocket, data: Plain) -> None:
    """Answer ``retry`` to a message that may or may not have been carried out."""
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
    client.send(client.codec.encode(error))


def _is_id(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and len(value) <= 64)
