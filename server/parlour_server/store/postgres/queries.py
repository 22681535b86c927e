"""The queries of the PostgreSQL store, one function for each."""

import json
from collections.abc import Sequence
from typing import Any

import attrs

from parlour_server.directory.room_creation import LISTED
from parlour_server.persistence import (
    Change,
    DropIdentity,
    Index,
    Known,
    Loaded,
    Member,
    PeerNode,
    Pruned,
    Rated,
    SaveContest,
    SaveIdentity,
    SavePairing,
    Sightings,
    StoredWebhook,
)
from parlour_server.store import results, sql
from parlour_server.store.base import GIVEN_UP, PAGE, PRUNE_LINES, PRUNE_ROOMS, Elsewhere, Fenced
from parlour_server.store.postgres.connections import transaction
from parlour_server.store.postgres.writes import OF_PEOPLE, Seen

_PERSON = "who, name, kind, token, previous, key, banned, muted, house, changed::text::bigint"
_ENTER = """
INSERT INTO node (name, url, peer, expires) VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
ON CONFLICT DO NOTHING RETURNING id
"""
_MAKE_WAY = "DELETE FROM node WHERE expires < clock_timestamp() - interval '1 day' OR name = $1 AND NOT lives(id)"
_IS_UNPLAYED = "NOT house AND NOT played"
_CLAIM = f"""
UPDATE identity SET home = $1 WHERE home IS NULL OR home = $1 OR NOT lives(home)
RETURNING {_PERSON}, {_IS_UNPLAYED}, (extract(epoch FROM now() - saved) * 1000)::bigint
"""
_KNOWN = f"""
SELECT {_PERSON}, home <> $1 AND lives(home),
    ARRAY(SELECT room FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open), {_IS_UNPLAYED}
FROM identity WHERE lower(name) = ANY($2) OR token = ANY($3) OR key = ANY($3) OR who = ANY($4)
    OR previous IS NOT NULL AND string_to_array(previous, ' ') && $3::text[]
"""
_RATINGS = "SELECT who, game, shown FROM rating WHERE who = ANY($1)"
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
_ROOMS = f"""
SELECT code, open AND (owner IS NULL OR NOT lives(owner)), kept FROM room WHERE open OR length(code) = {LISTED}
"""
_OWNED = "SELECT code FROM room WHERE owner = $1 AND open"
_HELD = """
WITH taken AS (
    UPDATE contest SET holder = $1
    WHERE NOT (holder = ANY($2)) AND NOT lives(holder) AND mod(abs(hashtext(name)::bigint), $3) = $4 RETURNING name
)
SELECT name FROM contest WHERE holder = $1 UNION SELECT name FROM taken
"""
_CHANGES = """
SELECT 'now', pg_snapshot_xmin(pg_current_snapshot())::text
UNION ALL SELECT 'identity', json_build_array(who, name, kind, token, previous, key, banned, muted, house)::text
    FROM identity WHERE changed >= $1::text::xid8 AND writer <> $2
UNION ALL SELECT 'erased', json_build_array(who, TRUE)::text
    FROM erased WHERE changed >= $1::text::xid8 AND writer <> $2
UNION ALL SELECT 'rating', json_build_array(who, game, shown)::text
    FROM rating WHERE changed >= $1::text::xid8 AND writer <> $2
UNION ALL SELECT 'contest', json_build_array(name, plan, stopped)::text
    FROM contest WHERE changed >= $1::text::xid8 AND writer <> $2 OR name = ANY($3)
UNION ALL SELECT 'pairing', json_build_array(contest, number, room, result)::text
    FROM pairing WHERE changed >= $1::text::xid8 AND writer <> $2 OR contest = ANY($3)
"""
_CLASSES: dict[str, type] = {
    "identity": SaveIdentity,
    "erased": DropIdentity,
    "rating": Rated,
    "contest": SaveContest,
    "pairing": SavePairing,
}
_TAKE_TURN = """
INSERT INTO notified SELECT $1, $2, $3
WHERE EXISTS (SELECT FROM webhook WHERE who = $1 AND off IS NULL AND (hour < $4 OR calls < $5))
ON CONFLICT (who, room) DO UPDATE SET turn = excluded.turn WHERE notified.turn <> excluded.turn RETURNING who
"""
_OLD_ROOMS = """
SELECT code, NOT open AND NOT EXISTS (SELECT FROM match WHERE match.room = room.code AND ended >= $1)
    AND COALESCE((SELECT line FROM event WHERE event.room = room.code ORDER BY seq DESC LIMIT 1), '') NOT LIKE $4
FROM room WHERE code > $2 ORDER BY code LIMIT $3
"""
_OLD_GUESTS = f"""
DELETE FROM identity WHERE who IN (SELECT who FROM identity WHERE (key IS NULL OR NOT played)
AND NOT (banned OR muted OR house) AND (home IS NULL OR NOT lives(home))
AND saved < now() - CASE WHEN key IS NULL THEN interval '1 day' WHEN {_IS_UNPLAYED} THEN $1 * interval '1 s' END
AND NOT EXISTS (SELECT FROM contest WHERE strpos(plan, identity.who) > 0)
AND NOT EXISTS (SELECT FROM seat JOIN room ON code = room WHERE seat.who = identity.who AND open)
LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING who
"""
_GONE = "DELETE FROM {0} WHERE who = ANY($1)"
_LAST_LINES = """
DELETE FROM event WHERE room = $1 AND seq IN (SELECT seq FROM event WHERE room = $1 ORDER BY seq DESC LIMIT $2)
"""


_TAKE = """
UPDATE room SET owner = $1, epoch = epoch + 1 FROM (
    SELECT code FROM room WHERE code = ANY($2) AND open AND (owner IS NULL OR owner = $1 OR NOT lives(owner))
    ORDER BY code FOR UPDATE
) AS free WHERE room.code = free.code RETURNING room.code, epoch
"""
"""Ordered, so that two nodes that take the same rooms do not deadlock."""
_LINES = "SELECT room, line FROM event WHERE room = ANY($1) AND seq < $2 ORDER BY room, seq"
_MORE_LINES = "SELECT line FROM event WHERE room = $1 AND seq >= $2 AND seq < $3 ORDER BY seq"
_OWNERS = """
SELECT code, url, peer FROM room LEFT JOIN node ON node.id = owner AND lives(owner) WHERE code = ANY($1) AND open
"""


@attrs.define
class Look:
    """The state that a node keeps from one renewal to the next."""

    since: str = "0"
    """The oldest transaction that may have gone unseen."""
    rows: str = ""
    """The rows that it published last."""
    peers: dict[int, tuple[int, str]] = attrs.field(factory=dict)
    """The stamp and the rows of each other node, by its id."""
    owned: set[str] = attrs.field(factory=set)
    """The open rooms that it has loaded or opened."""
    doubtful: set[str] = attrs.field(factory=set)
    """Contests that have to be read again as a whole."""


async def version(db: Any) -> tuple[str, str]:
    """Return the version of the server, and of our tables in words."""
    server: str = await db.fetchval("SHOW server_version")
    if not await db.fetchval("SELECT to_regclass('parlour.version')"):
        return server, "no tables yet"
    return server, f"schema {await db.fetchval('SELECT max(number) FROM version')}"


async def enter(db: Any, me: Member) -> int | None:
    """Register a node and return its id; None while another node of its name is alive."""
    async with transaction(db):
        await db.execute(_MAKE_WAY, me.name)
        found: int | None = await db.fetchval(_ENTER, me.name, me.url, me.peer, me.lease)
        if found is not None:
            await db.execute("INSERT INTO written (node, last) VALUES ($1, 0)", found)
    return found


async def index(db: Any, me: int, seen: Seen, look: Look) -> Index:
    """Return the index at start. Identities without a living home belong to this node from now on."""
    look.since = await db.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")
    claimed = await db.fetch(_CLAIM, me)
    people = [_person(row) for row in claimed]
    seen |= _versions(claimed)
    rooms = await db.fetch(_ROOMS)
    seats = await db.fetch("SELECT room, who FROM seat JOIN room ON code = room WHERE open")
    ratings = await db.fetch("SELECT who, game, shown FROM rating")
    contests = await db.fetch("SELECT name, plan, stopped FROM contest")
    tables = await db.fetch("SELECT contest, number, room, result FROM pairing ORDER BY number")
    return Index(
        open_rooms=tuple(code for code, orphan, _ in rooms if orphan),
        kept_rooms=tuple(code for code, orphan, kept in rooms if orphan and kept),
        codes=tuple(code for code, _, _ in rooms if len(code) == LISTED),
        identities=tuple(people),
        seats=tuple((room, who) for room, who in seats),
        ratings=tuple(Rated(*row) for row in ratings),
        contests=tuple(SaveContest(*row) for row in contests),
        tables=tuple(SavePairing(*row) for row in tables),
        daily=await db.fetchval("SELECT value FROM secret WHERE name = 'daily'"),
        unplayed=tuple((row["who"], row[11]) for row in claimed if row[10]),
        rooms=await db.fetchval("SELECT count(*) FROM room"),
    )


async def known(db: Any, me: int, ask: tuple[Sequence[str], Sequence[str], Sequence[str]]) -> Known:
    """Return the stored identities with these names, hashed secrets or ids."""
    rows = await db.fetch(_KNOWN, me, *ask)
    ratings = await db.fetch(_RATINGS, [row["who"] for row in rows]) if rows else []
    return Known(
        tuple(_person(row) for row in rows),
        _versions(rows),
        tuple((room, row["who"]) for row in rows for room in row[11]),
        frozenset(row["who"] for row in rows if row[10]),
        frozenset(row["who"] for row in rows if row[12]),
        tuple(Rated(*row) for row in ratings),
    )


async def renew(db: Any, number: int, me: Member, rows: str, look: Look) -> Sightings:
    """Renew the lease of node ``number``, and return what other nodes publish. Raises Fenced if its row is gone."""
    lapsed = await db.fetchval(_RENEW, number, me.lease, None if rows == look.rows else rows, me.url, me.peer)
    if lapsed is None:
        raise Fenced("another process serves under this node's name")
    look.rows = rows
    living = await db.fetch(_LIVING, list(look.peers), [stamp for stamp, _ in look.peers.values()])
    ids = [row["id"] for row in living]
    share = (len(ids), ids.index(number)) if number in ids else (1, 0)
    held = await db.fetch(_HELD, number, ids, *share)
    orphans = await db.fetch(_ORPHANS, ids, *share)
    others = [row for row in living if row["id"] != number]
    return Sightings(
        tuple(_peer(row, look) for row in others),
        tuple(code for (code,) in orphans),
        await _lost(db, number, look) if lapsed else (),
        await _changes(db, number, look),
        frozenset(name for (name,) in held),
        min((row["left"] for row in others), default=float("inf")),
    )


async def take(db: Any, me: int, rooms: Sequence[str], look: Look) -> dict[str, Loaded | Exception]:
    """Take over those of ``rooms`` that are free; return their first ``PAGE`` lines, and errors for the others."""
    found: dict[str, Loaded | Exception] = {}
    while rest := [room for room in rooms if room not in found]:
        found |= {room: (epoch, []) for room, epoch in await db.fetch(_TAKE, me, rest)}
        owners = {room: where for room, *where in await db.fetch(_OWNERS, [room for room in rest if room not in found])}
        found |= {room: LookupError(room) for room in rest if room not in found and room not in owners}
        found |= {room: Elsewhere(room, *where) for room, where in owners.items() if where[1] is not None}
    taken = {room: loaded[1] for room, loaded in found.items() if isinstance(loaded, tuple)}
    look.owned.update(taken)
    for room, line in await db.fetch(_LINES, [*taken], PAGE):
        taken[room].append(line)
    return found


async def more_lines(db: Any, room: str, first: int) -> list[str]:
    """Return the next ``PAGE`` lines of ``room`` from number ``first`` on."""
    return [line for (line,) in await db.fetch(_MORE_LINES, room, first, first + PAGE)]


async def take_turn(db: Any, who: str, room: str, turn: str) -> StoredWebhook | None:
    """Return the webhook to call for a turn that no one has taken yet; None: none is to be called."""
    hour = results.this_hour()
    async with transaction(db):
        if not await db.fetch(_TAKE_TURN, who, room, turn, hour, results.CALLS):
            return None
        await db.execute(sql.FORGET_TURNS, who)
        row = await db.fetchrow(sql.CALL, who, hour)
    return None if row is None else StoredWebhook(*row)


async def prune(db: Any, me: Member, before: int, after: str, most: int, names: int) -> Pruned:
    """Remove up to ``most`` of the next rooms after ``after`` that are closed and had no match since ``before``.

    It also removes up to ``names`` of the identities that a dead node has left behind: guests a day after they were
    here last, and keys that never finished a match when the time for them is over.
    """
    freed: list[str] = []
    async with transaction(db):
        gone = [who for (who,) in await db.fetch(_OLD_GUESTS, me.unplayed_kept, names)] if names else []
        for table in OF_PEOPLE if gone else ():
            await db.execute(_GONE.format(table), gone)
        rooms = await db.fetch(_OLD_ROOMS, before, after, PRUNE_ROOMS, GIVEN_UP)
        left = PRUNE_LINES
        for code, old in rooms:
            if old and len(freed) == most:
                return Pruned(tuple(freed), after, len(gone))
            if old:
                await db.execute("UPDATE match SET last = -1 WHERE room = $1", code)
                left -= int((await db.execute(_LAST_LINES, code, left)).split()[1])
                if left <= 0:
                    return Pruned(tuple(freed), after, len(gone))  # the room may have more lines
                await db.execute("DELETE FROM seat WHERE room = $1", code)
                await db.execute("DELETE FROM room WHERE code = $1", code)
                freed.append(code)
            after = code
    return Pruned(tuple(freed), after if len(rooms) == PRUNE_ROOMS else None, len(gone))


def _person(row: Any) -> SaveIdentity:
    return SaveIdentity(*row[:9])


def _versions(rows: Sequence[Any]) -> Seen:
    return {row["who"]: row[9] for row in rows}


def _peer(row: Any, look: Look) -> PeerNode:
    if row[5] is not None:
        look.peers[row["id"]] = row["stamp"], row[5]
    return PeerNode(row["name"], row["url"], row["peer"], look.peers[row["id"]][1])


async def _lost(db: Any, me: int, look: Look) -> tuple[str, ...]:
    """Return the rooms that other nodes have taken while the lease was over."""
    still = {code for (code,) in await db.fetch(_OWNED, me)}
    lost = look.owned - still
    look.owned &= still
    return tuple(sorted(lost))


async def _changes(db: Any, me: int, look: Look) -> tuple[Change, ...]:
    rows = await db.fetch(_CHANGES, look.since, me, list(look.doubtful))
    look.since = next(text for what, text in rows if what == "now")
    look.doubtful.clear()
    return tuple(_CLASSES[what](*json.loads(text)) for what, text in rows if what != "now")
