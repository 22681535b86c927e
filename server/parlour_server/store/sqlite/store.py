"""The store of one server: one SQLite file, every commit synced to disk before it is reported.

One thread commits. Others read beside it, so that no commit waits for a question.

The file is held by one server at a time: ``FILE.lock`` carries a lock that ends with the process, and its pid.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import attrs

from parlour_games import chain
from parlour_protocol.names import looks
from parlour_server import persistence
from parlour_server.directory.guests import REMEMBERED
from parlour_server.directory.room_creation import LISTED
from parlour_server.persistence import (
    Index,
    Known,
    Pruned,
    Rated,
    SaveContest,
    SaveIdentity,
    SavePairing,
    Sightings,
    StoredWebhook,
    Write,
)
from parlour_server.store import results, sql
from parlour_server.store.base import PAGE, PRUNE_ROOMS, QUESTION, Conflict, NotStored, StoreError
from parlour_server.store.sql import SqlReads
from parlour_server.store.sqlite import schema
from parlour_server.store.sqlite.file import open_file, take_lock
from parlour_server.store.sqlite.readers import CallThread, Readers
from parlour_server.store.sqlite.schema import placed
from parlour_server.system import crash_point

T = TypeVar("T")

MAX_RECENT = 5_000
"""Lines after which those of the table ``recent`` are moved to their rooms."""
_DAILY_DONE = """
UPDATE daily SET ms = ?, points = ? WHERE day = ? AND board = ? AND key = ? AND room = ? AND ms IS NULL
"""
_SAVE_PRESET = f"""
INSERT INTO preset SELECT ?1, ?2, ?3, ?4, ?5, ?6
WHERE EXISTS (SELECT 1 FROM preset WHERE game = ?1 AND key = ?2) OR (
    (SELECT COUNT(*) FROM preset) < {results.PRESETS}
    AND (SELECT COUNT(*) FROM preset WHERE who = ?4) < {results.OWN_PRESETS}
)
ON CONFLICT DO UPDATE SET name = excluded.name, by = excluded.by, rules = excluded.rules WHERE who = excluded.who
"""
_SAVE_WEBHOOK = """
INSERT INTO webhook (who, url, format, lang) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET url = excluded.url, format = excluded.format, lang = excluded.lang, off = NULL, faults = 0
"""
_TAKE_TURN = """
INSERT INTO notified SELECT ?1, ?2, ?3
WHERE EXISTS (SELECT 1 FROM webhook WHERE who = ?1 AND off IS NULL AND (hour < ?4 OR calls < ?5))
ON CONFLICT DO UPDATE SET turn = excluded.turn WHERE turn <> excluded.turn RETURNING who
"""
_UNPLAYED = "SELECT who, max(0, ? - saved) * 1000 FROM identity WHERE NOT played AND NOT house"
_IS_UNPLAYED = "SELECT 1 FROM identity WHERE who = ? AND NOT played AND NOT house"
_HERE = "WHERE house OR key IS NULL OR previous IS NOT NULL OR NOT played"
_RATINGS = "SELECT who, game, shown FROM rating WHERE who = ?"
_PERSON = "who, name, kind, token, previous, key, banned, muted, house"
_ROOMS = "SELECT count(*) FROM room"
_LAST = """
SELECT max(
    COALESCE((SELECT MAX(n) FROM record WHERE room = ?1), -1), COALESCE((SELECT MAX(n) FROM recent WHERE room = ?1), -1)
)
"""
_SPAN = "SELECT room, first, last FROM match WHERE digest = ?"
_LINES = "SELECT n, line FROM log WHERE room = ? AND n BETWEEN ? AND ? ORDER BY n"
_SAVE_IDENTITY = f"""
INSERT INTO identity ({_PERSON}, saved, called, look, lower_look) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET (name, kind, token, previous, key, banned, muted, house, saved, called, look, lower_look) = (
    excluded.name, excluded.kind, excluded.token, excluded.previous, excluded.key, excluded.banned, excluded.muted,
    excluded.house, excluded.saved, excluded.called, excluded.look, excluded.lower_look
)
"""


class SqliteStore(SqlReads):
    """One file. ``synced`` False leaves the syncing to the operating system (for benchmarks only)."""

    shared = False

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        self._lock = take_lock(path)
        try:
            self._db = open_file(path, synced=synced, whole=not self._lock.unchanged)
        except BaseException:
            self._lock.close()
            raise
        self._thread = CallThread("store")
        self._readers = Readers(path)
        self._ends: dict[str, int] = {}
        """The number of the last line of each room that was written to."""
        self._recent = 0
        """Lines in the table ``recent``."""

    async def index(self) -> Index:
        """Return everything but the records of rooms."""
        return await self._run(self._index)

    async def load(self, room: str) -> tuple[int, list[str]]:
        """Take over a room: raise its epoch, return that and all its lines. Raises LookupError if there is none."""
        await self._run(lambda: None)  # what was to be committed before is to be seen
        lines, after = list[str](), -1
        while page := await self._read(partial(_page, room, after), inf):
            lines += [line for _, line in page]
            after = page[-1][0]
        return await self._run(partial(self._raise_epoch, room)), lines

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        """Store all writes durably, in order, or none. Returns the ratings that changed by it. Raises NotStored."""
        changed = await self._run(partial(self._commit, writes))
        if self._recent >= MAX_RECENT:
            self._recent = 0
            self._thread.run(self._file_recent)  # later commits wait for it, this one does not
        return changed

    async def release(self, room: str) -> None:
        """Do nothing: there are no other nodes."""

    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        """Return what is stored of identities with one of these names, or names like them, hashed secrets or ids."""
        return await self._read(partial(_known, names, hashes, people), inf)

    def adopt(self, known: Known, who: str) -> None:
        """Do nothing: there are no other nodes."""

    async def take_ticket(self, hash: str) -> None:
        """Return nothing: there are no other nodes."""

    def introduce(self, url: str, peer: str) -> None:
        """Do nothing: there are no other nodes."""

    async def renew(self, rows: str) -> Sightings:
        """Return nothing: there are no other nodes."""
        return Sightings()

    async def match_lines(self, digest: str) -> list[str] | None:
        """Return the log lines of the finished match with this digest."""
        return await self._read(partial(_match_lines, digest))

    async def take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        """Return the webhook to call because it is the turn of ``who`` in ``room``; None: none is to be called."""
        return await self._run(partial(self._take_turn, who, room, turn))

    async def note_call(self, who: str, url: str, fault: str | None) -> None:
        """Note that a webhook was called; ``fault``: what was wrong."""
        await self._run(partial(self._note_call, who, url, fault))

    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        """Remove some old rooms, in one short transaction."""
        pruned = await self._run(lambda: schema.prune(self._db, before, after, most))
        for room in pruned.freed:
            self._ends.pop(room, None)
        return pruned

    async def close(self) -> None:
        """Close the file and release its lock."""
        self._readers.close()
        await self._run(self._db.close)
        self._thread.close()
        self._lock.close(clean=True)

    async def _run(self, call: Callable[[], T]) -> T:
        try:
            return await self._thread.run(call)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    async def _fetch(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        return await self._read(lambda db: db.execute(placed(statement), args).fetchall())

    async def _read(self, call: Callable[[sqlite3.Connection], T], within: float = QUESTION) -> T:
        """Return what ``call`` reads, which no commit waits for. Raises Overdue after ``within`` seconds."""
        try:
            return await self._readers.run(call, within)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    # --- on the store's own thread -----------------------------------------------------------------------

    def _index(self) -> Index:
        rooms = self._db.execute("SELECT code, kept FROM room WHERE open").fetchall()
        listed = self._db.execute(f"SELECT code FROM room WHERE length(code) = {LISTED}")
        contests = self._db.execute("SELECT name, plan, stopped FROM contest").fetchall()
        seats = self._db.execute("SELECT room, who FROM room CROSS JOIN seat ON room = code WHERE open").fetchall()
        few = len(self._db.execute("SELECT 1 FROM identity LIMIT ?", (REMEMBERED + 1,)).fetchall()) <= REMEMBERED
        found = self._db.execute(f"SELECT {_PERSON} FROM identity {'' if few else _HERE}").fetchall()
        if not few:
            needed = {who for _, who in seats} | {who for _, plan, _ in contests for who in results.entrants(plan)}
            found += _people(self._db, "who", needed - {row[0] for row in found})
        ratings = [rating for row in found for rating in self._db.execute(_RATINGS, row[:1])]
        unplayed = self._db.execute(_UNPLAYED, (int(time.time()),)).fetchall()
        tables = self._db.execute("SELECT contest, number, room, result FROM pairing ORDER BY number").fetchall()
        return Index(
            open_rooms=tuple(code for code, _ in rooms),
            kept_rooms=tuple(code for code, kept in rooms if kept),
            codes=tuple(code for (code,) in listed),
            identities=tuple(map(_person, found)),
            seats=tuple(seats),
            ratings=tuple(Rated(*row) for row in ratings),
            contests=tuple(SaveContest(name, plan, bool(stopped)) for name, plan, stopped in contests),
            tables=tuple(SavePairing(*row) for row in tables),
            unplayed=tuple(unplayed),
            complete=few,
            rooms=self._db.execute(_ROOMS).fetchone()[0],
            daily=self._db.execute("SELECT value FROM secret WHERE name = 'daily'").fetchone()[0],
        )

    def _take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        hour = results.this_hour()
        with self._db:
            taken = self._db.execute(_TAKE_TURN, (who, room, turn, hour, results.CALLS)).fetchall()
            if not taken:
                return None
            self._db.execute(placed(sql.FORGET_TURNS), (who,))
            row = self._db.execute(placed(sql.CALL), (who, hour)).fetchone()
        return StoredWebhook(*row)

    def _note_call(self, who: str, url: str, fault: str | None) -> None:
        with self._db:
            if fault is None:
                self._db.execute(placed(sql.DELIVERED), (who, url))
            else:
                self._db.execute(placed(sql.FAILED), (who, url, fault, results.FAULTS))

    def _raise_epoch(self, room: str) -> int:
        """Raise the epoch of a room without a sync, which would make a start with many rooms slow on a slow disk.

        Nothing shows the epoch before a record that names it is stored, and the sync of that commit covers this one.
        """
        [synchronous] = self._db.execute("PRAGMA synchronous").fetchone()
        self._db.execute("PRAGMA synchronous = NORMAL")
        try:
            with self._db:
                row = self._db.execute(
                    "UPDATE room SET epoch = epoch + 1 WHERE code = ? RETURNING epoch", (room,)
                ).fetchone()
        finally:
            self._db.execute(f"PRAGMA synchronous = {synchronous}")
        if row is None:
            raise LookupError(room)
        epoch: int = row[0]
        return epoch

    def _commit(self, writes: Sequence[Write]) -> list[Rated]:
        changed: list[Rated] = []
        lines = [(write.room, write.n, write.line) for write in writes if type(write) is persistence.Append]
        try:
            ends = self._ends_after(lines)
            with self._db:
                crash_point("before-append")
                self._db.executemany("INSERT INTO recent VALUES (?, ?, ?)", lines)
                for write in writes:
                    if type(write) is not persistence.Append:
                        changed += _WRITERS[type(write)](self._db, write) or ()
                crash_point("after-append")
        except sqlite3.Error as error:
            if type(error) is sqlite3.IntegrityError and (taken := self._taken(writes)):
                raise Conflict(rooms=taken) from error
            raise NotStored(f"the database could not store {len(writes)} writes: {error}") from error
        crash_point("after-commit")
        self._ends |= ends
        self._recent += len(lines)
        return changed

    def _ends_after(self, lines: Iterable[tuple[str, int, str]]) -> dict[str, int]:
        """Return the number of each room's last line after ``lines``. Raises IntegrityError for a number in use."""
        ends: dict[str, int] = {}
        for room, n, _ in lines:
            last = ends.get(room, self._ends.get(room))
            if (self._last_line(room) if last is None else last) >= n:
                raise sqlite3.IntegrityError(f"room {room} has a line {n}")
            ends[room] = n
        return ends

    def _last_line(self, room: str) -> int:
        last: int = self._db.execute(_LAST, (room,)).fetchone()[0]
        return last

    def _file_recent(self) -> None:
        with suppress(sqlite3.Error), self._db:  # where they are, the lines are stored just as well
            schema.file_recent(self._db)

    def _taken(self, writes: Sequence[Write]) -> set[str]:
        """Return the codes of new rooms that exist already."""
        opened = [(write.room,) for write in writes if type(write) is persistence.SaveRoom and write.open]
        found = (self._db.execute("SELECT code FROM room WHERE code = ?", code).fetchone() for code in opened)
        return {row[0] for row in found if row is not None}


def _known(names: Sequence[str], hashes: Sequence[str], people: Sequence[str], db: sqlite3.Connection) -> Known:
    alike = {look for name in names for look in looks(name)}
    asked = {"called": {name.lower() for name in names}, "look": alike, "lower_look": alike}
    asked |= {"token": set(hashes), "key": set(hashes), "who": set(people)}
    rows = {row[0]: row for column, values in asked.items() for row in _people(db, column, values)}
    return Known(
        tuple(map(_person, rows.values())),
        unplayed=frozenset(who for who in rows if db.execute(_IS_UNPLAYED, (who,)).fetchone()),
        ratings=tuple(Rated(*row) for who in rows for row in db.execute(_RATINGS, (who,))),
    )


def _people(db: sqlite3.Connection, column: str, values: Iterable[str]) -> list[tuple[Any, ...]]:
    asked = f"SELECT {_PERSON} FROM identity WHERE {column} = ?"
    return [row for value in values for row in db.execute(asked, (value,))]


def _person(row: tuple[Any, ...]) -> SaveIdentity:
    return SaveIdentity(*row[:6], *map(bool, row[6:]))


def _page(room: str, after: int, db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return the next lines of ``room`` after number ``after``."""
    return db.execute(_LINES, (room, after + 1, after + PAGE)).fetchall()


def _match_lines(digest: str, db: sqlite3.Connection) -> list[str] | None:
    span = db.execute(_SPAN, (digest,)).fetchone()
    return (span and [line for _, line in db.execute(_LINES, span)]) or None  # no lines: the room was pruned


def _save_room(db: sqlite3.Connection, write: persistence.SaveRoom) -> None:
    db.execute(
        "INSERT INTO room VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET open = excluded.open",
        (write.room, write.epoch, write.open, write.kept),
    )


def _save_seat(db: sqlite3.Connection, write: persistence.SaveSeat) -> None:
    if write.seated:
        db.execute("INSERT OR IGNORE INTO seat VALUES (?, ?)", (write.room, write.who))
    else:
        db.execute("DELETE FROM seat WHERE room = ? AND who = ?", (write.room, write.who))


def _save_identity(db: sqlite3.Connection, write: SaveIdentity) -> None:
    flags = (write.banned, write.muted, write.house)
    row = (write.who, write.name, write.kind, write.token, write.previous, write.key, *flags)
    db.execute(_SAVE_IDENTITY, (*row, int(time.time()), *schema.called(write.name)))


def _drop_identity(db: sqlite3.Connection, write: persistence.DropIdentity) -> None:
    db.execute("DELETE FROM identity WHERE who = ?", (write.who,))
    for table in ("missed", "preset", "webhook", "notified"):
        db.execute(f"DELETE FROM {table} WHERE who = ?", (write.who,))
    for statement in sql.UNMEET:
        db.execute(placed(statement), (write.who,))
    if write.erased:
        schema.erase(db, write.who)


def _save_match(db: sqlite3.Connection, write: persistence.SaveMatch) -> list[Rated]:
    match = write.match
    ended = int(time.time())
    row = (match.digest, write.room, match.game, match.first, match.last, match.rated, ended)
    db.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    rows = [(match.digest, r.seat, r.who, r.name, r.kind, r.rank, r.score, r.style, r.house) for r in match.rows]
    db.executemany("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return schema.finish(db, match, ended)


def _save_contest(db: sqlite3.Connection, write: persistence.SaveContest) -> None:
    db.execute("INSERT OR REPLACE INTO contest VALUES (?, ?, ?)", (write.name, write.plan, write.stopped))


def _save_pairing(db: sqlite3.Connection, write: persistence.SavePairing) -> None:
    db.execute(
        "INSERT INTO pairing VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET result = excluded.result",
        (write.contest, write.number, write.room, write.result),
    )


def _save_daily(db: sqlite3.Connection, write: persistence.SaveDaily) -> None:
    key = results.profile_key(write.name)
    if write.ms is None:
        row = (write.day, write.board, key, write.who, write.name, write.kind, write.room)
        db.execute("INSERT OR IGNORE INTO daily VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)", row)
    elif results.is_today(write.day):
        db.execute(_DAILY_DONE, (write.ms, write.points, write.day, write.board, key, write.room))


def _save_link(db: sqlite3.Connection, write: persistence.SaveLink) -> None:
    last = db.execute(sql.LAST_LINK).fetchone()
    link = chain.link(last and chain.Link(*last), int(time.time()), write.match, write.over)
    db.execute("INSERT INTO chain VALUES (?, ?, ?, ?, ?)", attrs.astuple(link))


def _save_missed(db: sqlite3.Connection, write: persistence.SaveMissed) -> None:
    db.execute("INSERT OR IGNORE INTO missed VALUES (?, ?)", (write.who, write.digest))


def _drop_missed(db: sqlite3.Connection, write: persistence.DropMissed) -> None:
    db.executemany("DELETE FROM missed WHERE who = ? AND digest = ?", [(write.who, digest) for digest in write.digests])


def _save_preset(db: sqlite3.Connection, write: persistence.SavePreset) -> None:
    key = results.preset_key(write.name)
    db.execute(_SAVE_PRESET, (write.game, key, write.name, write.who, write.by, write.rules))


def _drop_preset(db: sqlite3.Connection, write: persistence.DropPreset) -> None:
    key = results.preset_key(write.name)
    db.execute("DELETE FROM preset WHERE game = ? AND key = ? AND who = ?", (write.game, key, write.who))


def _save_webhook(db: sqlite3.Connection, write: persistence.SaveWebhook) -> None:
    db.execute(_SAVE_WEBHOOK, (write.who, write.url, write.format, write.lang))


def _drop_webhook(db: sqlite3.Connection, write: persistence.DropWebhook) -> None:
    db.execute("DELETE FROM webhook WHERE who = ?", (write.who,))


_WRITERS: dict[type, Callable[[sqlite3.Connection, Any], list[Rated] | None]] = {
    persistence.SaveRoom: _save_room,
    persistence.SaveSeat: _save_seat,
    persistence.SaveIdentity: _save_identity,
    persistence.DropIdentity: _drop_identity,
    persistence.SaveMatch: _save_match,
    persistence.SaveContest: _save_contest,
    persistence.SavePairing: _save_pairing,
    persistence.SaveDaily: _save_daily,
    persistence.SaveLink: _save_link,
    persistence.SaveMissed: _save_missed,
    persistence.DropMissed: _drop_missed,
    persistence.SavePreset: _save_preset,
    persistence.DropPreset: _drop_preset,
    persistence.SaveWebhook: _save_webhook,
    persistence.DropWebhook: _drop_webhook,
    persistence.SaveTicket: lambda db, write: None,
}
