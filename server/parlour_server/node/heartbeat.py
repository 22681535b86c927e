"""A node among others: it says that it lives, takes over what the dead leave behind, and knows when to be silent.

Every few hundred milliseconds it renews its lease, and at the moment when another node's is over. If it cannot, it lets
go of all its rooms before others may think it dead: its people are told to come back, which leads them to a node that
lives; what nobody has taken meanwhile it loads again when the database has heard of it.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

import structlog

from parlour_server.cluster.routing import Routing
from parlour_server.log_safety import place
from parlour_server.node.node import Node
from parlour_server.persistence import Sightings
from parlour_server.store.base import Fenced, NotStored, Store, StoreError, reason

BEATS = 5
"""How often the lease is renewed within its time."""
MARGIN = 0.25
"""What is left of the lease, as a part of it, when a node that could not renew it falls silent."""
TRIES = 5
"""How often a node tries to have a room of its own."""
SLACK = 0.01
"""Seconds behind the end of another node's lease at which this one looks what it has left."""

log = structlog.get_logger()


class Membership:
    """The heartbeat of ``node``, whose ``store`` is shared. ``lease`` in seconds."""

    def __init__(
        self, node: Node, store: Store, lease: float, clock: Callable[[], float] = time.monotonic, own: str = ""
    ) -> None:
        self.silent = False
        """Whether this node has let go of its rooms because the database does not hear it."""
        self.own = own
        """The room that this node keeps for whoever comes: it stays, also when nobody is there."""
        self._node = node
        self._store = store
        self._lease = lease
        self._clock = clock
        self._renewed = clock()
        self._due = float("inf")
        """When the first of the others will be dead, unless it renews its lease."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """By the room that each takes over."""
        self._lapsing: asyncio.Task[None] | None = None

    async def keep(self) -> None:
        """Renew the lease again and again, until cancelled."""
        try:
            while True:
                await self._beat_safely()
                await asyncio.sleep(self.pause)
        finally:
            if self._lapsing is not None:
                self._lapsing.cancel()

    async def _beat_safely(self) -> None:
        try:
            await self.beat()
        except Exception as error:  # the next one may do better; without any the node would be dead for good
            log.error("a fault in the heartbeat", error=type(error).__name__, where=place(error))

    async def keep_room(self, game: str, seats: int, longest: int = 0) -> str:
        """Return the code of this node's own room, as ``Node.keep_room`` does. Raises NotStored if there can be none.

        Where a machine is so slow that the lease is over before the room is stored, it is tried again.
        """
        for again in range(TRIES - 1, -1, -1):
            try:
                self.own = await self._node.keep_room(game, seats, longest)
                break
            except NotStored:
                if not (again and self._store.shared):
                    raise
            await self.beat()
        return self.own

    @property
    def pause(self) -> float:
        """Return the seconds until the next beat: rooms whose node has died do not wait for it longer than need be."""
        return min(self._lease / BEATS, max(0.0, self._due - self._clock()) + SLACK)

    async def beat(self) -> None:
        """Renew the lease once, or fall silent when the time is over."""
        began = self._clock()
        left = self._renewed + self._lease * (1 - MARGIN) - began
        self._due = float("inf")
        assert self._node.routing is not None
        renewing = asyncio.ensure_future(self._store.renew(self._node.routing.notice()))
        try:
            await asyncio.wait([renewing], timeout=max(0.0, left))
            if not renewing.done():
                self._fall_silent("the database does not answer")
            seen = await renewing
            self._renewed, self._due = began, self._clock() + seen.soonest
            self._look_around(seen)
        except Fenced as error:
            self._replaced(error)
        except StoreError as error:
            if self._clock() - self._renewed > self._lease * (1 - MARGIN):
                self._fall_silent(reason(error))
        finally:
            renewing.cancel()

    def _look_around(self, seen: Sightings) -> None:
        node, lobby = self._node, self._node.lobby
        self._lose(seen.lost)
        assert node.routing is not None
        node.routing.sighted(seen)
        if lobby.connections.draining:
            return
        if self.silent:
            self.silent = False
            log.warning("the database hears this node again", rooms=len(lobby.rooms.dormant))
        orphans = [room for room in seen.orphans if room not in lobby.rooms.loaded]
        if orphans:
            log.warning("taking over rooms without an owner", rooms=len(orphans))
        lobby.rooms.dormant.update(orphans)
        self._take(lobby.rooms.dormant)  # also those that could not be loaded before
        self._retire()
        if self._lapsing is None or self._lapsing.done():  # the lease does not wait for it
            self._lapsing = asyncio.get_running_loop().create_task(self._lapse(node.routing))

    async def _lapse(self, routing: Routing) -> None:
        with suppress(StoreError):
            await routing.lapse()

    def _take(self, rooms: set[str]) -> None:
        for room in rooms - self._tasks.keys():
            task = self._tasks[room] = asyncio.get_running_loop().create_task(self._node.loading.load(room))
            task.add_done_callback(partial(self._taken, room))

    def _taken(self, room: str, task: asyncio.Task[None]) -> None:
        del self._tasks[room]

    def _lose(self, rooms: Iterable[str]) -> None:
        """Others have taken these rooms: their people are told to look for them."""
        lobby = self._node.lobby
        lost = [room for room in rooms if room in lobby.rooms.loaded]
        if lost:
            log.warning("other nodes have taken rooms over", rooms=len(lost))
            self._node.lose(lost, set().union(*(lobby.rooms.discard(room) for room in lost)))

    def _fall_silent(self, why: str) -> None:
        """Nobody may hear of a room here any more: by the time of the database others may own it."""
        if self.silent:
            return
        self.silent = True
        node, lobby = self._node, self._node.lobby
        log.error(
            "this node lets go of its rooms until the database hears it again",
            reason=why,
            rooms=len(lobby.rooms.loaded),
        )
        for room in list(lobby.rooms.loaded):
            lobby.rooms.discard(room)
        node.lose((), set(node.links))

    def _replaced(self, error: Fenced) -> None:
        """Another process has this node's place: there is nothing left to serve."""
        self._fall_silent(str(error))
        self._node.stopping.set()

    def _retire(self) -> None:
        """Close the rooms that other nodes have kept for whoever comes, once nobody is there: this node has its own."""
        node = self._node
        for code, live in list(node.lobby.rooms.loaded.items()):
            kept = live.room.state.config.kept and code != self.own
            if kept and self.own and not live.room.state.taken() and not live.room.audience.here:
                node.perform(node.lobby.retire(code, node.now()))
