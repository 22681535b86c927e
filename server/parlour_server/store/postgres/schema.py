"""The tables of the PostgreSQL store, and their migrations.

Everything is in a schema of its own, ``parlour``, so that the database may hold other things besides.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from parlour_games.statistics import Finish, tally
from parlour_server.directory.room_creation import LISTED
from parlour_server.store import sql
from parlour_server.store.base import CannotOpen
from parlour_server.store.postgres.connections import transaction
from parlour_server.store.results import Counted

VERSION = 12
_LOCK = 0x7061726C
"""The advisory lock for creating tables. The next numbers are the locks for ratings and for the chain."""
RATING_LOCK = _LOCK + 1
CHAIN_LOCK = _LOCK + 2
_FIRST = """
CREATE TABLE node (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    url text NOT NULL,
    peer text NOT NULL,
    expires timestamptz NOT NULL,
    rows text NOT NULL DEFAULT '',
    stamp bigint NOT NULL DEFAULT 0
);
CREATE TABLE written (
    node bigint PRIMARY KEY REFERENCES node ON DELETE CASCADE,
    last bigint NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE TABLE room (
    code text COLLATE "C" PRIMARY KEY, owner bigint, epoch integer NOT NULL,
    open boolean NOT NULL, kept boolean NOT NULL
);
CREATE INDEX room_of_node ON room (owner) WHERE open;
CREATE TABLE event (
    room text COLLATE "C", seq integer, epoch integer NOT NULL, line text NOT NULL, PRIMARY KEY (room, seq)
);
CREATE TABLE seat (room text COLLATE "C", who text, PRIMARY KEY (room, who));
CREATE INDEX seat_of_person ON seat (who);
CREATE TABLE identity (
    who text PRIMARY KEY, name text NOT NULL, kind text NOT NULL, token text, previous text, key text,
    banned boolean NOT NULL, muted boolean NOT NULL, house boolean NOT NULL,
    home bigint, saved timestamptz NOT NULL DEFAULT now(),
    writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE UNIQUE INDEX identity_name ON identity (lower(name));
CREATE INDEX identity_token ON identity (token) WHERE token IS NOT NULL;
CREATE INDEX identity_previous ON identity (previous) WHERE previous IS NOT NULL;
CREATE INDEX identity_key ON identity (key) WHERE key IS NOT NULL;
CREATE INDEX identity_changed ON identity (changed);
CREATE TABLE erased (who text PRIMARY KEY, writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id());
CREATE TABLE match (
    digest text COLLATE "C" PRIMARY KEY, room text COLLATE "C" NOT NULL, game text NOT NULL,
    first integer NOT NULL, last integer NOT NULL, rated boolean NOT NULL, ended bigint NOT NULL
);
CREATE INDEX match_of_room ON match (room, ended);
CREATE TABLE result (
    digest text COLLATE "C" REFERENCES match ON DELETE CASCADE, seat integer, who text NOT NULL, name text NOT NULL,
    kind text NOT NULL, rank integer NOT NULL, score bigint NOT NULL, PRIMARY KEY (digest, seat)
);
CREATE INDEX result_of_person ON result (who);
CREATE TABLE rating (
    who text, game text, name text NOT NULL, kind text NOT NULL, mu double precision NOT NULL,
    sigma double precision NOT NULL, shown integer NOT NULL,
    writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (who, game)
);
CREATE INDEX rating_changed ON rating (changed);
CREATE TABLE contest (
    name text PRIMARY KEY, plan text NOT NULL, stopped boolean NOT NULL, holder bigint,
    writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE TABLE pairing (
    contest text, number integer, room text NOT NULL, result text,
    writer bigint NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (contest, number)
);
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
_SEVERAL_TOKENS = """
DROP INDEX identity_previous;
CREATE INDEX identity_previous ON identity USING gin (string_to_array(previous, ' ')) WHERE previous IS NOT NULL;
"""
"""``previous`` may hold several tokens from now on."""
_PROFILES = """
CREATE TABLE profile (
    key text COLLATE "C", game text, who text NOT NULL, name text NOT NULL, kind text NOT NULL, tally text NOT NULL,
    PRIMARY KEY (key, game)
);
CREATE INDEX profile_of_person ON profile (who);
"""
_DAILY = """
CREATE TABLE secret (name text PRIMARY KEY, value text NOT NULL);
INSERT INTO secret VALUES ('daily', encode(sha256(
    (gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'));
CREATE TABLE daily (
    day text COLLATE "C", board text, key text COLLATE "C", who text NOT NULL, name text NOT NULL, kind text NOT NULL,
    room text NOT NULL, ms bigint, PRIMARY KEY (day, board, key)
);
CREATE INDEX daily_of_name ON daily (key, board, day);
CREATE INDEX daily_of_person ON daily (who);
"""
_DAILY_POINTS = "ALTER TABLE daily ADD COLUMN points bigint"
_STYLES = "ALTER TABLE result ADD COLUMN style text"
"""How a bot played. It is not known of matches of before."""
_CHAIN = """
CREATE TABLE chain (n bigint PRIMARY KEY, at bigint NOT NULL, match text NOT NULL, over text, hash text NOT NULL);
"""
_MISSED = 'CREATE TABLE missed (who text, digest text COLLATE "C", PRIMARY KEY (who, digest))'
"""The matches whose end someone has not seen yet."""
_PRESETS = """
CREATE TABLE preset (
    game text COLLATE "C", key text COLLATE "C", name text NOT NULL, who text NOT NULL, by text NOT NULL,
    rules text NOT NULL, PRIMARY KEY (game, key)
);
"""
_WEBHOOKS = """
CREATE TABLE webhook (
    who text PRIMARY KEY, url text NOT NULL, format text NOT NULL, lang text NOT NULL, off text,
    faults integer NOT NULL DEFAULT 0, hour bigint NOT NULL DEFAULT 0, calls integer NOT NULL DEFAULT 0
);
CREATE TABLE notified (who text, room text COLLATE "C", turn text NOT NULL, PRIMARY KEY (who, room));
"""
"""``calls`` are those in ``hour``, counted from 1970. ``notified``: the last turn of which someone was notified."""
_HOUSE = "ALTER TABLE result ADD COLUMN house boolean NOT NULL DEFAULT false"
"""Whether a house bot played. It is not known of matches of before."""
_HISTORY = f"""
CREATE TABLE standing (
    game text COLLATE "C", name text COLLATE "C", kind text COLLATE "C", games bigint NOT NULL, wins bigint NOT NULL,
    points bigint NOT NULL, style text, rating integer NOT NULL DEFAULT {sql.UNRATED}, PRIMARY KEY (game, name, kind)
);
CREATE INDEX standing_shown ON standing (game, rating DESC, wins DESC, points DESC, name, kind);
CREATE TABLE meeting (game text, one text, other text, times bigint NOT NULL, PRIMARY KEY (game, one, other));
CREATE INDEX meeting_of_one ON meeting (one);
CREATE INDEX meeting_of_other ON meeting (other);
CREATE INDEX rating_of_name ON rating (game, name, kind, shown);
CREATE INDEX match_latest ON match (game, ended DESC, digest DESC) WHERE rated;
CREATE INDEX room_open ON room (code) WHERE open;
CREATE INDEX room_listed ON room (code) WHERE length(code) = {LISTED};
CREATE INDEX preset_of_person ON preset (who);
ALTER TABLE daily ALTER COLUMN name TYPE text COLLATE "C";
CREATE INDEX daily_time ON daily (day, board, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_most ON daily (day, board, points DESC, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_fewest ON daily (day, board, points, ms, name) WHERE ms IS NOT NULL;
ALTER TABLE identity ADD COLUMN played boolean NOT NULL DEFAULT FALSE;
CREATE INDEX identity_here ON identity (who) WHERE house OR key IS NULL OR NOT played;
"""
"""Tables and indexes that keep answers fast as the history grows. ``game`` is empty in the standings of all games.

``identity_here``: those whom a node remembers from its start on.
"""
_FINISHES = """
SELECT digest, game, ended, who, name, kind, rank, score FROM match JOIN result USING (digest) WHERE rated
ORDER BY ended, match.room, first, seat
"""
_PROFILE = "SELECT key, tally FROM profile WHERE game = $1 AND key = ANY($2)"
_COUNT = """
INSERT INTO profile VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (key, game) DO UPDATE SET who = $3, name = $4, kind = $5, tally = $6
"""


async def count(db: Any, game: str, rows: Sequence[Counted]) -> None:
    """Add a finished match to the profiles of its players. Its caller holds RATING_LOCK."""
    stored = dict(await db.fetch(_PROFILE, game, [row.key for row in rows]))
    for row in rows:
        found = tally(stored.get(row.key))
        found.add(row.finish)
        stored[row.key] = found.text()
        await db.execute(_COUNT, row.key, game, row.who, row.name, row.kind, stored[row.key])


async def _add_profiles(db: Any) -> None:
    """Add the table, and count the matches that have been played so far. Their times were not stored."""
    await db.execute(_PROFILES)
    for _, each in groupby(await db.fetch(_FINISHES), key=itemgetter("digest")):
        rows = list(each)
        finishes = [
            Counted(who, name, kind, Finish(ended, rank, len(rows), score))
            for _, _, ended, who, name, kind, rank, score in rows
            if who
        ]
        await count(db, rows[0]["game"], finishes)


async def _add_history(db: Any) -> None:
    """Add the tables and indexes of ``_HISTORY``, and count the matches that have been played so far."""
    await db.execute(_HISTORY)
    for part in sql.slices():
        for statement in sql.FILL:
            await db.execute(statement, *part)
    for statement in sql.FILLED:
        await db.execute(statement)


_STEPS: tuple[str | Callable[[Any], Awaitable[None]], ...] = (
    _FIRST,
    _SEVERAL_TOKENS,
    _add_profiles,
    _DAILY,
    _DAILY_POINTS,
    _STYLES,
    _CHAIN,
    _MISSED,
    _PRESETS,
    _WEBHOOKS,
    _HOUSE,
    _add_history,
)


async def prepare(db: Any) -> None:
    """Create the tables, or migrate them to VERSION. Raises CannotOpen."""
    async with transaction(db):
        await db.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        if not await db.fetchval("SELECT to_regnamespace('parlour')"):
            await db.execute("CREATE SCHEMA parlour")
        await db.execute("CREATE TABLE IF NOT EXISTS version (number integer)")
        found = await db.fetchval("SELECT max(number) FROM version") or 0
        if found > VERSION:
            raise CannotOpen(
                f"the database was written by a newer parlour (schema {found}, this one knows {VERSION}). "
                "Install that one again"
            )
        for number, step in enumerate(_STEPS[found:], start=found + 1):
            await (db.execute(step) if isinstance(step, str) else step(db))
            await db.execute("INSERT INTO version VALUES ($1)", number)
