"""The store of several nodes: a PostgreSQL database. Every commit is on its disk before it is reported.

Each node has a row in ``node``, which it renews; whether somebody lives is decided by the database's clock alone. Each
room has an owner and an epoch, and each line of a room says in which epoch it was stored (see ``tables``). A commit
whose answer was lost is asked after by its number until the outcome is sure.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from math import inf
from typing import Any, TypeVar

import asyncpg
import structlog
from msgspec.structs import replace
from typing_extensions import override

from parlour_server.persistence import Index, Known, Loaded, Member, Pruned, Rated, Sightings, Write
from parlour_server.store.base import PRUNE_ROOMS, CannotOpen, Conflict, Fenced, NotStored, Store, StoreError
from parlour_server.store.postgres import procedures, schema
from parlour_server.store.postgres.connections import (
    Batcher,
    Lost,
    PostgresClosed,
    PostgresConnection,
    run,
    transaction,
    words,
)
from parlour_server.store.postgres.procedures import Batch, PostgresProcedures, Seen
from parlour_server.store.sql import LINES, QUESTION, Pool, Steps
from parlour_server.system import crash_point

T = TypeVar("T")
READERS = 4
"""Connections for reading, and as many for the questions of clients."""
TOGETHER = 25
"""Rooms that one statement takes over; the node continues with these while the next ones are read."""
PATIENCE = 5.0
"""Seconds to wait for an answer. Renewing a lease has to be faster."""
LOSSES = 3
"""The number of times the connection may be lost while a node registers."""
OUTCOME_WITHIN = 60.0
"""Seconds for which a node asks for the outcome of a commit before it gives up."""
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Seconds between attempts to reach the database; the last value repeats."""
_GIVE_BACK = "UPDATE room SET owner = NULL WHERE code = $2 AND owner = $1"
_OUTCOME = """
WITH was AS (SELECT last, changed FROM written WHERE node = $1 FOR UPDATE)
UPDATE written SET last = $2 FROM was WHERE node = $1 RETURNING was.last, was.changed::text::bigint
"""
"""Returns the last commit. Commits up to number $2 are refused from now on, even if they arrive later."""
_RATED = "SELECT who, game, shown FROM rating WHERE game = $1 AND who = ANY($2)"
_ADMIT = "DELETE FROM ticket WHERE hash = $1 RETURNING who, room, until > clock_timestamp() AS good"
log = structlog.get_logger()


class PostgresStore(Store):
    """One node's part in the database at ``url``. It connects when ``index`` is called."""

    shared = True
    _lines = LINES.format(n="seq", log="event")

    def __init__(self, url: str, me: Member, clock: Callable[[], float] = time.monotonic) -> None:
        self.me = me
        self._url = url
        self._clock = clock
        name = f"parlour {me.name}"
        idle = me.lease / 2000  # the locks of a frozen node expire before its rooms do
        self._heart = PostgresConnection(url, name, idle, idle)
        self._writer = PostgresConnection(url, name, PATIENCE, idle)
        self._readers, self._questions = (
            Pool([PostgresConnection(url, name, PATIENCE, idle, within) for _ in range(READERS)])
            for within in (None, QUESTION)
        )
        self._taking = Batcher(self._take, TOGETHER)
        self._id = 0
        self._nth = 0
        self._until = 0.0
        """When this node has to let go of its rooms unless it renews its lease; by ``clock``."""
        self._seen: Seen = {}
        self._procedures = PostgresProcedures(0, self._seen)

    @property
    def living(self) -> bool:
        """Whether this node's lease is good for the moment."""
        return self._clock() < self._until

    @override
    async def index(self) -> Index:
        try:
            if not self._id:
                await self._prepare()
                await self._fetch("SELECT 1")  # the first question finds a connection
                self._id = await self._settle_in()
                self._procedures = PostgresProcedures(self._id, self._seen)
            return await self._readers.run(lambda link: link.again(lambda db: run(db, self._procedures.index())))
        except (asyncpg.PostgresError, Lost, ValueError) as error:
            raise CannotOpen(f"{error}. Repair it, or name another database with --store") from error

    @override
    async def load(self, room: str) -> Loaded:
        self._check()
        epoch, lines = await self._taking.ask(room)
        return epoch, await self._with_rest(room, lines)

    @override
    async def release(self, room: str) -> None:
        await self._fetch(_GIVE_BACK, self._id, room, within=inf)
        self._procedures.owned.discard(room)

    @override
    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        batch = Batch(writes)
        for pause in _pauses():
            self._check()
            self._nth += 1
            try:
                return await self._commit(batch, self._nth)
            except Lost as lost:
                log.warning("the database was lost in a commit; asking what has become of it", reason=str(lost))
                stored = await self._outcome(self._nth)
                if stored is not None:
                    return await self._make_good(batch, stored)
            except Conflict as conflict:
                self._procedures.doubtful |= conflict.contests
                raise
            except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError):
                await asyncio.sleep(pause)
            except asyncpg.PostgresError as error:
                raise NotStored(f"the database could not store {len(writes)} writes: {words(error)}") from error
        raise AssertionError("there is always another attempt")

    @override
    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        return await self._ask(partial(self._procedures.known, names, hashes, people), inf)

    @override
    def adopt(self, known: Known, who: str) -> None:
        self._seen.pop(who, None)
        if who in known.versions:
            self._seen[who] = known.versions[who]

    @override
    async def take_ticket(self, hash: str) -> tuple[str, str] | None:
        ticket = await self._readers.run(lambda link: link.run(lambda db: db.fetchrow(_ADMIT, hash)))
        return (ticket["who"], ticket["room"]) if ticket is not None and ticket["good"] else None

    @override
    def introduce(self, url: str, peer: str) -> None:
        self.me = replace(self.me, url=url, peer=peer)

    @override
    async def renew(self, rows: str) -> Sightings:
        if not self._id:
            raise StoreError("this node has left")
        since = self._clock()
        sightings = await self._on(self._heart, lambda db: run(db, self._procedures.renew(self.me, rows)))
        self._extend(since)
        return sightings

    @override
    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        me = self._procedures
        gone = await self._change(lambda: me.forget_guests(self.me.unplayed_kept, names)) if names else 0
        return replace(await self._change(lambda: me.prune(before, after, most)), names=gone)

    @override
    async def close(self) -> None:
        try:
            if self._id:
                await self._heart.run(lambda db: db.execute("DELETE FROM node WHERE id = $1", self._id))
        except (StoreError, asyncpg.PostgresError) as error:
            log.warning("the others have to wait until this node's lease is over", reason=words(error))
        self._id, self._until = 0, 0.0
        self._taking.close(PostgresClosed("this node has left"))
        for link in (self._writer, self._heart, *self._readers.links, *self._questions.links):
            link.close()

    # --- the lease --------------------------------------------------------------------------------------------

    def _extend(self, since: float) -> None:
        """Start the lease at the time of its request; a quarter of it is reserved for latency."""
        self._until = since + self.me.lease * 0.75 / 1000

    def _check(self) -> None:
        if not self.living:
            raise Fenced("this node did not renew its lease in time; the database, or the network to it, is slow")

    async def _settle_in(self) -> int:
        """Return this node's id, once no other node of its name is alive. Raises CannotOpen if that one renews."""
        enter = partial(procedures.enter, me=self.me)
        deadline, lost = self._clock() + self.me.lease / 1000 + 1, 0
        while True:
            since = self._clock()
            try:
                found = await self._readers.run(lambda link: link.run(enter))
            except Lost:
                if lost == LOSSES:
                    raise
                found, lost = None, lost + 1
                deadline = self._clock() + self.me.lease / 1000 + 1  # the lost call may have registered it
            if found is not None:
                self._extend(since)
                return found
            if since > deadline:  # a dead node's lease was over when this answer was made
                raise CannotOpen(f"a node called {self.me.name} is running; give this one another name with --node")
            await asyncio.sleep(0.1)

    # --- how --------------------------------------------------------------------------------------------------

    async def _prepare(self) -> None:
        """Create or migrate the tables, however long it takes."""
        link = PostgresConnection(self._url, f"parlour {self.me.name}", inf, inf)
        try:
            await link.again(schema.prepare)
        finally:
            link.close()

    @override
    async def _ask(self, steps: Callable[[], Steps[T]], within: float = QUESTION) -> T:
        pool = self._readers if within == inf else self._questions
        return await pool.run(partial(self._on, call=lambda db: run(db, steps())))

    @override
    async def _change(self, steps: Callable[[], Steps[T]]) -> T:
        async def change(db: Any) -> T:
            async with transaction(db):
                return await run(db, steps())

        return await self._readers.run(partial(self._on, call=change))

    async def _on(self, link: PostgresConnection, call: Callable[[Any], Awaitable[T]]) -> T:
        try:
            return await link.again(call)
        except asyncpg.PostgresError as error:
            raise StoreError(f"the database failed: {words(error)}") from error

    async def _take(self, rooms: Sequence[str]) -> Mapping[str, Loaded | Exception]:
        return await self._ask(partial(self._procedures.take, rooms), inf)

    async def _commit(self, batch: Batch, nth: int) -> list[Rated]:
        crash_point("before-append")
        number, rated = await self._writer.run(partial(procedures.write, me=self._procedures, batch=batch, nth=nth))
        crash_point("after-commit")
        self._written(batch, number)
        return rated

    def _written(self, batch: Batch, number: int) -> None:
        """Take note that these writes are stored, by this transaction."""
        self._seen |= {each.who: number for each in batch.saved}
        for who in batch.dropped:
            self._seen.pop(who, None)
        self._procedures.owned.update(room.room for room in batch.opened)
        self._procedures.owned.difference_update(room.room for room in batch.closed)

    async def _outcome(self, nth: int) -> int | None:
        """Return the transaction of commit ``nth``; None if it does not exist and never will."""
        deadline = self._clock() + OUTCOME_WITHIN
        for pause in _pauses():
            try:
                row = await self._writer.run(lambda db: db.fetchrow(_OUTCOME, self._id, nth))
            except (Lost, PostgresClosed, asyncpg.PostgresError) as error:
                if isinstance(error, PostgresClosed) or self._clock() > deadline:
                    raise NotStored(f"the outcome of a commit is unknown: {words(error)}") from error
                await asyncio.sleep(pause)
                continue
            if row is None:
                raise Fenced("another process serves under this node's name")
            return row[1] if row[0] == nth else None
        raise AssertionError("there is always another attempt")

    async def _make_good(self, batch: Batch, number: int) -> list[Rated]:
        """Return the result of a commit whose answer was lost."""
        self._written(batch, number)
        rated: list[Rated] = []
        for write in batch.matches:
            who = [row.who for row in write.match.rows]
            rows = await self._fetch(_RATED, write.match.game, who, within=inf)
            rated += [Rated(*row) for row in rows]
        return rated


def _pauses() -> Iterator[float]:
    return chain(_PAUSES, repeat(_PAUSES[-1]))
