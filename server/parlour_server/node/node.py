"""The node: runs a lobby on asyncio. It takes in what sockets receive, and carries out the effects of the lobby.

Effects go through the commit queue, so that no client sees anything that a crash could undo.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import structlog

from parlour_protocol.codec import Frame
from parlour_protocol.errors import BadFrame, NotNow, Refusal
from parlour_protocol.messages import Continue, Hello, Plain
from parlour_server import effects, persistence
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics, Presence
from parlour_server.node.budget import Computing, Meter
from parlour_server.node.commits import CommitQueue
from parlour_server.node.compute import NotWanted, Worker
from parlour_server.node.heartbeat import OwnRoom
from parlour_server.node.notifier import Notifier
from parlour_server.node.reviews import Reviews
from parlour_server.node.room_loader import Recall, RoomLoader
from parlour_server.node.routing import Routing
from parlour_server.node.sockets import RETRY_AFTER, ClientSocket, Sockets
from parlour_server.node.store_queries import Continuations, StoreQueries
from parlour_server.node.tasks import Slices, Tasks, Wakeups
from parlour_server.node.webhook_calls import Caller
from parlour_server.rooms.effects import Compute, Notify
from parlour_server.store.base import Store


def presence(lobby: Lobby) -> Presence:
    """Return the numbers as they are now."""
    people = [lobby.identities.get(who) for who in lobby.connections.main]
    states = [loaded.room.state for loaded in lobby.rooms.loaded.values()]
    return Presence(
        connections=len(lobby.connections.sessions),
        clients=Counter("house" if person.house else person.kind for person in people),
        rooms=Counter((state.config.game, state.state) for state in states),
        dormant=len(lobby.rooms.dormant),
        identities=len(lobby.identities),
        unplayed=len(lobby.identities.unplayed),
        new_names=lobby.names.counts,
    )


BUSY_AGAIN = 2_000
"""Milliseconds after which to try again what was refused while the server was busy."""
_REFUSED_WHEN_BUSY = ("create", "join", "list")
_FAULTS = {
    "reloaded": "a fault in a room; it is loaded again",
    "closed": "a room whose game keeps failing is closed; its records stay in the store and its backups",
    "kept": "a stored room cannot be loaded",
    "refused": "a fault in a request; it is refused",
}
"""The descriptions of faults in the log."""

log = structlog.get_logger()


class Node:
    """One server."""

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        metrics: Metrics,
        worker: Worker | None = None,
        clock: Callable[[], float] = time.monotonic,
        caller: Caller | None = None,
        page: str = "",
    ) -> None:
        """``caller``: calls webhooks; None: none are called. ``page``: where the page is, for their links."""
        self.lobby = lobby
        self.stopping = asyncio.Event()
        """Set when the server has to stop."""
        self.sockets = Sockets(lobby.connections, metrics)
        self.meter = Meter(held=metrics.held)
        """Charges what this process does to the addresses that cause it."""
        self.tasks = Tasks(metrics)
        self._store = store
        self._metrics = metrics
        self._worker = worker or Worker(Computing(is_alone=self.meter.is_alone), metrics)
        self._wakeups = Wakeups(clock, self._wake)
        self.queue = queue = CommitQueue(
            store,
            clock,
            metrics,
            lobby.ratings,
            begin={effects.Wake: self._wakeups.set, Compute: self._begin_computation},
            deliver={
                effects.Post: self.sockets.send,
                effects.Disconnect: self.sockets.close,
                effects.Ask: self._ask,
                Notify: self._notify,
                effects.Relay: self._relay,
                effects.Forward: self._forward,
                effects.EndRelays: self._end_relays,
                effects.LogFault: self._log_fault,
                effects.LogEvent: self._log_event,
                effects.Drain: self._drain,
                persistence.SaveMatch: self._match_stored,
                persistence.SaveIdentity: self._identity_stored,
                persistence.DropIdentity: self._identity_stored,
            },
            lost=self._undo,
            meter=self.meter,
        )
        self._notifier = Notifier(store, self.tasks, metrics, caller, page) if caller else None
        reviews = Reviews(self.tasks, metrics, self._worker.shares)
        self._queries = StoreQueries(
            store, queue, self.sockets, self.tasks, self._worker, reviews, self.meter, self._notifier
        )
        slices = Slices(clock)
        self.loader = RoomLoader(lobby, store, queue, self._wakeups, self.tasks, slices)
        continuations = Continuations(lobby, queue, self._queries, self._worker, slices)
        self._queries.readers[Continue] = continuations.open
        self._questions = tuple(kind.t for kind in self._queries.readers)
        self.own_room = OwnRoom(lobby, queue, self.loader)
        self._recall = Recall(lobby, store, self.sockets)
        self.routing = Routing(lobby, store, queue, self.loader, self.sockets, self.tasks) if store.shared else None

    async def start(self) -> None:
        """Read the index of the store, and begin to load the rooms."""
        index = await self._store.index()
        self.lobby.restore(index, self.queue.now())
        self.own_room.candidates = index.kept_rooms
        for ladder in self.lobby.matchmaker.ladders:
            self.lobby.matchmaker.restore(ladder.game, await self._store.meetings(ladder.game))
        self.tasks.spawn(self.loader.load_all())

    async def stop(self, retry_after: int) -> None:
        """Say goodbye to all clients and finish what has to be stored."""
        self.queue.put(self.lobby.drain(retry_after))
        self._wakeups.close()
        await self.tasks.close()
        await self.queue.close()
        if self.routing:
            await self.routing.close()
        await self._worker.close()
        await self._store.close()

    def presence(self) -> Presence:
        """Count who and what is here."""
        return presence(self.lobby)

    # --- sockets -------------------------------------------------------------------------------------------

    def connect(self, socket: ClientSocket) -> int:
        """Take in a new socket; return its connection number."""
        conn = self.sockets.add(socket)
        self.queue.put(self.lobby.connect(conn, self.queue.now(), socket.address))
        return conn

    def disconnect(self, conn: int) -> None:
        """Forget a socket that has closed."""
        self.sockets.remove(conn)
        self.queue.put(self.lobby.disconnect(conn, self.queue.now()))

    def receive_frame(self, conn: int, frame: Frame) -> Coroutine[Any, Any, None] | None:
        """Receive a frame. Returns what has to be awaited before the next one may be received, or None."""
        socket = self.sockets.get(conn)
        if socket is None or self.lobby.connections.sessions[conn].gone:
            return None
        try:
            data = socket.codec.decode(frame)
        except BadFrame as refusal:
            self._metrics.unreadable()
            self.queue.put(self.lobby.refuse(conn, refusal, self.queue.now(), {}))
            return None
        return self.receive(conn, data)

    def receive(self, conn: int, data: Plain) -> Coroutine[Any, Any, None] | None:
        """Receive a message. Returns the same as ``receive_frame``."""
        self._metrics.received(data.get("t"))
        if self.routing or self._recall.wanted(data) or self.lobby.missing(conn, data):
            return self._prepare(conn, data)
        return self._answer(conn, data, None)

    async def _prepare(self, conn: int, data: Plain) -> None:
        """Read what a message needs from the store, then answer it."""
        if self.routing:
            refusal = await self.routing.prepare(conn, data)
        else:
            refusal = await self._recall.prepare(conn, data, self.queue.now())
        await asyncio.gather(*map(self.loader.load, self.lobby.missing(conn, data)))
        if self.lobby.missing(conn, data):
            refusal = refusal or NotNow("retry", "a room could not be loaded", RETRY_AFTER)
        socket = self.sockets.get(conn)
        before = self.meter.switch(socket.owner if socket else None)
        pause = self._answer(conn, data, refusal)
        self.meter.switch(before)
        if pause is not None:
            await pause

    def _answer(self, conn: int, data: Plain, refusal: Refusal | None) -> Coroutine[Any, Any, None] | None:
        """Answer a message, or refuse it. Returns what has to be awaited before the next one."""
        kind, queue = data.get("t"), self.queue
        if not queue.caught_up.is_set() and kind in _REFUSED_WHEN_BUSY:
            refusal = refusal or NotNow("busy", "the server is catching up with its disk", BUSY_AGAIN)
        if refusal:
            queue.put(self.lobby.refuse(conn, refusal, queue.now(), data))
        else:
            queue.put(self.lobby.receive(conn, data, queue.now()))
        session = self.lobby.connections.sessions.get(conn)
        if kind == Hello.t and session and self.lobby.connections.is_house(session):
            self._exempt(conn)
        rest = session.rest() if session else 0
        if rest or self.routing or kind in self._questions or not queue.caught_up.is_set():
            return self._pause(conn, kind, rest)
        return None

    def _exempt(self, conn: int) -> None:
        """Charge nobody for a bot of the server's own."""
        if socket := self.sockets.get(conn):
            socket.owner = None

    async def _pause(self, conn: int, kind: object, rest: int) -> None:
        """Return when the next message of a connection may be received; ``rest`` in ms."""
        if not self.queue.caught_up.is_set():
            await self.queue.caught_up.wait()
        if self.routing:
            await self.routing.relays.caught_up(conn)
        if kind in self._questions:
            await self._queries.answered(conn)
        if rest:
            await asyncio.sleep(rest / 1000)

    def sweep(self) -> None:
        """Close the connections that have not said hello in time."""
        self._by_time(self.lobby.sweep)

    # --- effects that begin before their commit ---------------------------------------------------------------

    def _wake(self, room: str) -> None:
        self._by_time(partial(self.lobby.wake, room))

    def _by_time(self, do: Callable[[int], Sequence[effects.Effect]]) -> None:
        """Let the lobby do something that no client waits for. An error is reported: the next time it may succeed."""
        try:
            self.queue.put(do(self.queue.now()))
        except Exception as error:
            self.tasks.report(error)

    def _begin_computation(self, effect: Compute) -> None:
        self.tasks.spawn(self._compute(effect))

    async def _compute(self, effect: Compute) -> None:
        live = self.lobby.rooms.loaded.get(effect.room)
        if live is None:
            return
        try:
            owner = live.opener or effect.room
            wanted = partial(self._is_wanted, effect)
            result = await self._worker.compute(live.room.state.game, effect.name, effect.args, owner, wanted)
        except NotWanted:
            return
        except Exception as error:
            self._metrics.fault("computation")
            log.error("a computation failed; the match is aborted", room=effect.room, error=type(error).__name__)
            self.queue.put(self.lobby.give_up(effect, self.queue.now()))
        else:
            self.queue.put(self.lobby.settle(effect, result, self.queue.now()))

    def _is_wanted(self, effect: Compute) -> bool:
        return effect.room in self.lobby.rooms.loaded

    # --- effects that wait for their commit -------------------------------------------------------------------

    def _ask(self, effect: effects.Ask) -> None:
        self._queries.start(effect)

    def _notify(self, effect: Notify) -> None:
        if self._notifier:
            self._notifier.notify(effect)

    def _relay(self, effect: effects.Relay) -> None:
        socket = self.sockets.get(effect.conn)
        if self.routing and socket:
            self.routing.relays.open(effect, socket)

    def _forward(self, effect: effects.Forward) -> None:
        socket = self.sockets.get(effect.conn)
        if self.routing and socket:
            self.routing.relays.forward(effect, socket)

    def _end_relays(self, effect: effects.EndRelays) -> None:
        if self.routing:
            self.routing.relays.end(effect)

    def _log_fault(self, effect: effects.LogFault) -> None:
        self._metrics.fault("room" if effect.room else "connection")
        reason = {"reason": effect.reason} if effect.reason else {}
        log.error(_FAULTS[effect.then], room=effect.room, error=effect.error, where=effect.where, **reason)

    def _log_event(self, effect: effects.LogEvent) -> None:
        log.info(effect.event, **effect.about)

    def _drain(self, _: effects.Drain) -> None:
        self.stopping.set()

    def _match_stored(self, effect: persistence.SaveMatch) -> None:
        self._metrics.finished(effect.match.game)

    def _identity_stored(self, effect: persistence.SaveIdentity | persistence.DropIdentity) -> None:
        self.lobby.identities.stored(effect)

    # --- effects whose commit has failed ------------------------------------------------------------------------

    def _undo(self, lost: Sequence[Any]) -> None:
        """Take back lost effects: reload their rooms, and send their clients away so that they come back."""
        rooms, conns = self.lobby.undo(lost)
        for effect in lost:
            match effect:
                case effects.Post():
                    conns.update(effect.to)
                case effects.Ask() | effects.Relay() | effects.Forward():
                    conns.add(effect.conn)
                case effects.LogFault():
                    self._log_fault(effect)
                case effects.Drain():
                    self._drain(effect)
                case effects.EndRelays():
                    self._end_relays(effect)
        self.loader.reload(rooms)
        self.sockets.send_away(conns)
