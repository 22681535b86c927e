"""The tables of the SQLite store, and their migrations."""

import sqlite3
from itertools import groupby
from operator import itemgetter

from parlour_server.store import schema
from parlour_server.store.procedures import called
from parlour_server.store.schema import Migration
from parlour_server.store.sql import Row, Steps
from parlour_server.store.sqlite.procedures import SqliteProcedures, run

WITH_LOG = 6
"""The first schema with the view ``log``."""
_RECORDS = "CREATE TABLE record (room TEXT, n INTEGER, line TEXT NOT NULL, PRIMARY KEY (room, n))"
_PRUNING = "CREATE INDEX match_of_room ON match (room, ended)"
_SAVED = "ALTER TABLE identity ADD COLUMN saved INTEGER NOT NULL DEFAULT 0"
_RECENT = """
CREATE TABLE recent (room TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL);
CREATE VIEW log AS SELECT room, n, line FROM record UNION ALL SELECT room, n, line FROM recent
"""
"""Lines are appended to ``recent``, whose last page takes those of all rooms, and moved to ``record`` in bulk."""
_HISTORY = """
CREATE INDEX result_of_person ON result (who);
CREATE INDEX seat_of_person ON seat (who);
ALTER TABLE identity ADD COLUMN called TEXT NOT NULL DEFAULT '';
ALTER TABLE identity ADD COLUMN look TEXT NOT NULL DEFAULT '';
ALTER TABLE identity ADD COLUMN lower_look TEXT NOT NULL DEFAULT '';
CREATE INDEX identity_called ON identity (called);
CREATE INDEX identity_look ON identity (look);
CREATE INDEX identity_lower_look ON identity (lower_look);
CREATE INDEX identity_token ON identity (token) WHERE token IS NOT NULL;
CREATE INDEX identity_key ON identity (key) WHERE key IS NOT NULL;
CREATE INDEX identity_here ON identity (who) WHERE house OR key IS NULL OR previous IS NOT NULL OR NOT played
"""
"""``called``, ``look``, ``lower_look``: a name in lowercase, and what it looks like. ``identity_here``: those whom a
server remembers from its start on."""
_PAST = """
SELECT digest, game, who, name, kind, rank FROM match JOIN result USING (digest) WHERE rated
ORDER BY ended, room, first, seat
"""


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Migrate a file of ``version`` (0: a new one) to SCHEMA, in one transaction."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        for step in STEPS[version:]:
            apply(db, step)
        db.execute(f"PRAGMA user_version = {SCHEMA}")


def apply(db: sqlite3.Connection, step: Migration) -> None:
    """Migrate by one step."""
    run(db, schema.steps(step))


def _add_ratings() -> Steps[None]:
    """Add the table, and rate the matches that have been played so far."""
    yield schema.ratings(), None
    past: list[Row] = yield _PAST, ()
    for (_, game), players in groupby(past, key=itemgetter(0, 1)):
        yield from SqliteProcedures().rate(game, [(who, name, kind, rank) for _, _, who, name, kind, rank in players])


def _add_saved() -> Steps[None]:
    """Add when each identity was stored last, in seconds since 1970. Those that are stored already get the present."""
    yield _SAVED, None
    yield "UPDATE identity SET saved = strftime('%s', 'now')", ()


def _add_looks() -> Steps[None]:
    """Add indexes, and note what the names of identities look like."""
    yield _HISTORY, None
    names = yield "SELECT name, who FROM identity", ()
    looks = [(*called(name), who) for name, who in names]
    yield "UPDATE identity SET (called, look, lower_look) = ($1, $2, $3) WHERE who = $4", looks


_OWN = schema.rooms_and_matches() + _RECORDS, _add_ratings, schema.contests(), _PRUNING, _add_saved, _RECENT
STEPS = schema.migrations(_OWN, _add_looks)
"""The migration from each version to the next."""
SCHEMA = len(STEPS)
