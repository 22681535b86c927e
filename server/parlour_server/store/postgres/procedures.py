"""The procedures of the PostgreSQL store: the writes of a commit, sorted by kind; what nodes do about their rooms."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import asyncpg
from msgspec.structs import astuple, replace
from typing_extensions import override

from parlour_server import persistence
from parlour_server.directory.identities import DELETED
from parlour_server.store.base import PAGE, Conflict, Elsewhere, Fenced
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
_FIELDS = _COLUMNS.split(", ")[1:]
_OLD = f"""
UPDATE identity SET ({", ".join(_FIELDS)}, home, saved, writer, changed) =
({", ".join(f"new.{field}" for field in _FIELDS)}, $1, now(), $1, pg_current_xact_id())
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

_ENTER = """
INSERT INTO node (name, url, peer, expires) VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
ON CONFLICT DO NOTHING RETURNING id
"""
_MAKE_WAY = "DELETE FROM node WHERE expires < clock_timestamp() - interval '1 day' OR name = $1 AND NOT lives(id)"
_RENEW = """
WITH was AS (SELECT expires < clock_timestamp() AS lapsed FROM node WHERE id = $1)
UPDATE node SET expires = clock_timestamp() + $2 * interval '1 ms', rows = COALESCE($3, rows),
    stamp = stamp + CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END, url = $4, peer = $5
FROM was WHERE id = $1 RETURNING was.lapsed
"""
_LIVING = """
SELECT id, name, url, peer, node.stamp, CASE WHEN node.stamp = had.stamp THEN NULL ELSE rows END,
    extract(epoch FROM expires - clock_timestamp())::double precision AS left
FROM node LEFT JOIN unnest($1::bigint[], $2::bigint[]) AS had(id, stamp) USING (id)
WHERE expires > clock_timestamp() ORDER BY id
"""
_ORPHANS = """
SELECT code FROM room WHERE open AND (owner IS NULL OR owner <> ALL($1) AND NOT lives(owner))
AND mod(abs(hashtext(code)::bigint), $2) = $3
"""
_OWNED = "SELECT code FROM room WHERE owner = $1 AND open"
_HELD = """
WITH taken AS (
    UPDATE contest SET holder = $1
    WHERE NOT (holder = ANY($2)) AND NOT lives(holder) AND mod(abs(hashtext(name)::bigint), $3) = $4 RETURNING name
)
SELECT name FROM contest WHERE holder = $1 UNION SELECT name FROM taken
"""
_NEWS: dict[str, tuple[type[persistence.Change], str, str]] = {
    "identity": (persistence.SaveIdentity, PERSON, ""),
    "erased": (persistence.DropIdentity, "who, TRUE", ""),
    "rating": (persistence.Rated, "who, game, shown", ""),
    "contest": (persistence.SaveContest, "name, plan, stopped", " OR name = ANY($3)"),
    "pairing": (persistence.SavePairing, "contest, number, room, result", " OR contest = ANY($3)"),
}
"""What nodes send each other, by table: the class, its fields, and the rows that are sent even if they are old."""
_CHANGES = "SELECT 'now', pg_snapshot_xmin(pg_current_snapshot())::text" + "".join(
    f" UNION ALL SELECT '{table}', json_build_array({fields})::text FROM {table}"
    f" WHERE changed >= $1::text::xid8 AND writer <> $2{more}"
    for table, (_, fields, more) in _NEWS.items()
)
_TAKE = """
UPDATE room SET owner = $1, epoch = epoch + 1 FROM (
    SELECT code FROM room WHERE code = ANY($2) AND open AND (owner IS NULL OR owner = $1 OR NOT lives(owner))
    ORDER BY code FOR UPDATE
) AS free WHERE room.code = free.code RETURNING room.code, epoch
"""
"""Ordered, so that two nodes that take the same rooms do not deadlock."""
_FIRST_LINES = "SELECT room, line FROM event WHERE room = ANY($1) AND seq < $2 ORDER BY room, seq"
_OWNERS = """
SELECT code, url, peer FROM room LEFT JOIN node ON node.id = owner AND lives(owner) WHERE code = ANY($1) AND open
"""

_PEOPLE = persistence.SaveIdentity, persistence.DropIdentity
Seen = dict[str, int]
"""The version of each person as this node knows it: the transaction that changed it last."""


class Batch:
    """The writes of one commit by kind; of several about the same thing the last one, where no other counts."""

    def __init__(self, writes: Sequence[persistence.Write]) -> None:
        kinds: defaultdict[type, list[Any]] = defaultdict(list)
        for write in writes:
            kinds[type(write)].append(write)
        self.lines: list[persistence.Append] = kinds[persistence.Append]
        self.plain = len(self.lines) == len(writes)
        """Whether it is nothing but lines of rooms."""
        rooms: list[persistence.SaveRoom] = kinds[persistence.SaveRoom]
        self.opened = [room for room in rooms if room.open]
        self.closed = [room for room in rooms if not room.open]
        self.seats = {(write.room, write.who): write.seated for write in kinds[persistence.SaveSeat]}
        people = {write.who: write for write in writes if isinstance(write, _PEOPLE)}
        self.saved = [each for _, each in sorted(people.items()) if isinstance(each, persistence.SaveIdentity)]
        """The people to be stored, in an order that is the same for all nodes."""
        self.dropped = sorted(people.keys() - {each.who for each in self.saved})
        self.erased = [write.who for write in kinds[persistence.DropIdentity] if write.erased]
        self.links: list[persistence.SaveLink] = kinds[persistence.SaveLink]
        self.matches: list[persistence.SaveMatch] = kinds[persistence.SaveMatch]
        sorted_ = (persistence.Append, persistence.SaveRoom, persistence.SaveSeat, *_PEOPLE, persistence.SaveLink)
        self.rest = [write for write in writes if type(write) not in sorted_]


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
        self._since = "0"
        """The oldest transaction that may have gone unseen."""
        self._rows = ""
        """The rows that this node published last."""
        self._peers: dict[int, tuple[int, str]] = {}
        """The stamp and the rows of each other node, by its id."""
        self.owned: set[str] = set()
        """The open rooms that it has loaded or opened."""
        self.doubtful: set[str] = set()
        """Contests that have to be read again as a whole."""
        self.known_people = self.known_people.format(me=me)
        self.writers[persistence.SaveTicket] = lambda it: step(_TICKET, it.hash, it.who, it.room, it.ms)

    @override
    def index(self) -> Steps[persistence.Index]:
        [[self._since]] = yield "SELECT pg_snapshot_xmin(pg_current_snapshot())::text", ()
        return (yield from super().index())

    @override
    def lock_ratings(self) -> Steps[None]:
        yield f"SELECT pg_advisory_xact_lock({RATING_LOCK})", ()

    @override
    def lock_chain(self) -> Steps[None]:
        yield f"SELECT pg_advisory_xact_lock({CHAIN_LOCK})", ()

    @override
    def named(self, rows: Sequence[persistence.MatchRow]) -> Steps[Sequence[persistence.MatchRow]]:
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

    def store(self, batch: Batch, nth: int) -> Steps[tuple[int, list[persistence.Rated]]]:
        """Store ``batch`` as commit number ``nth``. Returns the transaction and the ratings that changed."""
        if batch.opened:
            yield from self._open(batch.opened)
        number = yield from self.append(batch, nth)
        for seated in (True, False):
            yield from self.seat([seat for seat, sits in batch.seats.items() if sits is seated], seated)
        yield from self._save_people(batch)
        for who in batch.erased:
            yield from self.erase(who)
        changed: list[persistence.Rated] = []
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
        gone = [who for who in batch.dropped if who in seen]
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

    # --- nodes -----------------------------------------------------------------------------------------------------

    def renew(self, me: persistence.Member, rows: str) -> Steps[persistence.Sightings]:
        """Renew the lease of this node, and return what other nodes publish. Raises Fenced if its row is gone."""
        found = yield _RENEW, (self._me, me.lease, None if rows == self._rows else rows, me.url, me.peer)
        if not found:
            raise Fenced("another process serves under this node's name")
        self._rows = rows
        living = yield _LIVING, (list(self._peers), [stamp for stamp, _ in self._peers.values()])
        ids = [row["id"] for row in living]
        share = (len(ids), ids.index(self._me)) if self._me in ids else (1, 0)
        held = yield _HELD, (self._me, ids, *share)
        orphans = yield _ORPHANS, (ids, *share)
        others = [row for row in living if row["id"] != self._me]
        return persistence.Sightings(
            tuple(map(self._peer, others)),
            tuple(code for (code,) in orphans),
            (yield from self._lost()) if found[0]["lapsed"] else (),
            (yield from self._changes()),
            frozenset(name for (name,) in held),
            min((row["left"] for row in others), default=float("inf")),
        )

    def take(self, rooms: Sequence[str]) -> Steps[dict[str, persistence.Loaded | Exception]]:
        """Take over those of ``rooms`` that are free; return their first ``PAGE`` lines, and errors for the others."""
        found: dict[str, persistence.Loaded | Exception] = {}
        while rest := [room for room in rooms if room not in found]:
            found |= {room: (epoch, []) for room, epoch in (yield _TAKE, (self._me, rest))}
            owned = yield _OWNERS, ([room for room in rest if room not in found],)
            owners = {room: where for room, *where in owned}
            found |= {room: LookupError(room) for room in rest if room not in found and room not in owners}
            found |= {room: Elsewhere(room, *where) for room, where in owners.items() if where[1] is not None}
        taken = {room: loaded[1] for room, loaded in found.items() if isinstance(loaded, tuple)}
        self.owned.update(taken)
        for room, line in (yield _FIRST_LINES, ([*taken], PAGE)):
            taken[room].append(line)
        return found

    def _peer(self, row: Any) -> persistence.PeerNode:
        if row[5] is not None:
            self._peers[row["id"]] = row["stamp"], row[5]
        return persistence.PeerNode(row["name"], row["url"], row["peer"], self._peers[row["id"]][1])

    def _lost(self) -> Steps[tuple[str, ...]]:
        """Return the rooms that other nodes have taken while the lease was over."""
        still = {code for (code,) in (yield _OWNED, (self._me,))}
        lost = self.owned - still
        self.owned &= still
        return tuple(sorted(lost))

    def _changes(self) -> Steps[tuple[persistence.Change, ...]]:
        rows = yield _CHANGES, (self._since, self._me, list(self.doubtful))
        self._since = next(text for table, text in rows if table == "now")
        self.doubtful.clear()
        return tuple(_NEWS[table][0](*json.loads(text)) for table, text in rows if table != "now")


async def write(db: Any, me: PostgresProcedures, batch: Batch, nth: int) -> tuple[int, list[persistence.Rated]]:
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


def _columns(people: Sequence[persistence.SaveIdentity]) -> list[list[Any]]:
    return [list(column) for column in zip(*((*astuple(each), *called(each.name)[1:]) for each in people), strict=True)]


async def enter(db: Any, me: persistence.Member) -> int | None:
    """Register a node and return its id; None while another node of its name is alive."""
    async with transaction(db):
        await db.execute(_MAKE_WAY, me.name)
        found: int | None = await db.fetchval(_ENTER, me.name, me.url, me.peer, me.lease)
        if found is not None:
            await db.execute("INSERT INTO written (node, last) VALUES ($1, 0)", found)
    return found
