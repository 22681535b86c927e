"""The SQL of questions, and steps: how SQLite and PostgreSQL run the same code.

Parameters are ``$1``, ``$2`` …, and ``= ANY($1)`` takes a list. The text that is ordered here is ordered by code points
in both. The time of each statement follows what it returns, not what is stored: the rows of ``standing`` and
``meeting`` are kept up to date by the commit that ends a match, and each order that is shown has an index.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

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
from parlour_server.persistence import Meeting, StoredWebhook
from parlour_server.store import results
from parlour_server.store.results import LATEST, Before, RatedMatch

T = TypeVar("T")
LinkT = TypeVar("LinkT")
QUESTION = 2.0
"""Seconds that a question may take."""
Row: TypeAlias = tuple[Any, ...]
Step: TypeAlias = tuple[str, Row | list[Row] | None]
"""A statement and its parameters, or a list of them, which returns no rows; or a script (None)."""
Steps: TypeAlias = Generator[Step, Any, T]
"""Yields statements, receives the rows of each, and returns a result. A store runs it in one transaction."""
UNRATED = -(2**31)
"""The rating in standings of those who have none, below all others."""
_TOP = 2**31 - 1, 2**31 - 1, 2**62
"""Rating, wins and points above all others."""
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
SPAN = "SELECT room, first, last FROM match WHERE digest = $1"
LINES = "SELECT {n}, line FROM {log} WHERE room = $1 AND {n} BETWEEN $2 AND $3 ORDER BY {n}"
WEBHOOK = "SELECT url, format, lang, off FROM webhook WHERE who = $1"
TAKE_TURN = """
INSERT INTO notified SELECT $1, $2, $3
WHERE EXISTS (SELECT 1 FROM webhook WHERE who = $1 AND off IS NULL AND (hour < $4 OR calls < $5))
ON CONFLICT (who, room) DO UPDATE SET turn = excluded.turn WHERE notified.turn <> excluded.turn RETURNING who
"""
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


class Pool(Generic[LinkT]):
    """Connections for reading. Each serves one call at a time, and further calls wait."""

    def __init__(self, links: Sequence[LinkT]) -> None:
        self.links = tuple(links)
        self._free = list(links)
        self._turn = asyncio.Semaphore(len(links))

    async def run(self, call: Callable[[LinkT], Awaitable[T]]) -> T:
        """Run ``call`` with the free connection that was used last, which has prepared the most statements."""
        async with self._turn:
            link, done = self._free.pop(), False
            try:
                result = await call(link)
                done = True
                return result
            finally:  # after a cancelled call it may still be busy: it is the last to be used again
                self._free.insert(len(self._free) if done else 0, link)


class Questions(ABC):
    """Answers the questions of clients on connections of their own: no commit waits for one."""

    _lines: ClassVar[str] = LINES.format(n="n", log="log")
    """Reads lines of a room, by their numbers."""

    @abstractmethod
    async def _ask(self, steps: Callable[[], Steps[T]], within: float = QUESTION) -> T:
        """Run steps that read. Raises Overdue if they take more than ``within`` s, and StoreError."""

    @abstractmethod
    async def _change(self, steps: Callable[[], Steps[T]]) -> T:
        """Run steps in a transaction of their own, and again if the connection was lost. Raises StoreError."""

    async def _fetch(self, statement: str, *args: Any, within: float = QUESTION) -> list[Row]:
        """Return all rows of a statement. Raises as ``_ask`` does."""
        return await self._ask(partial(_rows, statement, *args), within)

    async def match_lines(self, digest: str) -> list[str] | None:
        """Return the log lines of the finished match with this digest."""
        spans = await self._fetch(SPAN, digest)
        return [line for span in spans for _, line in await self._fetch(self._lines, *span)] or None  # None: pruned

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, and where the next one begins.

        The best come first: of one game by rating, then, as of all games together, by wins, points and name.
        """
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
        """Return the last rated matches of a game that ended ``before``, latest first, and the next ``before``."""
        return results.rated(await self._fetch(RATED, game, *before, results.RATED_PAGE))

    async def meetings(self, game: str) -> list[Meeting]:
        """Return which two bots met in rated matches of a game for two, each pair and order of seats once."""
        return [(one, other, times) for one, other, times in await self._fetch(MEETINGS, game)]

    async def profile(self, name: str) -> tuple[str, Kind, list[ProfileRow]] | None:
        """Return the name as it was shown last, its kind, and what it has done by game; None: it has finished nothing.

        Letter case does not matter.
        """
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

    async def take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        """Return the webhook to call because it is the turn of ``who`` in ``room``; None: none is to be called.

        That is so if there is none, it was switched off, it was called too often in this hour, or someone took this
        turn before. Of several calls at a time, also by several nodes, one gets it.
        """
        return await self._change(partial(_take_turn, who, room, turn))

    async def note_call(self, who: str, url: str, fault: str | None) -> None:
        """Note that the webhook of ``who`` was called, if it still has this URL; ``fault``: what was wrong.

        After ``results.FAULTS`` in a row it is switched off. A call without a fault switches it on again.
        """
        await self._change(partial(_note_call, who, url, fault))


def _rows(statement: str, *args: Any) -> Steps[list[Row]]:
    found = yield statement, args
    return [tuple(row) for row in found]


def _take_turn(who: str, room: str, turn: str) -> Steps[StoredWebhook | None]:
    hour = results.this_hour()
    if not (yield TAKE_TURN, (who, room, turn, hour, results.CALLS)):
        return None
    yield FORGET_TURNS, (who,)
    found: list[Row] = yield CALL, (who, hour)
    return next((StoredWebhook(*row) for row in found), None)


def _note_call(who: str, url: str, fault: str | None) -> Steps[None]:
    yield (DELIVERED, (who, url)) if fault is None else (FAILED, (who, url, fault, results.FAULTS))
