"""Commit batches of effects in order, and deliver each batch only after its commit.

Every input to the lobby produces one batch of effects. All batches that wait share one commit, on the store's thread;
then their effects are delivered in the order in which they were produced. A client can therefore rely on everything
that it has seen: it survives a crash.

A batch comes from one input and is stored as a whole or not at all. Later batches about the same rooms, people and
contests build on it, so they are discarded with it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, get_args

import attrs
import structlog
from msgspec import Struct

from parlour_server import effects, persistence
from parlour_server.directory.identities import Ratings
from parlour_server.effects import Effect
from parlour_server.metrics import Metrics
from parlour_server.node.budget import Meter
from parlour_server.persistence import Rated, Write
from parlour_server.store.base import Conflict, Store, reason

Batches = list[Sequence[Any]]


def divide(batches: Batches, error: Exception) -> tuple[Batches, Batches]:
    """Return the batches that are lost because of ``error``, and those to retry; both in order.

    After any error other than a Conflict all batches are lost.
    """
    if not isinstance(error, Conflict):
        return batches, []
    void = _lost(batches, {*_named(error)})
    lost = [batch for number, batch in enumerate(batches) if number in void]
    return (lost, [batch for number, batch in enumerate(batches) if number not in void]) if lost else (batches, [])


def _lost(batches: Batches, touched: set[tuple[str, str]]) -> set[int]:
    subjects = [set(_subjects(batch)) for batch in batches]
    void: set[int] = set()
    while found := {n for n, about in enumerate(subjects) if n not in void and about & touched}:
        void |= found
        for number in found:
            touched |= subjects[number]
        rooms = {room for kind, room in touched if kind == "room"}
        first = min(void)
        void |= {n for n in range(first, len(batches)) if n not in void and _mentions(batches[n], rooms)}
    return void


def _named(conflict: Conflict) -> Iterator[tuple[str, str]]:
    yield from (("room", room) for room in conflict.rooms)
    yield from (("person", who) for who in conflict.people)
    yield from (("contest", name) for name in conflict.contests)


def _subjects(batch: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield the rooms, people and contests that a batch writes about."""
    for effect in batch:
        match effect:
            case persistence.Append() | persistence.SaveRoom() | persistence.SaveSeat() | persistence.SaveMatch():
                yield "room", effect.room
            case persistence.SaveIdentity() | persistence.DropIdentity():
                yield "person", effect.who
            case persistence.SaveContest():
                yield "contest", effect.name
            case persistence.SavePairing():
                yield "contest", effect.contest


def _mentions(batch: Sequence[Any], rooms: set[str]) -> bool:
    """Whether a batch sends a message about one of these rooms, or a list with one of them."""
    return any(
        getattr(effect.message, "room", None) in rooms
        or any(row["room"] in rooms for row in getattr(effect.message, "rooms", ()) if isinstance(row, dict))
        for effect in batch
        if isinstance(effect, effects.Post)
    )


MAX_WAITING = 1_000
"""Batches that may wait for their commit before the node stops reading sockets. However long a commit takes, the next
one takes all that have come meanwhile: a slow disk makes a node slower, and only a growing queue makes it busy."""
SLOW = 0.2
"""Seconds of a commit that players notice."""
SLOW_IN_A_ROW = 5
"""Slow commits after which the log warns: a disk that is slow once is not a slow disk."""
BUSY = 8
"""Batches in one commit from which the next one waits for more: a sync costs as much for one as for many."""
GATHER = 0.003
"""Seconds for which it waits."""

Handlers: TypeAlias = Mapping[type, Callable[[Any], None]]
"""The functions that carry out effects, by the effect's class."""

_WRITES = frozenset(get_args(Write))

log = structlog.get_logger()


@attrs.frozen(eq=False)
class _Mark:
    """An entry of the queue that reports when everything before it has been committed or lost."""

    reached: asyncio.Future[None]

    def reach(self) -> None:
        if not self.reached.done():  # the waiting task may have been cancelled
            self.reached.set_result(None)


class _Owner(Struct, frozen=True, eq=False):
    """An entry of the queue that says who is charged for what comes behind it."""

    address: str | None


class CommitQueue:
    """The queue of batches and the task that commits them."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        metrics: Metrics,
        ratings: Ratings,
        *,
        begin: Handlers,
        deliver: Handlers,
        lost: Callable[[Sequence[Any]], None],
        meter: Meter | None = None,
    ) -> None:
        """``begin`` handles effects that need not wait for a commit, ``deliver`` those that must.

        ``lost`` receives the effects of the batches that could not be stored.
        """
        self.caught_up = asyncio.Event()
        """Cleared while too much waits for its commit."""
        self.caught_up.set()
        self.stopped = False
        """Whether further batches are ignored."""
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._ratings = ratings
        self._begin = begin
        self._meter = meter or Meter()
        self._delivery: Handlers = {**deliver, _Mark: _Mark.reach, _Owner: self._charge}
        self._lost = lost
        self._waiting: deque[Sequence[Any]] = deque()
        self._committing: asyncio.Future[list[Rated]] | None = None
        self._scheduled = False
        """Whether the next commit will begin by itself."""
        self._slow = 0
        """Slow commits in a row."""

    def now(self) -> int:
        """Return the node's time in ms."""
        return int(self._clock() * 1000)

    def put(self, batch: Sequence[Effect | _Mark]) -> None:
        """Add a batch. It is committed together with whatever else waits by then: soon, or a little later if busy."""
        if not batch or self.stopped:
            return
        for effect in batch:
            if type(effect) in self._begin:
                self._begin[type(effect)](effect)
        self._waiting.append([_Owner(self._meter.owner), *batch])
        if len(self._waiting) > MAX_WAITING:
            self.caught_up.clear()
        self._schedule(0)

    async def settled(self) -> None:
        """Return when every batch added so far has been delivered or lost."""
        if not self.stopped:
            reached = asyncio.get_running_loop().create_future()
            self.put([_Mark(reached)])
            await reached

    async def close(self) -> None:
        """Finish the batches added so far, and ignore further ones: clients may go on sending without end."""
        await self.settled()
        self.stopped = True
        while self._waiting or self._committing:
            if self._committing:
                await asyncio.wait([self._committing])
            else:
                self._flush()

    def _schedule(self, delay: float) -> None:
        """Begin the next commit after ``delay`` seconds, when what has arrived by then is received."""
        if not self._scheduled and self._committing is None:
            self._scheduled = True
            asyncio.get_running_loop().call_later(delay, self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        if not self._waiting:
            return
        batches = list(self._waiting)
        self._waiting.clear()
        writes = [effect for batch in batches for effect in batch if type(effect) in _WRITES]
        if writes:
            self._commit(writes, batches)
        else:
            self._deliver(batches)
            self.caught_up.set()

    def _commit(self, writes: list[Any], batches: Batches) -> None:
        self._committing = asyncio.ensure_future(self._store.commit(writes))
        self._committing.add_done_callback(partial(self._finish, batches, len(writes), self._clock()))

    def _finish(self, batches: Batches, writes: int, began: float, commit: "asyncio.Future[list[Rated]]") -> None:
        """Deliver the batches of a commit that has ended, or report that they are lost, and go on with the next."""
        try:
            rated = commit.result()
        except Exception as error:  # any error at all: without a commit nothing may be delivered
            self._metrics.fault("store")
            log.error("not stored", reason=reason(error), writes=writes)
            # batches that were added meanwhile may build on what is lost
            lost, rest = divide([*batches, *self._waiting], error)
            self._waiting = deque(rest)
            self._lose(lost)
        else:
            self._committed(writes, self._clock() - began)
            self._ratings.changed(rated)
            self._deliver(batches)
        finally:
            self._committing = None
            self.caught_up.set()
            if self._waiting or len(batches) >= BUSY:
                self._schedule(GATHER if len(batches) >= BUSY else 0)

    def _committed(self, writes: int, seconds: float) -> None:
        """Count a commit, and warn if the last ones were all slow."""
        self._metrics.committed(writes, seconds)
        self._slow = self._slow + 1 if seconds > SLOW else 0
        if self._slow == SLOW_IN_A_ROW:
            log.warning("commits are slow: every move waits for the disk or database", seconds=round(seconds, 3))

    def _deliver(self, batches: list[Sequence[Any]]) -> None:
        """Deliver batches, and charge each to the owner that caused it."""
        before = self._meter.owner
        for batch in batches:
            for effect in batch:
                deliver = self._delivery.get(type(effect))
                if deliver is not None:
                    deliver(effect)
        self._meter.switch(before)

    def _charge(self, owner: _Owner) -> None:
        self._meter.switch(owner.address)

    def _lose(self, batches: list[Sequence[Any]]) -> None:
        effects = [effect for batch in batches for effect in batch if type(effect) is not _Owner]
        for effect in effects:
            if type(effect) is _Mark:
                effect.reach()
        self._lost(effects)
