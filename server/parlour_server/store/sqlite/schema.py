"""The tables of the SQLite store, their migrations, and the removal of old rooms in steps that delay no move."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from parlour_games.statistics import Finish, tally
from parlour_protocol.names import skeleton
from parlour_server.directory.identities import DELETED
from parlour_server.directory.room_creation import LISTED
from parlour_server.persistence import MatchFinished, Pruned, Rated
from parlour_server.store import results, sql
from parlour_server.store.base import GIVEN_UP, PRUNE_LINES, PRUNE_ROOMS
from parlour_server.store.results import Counted, NewRating, Player, Rating

SCHEMA = 16
WITH_LOG = 6
"""The first schema with the view ``log``."""
_FIRST = """
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch INTEGER NOT NULL, open INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE record (room TEXT, n INTEGER, line TEXT NOT NULL, PRIMARY KEY (room, n)) WITHOUT ROWID;
CREATE TABLE seat (room TEXT, who TEXT, PRIMARY KEY (room, who)) WITHOUT ROWID;
CREATE TABLE identity (
    who TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token TEXT, previous TEXT, key TEXT,
    banned INTEGER NOT NULL, muted INTEGER NOT NULL, house INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE match (
    digest TEXT PRIMARY KEY, room TEXT NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    rated INTEGER NOT NULL, ended INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE result (
    digest TEXT, seat INTEGER, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
    score INTEGER NOT NULL, PRIMARY KEY (digest, seat)
) WITHOUT ROWID;
"""
_RATINGS = """
CREATE TABLE rating (
    who TEXT, game TEXT, name TEXT NOT NULL, kind TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    shown INTEGER NOT NULL, PRIMARY KEY (who, game)
) WITHOUT ROWID;
"""
_CONTESTS = """
CREATE TABLE contest (name TEXT PRIMARY KEY, plan TEXT NOT NULL, stopped INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE pairing (
    contest TEXT, number INTEGER, room TEXT NOT NULL, result TEXT, PRIMARY KEY (contest, number)
) WITHOUT ROWID;
"""
_PRUNING = "CREATE INDEX match_of_room ON match (room, ended)"
_SAVED = "ALTER TABLE identity ADD COLUMN saved INTEGER NOT NULL DEFAULT 0"
_RECENT = """
CREATE TABLE recent (room TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL);
CREATE VIEW log AS SELECT room, n, line FROM record UNION ALL SELECT room, n, line FROM recent
"""
"""Lines are appended to ``recent``, whose last page takes those of all rooms, and moved to ``record`` in bulk."""
_PROFILES = """
CREATE TABLE profile (
    key TEXT, game TEXT, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (key, game)
) WITHOUT ROWID;
CREATE INDEX profile_of_person ON profile (who)
"""
_DAILY = """
CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO secret VALUES ('daily', lower(hex(randomblob(32))));
CREATE TABLE daily (
    day TEXT, board TEXT, key TEXT, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, room TEXT NOT NULL,
    ms INTEGER, PRIMARY KEY (day, board, key)
) WITHOUT ROWID;
CREATE INDEX daily_of_name ON daily (key, board, day);
CREATE INDEX daily_of_person ON daily (who)
"""
_DAILY_POINTS = "ALTER TABLE daily ADD COLUMN points INTEGER"
_STYLES = "ALTER TABLE result ADD COLUMN style TEXT"
"""How a bot played. It is not known of matches of before."""
_CHAIN = """
CREATE TABLE chain (
    n INTEGER PRIMARY KEY, at INTEGER NOT NULL, match TEXT NOT NULL, over TEXT, hash TEXT NOT NULL
)
"""
_MISSED = "CREATE TABLE missed (who TEXT, digest TEXT, PRIMARY KEY (who, digest)) WITHOUT ROWID"
"""The matches whose end someone has not seen yet."""
_PRESETS = """
CREATE TABLE preset (
    game TEXT, key TEXT, name TEXT NOT NULL, who TEXT NOT NULL, by TEXT NOT NULL, rules TEXT NOT NULL,
    PRIMARY KEY (game, key)
) WITHOUT ROWID
"""
_WEBHOOKS = """
CREATE TABLE webhook (
    who TEXT PRIMARY KEY, url TEXT NOT NULL, format TEXT NOT NULL, lang TEXT NOT NULL, off TEXT,
    faults INTEGER NOT NULL DEFAULT 0, hour INTEGER NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE notified (who TEXT, room TEXT, turn TEXT NOT NULL, PRIMARY KEY (who, room)) WITHOUT ROWID
"""
"""``calls`` are those in ``hour``, counted from 1970. ``notified``: the last turn of which someone was notified."""
_HOUSE = "ALTER TABLE result ADD COLUMN house INTEGER NOT NULL DEFAULT 0"
"""Whether a house bot played. It is not known of matches of before."""
_HISTORY = f"""
CREATE TABLE standing (
    game TEXT, name TEXT, kind TEXT, games INTEGER NOT NULL, wins INTEGER NOT NULL, points INTEGER NOT NULL, style TEXT,
    rating INTEGER NOT NULL DEFAULT {sql.UNRATED}, PRIMARY KEY (game, name, kind)
) WITHOUT ROWID;
CREATE INDEX standing_shown ON standing (game, rating DESC, wins DESC, points DESC, name, kind);
CREATE TABLE meeting (
    game TEXT, one TEXT, other TEXT, times INTEGER NOT NULL, PRIMARY KEY (game, one, other)
) WITHOUT ROWID;
CREATE INDEX meeting_of_one ON meeting (one);
CREATE INDEX meeting_of_other ON meeting (other);
CREATE INDEX rating_of_name ON rating (game, name, kind, shown);
CREATE INDEX match_latest ON match (game, ended DESC, digest DESC) WHERE rated;
CREATE INDEX result_of_person ON result (who);
CREATE INDEX room_open ON room (code) WHERE open;
CREATE INDEX room_listed ON room (code) WHERE length(code) = {LISTED};
CREATE INDEX seat_of_person ON seat (who);
CREATE INDEX preset_of_person ON preset (who);
CREATE INDEX daily_time ON daily (day, board, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_most ON daily (day, board, points DESC, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_fewest ON daily (day, board, points, ms, name) WHERE ms IS NOT NULL;
ALTER TABLE identity ADD COLUMN played INTEGER NOT NULL DEFAULT 0;
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
"""Tables and indexes that keep answers fast as the history grows. ``game`` is empty in the standings of all games.

``called``, ``look``, ``lower_look``: a name in lowercase, and what it looks like. ``identity_here``: those whom a
server remembers from its start on.
"""
_FINISHES = """
SELECT digest, game, ended, seat, who, name, kind, rank, score FROM match JOIN result USING (digest) WHERE rated
ORDER BY ended, room, first, seat
"""
_PAST = """
SELECT digest, game, who, name, kind, rank FROM match JOIN result USING (digest) WHERE rated
ORDER BY ended, room, first, seat
"""


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Migrate a file of ``version`` (0: a new one) to SCHEMA, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[version:]:
            step(db)
        db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk ends the transaction
            db.execute("ROLLBACK")
        raise


@cache
def placed(statement: str) -> str:
    """Return a statement of ``store.sql`` with the placeholders of SQLite."""
    return statement.replace("$", "?")


def file_recent(db: sqlite3.Connection) -> None:
    """Move the lines in ``recent`` to ``record``, where those of a room are together."""
    db.execute("INSERT INTO record SELECT room, n, line FROM recent ORDER BY room, n")
    db.execute("DELETE FROM recent")


def rate(db: sqlite3.Connection, game: str, players: Sequence[Player]) -> list[NewRating]:
    """Update the ratings of the participants of a match. Returns those that changed."""
    before = {who: _rating(db, who, game) for who, *_ in players}
    changed = results.rate(game, players, before)
    db.executemany("INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", [new.row() for new in changed])
    return changed


def finish(db: sqlite3.Connection, match: MatchFinished, ended: int) -> list[Rated]:
    """Count a finished match in profiles, standings and meetings. Returns the ratings that it changed."""
    game, players = match.game, results.players(match.rows)
    count(db, game, results.counted(match, match.rows, ended))
    db.executemany(placed(sql.PLAYED), [(row.who,) for row in match.rows if row.who])
    db.executemany(placed(sql.MEET), sql.meeting(match, match.rows))
    standings = sql.standings(match, match.rows)
    if not standings:
        return []
    names = {(row.name, row.kind) for row in match.rows}
    for who, *_ in players:  # someone may have had another name
        names.update(db.execute("SELECT name, kind FROM rating WHERE who = ? AND game = ?", (who, game)))
    changed = rate(db, game, players)
    db.executemany(placed(sql.ADD), standings)
    db.executemany(placed(sql.RERATE), [(game, *each) for each in names])
    return [new.rated() for new in changed]


def called(name: str) -> tuple[str, str, str]:
    """Return what an identity is found by, besides its secrets: its name in lowercase, and what both look like."""
    lower = name.lower()
    return lower, skeleton(name), skeleton(lower)


def count(db: sqlite3.Connection, game: str, rows: Iterable[Counted]) -> None:
    """Add a finished match to the profiles of its players."""
    for row in rows:
        stored = db.execute("SELECT tally FROM profile WHERE key = ? AND game = ?", (row.key, game)).fetchone()
        found = tally(stored and stored[0])
        found.add(row.finish)
        changed = (row.key, game, row.who, row.name, row.kind, found.text())
        db.execute("INSERT OR REPLACE INTO profile VALUES (?, ?, ?, ?, ?, ?)", changed)


def erase(db: sqlite3.Connection, who: str) -> None:
    """Remove an identity's name from results, standings and contests, its ratings and its profile."""
    took = db.execute(placed(sql.OWN_RESULTS), (who,)).fetchall()
    rows = [(each, name, kind, *sums) for game, name, kind, *sums in took for each in (game, "")]
    db.executemany(placed(sql.TAKE), rows)
    db.executemany(placed(sql.EMPTY), [row[:3] for row in rows])
    rated = db.execute("SELECT game, name, kind FROM rating WHERE who = ?", (who,)).fetchall()
    db.execute("UPDATE result SET who = '', name = ? WHERE who = ?", (DELETED, who))
    db.execute("DELETE FROM rating WHERE who = ?", (who,))
    db.executemany(placed(sql.RERATE), rated)
    db.execute("DELETE FROM profile WHERE who = ?", (who,))
    db.execute("DELETE FROM daily WHERE who = ?", (who,))
    for name, text in db.execute("SELECT name, plan FROM contest").fetchall():
        db.execute("UPDATE contest SET plan = ? WHERE name = ?", (results.plan_without(text, who), name))


def _rating(db: sqlite3.Connection, who: str, game: str) -> Rating:
    row = db.execute("SELECT mu, sigma FROM rating WHERE who = ? AND game = ?", (who, game)).fetchone()
    return Rating(*row) if row else Rating()


def _create(db: sqlite3.Connection) -> None:
    _each(db, _FIRST)


def _add_ratings(db: sqlite3.Connection) -> None:
    """Add the table, and rate the matches that have been played so far."""
    _each(db, _RATINGS)
    matches: dict[str, tuple[str, list[Player]]] = {}
    for digest, game, *player in db.execute(_PAST):
        matches.setdefault(digest, (game, []))[1].append((player[0], player[1], player[2], player[3]))
    for game, players in matches.values():
        rate(db, game, players)


def _add_contests(db: sqlite3.Connection) -> None:
    _each(db, _CONTESTS)


def _add_pruning(db: sqlite3.Connection) -> None:
    _each(db, _PRUNING)


def _add_saved(db: sqlite3.Connection) -> None:
    """Add when each identity was stored last, in seconds since 1970: for those of before, now."""
    db.execute(_SAVED)
    db.execute("UPDATE identity SET saved = strftime('%s', 'now')")


def _add_recent(db: sqlite3.Connection) -> None:
    _each(db, _RECENT)


def _add_profiles(db: sqlite3.Connection) -> None:
    """Add the table, and count the matches that have been played so far. Their times were not stored."""
    _each(db, _PROFILES)
    for _, found in groupby(db.execute(_FINISHES).fetchall(), key=itemgetter(0)):
        rows = list(found)
        finishes = [
            Counted(who, name, kind, Finish(ended, rank, len(rows), score))
            for _, _, ended, _, who, name, kind, rank, score in rows
            if who
        ]
        count(db, rows[0][1], finishes)


def _add_daily(db: sqlite3.Connection) -> None:
    _each(db, _DAILY)


def _add_daily_points(db: sqlite3.Connection) -> None:
    _each(db, _DAILY_POINTS)


def _add_styles(db: sqlite3.Connection) -> None:
    _each(db, _STYLES)


def _add_chain(db: sqlite3.Connection) -> None:
    _each(db, _CHAIN)


def _add_missed(db: sqlite3.Connection) -> None:
    _each(db, _MISSED)


def _add_presets(db: sqlite3.Connection) -> None:
    _each(db, _PRESETS)


def _add_webhooks(db: sqlite3.Connection) -> None:
    _each(db, _WEBHOOKS)


def _add_house(db: sqlite3.Connection) -> None:
    _each(db, _HOUSE)


def _add_history(db: sqlite3.Connection) -> None:
    """Add the tables and indexes of ``_HISTORY``, and count the matches that have been played so far."""
    _each(db, _HISTORY)
    for name, who in db.execute("SELECT name, who FROM identity").fetchall():
        db.execute("UPDATE identity SET (called, look, lower_look) = (?, ?, ?) WHERE who = ?", (*called(name), who))
    for part in sql.slices():
        for statement in sql.FILL:
            db.execute(placed(statement), part)
    for statement in sql.FILLED:
        db.execute(placed(statement))


def _each(db: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";"):
        db.execute(statement)


_STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _create,
    _add_ratings,
    _add_contests,
    _add_pruning,
    _add_saved,
    _add_recent,
    _add_profiles,
    _add_daily,
    _add_daily_points,
    _add_styles,
    _add_chain,
    _add_missed,
    _add_presets,
    _add_webhooks,
    _add_house,
    _add_history,
)
"""The migration from each version to the next."""


_LOOK = """
SELECT code, NOT open AND NOT EXISTS (SELECT 1 FROM match WHERE match.room = room.code AND ended >= ?)
    AND COALESCE((SELECT line FROM record WHERE record.room = room.code ORDER BY n DESC LIMIT 1), '') NOT LIKE ?
FROM room WHERE code > ? ORDER BY code LIMIT ?
"""
_LAST_LINES = """
DELETE FROM record WHERE room = ?1 AND n IN (SELECT n FROM record WHERE room = ?1 ORDER BY n DESC LIMIT ?2)
"""


def prune(db: sqlite3.Connection, before: int, after: str, most: int) -> Pruned:
    """Remove up to ``most`` of the next rooms after ``after`` that are closed and had no match since ``before``."""
    freed: list[str] = []
    with db:
        file_recent(db)
        rooms = db.execute(_LOOK, (before, GIVEN_UP, after, PRUNE_ROOMS)).fetchall()
        left = PRUNE_LINES
        for code, old in rooms:
            if old and len(freed) == most:
                return Pruned(tuple(freed), after)
            if old:
                left -= _remove_lines(db, code, left)
                if left <= 0:
                    return Pruned(tuple(freed), after)  # the room may have more lines
                db.execute("DELETE FROM seat WHERE room = ?", (code,))
                db.execute("DELETE FROM room WHERE code = ?", (code,))
                freed.append(code)
            after = code
    return Pruned(tuple(freed), after if len(rooms) == PRUNE_ROOMS else None)


def _remove_lines(db: sqlite3.Connection, code: str, at_most: int) -> int:
    """Remove a room's last lines. Its matches have no files from now on, even if its code is used again."""
    db.execute("UPDATE match SET last = -1 WHERE room = ?", (code,))
    return db.execute(_LAST_LINES, (code, at_most)).rowcount
