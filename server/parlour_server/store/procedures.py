"""What stores write and read in transactions, as steps.

A store has a subclass of ``Procedures`` for what its database, or having other nodes, makes different.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import attrs

from parlour_games import chain
from parlour_games.statistics import tally
from parlour_protocol.names import looks, skeleton
from parlour_server import persistence
from parlour_server.directory.guests import REMEMBERED
from parlour_server.directory.identities import DELETED
from parlour_server.directory.room_creation import LISTED
from parlour_server.persistence import Index, Known, MatchRow, Pruned, Rated, SaveContest, SaveIdentity, SavePairing
from parlour_server.store import results
from parlour_server.store.base import GIVEN_UP, PRUNE_LINES, PRUNE_ROOMS, Conflict
from parlour_server.store.results import Counted, Rating
from parlour_server.store.sql import LAST_LINK, UNRATED, Row, Steps

_EVEN = "EXISTS (SELECT 1 FROM result AS o WHERE o.digest = r.digest AND NOT o.house AND o.rank <> r.rank)"
"""Whether someone in the match of ``r`` came out better or worse. House bots do not count."""
COUNTS = f"rated AND who <> '' AND NOT r.house AND {_EVEN}"
"""Whether a result ``r`` counts in standings."""
SUMS = "COUNT(*), SUM(CASE WHEN rank = 1 THEN 1 ELSE 0 END), CAST(SUM(score) AS bigint)"
ADD_ROWS = """
INSERT INTO standing (game, name, kind, games, wins, points, style) {rows}
ON CONFLICT (game, name, kind) DO UPDATE SET games = standing.games + excluded.games,
    wins = standing.wins + excluded.wins, points = standing.points + excluded.points,
    style = CASE WHEN excluded.style <> standing.style THEN '' ELSE COALESCE(standing.style, excluded.style) END
"""
_ADD = ADD_ROWS.format(rows="VALUES ($1, $2, $3, $4, $5, $6, $7)")
"""Add a result to a row of the standings: game (empty: of all games), name, kind, 1, wins, points, style."""
RERATE = f"""
UPDATE standing SET rating = COALESCE((
    SELECT MAX(shown) FROM rating WHERE game = $1 AND name = $2 AND kind = $3
), {UNRATED}) WHERE game = $1 AND name = $2 AND kind = $3
"""
"""Show the best rating of those who have this name in the standings of a game."""
_MEET = """
INSERT INTO meeting VALUES ($1, $2, $3, 1) ON CONFLICT (game, one, other) DO UPDATE SET times = meeting.times + 1
"""
PLAYED = "UPDATE identity SET played = TRUE WHERE who = $1 AND NOT played"
OWN_RESULTS = f"""
SELECT game, name, kind, {SUMS} FROM result AS r JOIN match USING (digest) WHERE who = $1 AND {COUNTS}
GROUP BY game, name, kind
"""
"""What an identity has added to standings. This grows with what it has played, as does the removal of its name."""
_TAKE = """
UPDATE standing SET games = games - $4, wins = wins - $5, points = points - $6
WHERE game = $1 AND name = $2 AND kind = $3
"""
_EMPTY = "DELETE FROM standing WHERE game = $1 AND name = $2 AND kind = $3 AND games <= 0"
_OWN_NAMES = "SELECT game, name, kind FROM rating WHERE who = $1"
_BELIEFS = "SELECT who, name, kind, mu, sigma FROM rating WHERE game = $1 AND who = ANY($2)"
_RATE = """
INSERT INTO rating (who, game, name, kind, mu, sigma, shown{column}) VALUES ($1, $2, $3, $4, $5, $6, $7{value})
ON CONFLICT (who, game) DO UPDATE SET name = $3, kind = $4, mu = $5, sigma = $6, shown = $7{stamp}
"""
_PROFILES = "SELECT key, tally FROM profile WHERE game = $1 AND key = ANY($2)"
_COUNT = """
INSERT INTO profile VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (key, game) DO UPDATE SET who = $3, name = $4, kind = $5, tally = $6
"""
_SIT = "INSERT INTO seat VALUES ($1, $2) ON CONFLICT DO NOTHING"
_RISE = "DELETE FROM seat WHERE room = $1 AND who = $2"
_MATCH = "INSERT INTO match VALUES ($1, $2, $3, $4, $5, $6, $7)"
_RESULT = """
INSERT INTO result (digest, seat, who, name, kind, rank, score, style, house)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
CONTEST = """
INSERT INTO contest (name, plan, stopped{column}) VALUES ($1, $2, $3{value})
ON CONFLICT (name) DO UPDATE SET plan = $2, stopped = $3{stamp} RETURNING name
"""
_PAIRING = """
INSERT INTO pairing (contest, number, room, result{column}) VALUES ($1, $2, $3, $4{value})
ON CONFLICT (contest, number) DO UPDATE SET result = $4{stamp} WHERE pairing.result IS NULL AND {over} RETURNING contest
"""
"""A pairing begins once, and the first of several results counts."""
_PLANS = "SELECT name, plan FROM contest WHERE plan LIKE '%' || CAST($1 AS text) || '%'{locked}"
_PLAN = "UPDATE contest SET plan = $2{stamp} WHERE name = $1"
_DAY_BEGUN = """
INSERT INTO daily (day, board, key, who, name, kind, room) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
"""
_DAY_DONE = """
UPDATE daily SET ms = $1, points = $2 WHERE day = $3 AND board = $4 AND key = $5 AND room = $6 AND ms IS NULL
"""
_LINK = "INSERT INTO chain VALUES ($1, $2, $3, $4, $5)"
_MISS = "INSERT INTO missed VALUES ($1, $2) ON CONFLICT DO NOTHING"
_SEE = "DELETE FROM missed WHERE who = $1 AND digest = ANY($2)"
_SAVE_PRESET = f"""
INSERT INTO preset SELECT $1, $2, $3, $4, $5, $6
WHERE EXISTS (SELECT 1 FROM preset WHERE game = $1 AND key = $2) OR (
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
_OF_PEOPLE = (
    *((table, "who") for table in ("missed", "preset", "webhook", "notified")),
    ("meeting", "one"),
    ("meeting", "other"),
)
GONE = tuple(
    f"DELETE FROM {table} WHERE {who} = ANY($1) AND NOT EXISTS (SELECT 1 FROM identity WHERE who = {table}.{who})"
    for table, who in _OF_PEOPLE
)
"""Drop what belongs to those of $1 who do not exist any more."""
RATINGS = "SELECT who, game, shown FROM rating WHERE who = ANY($1)"
ROOMS = "SELECT count(*) FROM room"
FEW = "SELECT 1 FROM identity LIMIT $1"
_LISTED = f"SELECT code FROM room WHERE length(code) = {LISTED}"
_SEATS = "SELECT room, who FROM seat WHERE room IN (SELECT code FROM room WHERE open)"
PERSON = ", ".join(SaveIdentity.__struct_fields__)
UNPLAYED = "NOT played AND NOT house"
_OLD_ROOMS = """
SELECT code, NOT open AND NOT EXISTS (SELECT 1 FROM match WHERE match.room = room.code AND ended >= $1)
    AND COALESCE((SELECT line FROM {log} WHERE {log}.room = room.code ORDER BY {n} DESC LIMIT 1), '') NOT LIKE $4
FROM room WHERE code > $2 ORDER BY code LIMIT $3
"""
_LAST_LINES = """
DELETE FROM {log} WHERE room = $1 AND {n} IN (SELECT {n} FROM {log} WHERE room = $1 ORDER BY {n} DESC LIMIT $2)
RETURNING {n}
"""
_WITHOUT_FILE = "UPDATE match SET last = -1 WHERE room = $1"


class Procedures:
    """The procedures of a store that has no other nodes."""

    lines: ClassVar[dict[str, str]] = {"log": "record", "n": "n"}
    """The table of lines, and its column of numbers."""
    locked: ClassVar[str] = ""
    """Locks the rows that are read."""
    known_people: str
    """Reads identities by what they are called ($1), what that looks like ($2), secrets ($3) and ids ($4).

    A row is PERSON, and whether it is UNPLAYED, its version, whether it is at another node, and its open rooms.
    """
    is_free: ClassVar[str] = "TRUE"
    """Whether no living node owns a room."""
    here: ClassVar[str]
    """Which identities a server remembers from its start on."""

    def __init__(self, column: str = "", value: str = "", stamp: str = "") -> None:
        """``column``, ``value`` and ``stamp`` note who has written a row."""
        stamps = {"column": column, "value": value, "stamp": stamp}
        self._rate, self.contest, self._plan = (each.format(**stamps) for each in (_RATE, CONTEST, _PLAN))
        self._pairing_begins, self._pairing_ends = (_PAIRING.format(**stamps, over=over) for over in ("FALSE", "TRUE"))
        self.old_rooms, self._last_lines = _OLD_ROOMS.format(**self.lines), _LAST_LINES.format(**self.lines)
        self.writers: dict[type, Callable[[Any], Steps[Any]]] = {
            persistence.SaveMatch: self._save_match,
            persistence.SaveContest: self._save_contest,
            persistence.SavePairing: self._save_pairing,
            persistence.SaveDaily: self._save_daily,
            persistence.SaveMissed: lambda it: step(_MISS, it.who, it.digest),
            persistence.DropMissed: lambda it: step(_SEE, it.who, list(it.digests)),
            persistence.SavePreset: lambda it: step(_SAVE_PRESET, *_preset(it), it.name, it.who, it.by, it.rules),
            persistence.DropPreset: lambda it: step(_DROP_PRESET, *_preset(it), it.who),
            persistence.SaveWebhook: lambda it: step(_SAVE_WEBHOOK, it.who, it.url, it.format, it.lang),
            persistence.DropWebhook: lambda it: step(_DROP_WEBHOOK, it.who),
        }
        """The steps of each write. Those of a match return the ratings that it has changed."""

    # --- what a subclass may say differently ---------------------------------------------------------------------

    def lock_ratings(self) -> Steps[None]:
        """Keep other nodes from changing ratings and standings until the end of the transaction."""
        yield from ()

    def lock_chain(self) -> Steps[None]:
        """Keep other nodes from adding to the chain until the end of the transaction."""
        yield from ()

    def named(self, rows: Sequence[MatchRow]) -> Steps[Sequence[MatchRow]]:
        """Return the rows of a match without names that were erased meanwhile."""
        yield from ()
        return rows

    def people(self, which: str, *args: Any) -> Steps[list[Row]]:
        """Return those that are ``which``: PERSON, whether it is UNPLAYED, for how many ms nothing was stored."""
        raise NotImplementedError

    # --- reading ---------------------------------------------------------------------------------------------------

    def index(self) -> Steps[Index]:
        """Return what is needed at the start."""
        rooms: list[Row] = yield f"SELECT code, kept FROM room WHERE open AND {self.is_free}", ()
        listed = yield _LISTED, ()
        contests = yield "SELECT name, plan, stopped FROM contest", ()
        seats = yield _SEATS, ()
        few = len((yield FEW, (REMEMBERED + 1,))) <= REMEMBERED
        found = yield from self.people("TRUE" if few else self.here)
        needed = {who for _, who in seats} | {who for _, plan, _ in contests for who in results.entrants(plan)}
        if not few:
            found += yield from self.people("who = ANY($1)", sorted(needed - {row[0] for row in found}))
        ratings = yield RATINGS, (sorted(needed | {row[0] for row in found}),)
        tables = yield "SELECT contest, number, room, result FROM pairing ORDER BY number", ()
        [[count]] = yield ROOMS, ()
        [[daily]] = yield "SELECT value FROM secret WHERE name = 'daily'", ()
        return Index(
            open_rooms=tuple(code for code, _ in rooms),
            kept_rooms=tuple(code for code, kept in rooms if kept),
            codes=tuple(code for (code,) in listed),
            identities=tuple(map(_person, found)),
            seats=tuple((room, who) for room, who in seats),
            ratings=tuple(Rated(*row) for row in ratings),
            contests=tuple(SaveContest(name, plan, bool(stopped)) for name, plan, stopped in contests),
            tables=tuple(SavePairing(*row) for row in tables),
            daily=daily,
            unplayed=tuple((row[0], row[10]) for row in found if row[9]),
            complete=few,
            rooms=count,
        )

    def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str]) -> Steps[Known]:
        """Return what is stored of identities with one of these hashed secrets or ids, or a name like one of these."""
        alike = [look for name in names for look in looks(name)]
        rows = yield self.known_people, ([name.lower() for name in names], alike, list(hashes), list(people))
        ratings = (yield RATINGS, ([row[0] for row in rows],)) if rows else []
        return Known(
            tuple(map(_person, rows)),
            {row[0]: row[10] for row in rows},
            tuple((room, row[0]) for row in rows for room in row[12] or ()),
            frozenset(row[0] for row in rows if row[11]),
            frozenset(row[0] for row in rows if row[9]),
            tuple(Rated(*row) for row in ratings),
        )

    # --- finished matches ------------------------------------------------------------------------------------------

    def rate(self, game: str, players: Sequence[results.Player]) -> Steps[tuple[list[Rated], set[tuple[str, str]]]]:
        """Update the ratings of the participants of a match.

        Returns those that changed, and under which names and kinds the participants were rated so far.
        """
        rows = yield _BELIEFS, (game, [who for who, *_ in players])
        changed = results.rate(game, players, {who: Rating(mu, sigma) for who, _, _, mu, sigma in rows})
        yield self._rate, [new.row() for new in changed]
        return [new.rated() for new in changed], {(name, kind) for _, name, kind, *_ in rows}

    @staticmethod
    def count(game: str, rows: Sequence[Counted]) -> Steps[None]:
        """Add a finished match to the profiles of its players."""
        stored: dict[str, str] = dict((yield _PROFILES, (game, [row.key for row in rows])))
        changed: list[Row] = []
        for row in rows:
            found = tally(stored.get(row.key))
            found.add(row.finish)
            stored[row.key] = found.text()
            changed.append((row.key, game, row.who, row.name, row.kind, stored[row.key]))
        yield _COUNT, changed

    def _save_match(self, write: persistence.SaveMatch) -> Steps[list[Rated]]:
        match, ended = write.match, int(time.time())
        game = match.game
        yield _MATCH, (match.digest, write.room, game, match.first, match.last, match.rated, ended)
        rows = yield from self.named(match.rows)
        stored = [(match.digest, r.seat, r.who, r.name, r.kind, r.rank, r.score, r.style, r.house) for r in rows]
        yield _RESULT, stored
        yield PLAYED, sorted((row.who,) for row in rows if row.who)
        if not match.rated:
            return []
        yield from self.lock_ratings()
        yield from self.count(game, results.counted(match, rows, ended))
        yield _MEET, results.meetings(match, rows)
        standings = results.standing_rows(match, rows)
        if not standings:
            return []
        changed, names = yield from self.rate(game, results.players(rows))
        yield _ADD, standings
        yield RERATE, [(game, *each) for each in names | {(row.name, row.kind) for row in rows}]
        return changed

    # --- identities ------------------------------------------------------------------------------------------------

    def seat(self, seats: Iterable[tuple[str, str]], seated: bool) -> Steps[None]:
        """Note who sits in which room (room, who), or no longer does."""
        yield _SIT if seated else _RISE, list(seats)

    def drop_rows(self, people: Sequence[str]) -> Steps[None]:
        """Drop what belongs to those of ``people`` who do not exist any more."""
        for statement in GONE:
            yield statement, (list(people),)

    def erase(self, who: str) -> Steps[None]:
        """Remove an identity's name from results, standings and contests, its ratings and its profile."""
        yield from self.lock_ratings()
        took = yield OWN_RESULTS, (who,)
        rows: list[Row] = [(each, *rest) for game, *rest in took for each in (game, "")]
        yield _TAKE, rows
        yield _EMPTY, [row[:3] for row in rows]
        rated = yield _OWN_NAMES, (who,)
        yield "UPDATE result SET who = '', name = $2 WHERE who = $1", (who, DELETED)
        for table in ("rating", "profile", "daily"):
            yield f"DELETE FROM {table} WHERE who = $1", (who,)
        yield RERATE, [tuple(row) for row in rated]
        yield from self.drop_rows([who])
        for name, plan in (yield _PLANS.format(locked=self.locked), (who,)):
            yield self._plan, (name, results.plan_without(plan, who))

    # --- the rest --------------------------------------------------------------------------------------------------

    def _save_contest(self, write: SaveContest) -> Steps[None]:
        if not (yield self.contest, (write.name, write.plan, write.stopped)):
            raise Conflict(contests=[write.name])

    def _save_pairing(self, write: SavePairing) -> Steps[None]:
        row = (write.contest, write.number, write.room, write.result)
        if write.result is not None:
            yield self._pairing_ends, row
        elif not (yield self._pairing_begins, row):
            raise Conflict(contests=[write.contest])

    def _save_daily(self, write: persistence.SaveDaily) -> Steps[None]:
        key = results.profile_key(write.name)
        if write.ms is None:
            yield _DAY_BEGUN, (write.day, write.board, key, write.who, write.name, write.kind, write.room)
        elif results.is_today(write.day):
            yield _DAY_DONE, (write.ms, write.points, write.day, write.board, key, write.room)

    def add_links(self, links: Iterable[persistence.SaveLink]) -> Steps[None]:
        """Add links to the chain."""
        yield from self.lock_chain()
        row = yield LAST_LINK, ()
        last = chain.Link(*row[0]) if row else None
        added = [last := chain.link(last, int(time.time()), link.match, link.over) for link in links]
        yield _LINK, [attrs.astuple(link) for link in added]

    def prune(self, before: int, after: str, most: int) -> Steps[Pruned]:
        """Remove up to ``most`` of the next rooms after ``after`` that are closed and had no match since ``before``."""
        freed: list[str] = []
        rooms = yield self.old_rooms, (before, after, PRUNE_ROOMS, GIVEN_UP)
        left, more = PRUNE_LINES, True
        for code, old in rooms:
            if old:
                if len(freed) == most:
                    break
                yield _WITHOUT_FILE, (code,)  # even if its code is used again
                left -= len((yield self._last_lines, (code, left)))
                if left <= 0:  # it may have more lines
                    break
                freed.append(code)
            after = code
        else:
            more = len(rooms) == PRUNE_ROOMS
        yield "DELETE FROM seat WHERE room = ANY($1)", (freed,)
        yield "DELETE FROM room WHERE code = ANY($1)", (freed,)
        return Pruned(tuple(freed), after if more else None)


def step(statement: str, *args: Any) -> Steps[None]:
    """Run one statement."""
    yield statement, args


def called(name: str) -> tuple[str, str, str]:
    """Return what an identity is found by, besides its secrets: its name in lowercase, and what both look like."""
    lower = name.lower()
    return lower, skeleton(name), skeleton(lower)


def _preset(write: persistence.SavePreset | persistence.DropPreset) -> tuple[str, str]:
    return write.game, results.preset_key(write.name)


def _person(row: Row) -> SaveIdentity:
    return SaveIdentity(*row[:6], *map(bool, row[6:9]))
