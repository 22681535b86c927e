"""What nodes ask about each other and their rooms, one function for each question."""

import json
from collections.abc import Sequence
from typing import Any

import attrs

from parlour_server.persistence import (
    Change,
    DropIdentity,
    Loaded,
    Member,
    PeerNode,
    Rated,
    SaveContest,
    SaveIdentity,
    SavePairing,
    Sightings,
)
from parlour_server.store.base import PAGE, Elsewhere, Fenced
from parlour_server.store.postgres.connections import transaction

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
    for room, line in await db.fetch(_FIRST_LINES, [*taken], PAGE):
        taken[room].append(line)
    return found


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
