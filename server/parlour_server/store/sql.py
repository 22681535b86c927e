"""The SQL that SQLite and PostgreSQL share.

Parameters are ``$1``, ``$2`` …. The text that is ordered here is ordered by code points in both. The time of each
statement follows what it returns, not what is stored: the rows of ``standing`` and ``meeting`` are kept up to date by
the commit that ends a match, and each order that is shown has an index.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any

import structlog

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
from parlour_server.persistence import MatchFinished, Meeting, StoredWebhook
from parlour_server.store import results
from parlour_server.store.base import LATEST, Before, RatedMatch

UNRATED = -(2**31)
"""The rating in standings of those who have none, below all others."""
_TOP = 2**31 - 1, 2**31 - 1, 2**62
"""Rating, wins and points above all others."""
_EVEN = "EXISTS (SELECT 1 FROM result AS o WHERE o.digest = r.digest AND NOT o.house AND o.rank <> r.rank)"
"""Whether someone in the match of ``r`` came out better or worse. House bots do not count."""
_COUNTS = f"rated AND who <> '' AND NOT r.house AND {_EVEN}"
"""Whether a result ``r`` counts in standings."""
_SUMS = "COUNT(*), SUM(CASE WHEN rank = 1 THEN 1 ELSE 0 END), CAST(SUM(score) AS bigint)"
_STYLE = "CASE WHEN MIN(style) <> MAX(style) THEN '' ELSE MIN(style) END"
"""The style of several rows: empty if there are several."""
_ADD = """
INSERT INTO standing (game, name, kind, games, wins, points, style) {rows}
ON CONFLICT (game, name, kind) DO UPDATE SET games = standing.games + excluded.games,
    wins = standing.wins + excluded.wins, points = standing.points + excluded.points,
    style = CASE WHEN excluded.style <> standing.style THEN '' ELSE COALESCE(standing.style, excluded.style) END
"""
ADD = _ADD.format(rows="VALUES ($1, $2, $3, $4, $5, $6, $7)")
"""Add a result to a row of the standings: game (empty: of all games), name, kind, 1, wins, points, style."""
_RERATE = f"""
UPDATE standing SET rating = COALESCE((
    SELECT MAX(shown) FROM rating
    WHERE rating.game = standing.game AND rating.name = standing.name AND rating.kind = standing.kind
), {UNRATED}) WHERE"""
RERATE = f"{_RERATE} game = $1 AND name = $2 AND kind = $3"
"""Show the best rating of those who have this name in the standings of a game."""
MEET = """
INSERT INTO meeting VALUES ($1, $2, $3, 1) ON CONFLICT (game, one, other) DO UPDATE SET times = meeting.times + 1
"""
UNMEET = "DELETE FROM meeting WHERE one = $1", "DELETE FROM meeting WHERE other = $1"
PLAYED = "UPDATE identity SET played = TRUE WHERE who = $1 AND NOT played"
OWN_RESULTS = f"""
SELECT game, name, kind, {_SUMS} FROM result AS r JOIN match USING (digest) WHERE who = $1 AND {_COUNTS}
GROUP BY game, name, kind
"""
"""What an identity has added to standings. This grows with what it has played, as does the removal of its name."""
TAKE = """
UPDATE standing SET games = games - $4, wins = wins - $5, points = points - $6
WHERE game = $1 AND name = $2 AND kind = $3
"""
EMPTY = "DELETE FROM standing WHERE game = $1 AND name = $2 AND kind = $3 AND games <= 0"
FILL = (
    _ADD.format(
        rows=f"""SELECT game, name, kind, {_SUMS}, {_STYLE} FROM match JOIN result AS r USING (digest)
        WHERE match.digest >= $1 AND match.digest < $2 AND {_COUNTS} GROUP BY game, name, kind"""
    ),
    """
INSERT INTO meeting SELECT game, one.who, other.who, COUNT(*) FROM match
JOIN result AS one ON one.digest = match.digest AND one.seat = 0
JOIN result AS other ON other.digest = match.digest AND other.seat = 1
WHERE match.digest >= $1 AND match.digest < $2 AND rated
AND one.kind = 'bot' AND one.who <> '' AND NOT one.house AND other.kind = 'bot' AND other.who <> '' AND NOT other.house
AND NOT EXISTS (SELECT 1 FROM result WHERE result.digest = match.digest AND seat = 2)
GROUP BY game, one.who, other.who ON CONFLICT (game, one, other) DO UPDATE SET times = meeting.times + excluded.times
""",
)
"""Count the matches with digests from $1 to before $2 that were played before these rows existed."""
FILLED = (
    f"""
INSERT INTO standing (game, name, kind, games, wins, points, style)
SELECT '', name, kind, SUM(games), SUM(wins), CAST(SUM(points) AS bigint), {_STYLE} FROM standing GROUP BY name, kind
""",
    f"{_RERATE} game <> ''",
    """
DELETE FROM meeting WHERE NOT EXISTS (SELECT 1 FROM identity WHERE who = one)
OR NOT EXISTS (SELECT 1 FROM identity WHERE who = other)
""",
    "UPDATE identity SET played = TRUE WHERE EXISTS (SELECT 1 FROM result WHERE result.who = identity.who)",
)
"""What follows when all are counted."""

_STANDING = "SELECT name, kind, games, wins, points, rating, style FROM standing"
LEVEL = f"""
{_STANDING} WHERE game = $1 AND rating = $2 AND wins = $3 AND points = $4 AND (name, kind) > ($5, $6)
ORDER BY name, kind LIMIT $7
"""
BELOW = f"""
{_STANDING} WHERE game = $1 AND (rating, wins, points) < ($2, $3, $4)
ORDER BY rating DESC, wins DESC, points DESC, name, kind LIMIT $5
"""
RATED = """
SELECT m.digest, m.ended, seat, CASE WHEN house THEN '' ELSE who END, name, kind, style, rank, score FROM (
    SELECT digest, ended FROM match WHERE rated AND game = $1 AND (ended, digest) < ($2, $3)
    ORDER BY ended DESC, digest DESC LIMIT $4
) AS m JOIN result ON result.digest = m.digest
"""
MEETINGS = "SELECT one, other, times FROM meeting WHERE game = $1"
PROFILE = """
SELECT game, name, kind, tally, (SELECT shown FROM rating WHERE rating.who = p.who AND rating.game = p.game)
FROM profile AS p WHERE key = $1
"""
DAY = """
SELECT name, kind, ms, points FROM daily WHERE day = $1 AND board = $2 AND ms IS NOT NULL
ORDER BY {order}, name LIMIT 100
"""
OWN_DAY = "SELECT room, ms, points FROM daily WHERE day = $1 AND board = $2 AND key = $3"
CLEARED = """
SELECT day FROM daily WHERE key = $1 AND board = $2 AND day <= $3 AND ms IS NOT NULL ORDER BY day DESC LIMIT 1000
"""
CHAIN = "SELECT n, at, match, over, hash FROM chain WHERE n > $1 ORDER BY n LIMIT $2"
LAST_LINK = "SELECT n, at, match, over, hash FROM chain ORDER BY n DESC LIMIT 1"
MISSED = """
SELECT m.digest, room, game, ended, rated, result.who, name, rank, seat FROM (
    SELECT digest, room, game, ended, rated FROM missed JOIN match USING (digest) WHERE missed.who = $1
    ORDER BY ended DESC, digest LIMIT $2
) AS m JOIN result ON result.digest = m.digest
"""
"""It sorts what one identity has missed: a few matches in each room in which it has a seat."""
PRESETS = "SELECT game, name, who, by, rules FROM preset WHERE game = $1 OR CAST($1 AS text) IS NULL"
WEBHOOK = "SELECT url, format, lang, off FROM webhook WHERE who = $1"
DELIVERED = "UPDATE webhook SET faults = 0, off = NULL WHERE who = $1 AND url = $2"
FAILED = """
UPDATE webhook SET faults = faults + 1, off = CASE WHEN faults + 1 >= $4 THEN $3 ELSE off END
WHERE who = $1 AND url = $2
"""
CALL = """
UPDATE webhook SET calls = CASE WHEN hour = $2 THEN calls + 1 ELSE 1 END, hour = $2
WHERE who = $1 RETURNING url, format, lang
"""
FORGET_TURNS = """
DELETE FROM notified WHERE who = $1 AND NOT EXISTS (SELECT 1 FROM room WHERE code = notified.room AND open)
"""
SLICES = 256
"""Parts in which old matches are counted, by the beginning of their digests."""
TELL = 2.0
"""Seconds from one line of progress to the next."""

log = structlog.get_logger()


def slices() -> Iterator[tuple[str, str]]:
    """Yield the ranges of digests to count one after the other, and log how far it is."""
    bounds = ["", *(f"{number:02x}" for number in range(1, SLICES)), "~"]
    told = time.monotonic()
    for number, bound in enumerate(pairwise(bounds)):
        yield bound
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            log.info("counting old matches, once; if interrupted, it begins again", done=f"{number * 100 // SLICES} %")


def standings(match: MatchFinished, rows: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return what a match adds to standings, of its game and of all, for ``ADD``."""
    rows = [row for row in rows if not row.house]
    if not match.rated or len({row.rank for row in rows}) < 2:
        return []
    return [
        (game, row.name, row.kind, 1, int(row.rank == 1), row.score, row.style)
        for row in rows
        if row.who
        for game in (match.game, "")
    ]


def meeting(match: MatchFinished, rows: Iterable[Any]) -> list[tuple[str, str, str]]:
    """Return the two bots who met in a match, for ``MEET``."""
    rows = sorted(rows, key=lambda row: row.seat)
    bots = [row.who for row in rows if row.who and row.kind == "bot" and not row.house]
    return [(match.game, *bots)] if match.rated and len(rows) == len(bots) == 2 else []


class SqlReads(ABC):
    """The questions of clients to a store."""

    @abstractmethod
    async def _fetch(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a statement. Raises Overdue if that takes too long, and StoreError."""

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, best first, and where the next one begins."""
        place, rows = results.place(after), []
        if place is not None:
            rows = await self._fetch(LEVEL, game or "", *place, limit + 1)
        if len(rows) <= limit:
            above = _TOP if place is None else place[:3]
            rows += await self._fetch(BELOW, game or "", *above, limit + 1 - len(rows))
        found = [
            results.standing(name, kind, games, wins, points, None if rating == UNRATED else rating, style or None)
            for name, kind, games, wins, points, rating, style in rows[:limit]
        ]
        return found, results.after(rows[limit - 1]) if len(rows) > limit else None

    async def rated(self, game: str, before: Before = LATEST) -> tuple[list[RatedMatch], Before | None]:
        """Return the last rated matches of a game that ended before, latest first, and where to continue."""
        return results.rated(await self._fetch(RATED, game, *before, results.RATED_PAGE))

    async def meetings(self, game: str) -> list[Meeting]:
        """Return which two bots met in rated matches of a game for two, each pair and order of seats once."""
        return [(one, other, times) for one, other, times in await self._fetch(MEETINGS, game)]

    async def profile(self, name: str) -> tuple[str, Kind, list[ProfileRow]] | None:
        """Return a name as it was shown last, its kind, and what it has done by game; None: it has finished nothing."""
        rows = sorted(await self._fetch(PROFILE, results.profile_key(name)), key=itemgetter(0))
        now = int(time.time())
        games = [results.profile_row(game, text, rating, now) for game, _, _, text, rating in rows]
        return (rows[-1][1], rows[-1][2], games) if rows else None

    async def daily(self, day: str, board: str, name: str, best: Best = "time") -> tuple[list[DailyRow], OwnDaily]:
        """Return the best results of a day's board, and what ``name`` has done with it."""
        key = results.profile_key(name)
        rows = await self._fetch(DAY.format(order=results.DAILY_ORDER[best]), day, board)
        mine: list[Any] = await self._fetch(OWN_DAY, day, board, key)
        cleared = await self._fetch(CLEARED, key, board, day)
        return [results.daily_row(*row) for row in rows], results.own_daily(day, mine, [each for (each,) in cleared])

    async def chain(self, after: int, limit: int) -> list[ChainLink]:
        """Return links of the public chain, from number ``after`` + 1 on."""
        return [results.chain_link(*row) for row in await self._fetch(CHAIN, after, limit)]

    async def missed(self, who: str) -> list[MissedRow]:
        """Return the last matches that ended while ``who`` was away, the latest first."""
        return results.missed(await self._fetch(MISSED, who, results.MISSED), who, int(time.time()))

    async def presets(self, game: str | None, who: str) -> list[PresetRow]:
        """Return the presets of ``game``, or of all, by game and name. Those that ``who`` has saved are ``mine``."""
        rows: list[Any] = await self._fetch(PRESETS, game)
        return [results.preset(row, who) for row in sorted(rows, key=lambda row: (row[0], results.preset_key(row[1])))]

    async def webhook(self, who: str) -> StoredWebhook | None:
        """Return the webhook of ``who``."""
        return next((StoredWebhook(*row) for row in await self._fetch(WEBHOOK, who)), None)
