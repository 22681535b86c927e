"""Commit to the PostgreSQL store: the writes are sorted by kind, and each kind is one statement."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg
import attrs
from msgspec.structs import astuple, replace

from parlour_games import chain
from parlour_server import persistence
from parlour_server.directory.identities import DELETED
from parlour_server.persistence import Rated, Write
from parlour_server.store import results, sql
from parlour_server.store.base import Conflict, Fenced
from parlour_server.store.postgres.connections import transaction
from parlour_server.store.postgres.schema import CHAIN_LOCK, FENCED, RATING_LOCK, REPLACED, count
from parlour_server.store.results import Rating

_APPEND = "SELECT append($1, $2, $3, $4, $5, $6, $7, $8)"
_THERE = "SELECT DISTINCT room FROM event JOIN unnest($1::text[], $2::integer[]) AS new(room, seq) USING (room, seq)"
_OPEN = """
INSERT INTO room (code, owner, epoch, open, kept) SELECT code, $1, epoch, TRUE, kept
FROM unnest($2::text[], $3::integer[], $4::boolean[]) AS new(code, epoch, kept) ON CONFLICT DO NOTHING RETURNING code
"""
_CLOSE = "UPDATE room SET open = FALSE WHERE code = ANY($2) AND owner = $1"
_SIT = "INSERT INTO seat SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING"
_RISE = """
DELETE FROM seat USING unnest($1::text[], $2::text[]) AS old(room, who)
WHERE seat.room = old.room AND seat.who = old.who
"""
_DROP = """
DELETE FROM identity USING unnest($2::text[], $3::bigint[]) AS old(who, seen)
WHERE identity.who = old.who AND changed::text::bigint = seen AND (home = $1 OR NOT lives(home) OR home IS NULL)
AND NOT EXISTS (SELECT FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open)
"""
_COLUMNS = "who, name, kind, token, previous, key, banned, muted, house"
_ARRAYS = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(["text"] * 6 + ["boolean"] * 3, start=2))
_NEW = f"""
INSERT INTO identity ({_COLUMNS}, home, writer) SELECT *, $1, $1 FROM unnest({_ARRAYS})
ON CONFLICT DO NOTHING RETURNING who
"""
_OLD = f"""
UPDATE identity SET (name, kind, token, previous, key, banned, muted, house, home, saved, writer, changed) =
(new.name, new.kind, new.token, new.previous, new.key, new.banned, new.muted, new.house,
$1, now(), $1, pg_current_xact_id())
FROM unnest({_ARRAYS}, $11::bigint[]) AS new({_COLUMNS}, seen)
WHERE identity.who = new.who AND identity.changed::text::bigint = seen RETURNING identity.who
"""
_FORGET = "UPDATE result SET who = '', name = $2 WHERE who = $1"
_UNRATE = "DELETE FROM rating WHERE who = $1"
_UNCOUNT = "DELETE FROM profile WHERE who = $1"
_UNLIST = "DELETE FROM daily WHERE who = $1"
_MISS = "INSERT INTO missed VALUES ($1, $2) ON CONFLICT DO NOTHING"
_UNMISS = "DELETE FROM missed WHERE who = $1 AND digest = ANY($2)"
_GONE = """
DELETE FROM {0} WHERE who = ANY($1) AND NOT EXISTS (SELECT FROM identity WHERE identity.who = {0}.who)
"""
OF_PEOPLE = ("missed", "preset", "webhook", "notified")
"""Tables whose rows go with their identity."""
_UNMEET = """
DELETE FROM meeting WHERE {0} = ANY($1) AND NOT EXISTS (SELECT FROM identity WHERE identity.who = meeting.{0})
"""
_SAVE_PRESET = f"""
INSERT INTO preset SELECT $1, $2, $3, $4, $5, $6
WHERE EXISTS (SELECT FROM preset WHERE game = $1 AND key = $2) OR (
    (SELECT COUNT(*) FROM preset) < {results.PRESETS}
    AND (SELECT COUNT(*) FROM preset WHERE who = $4) < {results.OWN_PRESETS}
)
ON CONFLICT (game, key) DO UPDATE SET name = excluded.name, by = excluded.by, rules = excluded.rules
WHERE preset.who = excluded.who
"""
_DROP_PRESET = "DELETE FROM preset WHERE game = $1 AND key = $2 AND who = $3"
_SAVE_WEBHOOK = """
INSERT INTO webhook (who, url, format, lang) VALUES ($1, $2, $3, $4)
ON CONFLICT (who) DO UPDATE SET url = $2, format = $3, lang = $4, off = NULL, faults = 0
"""
_DROP_WEBHOOK = "DELETE FROM webhook WHERE who = $1"
_DAILY_BEGUN = "INSERT INTO daily VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"
_DAILY_DONE = """
UPDATE daily SET ms = $5, points = $6 WHERE day = $1 AND board = $2 AND key = $3 AND room = $4 AND ms IS NULL
"""
_ERASED = """
INSERT INTO erased (who, writer) VALUES ($1, $2)
ON CONFLICT (who) DO UPDATE SET writer = $2, changed = pg_current_xact_id()
"""
_PLAN = "UPDATE contest SET plan = $2, writer = $3, changed = pg_current_xact_id() WHERE name = $1"
_MATCH = "INSERT INTO match VALUES ($1, $2, $3, $4, $5, $6, $7)"
_RESULT = "INSERT INTO result VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
_RATE = """
INSERT INTO rating (who, game, name, kind, mu, sigma, shown, writer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (who, game) DO UPDATE SET name = $3, kind = $4, mu = $5, sigma = $6, shown = $7, writer = $8,
changed = pg_current_xact_id()
"""
_CONTEST = """
INSERT INTO contest (name, plan, stopped, holder, writer) VALUES ($2, $3, $4, $1, $1)
ON CONFLICT (name) DO UPDATE SET plan = $3, stopped = $4, writer = $1, changed = pg_current_xact_id()
WHERE contest.holder = $1 OR $4 RETURNING name
"""
_BEGUN = "INSERT INTO pairing (contest, number, room, result, writer) VALUES ($2, $3, $4, $5, $1) ON CONFLICT"
_PAIRING = {
    True: f"{_BEGUN} DO NOTHING RETURNING contest",
    False: f"""{_BEGUN} (contest, number) DO UPDATE SET result = $5, writer = $1, changed = pg_current_xact_id()
        WHERE pairing.result IS NULL RETURNING contest""",
}
"""By whether the table begins: that is only once so; of several results the first one counts."""
_TICKET = "INSERT INTO ticket VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')"

Seen = dict[str, int]
"""The version of each person as this node knows it: the transaction that changed it last."""


@attrs.define
class Batch:
    """The writes of one commit by kind; of several about the same thing the last one, where no other counts."""

    lines: list[persistence.Append] = attrs.field(factory=list)
    opened: list[persistence.SaveRoom] = attrs.field(factory=list)
    closed: list[persistence.SaveRoom] = attrs.field(factory=list)
    seats: dict[tuple[str, str], bool] = attrs.field(factory=dict)
    people: dict[str, persistence.SaveIdentity | persistence.DropIdentity] = attrs.field(factory=dict)
    erased: list[persistence.DropIdentity] = attrs.field(factory=list)
    links: list[persistence.SaveLink] = attrs.field(factory=list)
    rest: list[Any] = attrs.field(factory=list)

    @property
    def plain(self) -> bool:
        """Whether it is nothing but lines of rooms."""
        return not (self.opened or self.closed or self.seats or self.people or self.erased or self.links or self.rest)

    @property
    def saved(self) -> list[persistence.SaveIdentity]:
        """Return the people to be stored, in an order that is the same for all nodes."""
        return [each for _, each in sorted(self.people.items()) if isinstance(each, persistence.SaveIdentity)]

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
            case persistence.SaveIdentity() | persistence.DropIdentity():
                batch.people[write.who] = write
                if isinstance(write, persistence.DropIdentity) and write.erased:
                    batch.erased.append(write)
            case persistence.SaveLink():
                batch.links.append(write)
            case _:
                batch.rest.append(write)
    return batch


async def write(db: Any, batch: Batch, me: int, nth: int, seen: Seen) -> tuple[int, list[Rated]]:
    """Store ``batch`` as commit number ``nth`` of node ``me``. Returns the transaction and the ratings that changed.

    Raises Conflict or Fenced, with nothing stored.
    """
    try:
        if batch.plain:
            return await _append(db, batch, me, nth), []
        async with transaction(db):
            return await _write(db, batch, me, nth, seen)
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


async def _write(db: Any, batch: Batch, me: int, nth: int, seen: Seen) -> tuple[int, list[Rated]]:
    if batch.opened:
        await _open(db, batch.opened, me)
    number = await _append(db, batch, me, nth)
    await _seat(db, batch)
    await _save_people(db, batch, me, seen)
    for gone in batch.erased:
        await _erase(db, gone.who, me)
    changed: list[Rated] = []
    for write in batch.rest:
        match write:
            case persistence.SaveMatch():
                changed += await _save_match(db, write, me)
            case persistence.SaveTicket():
                await db.execute(_TICKET, write.hash, write.who, write.room, write.ms)
            case persistence.SaveDaily():
                await _save_daily(db, write)
            case persistence.SaveMissed():
                await db.execute(_MISS, write.who, write.digest)
            case persistence.DropMissed():
                await db.execute(_UNMISS, write.who, list(write.digests))
            case persistence.SavePreset():
                key = results.preset_key(write.name)
                await db.execute(_SAVE_PRESET, write.game, key, write.name, write.who, write.by, write.rules)
            case persistence.DropPreset():
                await db.execute(_DROP_PRESET, write.game, results.preset_key(write.name), write.who)
            case persistence.SaveWebhook():
                await db.execute(_SAVE_WEBHOOK, write.who, write.url, write.format, write.lang)
            case persistence.DropWebhook():
                await db.execute(_DROP_WEBHOOK, write.who)
            case persistence.SaveContest():
                await _sure(db, write.name, _CONTEST, me, write.name, write.plan, write.stopped)
            case persistence.SavePairing():
                await _save_pairing(db, write, me)
            case _:
                raise TypeError(f"{type(write).__name__} is not for this store")
    if batch.closed:
        await db.execute(_CLOSE, me, [room.room for room in batch.closed])
    if batch.links:
        await _add_links(db, batch.links)
    return number, changed


async def _add_links(db: Any, links: Sequence[persistence.SaveLink]) -> None:
    """Add links to the chain. This comes last, so that other nodes wait for its lock as shortly as possible."""
    await db.execute(f"SELECT pg_advisory_xact_lock({CHAIN_LOCK})")
    row = await db.fetchrow(sql.LAST_LINK)
    last = chain.Link(*row) if row else None
    added = [last := chain.link(last, int(time.time()), link.match, link.over) for link in links]
    await db.executemany("INSERT INTO chain VALUES ($1, $2, $3, $4, $5)", [attrs.astuple(link) for link in added])


async def _append(db: Any, batch: Batch, me: int, nth: int) -> int:
    fence = {line.room: line.epoch for line in batch.lines}
    lines = zip(*((line.room, line.n, line.epoch, line.line) for line in batch.lines), strict=True)
    columns = [list(column) for column in lines] or [[], [], [], []]
    number: int = await db.fetchval(_APPEND, me, nth, list(fence), list(fence.values()), *columns)
    return number


async def _open(db: Any, opened: Sequence[persistence.SaveRoom], me: int) -> None:
    codes = [room.room for room in opened]
    made = await db.fetch(_OPEN, me, codes, [room.epoch for room in opened], [room.kept for room in opened])
    if taken := set(codes) - {code for (code,) in made}:
        raise Conflict(rooms=taken)


async def _seat(db: Any, batch: Batch) -> None:
    for statement, seated in ((_SIT, True), (_RISE, False)):
        if seats := [seat for seat, is_seated in batch.seats.items() if is_seated is seated]:
            await db.execute(statement, *map(list, zip(*seats, strict=True)))


async def _save_people(db: Any, batch: Batch, me: int, seen: Seen) -> None:
    gone = sorted(
        who for who, write in batch.people.items() if isinstance(write, persistence.DropIdentity) and who in seen
    )
    if gone:
        await db.execute(_DROP, me, gone, [seen[who] for who in gone])
        await _drop_rows(db, gone)
    for who in (write.who for write in batch.erased):  # its name may be given to somebody in the same commit
        await db.execute("DELETE FROM identity WHERE who = $1", who)
    saved = batch.saved
    new = [each for each in saved if each.who not in seen]
    old = [each for each in saved if each.who in seen]
    done = await db.fetch(_NEW, me, *_columns(new)) if new else []
    done += await db.fetch(_OLD, me, *_columns(old), [seen[each.who] for each in old]) if old else []
    if stale := {each.who for each in saved} - {who for (who,) in done}:
        raise Conflict(people=stale)


async def _drop_rows(db: Any, gone: Sequence[str]) -> None:
    """Drop what belongs to identities that do not exist any more."""
    for table in OF_PEOPLE:
        await db.execute(_GONE.format(table), gone)
    for column in ("one", "other"):
        await db.execute(_UNMEET.format(column), gone)


def _columns(people: Sequence[persistence.SaveIdentity]) -> list[list[Any]]:
    return [list(column) for column in zip(*(astuple(each) for each in people), strict=True)]


async def _erase(db: Any, who: str, me: int) -> None:
    await db.execute(f"SELECT pg_advisory_xact_lock({RATING_LOCK})")
    took = await db.fetch(sql.OWN_RESULTS, who)
    rows = [(each, *rest) for game, *rest in took for each in (game, "")]
    await db.executemany(sql.TAKE, rows)
    await db.executemany(sql.EMPTY, [row[:3] for row in rows])
    rated = await db.fetch("SELECT game, name, kind FROM rating WHERE who = $1", who)
    await db.execute(_FORGET, who, DELETED)
    await db.execute(_UNRATE, who)
    await db.executemany(sql.RERATE, [tuple(row) for row in rated])
    await db.execute(_UNCOUNT, who)
    await db.execute(_UNLIST, who)
    await _drop_rows(db, [who])
    await db.execute(_ERASED, who, me)
    for name, plan in await db.fetch("SELECT name, plan FROM contest WHERE strpos(plan, $1) > 0 FOR UPDATE", who):
        await db.execute(_PLAN, name, results.plan_without(plan, who), me)


async def _save_match(db: Any, write: persistence.SaveMatch, me: int) -> list[Rated]:
    match = write.match
    ended = int(time.time())
    row = (match.digest, write.room, match.game, match.first, match.last, match.rated, ended)
    await db.execute(_MATCH, *row)
    erased = await db.fetch("SELECT who FROM erased WHERE who = ANY($1)", [row.who for row in match.rows])
    gone = {who for (who,) in erased}
    rows = [replace(row, who="", name=DELETED) if row.who in gone else row for row in match.rows]
    stored = [(match.digest, r.seat, r.who, r.name, r.kind, r.rank, r.score, r.style, r.house) for r in rows]
    await db.executemany(_RESULT, stored)
    await db.executemany(sql.PLAYED, sorted((row.who,) for row in rows if row.who))
    if not match.rated:
        return []
    await db.execute(f"SELECT pg_advisory_xact_lock({RATING_LOCK})")
    await count(db, match.game, results.counted(match, rows, ended))
    await db.executemany(sql.MEET, sql.meeting(match, rows))
    standings = sql.standings(match, rows)
    if not standings:
        return []
    names = {(row.name, row.kind) for row in rows}
    known = "SELECT name, kind FROM rating WHERE game = $1 AND who = ANY($2)"  # someone may have had another name
    names.update(tuple(row) for row in await db.fetch(known, match.game, [row.who for row in rows]))
    changed = await _rate(db, match.game, results.players(rows), me)
    await db.executemany(sql.ADD, standings)
    await db.executemany(sql.RERATE, [(match.game, *each) for each in names])
    return changed


async def _rate(db: Any, game: str, players: Sequence[results.Player], me: int) -> list[Rated]:
    known = "SELECT who, mu, sigma FROM rating WHERE game = $1 AND who = ANY($2)"
    rows = await db.fetch(known, game, [who for who, *_ in players])
    changed = results.rate(game, players, {who: Rating(mu, sigma) for who, mu, sigma in rows})
    if changed:
        await db.executemany(_RATE, [(*new.row(), me) for new in changed])
    return [new.rated() for new in changed]


async def _save_pairing(db: Any, write: persistence.SavePairing, me: int) -> None:
    begins = write.result is None
    row = (me, write.contest, write.number, write.room, write.result)
    if begins:
        await _sure(db, write.contest, _PAIRING[True], *row)
    else:
        await db.execute(_PAIRING[False], *row)


async def _sure(db: Any, contest: str, statement: str, *row: Any) -> None:
    if not await db.fetch(statement, *row):
        raise Conflict(contests=[contest])


async def _save_daily(db: Any, write: persistence.SaveDaily) -> None:
    key = results.profile_key(write.name)
    if write.ms is None:
        row = (write.day, write.board, key, write.who, write.name, write.kind, write.room)
        await db.execute(_DAILY_BEGUN, *row)
    elif results.is_today(write.day):
        await db.execute(_DAILY_DONE, write.day, write.board, key, write.room, write.ms, write.points)
