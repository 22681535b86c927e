"""The node: carries out, on asyncio, what the lobby wants; in order, and nothing before what it follows from.

Every input gives one batch of effects. The batches stand in one queue; all that are there are committed
together on the store's thread, then their messages leave in the order in which they were made. So whoever
has seen anything can be sure that it is remembered.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol, get_args

import attrs
import structlog

from parlour_protocol.close_codes import TRY_AGAIN
from parlour_protocol.errors import NotNow, Refusal
from parlour_protocol.messages import Bye, Plain, ServerMessage
from parlour_server import effects, persistence
from parlour_server.cluster.routing import Routing
from parlour_server.effects import Effect
from parlour_server.engine.compute import NotWanted, Worker
from parlour_server.engine.conflicts import divide
from parlour_server.engine.room_loader import Loading
from parlour_server.engine.store_queries import fetch
from parlour_server.lobby.lobby import Lobby
from parlour_server.log_safety import place
from parlour_server.metrics import Metrics
from parlour_server.persistence import Write
from parlour_server.rooms.effects import Compute
from parlour_server.store.base import NotStored, Store, reason
from parlour_server.system.crash_points import reach

MAX_WAITING = 1_000
"""Batches that may wait for their commit before sockets are read no more."""
MAX_LAG = 2_000
"""Milliseconds that a batch may wait for its commit before sockets are read no more."""
RETRY_AFTER = 1_000
"""Milliseconds after which it is worth while to ask again what could not be stored."""
_WRITES = frozenset(get_args(Write))
_REFUSED_WHEN_BUSY = ("create", "join", "list")
_READ = ("file", "standings")
"""What is answered from the store."""

log = structlog.get_logger()


class Link(Protocol):
    """A socket as the node knows it. ``address``: where its client is."""

    address: str

    @property
    def is_open(self) -> bool:
        """Whether what is sent may still arrive."""

    def hang(self, code: int, reason: str) -> None:
        """Close it, once everything posted before has left."""


@attrs.frozen(eq=False)
class _Mark:
    """Stands in the queue and tells when all before it is done."""

    reached: asyncio.Future[None]


class Node:
    """One server. ``post`` sends a message to links without waiting."""

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        post: Callable[[Iterable[Any], ServerMessage], None],
        metrics: Metrics,
        worker: Worker | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lobby = lobby
        self.links: dict[int, Link] = {}
        self.stopping = asyncio.Event()
        """Set when the operator wants the server to stop."""
        self._store = store
        self._post = post
        self._metrics = metrics
        self._clock = clock
        self._queue: deque[tuple[int, Sequence[Any]]] = deque()
        self._committing: asyncio.Task[None] | None = None
        self._behind_since = 0
        self._scheduled = False
        self._caught_up = asyncio.Event()
        self._caught_up.set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._conns = 0
        self._kept: tuple[str, ...] = ()
        self.stopped = False
        """Whether it does nothing any more."""
        self._worker = worker or Worker()
        self._reading = asyncio.Lock()
        """Who commits never waits for more than one client's reading."""
        self._reads: dict[int, asyncio.Task[None]] = {}
        self.loading = Loading(self, store)
        self.routing = Routing(self, store) if store.shared else None

    async def start(self) -> None:
        """Read the index of what is stored; rooms are loaded when they are wanted, or a little at a time."""
        index = await self._store.index()
        self.lobby.restore(index, self.now())
        self._kept = index.kept_rooms
        self.spawn(self.loading.load_all())

    async def keep_room(self, game: str, seats: int, longest: int = 0) -> str:
        """Return the code of the server's own room for ``game``, opened now if there is none.

        One that has been up for ``longest`` ms (0: for ever) gives way to a new one, unless somebody sits there: as
        long as it is open none of its records can go. Raises NotStored if the new one could not be stored.
        """
        for code in self._kept:
            await self.loading.load(code)
            live = self.lobby.rooms.loaded.get(code)
            if live is None or live.room.state.config.game != game:
                continue
            if not longest or live.room.state.at < longest or live.room.state.taken():
                return code
            self.perform(self.lobby.retire(code, self.now()))
        code, wanted = self.lobby.keep_room(game, seats, self.now())
        self.perform(wanted)
        await self.settled()
        if code not in self.lobby.rooms.loaded:
            raise NotStored("the server's own room could not be stored; the log says why")
        return code

    async def stop(self, retry_after: int) -> None:
        """Say goodbye to everybody and finish what is to be stored."""
        self.perform(self.lobby.drain(retry_after))
        for task in list(self._tasks):
            task.cancel()
        for timer in self._timers.values():
            timer.cancel()
        while self._queue or self._committing:
            await self.settled()
        self.stopped = True
        if self.routing:
            await self.routing.close()
        await self._worker.close()
        await self._store.close()

    async def settled(self) -> None:
        """Return when everything that is wanted by now is stored and told, or has failed."""
        reached = asyncio.get_running_loop().create_future()
        self.perform([_Mark(reached)])
        await reached

    # --- sockets -------------------------------------------------------------------------------------------

    def connect(self, link: Link) -> int:
        """A socket has opened; return its number."""
        self._conns += 1
        self.links[self._conns] = link
        self.perform(self.lobby.connect(self._conns, self.now(), link.address))
        return self._conns

    def disconnect(self, conn: int) -> None:
        """A socket has closed."""
        self.links.pop(conn, None)
        self.perform(self.lobby.disconnect(conn, self.now()))

    async def receive(self, conn: int, data: Plain) -> None:
        """A map has come in a frame. Returns when the next one may be read."""
        self._metrics.received(data.get("t"))
        not_now = await self.routing.prepare(conn, data) if self.routing else None
        for room in self.lobby.missing(conn, data):
            await self.loading.load(room)
        not_now = not_now or self._not_now(conn, data)
        if not_now:
            self.perform(self.lobby.refuse(conn, not_now, self.now(), data))
        else:
            self.perform(self.lobby.receive(conn, data, self.now()))
        if not self._caught_up.is_set():
            await self._caught_up.wait()
        if self.routing:
            await self.routing.relays.caught_up(conn)
        if data.get("t") in _READ:
            await self._read(conn)
        rest = self.lobby.connections.sessions[conn].rest() if conn in self.lobby.connections.sessions else 0
        if rest:
            await asyncio.sleep(rest / 1000)

    async def _read(self, conn: int) -> None:
        """Return when what ``conn`` wants to read has been read: each socket waits for its own."""
        await self.settled()
        if conn in self._reads:
            await asyncio.wait([self._reads[conn]])

    def _not_now(self, conn: int, data: Plain) -> Refusal | None:
        if self.lobby.missing(conn, data):
            return NotNow("retry", "a room could not be loaded", RETRY_AFTER)
        if not self._caught_up.is_set() and data.get("t") in _REFUSED_WHEN_BUSY:
            return NotNow("busy", "the server is catching up with its disk", MAX_LAG)
        return None

    def refuse(self, conn: int, refusal: Refusal) -> None:
        """A frame has come that is not a map."""
        self._metrics.unreadable()
        self.perform(self.lobby.refuse(conn, refusal, self.now(), {}))

    def sweep(self) -> None:
        """Close the connections that have not said hello in time."""
        self.perform(self.lobby.sweep(self.now()))

    # --- effects ---------------------------------------------------------------------------------------------

    def now(self) -> int:
        """Return the node's time in ms."""
        return int(self._clock() * 1000)

    def perform(self, batch: Sequence[Effect | _Mark]) -> None:
        """Put a batch in the queue; wake-ups and computations need not wait for the commit."""
        if not batch or self.stopped:
            self._reach_all(batch)
            return
        for effect in batch:
            if type(effect) is effects.Wake:
                self._arm(effect)
            elif type(effect) is Compute:
                self.spawn(self._work(effect))
        now = self.now()
        self._queue.append((now, batch))
        if not (self._committing or self._scheduled):
            self._behind_since = now
        if len(self._queue) > MAX_WAITING or now - self._behind_since > MAX_LAG:
            self._caught_up.clear()
        if not self._scheduled and self._committing is None:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        if self._queue and self._committing is None:
            self._behind_since = self._queue[0][0]
            batches = [batch for _, batch in self._queue]
            self._queue.clear()
            writes = [effect for batch in batches for effect in batch if type(effect) in _WRITES]
            if writes:
                self._committing = asyncio.get_running_loop().create_task(self._commit(writes, batches))
            else:
                self._deliver(batches)
                self._caught_up.set()

    async def _commit(self, writes: list[Any], batches: list[Sequence[Any]]) -> None:
        began = self._clock()
        try:
            rated = await self._store.commit(writes)
        except Exception as error:  # whatever it was: nothing of this may be told
            self._metrics.fault("store")
            log.error("not stored", reason=reason(error), writes=len(writes))
            lost, rest = divide([*batches, *(batch for _, batch in self._queue)], error)
            self._queue = deque((self.now(), batch) for batch in rest)
            self._give_up(lost)
        else:
            self._metrics.committed(len(writes), self._clock() - began)
            self.lobby.ratings.changed(rated)
            self._deliver(batches)
        finally:
            self._committing = None
            self._caught_up.set()
            self._flush()

    def _deliver(self, batches: list[Sequence[Any]]) -> None:
        for batch in batches:
            for effect in batch:
                deliver = _DELIVER.get(type(effect))
                if deliver is not None:
                    deliver(self, effect)

    def _give_up(self, batches: list[Sequence[Any]]) -> None:
        """Nothing of these batches happened: their rooms are loaded again, their sockets told to come back."""
        lost = [effect for batch in batches for effect in batch]
        rooms, conns = self.lobby.undo(lost)
        for effect in lost:
            if isinstance(effect, effects.Post):
                conns.update(effect.to)
            elif isinstance(effect, effects.FetchFile | effects.FetchStandings | effects.Relay | effects.Forward):
                conns.add(effect.conn)
            elif isinstance(effect, effects.Fault | effects.Drain | effects.EndRelays | _Mark):
                _DELIVER[type(effect)](self, effect)
        self.lose(rooms, conns)

    def lose(self, rooms: Iterable[str], conns: set[int]) -> None:
        """Load rooms again, which the lobby has discarded; tell these connections to come back and ask again."""
        for room in rooms:
            self._disarm(room)
            self.spawn(self.loading.load(room))
        for conn in conns & self.links.keys():
            link = self.links[conn]
            self.lobby.connections.sessions[conn].gone = True
            self._post([link], Bye("retry", "the server could not store that; come back and ask again", RETRY_AFTER))
            link.hang(TRY_AGAIN, "retry")

    def _send(self, effect: effects.Post) -> None:
        links = [self.links[conn] for conn in effect.to if conn in self.links]
        reach("before-send")
        self._post(links, effect.message)
        self._metrics.sent(effect.message, len(links))

    def _hang(self, effect: effects.Disconnect) -> None:
        link = self.links.get(effect.conn)
        if link is not None:
            link.hang(effect.code, effect.reason)

    def _saved(self, effect: persistence.SaveIdentity | persistence.DropIdentity) -> None:
        self.lobby.identities.stored(effect)

    def _finished(self, effect: persistence.SaveMatch) -> None:
        self._metrics.finished(effect.match.game)

    def _fetch(self, effect: effects.FetchFile | effects.FetchStandings) -> None:
        task = self._reads[effect.conn] = self.spawn(self._answer(effect))
        task.add_done_callback(lambda _: self._reads.pop(effect.conn, None))

    def _fault(self, effect: effects.Fault) -> None:
        self._metrics.fault("room")
        log.error("a fault in a room; it is loaded again", room=effect.room, error=effect.error, where=effect.where)

    def _tell(self, effect: effects.LogEvent) -> None:
        log.info(effect.event, **effect.about)

    def _relay(self, effect: effects.Relay | effects.Forward | effects.EndRelays) -> None:
        link: Any = self.links.get(effect.conn)
        assert self.routing is not None
        if isinstance(effect, effects.EndRelays):
            self.routing.relays.end(effect)
        elif link is not None and isinstance(effect, effects.Relay):
            self.routing.relays.open(effect, link)
        elif link is not None and isinstance(effect, effects.Forward):
            self.routing.relays.forward(effect, link)

    def _drain(self, effect: effects.Drain) -> None:
        self.stopping.set()

    def _reach_all(self, batch: Sequence[Effect | _Mark]) -> None:
        """Let nobody wait for a node that does nothing any more."""
        for effect in batch:
            if isinstance(effect, _Mark):
                self._reach(effect)

    def _reach(self, mark: _Mark) -> None:
        if not mark.reached.done():  # whoever waited may have been cancelled
            mark.reached.set_result(None)

    # --- what takes time ---------------------------------------------------------------------------------------

    async def _answer(self, effect: effects.FetchFile | effects.FetchStandings) -> None:
        async with self._reading:
            if effect.conn in self.links:
                self.perform([await fetch(self._store, effect)])

    async def _work(self, effect: Compute) -> None:
        live = self.lobby.rooms.loaded.get(effect.room)
        if live is None:
            return
        try:
            owner = live.room.state.host or effect.room
            wanted = partial(self._is_wanted, effect)
            result = await self._worker.compute(live.room.state.game, effect.name, effect.args, owner, wanted)
        except NotWanted:
            return
        except Exception as error:
            self._metrics.fault("computation")
            log.error("a computation failed; the match is aborted", room=effect.room, error=type(error).__name__)
            self.perform(self.lobby.give_up(effect, self.now()))
        else:
            self.perform(self.lobby.settle(effect, result, self.now()))

    def _is_wanted(self, effect: Compute) -> bool:
        return effect.room in self.lobby.rooms.loaded

    def spawn(self, work: Any) -> asyncio.Task[None]:
        """Let this coroutine run beside everything else, until the node stops; a fault in it is logged."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._metrics.fault("task")
            log.error("a fault in a task", error=type(error).__name__, where=place(error))

    def _arm(self, effect: effects.Wake) -> None:
        self._disarm(effect.room)
        if effect.at is not None:
            delay = max(0, effect.at - self.now()) / 1000
            self._timers[effect.room] = asyncio.get_running_loop().call_later(delay, self._wake, effect.room)

    def _disarm(self, room: str) -> None:
        timer = self._timers.pop(room, None)
        if timer is not None:
            timer.cancel()

    def _wake(self, room: str) -> None:
        self._timers.pop(room, None)
        self.perform(self.lobby.wake(room, self.now()))


_DELIVER: dict[type, Callable[[Node, Any], None]] = {
    effects.Post: Node._send,
    effects.Disconnect: Node._hang,
    effects.FetchFile: Node._fetch,
    effects.FetchStandings: Node._fetch,
    effects.Fault: Node._fault,
    effects.Drain: Node._drain,
    effects.LogEvent: Node._tell,
    effects.Relay: Node._relay,
    effects.Forward: Node._relay,
    effects.EndRelays: Node._relay,
    persistence.SaveMatch: Node._finished,
    persistence.SaveIdentity: Node._saved,
    persistence.DropIdentity: Node._saved,
    _Mark: Node._reach,
}
