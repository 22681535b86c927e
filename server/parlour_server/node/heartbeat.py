"""Renew the lease of a node among several, and let go of its rooms when that fails.

Between renewals pass a few hundred milliseconds, less when the lease of another node is about to expire. A node that
cannot renew its lease lets go of all its rooms before other nodes may take them: its clients have to come back, and
find a node that lives. When the database answers again, the node loads the rooms that no other node has taken.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import attrs
import structlog

from parlour_server.lobby.lobby import Lobby
from parlour_server.node.commits import CommitQueue
from parlour_server.node.room_loader import RoomLoader
from parlour_server.node.routing import Routing
from parlour_server.persistence import Sightings
from parlour_server.store.base import Fenced, NotStored, Store, StoreError, reason


@attrs.define(eq=False)
class OwnRoom:
    """Opens the server's own room, and replaces it when it gets old."""

    _lobby: Lobby
    _queue: CommitQueue
    _loader: RoomLoader
    code: str = ""
    """Its code, once it is open."""
    candidates: tuple[str, ...] = ()
    """The stored rooms of this kind."""

    async def open(self, game: str, seats: int, max_age: int = 0) -> str:
        """Return the code of the room for ``game``, opened now if there is none. Raises NotStored.

        A room older than ``max_age`` ms (0: no limit) is replaced unless a seat is taken: retention can remove the
        records of closed rooms only.
        """
        self.code = await self._stored(game, max_age) or await self._new(game, seats)
        return self.code

    async def _stored(self, game: str, max_age: int) -> str | None:
        for code in self.candidates:
            await self._loader.load(code)
            live = self._lobby.rooms.loaded.get(code)
            if live is None or live.room.state.config.game != game:
                continue
            if not max_age or live.room.state.at < max_age or live.room.state.seats.taken():
                return code
            self._queue.put(self._lobby.retire(code, self._queue.now()))
        return None

    async def _new(self, game: str, seats: int) -> str:
        code, wanted = self._lobby.keep_room(game, seats, self._queue.now())
        self._queue.put(wanted)
        await self._queue.settled()
        if code not in self._lobby.rooms.loaded:
            raise NotStored("the server's own room could not be stored; the log says why")
        return code

    def retire_others(self) -> None:
        """Close such rooms of other nodes that this node has taken over, once they are empty."""
        for code, live in list(self._lobby.rooms.loaded.items()):
            other = live.room.state.config.kept and code != self.code
            if other and self.code and not live.room.state.seats.taken() and not live.room.audience.here:
                self._queue.put(self._lobby.retire(code, self._queue.now()))


BEATS = 5
"""Renewals within the time of a lease."""
MARGIN = 0.25
"""The part of the lease that is left when a node that could not renew it lets go of its rooms."""
OPENING = 60.0
"""Seconds within which a node has to open its own room."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
"""Seconds before the second attempt to open it, and the longest wait. Each wait is twice as long as the one before."""
SLACK = 0.01
"""Seconds after the end of another node's lease at which this node looks for its rooms."""

log = structlog.get_logger()


class Heartbeat:
    """The heartbeat of a node. ``stopping`` is set if another process replaces this node."""

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        routing: Routing,
        own_room: OwnRoom,
        stopping: asyncio.Event,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.released = False
        """Whether this node has let go of its rooms because it could not renew its lease."""
        self._lobby = lobby
        self._store = store
        self._routing = routing
        self._own_room = own_room
        self._stopping = stopping
        self._lease = lobby.settings.lease
        self._clock = clock
        self._sleep = sleep
        self._renewed = clock()
        self._next_expiry = float("inf")
        """When the first lease of another node expires, unless it is renewed."""
        self._expiring_guests: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Renew the lease until cancelled."""
        try:
            while True:
                await self._beat_safely()
                await asyncio.sleep(self.pause)
        finally:
            if self._expiring_guests is not None:
                self._expiring_guests.cancel()

    async def _beat_safely(self) -> None:
        try:
            await self.beat()
        except Exception as error:  # the next beat may succeed; without beats the node would be dead for good
            self._routing.tasks.report(error)

    async def open_own_room(self, game: str, seats: int, max_age: int = 0) -> str:
        """Open the node's own room, as ``OwnRoom.open`` does.

        Tries again for a minute, less and less often: on an overloaded machine the lease may expire before the room
        is stored. Raises NotStored.
        """
        deadline, wait = self._clock() + OPENING, FIRST_WAIT
        while True:
            try:
                return await self._own_room.open(game, seats, max_age)
            except NotStored as error:
                if self._stopping.is_set() or self._clock() + wait > deadline:
                    raise
                log.warning("the server's own room is not stored yet; trying again", reason=reason(error), wait=wait)
            await self._sleep(wait)
            await self.beat()
            wait = min(2 * wait, LONGEST_WAIT)

    @property
    def pause(self) -> float:
        """Return the seconds until the next beat, which comes early when another node's lease expires before."""
        return min(self._lease / BEATS, max(0.0, self._next_expiry - self._clock()) + SLACK)

    async def beat(self) -> None:
        """Renew the lease, or let go of all rooms when it is about to expire."""
        began = self._clock()
        left = self._renewed + self._lease * (1 - MARGIN) - began
        self._next_expiry = float("inf")
        renewing = asyncio.ensure_future(self._store.renew(self._routing.notice()))
        try:
            await asyncio.wait([renewing], timeout=max(0.0, left))
            if not renewing.done():
                self._release("the database does not answer")
            seen = await renewing
            self._renewed, self._next_expiry = began, self._clock() + seen.soonest
            self._look_around(seen)
        except Fenced as error:
            self._release(str(error))
            self._stopping.set()  # another process has replaced this node
        except StoreError as error:
            if self._clock() - self._renewed > self._lease * (1 - MARGIN):
                self._release(reason(error))
        finally:
            renewing.cancel()

    def _look_around(self, seen: Sightings) -> None:
        self._routing.sighted(seen)
        if self._lobby.connections.draining:
            return
        if self.released:
            self.released = False
            log.warning("the database hears this node again", rooms=len(self._lobby.rooms.dormant))
        self._routing.take_over(seen.orphans)
        self._own_room.retire_others()
        if self._expiring_guests is None or self._expiring_guests.done():  # the lease must not wait for this
            self._expiring_guests = asyncio.get_running_loop().create_task(self._expire_guests())

    async def _expire_guests(self) -> None:
        with suppress(StoreError):
            await self._routing.expire_guests()

    def _release(self, why: str) -> None:
        """Let go of all rooms: from now on another node may own them."""
        if self.released:
            return
        self.released = True
        log.error(
            "this node lets go of its rooms until the database hears it again",
            reason=why,
            rooms=len(self._lobby.rooms.loaded),
        )
        self._routing.release_all()
