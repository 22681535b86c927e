"""The procedures of the PostgreSQL store. The writes of a commit are sorted by kind."""

from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg
import attrs
from msgspec.structs import astuple, replace
from typing_extensions import override

from parlour_server import persistence
from parlour_server.directory.identities import DELETED
from parlour_server.persistence import MatchRow, Rated, SaveIdentity, Write
from parlour_server.store.base import Conflict, Fenced
from parlour_server.store.postgres.connections import run, transaction
from parlour_server.store.postgres.schema import CHAIN_LOCK, FENCED, RATING_LOCK, REPLACED
from parlour_server.store.procedures import CONTEST, PERSON, UNPLAYED, Procedures, called, step
from parlour_server.store.sql import Row, Steps

_APPEND = "SELECT append($1, $2, $3, $4, $5, $6, $7, $8)"
_THERE = "SELECT DISTINCT room FROM event JOIN unnest($1::text[], $2::integer[]) AS new(room, seq) USING (room, seq)"
_OPEN = """
INSERT INTO room (code, owner, epoch, open, kept) SELECT code, $1, epoch, TRUE, kept
FROM unnest($2::text[], $3::integer[], $4::boolean[]) AS new(code, epoch, kept) ON CONFLICT DO NOTHING RETURNING code
"""
_CLOSE = "UPDATE room SET open = FALSE WHERE code = ANY($2) AND owner = $1"
_DROP = """
DELETE FROM identity USING unnest($2::text[], $3::bigint[]) AS old(who, seen)
WHERE identity.who = old.who AND changed::text::bigint = seen AND (home = $1 OR NOT lives(home) OR home IS NULL)
AND NOT EXISTS (SELECT FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open)
"""
_ERASE = "DELETE FROM identity WHERE who = ANY($1)"
_COLUMNS = f"{PERSON}, look, lower_look"
_TYPES = ["text"] * 6 + ["boolean"] * 3 + ["text"] * 2
_ARRAYS = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(_TYPES, start=2))
_NEW = f"""
INSERT INTO identity ({_COLUMNS}, home, writer) SELECT *, $1, $1 FROM unnest({_ARRAYS})
ON CONFLICT DO NOTHING RETURNING who
"""
_OLD = f"""
UPDATE identity SET (name, kind, token, previous, key, banned, muted, house, look, lower_look,
home, saved, writer, changed) =
(new.name, new.kind, new.token, new.previous, new.key, new.banned, new.muted, new.house, new.look, new.lower_look,
$1, now(), $1, pg_current_xact_id())
FROM unnest({_ARRAYS}, $13::bigint[]) AS new({_COLUMNS}, seen)
WHERE identity.who = new.who AND identity.changed::text::bigint = seen RETURNING identity.who
"""
_ERASED = """
INSERT INTO erased (who, writer) VALUES ($1, $2)
ON CONFLICT (who) DO UPDATE SET writer = $2, changed = pg_current_xact_id()
"""
_TICKET = "INSERT INTO ticket VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')"
_VERSION = "changed::text::bigint"
_CLAIM = f"""
UPDATE identity SET home = $1 WHERE (home IS NULL OR home = $1 OR NOT lives(home)) AND ({{which}})
RETURNING {PERSON}, {UNPLAYED}, (extract(epoch FROM now() - saved) * 1000)::bigint, {_VERSION}
"""
OLD_GUESTS = f"""
DELETE FROM identity WHERE who IN (SELECT who FROM identity WHERE (key IS NULL OR NOT played)
AND NOT (banned OR muted OR house) AND (home IS NULL OR NOT lives(home))
AND saved < now() - CASE WHEN key IS NULL THEN interval '1 day' WHEN {UNPLAYED} THEN $1 * interval '1 s' END
AND NOT EXISTS (SELECT FROM contest WHERE strpos(plan, identity.who) > 0)
AND NOT EXISTS (SELECT FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open)
LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING who
"""

Seen = dict[str, int]
"""The version of each person as this node knows it: the transaction that changed it last."""


@attrs.define
class Batch:
    """The writes of one commit by kind; of several about the same thing the last one, where no other counts."""

    lines: list[persistence.Append] = attrs.field(factory=list)
    opened: list[persistence.SaveRoom] = attrs.field(factory=list)
    closed: list[persistence.SaveRoom] = attrs.field(factory=list)
    seats: dict[tuple[str, str], bool] = attrs.field(factory=dict)
    people: dict[str, SaveIdentity | persistence.DropIdentity] = attrs.field(factory=dict)
    erased: list[str] = attrs.field(factory=list)
    links: list[persistence.SaveLink] = attrs.field(factory=list)
    rest: list[Any] = attrs.field(factory=list)

    @property
    def plain(self) -> bool:
        """Whether it is nothing but lines of rooms."""
        return not (self.opened or self.closed or self.seats or self.people or self.erased or self.links or self.rest)

    @property
    def saved(self) -> list[SaveIdentity]:
        """Return the people to be stored, in an order that is the same for all nodes."""
        return [each for _, each in sorted(self.people.items()) if isinstance(each, SaveIdentity)]

    @property
    def matches(self) -> list[persistence.SaveMatch]:
        """Return the finished matches."""
        return [write for write in self.rest if isinstance(write, persistence.SaveMatch)]


def sort(writes: Iterable[Write]) -> Batch:
    """Return ``writes`` by kind."""
    batch = Batch()
    for write in writes:
        match write:
            case persistence.Append():
                batch.lines.append(write)
            case persistence.SaveRoom():
                (batch.opened if write.open else batch.closed).append(write)
            case persistence.SaveSeat():
                batch.seats[write.room, write.who] = write.seated
            case SaveIdentity() | persistence.DropIdentity():
                batch.people[write.who] = write
                if isinstance(write, persistence.DropIdentity) and write.erased:
                    batch.erased.append(write.who)
            case persistence.SaveLink():
                batch.links.append(write)
            case _:
                batch.rest.append(write)
    return batch


class PostgresProcedures(Procedures):
    """The procedures of node ``me``, which has ``seen`` these versions of people."""

    lines = {"log": "event", "n": "seq"}  # noqa: RUF012
    locked = " FOR UPDATE"
    known_people = f"""
SELECT {PERSON}, {UNPLAYED}, {_VERSION}, home <> {{me}} AND lives(home),
    ARRAY(SELECT room FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open)
FROM identity WHERE lower(name) = ANY($1) OR look = ANY($2) OR lower_look = ANY($2)
    OR token = ANY($3) OR key = ANY($3) OR who = ANY($4)
    OR previous IS NOT NULL AND string_to_array(previous, ' ') && $3::text[]
"""
    is_free = "(owner IS NULL OR NOT lives(owner))"
    here = "house OR key IS NULL OR NOT played"

    def __init__(self, me: int, seen: Seen) -> None:
        stamp = f", writer = {me}, changed = pg_current_xact_id()"
        super().__init__(", writer", f", {me}", stamp)
        held = f"{stamp} WHERE contest.holder = {me} OR $3"
        self.contest = CONTEST.format(column=", holder, writer", value=f", {me}, {me}", stamp=held)
        self._me = me
        self._seen = seen
        self.known_people = self.known_people.format(me=me)
        self.writers[persistence.SaveTicket] = lambda it: step(_TICKET, it.hash, it.who, it.room, it.ms)

    @override
    def lock_ratings(self) -> Steps[None]:
        yield f"SELECT pg_advisory_xact_lock({RATING_LOCK})", ()

    @override
    def lock_chain(self) -> Steps[None]:
        yield f"SELECT pg_advisory_xact_lock({CHAIN_LOCK})", ()

    @override
    def named(self, rows: Sequence[MatchRow]) -> Steps[Sequence[MatchRow]]:
        gone = {who for (who,) in (yield "SELECT who FROM erased WHERE who = ANY($1)", ([row.who for row in rows],))}
        return [replace(row, who="", name=DELETED) if row.who in gone else row for row in rows]

    def people(self, which: str, *args: Any) -> Steps[list[Row]]:
        """Return those who have no living home, which is this node from now on."""
        found: list[Row] = yield _CLAIM.format(which=which.replace("$1", "$2")), (self._me, *args)
        self._seen |= {row[0]: row[11] for row in found}
        return found

    @override
    def erase(self, who: str) -> Steps[None]:
        yield from super().erase(who)
        yield _ERASED, (who, self._me)

    def append(self, batch: Batch, nth: int) -> Steps[int]:
        """Store the lines of ``batch`` as commit number ``nth``. Returns the transaction."""
        fence = {line.room: line.epoch for line in batch.lines}
        lines = zip(*((line.room, line.n, line.epoch, line.line) for line in batch.lines), strict=True)
        columns = [list(column) for column in lines] or [[], [], [], []]
        [[number]] = yield _APPEND, (self._me, nth, list(fence), list(fence.values()), *columns)
        done: int = number
        return done

    def store(self, batch: Batch, nth: int) -> Steps[tuple[int, list[Rated]]]:
        """Store ``batch`` as commit number ``nth``. Returns the transaction and the ratings that changed."""
        if batch.opened:
            yield from self._open(batch.opened)
        number = yield from self.append(batch, nth)
        for seated in (True, False):
            yield from self.seat([seat for seat, sits in batch.seats.items() if sits is seated], seated)
        yield from self._save_people(batch)
        for who in batch.erased:
            yield from self.erase(who)
        changed: list[Rated] = []
        for write in batch.rest:
            changed += (yield from self.writers[type(write)](write)) or ()
        if batch.closed:
            yield _CLOSE, (self._me, [room.room for room in batch.closed])
        if batch.links:  # they come last, so that other nodes wait for the lock of the chain as shortly as possible
            yield from self.add_links(batch.links)
        return number, changed

    def _open(self, opened: Sequence[persistence.SaveRoom]) -> Steps[None]:
        codes = [room.room for room in opened]
        made = yield _OPEN, (self._me, codes, [room.epoch for room in opened], [room.kept for room in opened])
        if taken := set(codes) - {code for (code,) in made}:
            raise Conflict(rooms=taken)

    def _save_people(self, batch: Batch) -> Steps[None]:
        seen, saved = self._seen, batch.saved
        gone = sorted(who for who in batch.people.keys() - {each.who for each in saved} if who in seen)
        if gone:
            yield _DROP, (self._me, gone, [seen[who] for who in gone])
            yield from self.drop_rows(gone)
        if batch.erased:  # their names may be given to somebody in the same commit
            yield _ERASE, (batch.erased,)
        new = [each for each in saved if each.who not in seen]
        old = [each for each in saved if each.who in seen]
        done: list[Row] = []
        if new:
            done += yield _NEW, (self._me, *_columns(new))
        if old:
            done += yield _OLD, (self._me, *_columns(old), [seen[each.who] for each in old])
        if stale := {each.who for each in saved} - {who for (who,) in done}:
            raise Conflict(people=stale)

    def forget_guests(self, unplayed_kept: int | None, most: int) -> Steps[int]:
        """Remove up to ``most`` of the identities that a dead node has left behind. Returns how many.

        These are guests a day after they were here last, and keys that never finished a match when the time for them
        is over.
        """
        gone = [who for (who,) in (yield OLD_GUESTS, (unplayed_kept, most))]
        yield from self.drop_rows(gone)
        return len(gone)


async def write(db: Any, me: PostgresProcedures, batch: Batch, nth: int) -> tuple[int, list[Rated]]:
    """Store ``batch`` as commit number ``nth``. Returns the transaction and the ratings that changed.

    Raises Conflict or Fenced, with nothing stored.
    """
    try:
        if batch.plain:
            return await run(db, me.append(batch, nth)), []
        async with transaction(db):
            return await run(db, me.store(batch, nth))
    except asyncpg.UniqueViolationError as error:
        if error.table_name != "event":
            raise
        rooms = [line.room for line in batch.lines]
        there = await db.fetch(_THERE, rooms, [line.n for line in batch.lines])
        raise Conflict([room for (room,) in there]) from error
    except asyncpg.PostgresError as error:
        if error.sqlstate == FENCED:
            raise Conflict(str(error.detail).split()) from error
        if error.sqlstate == REPLACED:
            raise Fenced("another process serves under this node's name") from error
        raise


def _columns(people: Sequence[SaveIdentity]) -> list[list[Any]]:
    return [list(column) for column in zip(*((*astuple(each), *called(each.name)[1:]) for each in people), strict=True)]
