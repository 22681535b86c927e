"""The store of one server: one SQLite file, one thread, every commit synced to disk before it is reported.

The file is held by one server at a time: ``FILE.lock`` carries a lock that ends with the process, and its pid.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import attrs

from parlour_games import chain
from parlour_games.game import Best
from parlour_protocol.messages import (
    ChainLink,
    DailyRow,
    Kind,
    MissedRow,
    OwnDaily,
    PresetRow,
    ProfileRow,
    StandingsRow,
)
from parlour_server import persistence
from parlour_server.persistence import (
    Index,
    Known,
    Meeting,
    Pruned,
    Rated,
    SaveContest,
    SaveIdentity,
    SavePairing,
    Sightings,
    StoredWebhook,
    Write,
)
from parlour_server.store import results
from parlour_server.store.base import PAGE, Conflict, NotStored, RatedMatch, StoreError
from parlour_server.store.sqlite import pruning, schema
from parlour_server.store.sqlite.file import open_file, take_lock
from parlour_server.store.sqlite.thread import CallThread
from parlour_server.system.crash_points import reach

T = TypeVar("T")

MAX_RECENT = 5_000
"""Lines after which those of the table ``recent`` are moved to their rooms."""
_UNPLAYED = """
SELECT who, max(0, ? - saved) * 1000 FROM identity
WHERE NOT house AND who NOT IN (SELECT who FROM result)
"""
_STANDINGS = """
SELECT name, kind, COUNT(*), SUM(rank = 1), SUM(score),
    (SELECT MAX(shown) FROM rating WHERE rating.game = ?1 AND rating.name = r.name AND rating.kind = r.kind),
    CASE WHEN MIN(style) = MAX(style) THEN MIN(style) END
FROM result AS r JOIN match USING (digest)
WHERE rated AND who <> '' AND NOT house AND (?1 IS NULL OR game = ?1)
AND EXISTS (SELECT 1 FROM result AS o WHERE o.digest = r.digest AND NOT o.house AND o.rank <> r.rank)
GROUP BY name, kind ORDER BY 6 DESC, 4 DESC, 5 DESC, 1 LIMIT ?2 OFFSET ?3
"""


_RATED_MATCHES = """
SELECT digest, ended, CASE WHEN house THEN '' ELSE who END, name, kind, style, rank, score FROM (
    SELECT digest, ended FROM match WHERE rated AND game = ?1 AND digest > ?2 ORDER BY digest LIMIT ?3
) JOIN result USING (digest) ORDER BY digest, seat
"""
_MEETINGS = """
SELECT one.who, other.who, COUNT(*) FROM match
JOIN result AS one ON one.digest = match.digest AND one.seat = 0
JOIN result AS other ON other.digest = match.digest AND other.seat = 1
WHERE rated AND game = ? AND one.who <> '' AND other.who <> '' AND NOT one.house AND NOT other.house
AND NOT EXISTS (SELECT 1 FROM result WHERE result.digest = match.digest AND seat = 2)
GROUP BY one.who, other.who ORDER BY 1, 2
"""
_PROFILE = """
SELECT name, kind, game, tally, (SELECT shown FROM rating WHERE rating.who = p.who AND rating.game = p.game)
FROM profile AS p WHERE key = ? ORDER BY game
"""


_DAILY_ROWS = """
SELECT name, kind, ms, points FROM daily WHERE day = ? AND board = ? AND ms IS NOT NULL ORDER BY {order}, name LIMIT 100
"""
_DAILY_DONE = """
UPDATE daily SET ms = ?, points = ? WHERE day = ? AND board = ? AND key = ? AND room = ? AND ms IS NULL
"""
_CHAIN = "SELECT n, at, match, over, hash FROM chain WHERE n > ? ORDER BY n LIMIT ?"
_LAST_LINK = "SELECT n, at, match, over, hash FROM chain ORDER BY n DESC LIMIT 1"
_MISSED = """
SELECT digest, room, game, ended, rated, result.who, name, rank FROM (
    SELECT digest, room, game, ended, rated FROM missed JOIN match USING (digest) WHERE missed.who = ?
    ORDER BY ended DESC, digest LIMIT ?
) JOIN result USING (digest) ORDER BY ended DESC, digest, rank, seat
"""
_PRESETS = """
SELECT game, name, who, by, rules FROM preset WHERE ?1 IS NULL OR game = ?1 ORDER BY game, key
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
_CALL = """
UPDATE webhook SET calls = CASE WHEN hour = ?2 THEN calls + 1 ELSE 1 END, hour = ?2
WHERE who = ?1 RETURNING url, format, lang
"""
_FORGET_TURNS = "DELETE FROM notified WHERE who = ? AND room NOT IN (SELECT code FROM room WHERE open)"
_DELIVERED = "UPDATE webhook SET faults = 0, off = NULL WHERE who = ? AND url = ?"
_FAILED = """
UPDATE webhook SET faults = faults + 1, off = CASE WHEN faults + 1 >= ?4 THEN ?3 ELSE off END
WHERE who = ?1 AND url = ?2
"""
_OWN_DAILY = "SELECT ms, points FROM daily WHERE day = ? AND board = ? AND key = ?"
_CLEARED = """
SELECT day FROM daily WHERE key = ? AND board = ? AND day <= ? AND ms IS NOT NULL ORDER BY day DESC LIMIT 1000
"""


class SqliteStore:
    """One file. ``synced`` False leaves the syncing to the operating system (for benchmarks only)."""

    shared = False

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        self._lock = take_lock(path)
        try:
            self._db = open_file(path, synced=synced)
        except BaseException:
            self._lock.close()
            raise
        self.commit_seconds = 0.0
        self._thread = CallThread("store")
        self._ends: dict[str, int] = {}
        """The number of the last line of each room that was written to."""
        self._recent = 0
        """Lines in the table ``recent``."""

    async def index(self) -> Index:
        """Return everything but the records of rooms."""
        return await self._run(self._index)

    async def load(self, room: str) -> tuple[int, list[str]]:
        """Take over a room: raise its epoch, return that and all its lines. Raises LookupError if there is none."""
        lines, after = list[str](), -1
        while page := await self._run(partial(self._page, room, after)):  # commits get their turn in between
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
        """Return nothing: the memory of the server is complete."""
        return Known()

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
        return await self._run(partial(self._match_lines, digest))

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, best first. ``after`` is a count of rows."""
        start = results.first_row(after)
        rows = await self._run(lambda: self._db.execute(_STANDINGS, (game, limit + 1, start)).fetchall())
        return [results.standing(*row) for row in rows[:limit]], str(start + limit) if len(rows) > limit else None

    async def rated(self, game: str, after: str) -> tuple[list[RatedMatch], str | None]:
        """Return some rated matches of a game, and the ``after`` of the next ones."""
        asked = (game, after, results.RATED_PAGE)
        return results.rated(await self._run(lambda: self._db.execute(_RATED_MATCHES, asked).fetchall()))

    async def meetings(self, game: str) -> list[Meeting]:
        """Return which two met in rated matches of a game for two, each pair and order of seats once."""
        return await self._run(lambda: self._db.execute(_MEETINGS, (game,)).fetchall())

    async def profile(self, name: str) -> tuple[str, Kind, list[ProfileRow]] | None:
        """Return a name as it was shown last, its kind, and what it has done by game; None: it has finished nothing."""
        rows = await self._run(lambda: self._db.execute(_PROFILE, (results.profile_key(name),)).fetchall())
        now = int(time.time())
        games = [results.profile_row(game, text, rating, now) for _, _, game, text, rating in rows]
        return (rows[-1][0], rows[-1][1], games) if rows else None

    async def daily(self, day: str, board: str, name: str, best: Best = "time") -> tuple[list[DailyRow], OwnDaily]:
        """Return the best results of a day's board, and what ``name`` has done with it."""
        return await self._run(partial(self._daily, day, board, results.profile_key(name), best))

    async def chain(self, after: int, limit: int) -> list[ChainLink]:
        """Return links of the public chain, from number ``after`` + 1 on."""
        rows = await self._run(lambda: self._db.execute(_CHAIN, (after, limit)).fetchall())
        return [results.chain_link(*row) for row in rows]

    async def presets(self, game: str | None, who: str) -> list[PresetRow]:
        """Return the presets of ``game``, or of all, by game and name. Those that ``who`` has saved are ``mine``."""
        rows = await self._run(lambda: self._db.execute(_PRESETS, (game,)).fetchall())
        return [results.preset(row, who) for row in rows]

    async def webhook(self, who: str) -> StoredWebhook | None:
        """Return the webhook of ``who``."""
        asked = "SELECT url, format, lang, off FROM webhook WHERE who = ?"
        row = await self._run(lambda: self._db.execute(asked, (who,)).fetchone())
        return None if row is None else StoredWebhook(*row)

    async def take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        """Return the webhook to call because it is the turn of ``who`` in ``room``; None: none is to be called."""
        return await self._run(partial(self._take_turn, who, room, turn))

    async def note_call(self, who: str, url: str, fault: str | None) -> None:
        """Note that a webhook was called; ``fault``: what was wrong."""
        await self._run(partial(self._note_call, who, url, fault))

    async def missed(self, who: str) -> list[MissedRow]:
        """Return the last matches that ended while ``who`` was away, the latest first."""
        rows = await self._run(lambda: self._db.execute(_MISSED, (who, results.MISSED)).fetchall())
        return results.missed(rows, who, int(time.time()))

    async def prune(self, before: int, after: str) -> Pruned:
        """Remove some old rooms, in one short transaction."""
        pruned = await self._run(lambda: pruning.prune(self._db, before, after))
        for room in pruned.freed:
            self._ends.pop(room, None)
        return pruned

    async def close(self) -> None:
        """Close the file and release its lock."""
        await self._run(self._db.close)
        self._thread.close()
        self._lock.close()

    async def _run(self, call: Callable[[], T]) -> T:
        try:
            return await self._thread.run(call)
        except sqlite3.Error as error:
            raise StoreError(f"the database failed: {error}") from error

    # --- on the store's own thread -----------------------------------------------------------------------

    def _index(self) -> Index:
        rooms = self._db.execute("SELECT code, open, kept FROM room").fetchall()
        identities = self._db.execute(
            "SELECT who, name, kind, token, previous, key, banned, muted, house FROM identity"
        ).fetchall()
        unplayed = self._db.execute(_UNPLAYED, (int(time.time()),)).fetchall()
        contests = self._db.execute("SELECT name, plan, stopped FROM contest").fetchall()
        tables = self._db.execute("SELECT contest, number, room, result FROM pairing ORDER BY number").fetchall()
        seats = self._db.execute("SELECT room, who FROM seat").fetchall()
        return Index(
            open_rooms=tuple(code for code, is_open, _ in rooms if is_open),
            kept_rooms=tuple(code for code, is_open, kept in rooms if is_open and kept),
            codes=tuple(code for code, _, _ in rooms),
            identities=tuple(SaveIdentity(*row[:6], *map(bool, row[6:])) for row in identities),
            seats=tuple(seats),
            ratings=tuple(Rated(*row) for row in self._db.execute("SELECT who, game, shown FROM rating")),
            contests=tuple(SaveContest(name, plan, bool(stopped)) for name, plan, stopped in contests),
            tables=tuple(SavePairing(*row) for row in tables),
            unplayed=tuple(unplayed),
            daily=self._db.execute("SELECT value FROM secret WHERE name = 'daily'").fetchone()[0],
        )

    def _daily(self, day: str, board: str, key: str, best: Best) -> tuple[list[DailyRow], OwnDaily]:
        rows = self._db.execute(_DAILY_ROWS.format(order=results.DAILY_ORDER[best]), (day, board)).fetchall()
        mine = self._db.execute(_OWN_DAILY, (day, board, key)).fetchall()
        cleared = self._db.execute(_CLEARED, (key, board, day))
        own = results.own_daily(day, mine, [each for (each,) in cleared])
        return [results.daily_row(*row) for row in rows], own

    def _take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        hour = results.this_hour()
        with self._db:
            taken = self._db.execute(_TAKE_TURN, (who, room, turn, hour, results.CALLS)).fetchall()
            if not taken:
                return None
            self._db.execute(_FORGET_TURNS, (who,))
            row = self._db.execute(_CALL, (who, hour)).fetchone()
        return StoredWebhook(*row)

    def _note_call(self, who: str, url: str, fault: str | None) -> None:
        with self._db:
            if fault is None:
                self._db.execute(_DELIVERED, (who, url))
            else:
                self._db.execute(_FAILED, (who, url, fault, results.FAULTS))

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

    def _page(self, room: str, after: int) -> list[tuple[int, str]]:
        """Return the next lines of ``room`` after number ``after``."""
        asked = "SELECT n, line FROM log WHERE room = ? AND n > ? ORDER BY n LIMIT ?"
        return self._db.execute(asked, (room, after, PAGE)).fetchall()

    def _commit(self, writes: Sequence[Write]) -> list[Rated]:
        began = time.monotonic()
        try:
            return self._store(writes)
        finally:
            self.commit_seconds += time.monotonic() - began

    def _store(self, writes: Sequence[Write]) -> list[Rated]:
        changed: list[Rated] = []
        lines = [(write.room, write.n, write.line) for write in writes if type(write) is persistence.Append]
        try:
            ends = self._ends_after(lines)
            with self._db:
                reach("before-append")
                self._db.executemany("INSERT INTO recent VALUES (?, ?, ?)", lines)
                for write in writes:
                    if type(write) is not persistence.Append:
                        changed += _WRITERS[type(write)](self._db, write) or ()
                reach("after-append")
        except sqlite3.Error as error:
            if type(error) is sqlite3.IntegrityError and (taken := self._taken(writes)):
                raise Conflict(rooms=taken) from error
            raise NotStored(f"the database could not store {len(writes)} writes: {error}") from error
        reach("after-commit")
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
        row = self._db.execute("SELECT n FROM log WHERE room = ? ORDER BY n DESC LIMIT 1", (room,)).fetchone()
        return -1 if row is None else row[0]

    def _file_recent(self) -> None:
        with suppress(sqlite3.Error), self._db:  # where they are, the lines are stored just as well
            schema.file_recent(self._db)

    def _taken(self, writes: Sequence[Write]) -> set[str]:
        """Return the codes of new rooms that exist already."""
        opened = [(write.room,) for write in writes if type(write) is persistence.SaveRoom and write.open]
        found = (self._db.execute("SELECT code FROM room WHERE code = ?", code).fetchone() for code in opened)
        return {row[0] for row in found if row is not None}

    def _match_lines(self, digest: str) -> list[str] | None:
        match = self._db.execute("SELECT room, first, last FROM match WHERE digest = ?", (digest,)).fetchone()
        if match is None:
            return None
        rows = self._db.execute("SELECT line FROM log WHERE room = ? AND n BETWEEN ? AND ? ORDER BY n", match)
        return [line for (line,) in rows] or None  # no lines: the room was pruned


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
    row = (write.who, write.name, write.kind, write.token, write.previous, write.key)
    flags = (write.banned, write.muted, write.house)
    db.execute(
        "INSERT OR REPLACE INTO identity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, *flags, int(time.time()))
    )


def _drop_identity(db: sqlite3.Connection, write: persistence.DropIdentity) -> None:
    db.execute("DELETE FROM identity WHERE who = ?", (write.who,))
    for table in ("missed", "preset", "webhook", "notified"):
        db.execute(f"DELETE FROM {table} WHERE who = ?", (write.who,))
    if write.erased:
        schema.erase(db, write.who)


def _save_match(db: sqlite3.Connection, write: persistence.SaveMatch) -> list[Rated]:
    match = write.match
    ended = int(time.time())
    row = (match.digest, write.room, match.game, match.first, match.last, match.rated, ended)
    db.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    rows = [(match.digest, r.seat, r.who, r.name, r.kind, r.rank, r.score, r.style, r.house) for r in match.rows]
    db.executemany("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    schema.count(db, match.game, results.counted(match, match.rows, ended))
    return schema.rate(db, match.game, results.players(match.rows)) if match.rated else []


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
    last = db.execute(_LAST_LINK).fetchone()
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
