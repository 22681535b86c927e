"""The tables of the PostgreSQL store, and their migrations.

Everything is in a schema of its own, ``parlour``, so that the database may hold other things besides.
"""

from typing import Any

import structlog

from parlour_server.store import schema
from parlour_server.store.postgres.connections import run, transaction
from parlour_server.store.procedures import called
from parlour_server.store.sql import Row, Steps

_LOCK = 0x7061726C
"""The advisory lock for creating tables. The next numbers are the locks for ratings and for the chain."""
RATING_LOCK = _LOCK + 1
CHAIN_LOCK = _LOCK + 2
log = structlog.get_logger()

_STAMPS = ", writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id()"
"""The node that wrote a row last, and in which transaction."""
_TABLES = f"""
CREATE TABLE node (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, url text NOT NULL,
    peer text NOT NULL, expires timestamptz NOT NULL, rows text NOT NULL DEFAULT '', stamp bigint NOT NULL DEFAULT 0
);
CREATE TABLE written (
    node bigint PRIMARY KEY REFERENCES node ON DELETE CASCADE, last bigint NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX room_of_node ON room (owner) WHERE open;
CREATE TABLE event (
    room text COLLATE "C", seq integer, epoch integer NOT NULL, line text NOT NULL, PRIMARY KEY (room, seq)
);
CREATE INDEX seat_of_person ON seat (who);
CREATE UNIQUE INDEX identity_name ON identity (lower(name));
CREATE INDEX identity_token ON identity (token) WHERE token IS NOT NULL;
CREATE INDEX identity_previous ON identity (previous) WHERE previous IS NOT NULL;
CREATE INDEX identity_key ON identity (key) WHERE key IS NOT NULL;
CREATE INDEX identity_changed ON identity (changed);
CREATE TABLE erased (who text PRIMARY KEY{_STAMPS});
CREATE INDEX match_of_room ON match (room, ended);
CREATE INDEX result_of_person ON result (who);
CREATE INDEX rating_changed ON rating (changed);
CREATE INDEX pairing_changed ON pairing (changed);
CREATE TABLE ticket (hash text PRIMARY KEY, who text NOT NULL, room text NOT NULL, until timestamptz NOT NULL);
CREATE FUNCTION lives(id bigint) RETURNS boolean LANGUAGE sql STABLE AS
    'SELECT EXISTS (SELECT FROM parlour.node WHERE node.id = lives.id AND expires > clock_timestamp())';
CREATE FUNCTION append(
    me bigint, nth bigint, fence text[], epochs integer[], rooms text[], seqs integer[], eras integer[], lines text[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE fenced text;
BEGIN
    UPDATE parlour.written SET last = nth, changed = pg_current_xact_id() WHERE node = me AND last < nth;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this node was replaced, or this commit given up' USING ERRCODE = 'PL001';
    END IF;
    SELECT string_agg(f.room, ' ') INTO fenced FROM unnest(fence, epochs) AS f(room, epoch) WHERE NOT EXISTS (
        SELECT FROM parlour.room WHERE code = f.room AND owner = me AND room.epoch = f.epoch
    );
    IF fenced IS NOT NULL THEN
        RAISE EXCEPTION 'rooms of another node' USING ERRCODE = 'PL002', DETAIL = fenced;
    END IF;
    INSERT INTO parlour.event (room, seq, epoch, line) SELECT * FROM unnest(rooms, seqs, eras, lines);
    RETURN pg_current_xact_id()::text::bigint;
END $$
"""
"""``append``: the first thing in each commit, which has number ``nth``; it stores lines of rooms that this node owns.

It returns the number of the transaction.

No room is locked: who takes a room over raises its epoch first and then stores a line, and of two that want to store
the same line of a room the primary key lets one. ``written`` tells after a broken connection which commit was the last.
"""
REPLACED, FENCED = "PL001", "PL002"
"""What ``append`` may say against it (SQLSTATE); the detail of FENCED names the rooms."""
FIRST = "".join(
    (
        schema.rooms_and_matches(
            owner=" owner bigint,",
            home=f", home bigint, saved timestamptz NOT NULL DEFAULT now(){_STAMPS}",
            of_match=" REFERENCES match ON DELETE CASCADE",
        ),
        schema.ratings(_STAMPS),
        schema.contests(", holder bigint", _STAMPS),
        _TABLES,
    )
)
_SEVERAL_TOKENS = """
DROP INDEX identity_previous;
CREATE INDEX identity_previous ON identity USING gin (string_to_array(previous, ' ')) WHERE previous IS NOT NULL;
"""
"""``previous`` may hold several tokens from now on."""
_HISTORY = """
ALTER TABLE daily ALTER COLUMN name TYPE text COLLATE "C";
CREATE INDEX identity_here ON identity (who) WHERE house OR key IS NULL OR NOT played
"""
"""``identity_here``: those whom a node remembers from its start on."""
_LOOKS = """
ALTER TABLE identity ADD COLUMN look text, ADD COLUMN lower_look text;
CREATE INDEX identity_look ON identity (look);
CREATE INDEX identity_lower_look ON identity (lower_look)
"""
"""What a name, and the name in lowercase, look like. It is not known of those that an older node has stored."""
_WITHOUT_LOOK = "SELECT name, who FROM identity WHERE look IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED"
_LOOK = "UPDATE identity SET look = $1, lower_look = $2 WHERE who = $3"
AT_A_TIME = 5_000
"""Names of which it is noted in one transaction what they look like."""


def _add_looks() -> Steps[int]:
    """Note what some names look like. Returns how many."""
    rows: list[Row] = yield _WITHOUT_LOOK, (AT_A_TIME,)
    yield _LOOK, [(*called(name)[1:], who) for name, who in rows]
    return len(rows)


STEPS = schema.migrations((FIRST, _SEVERAL_TOKENS), _HISTORY, _LOOKS)
"""The migration from each version to the next."""
VERSION = len(STEPS)


async def prepare(db: Any) -> None:
    """Create the tables, or migrate them to VERSION. Raises CannotOpen."""
    async with transaction(db):
        await db.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        if not await db.fetchval("SELECT to_regnamespace('parlour')"):
            await db.execute("CREATE SCHEMA parlour")
        await db.execute("CREATE TABLE IF NOT EXISTS version (number integer)")
        found = await db.fetchval("SELECT max(number) FROM version") or 0
        schema.refuse_newer("the database", found, VERSION)
        for number, step in enumerate(STEPS[found:], start=found + 1):
            await run(db, schema.steps(step))
            await db.execute("INSERT INTO version VALUES ($1)", number)
    done, some = 0, AT_A_TIME
    while some == AT_A_TIME:
        async with transaction(db):
            some = await run(db, _add_looks())
        if done := done + some:
            log.info("noting what names look like, once", names=done)
