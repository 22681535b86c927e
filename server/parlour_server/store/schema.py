"""The tables that both stores have, and how they are filled from older matches.

The scripts are PostgreSQL's; SQLite knows fewer types and has no collations. Each is one step of the migrations of a
store, which have their own numbers.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeAlias

import structlog

from parlour_games.statistics import Finish
from parlour_server.directory.room_creation import LISTED
from parlour_server.store import sql
from parlour_server.store.base import CannotOpen
from parlour_server.store.procedures import ADD_ROWS, COUNTS, SUMS, Procedures
from parlour_server.store.results import Counted
from parlour_server.store.sql import Row, Steps

Migration: TypeAlias = str | Callable[[], Steps[None]]
"""A script, or steps."""


def rooms_and_matches(owner: str = "", home: str = "", of_match: str = "") -> str:
    """Return the script of the first tables, with the columns that only one store has."""
    return f"""
CREATE TABLE room (
    code text COLLATE "C" PRIMARY KEY,{owner} epoch integer NOT NULL, open boolean NOT NULL, kept boolean NOT NULL
);
CREATE TABLE seat (room text COLLATE "C", who text, PRIMARY KEY (room, who));
CREATE TABLE identity (
    who text PRIMARY KEY, name text NOT NULL, kind text NOT NULL, token text, previous text, key text,
    banned boolean NOT NULL, muted boolean NOT NULL, house boolean NOT NULL{home}
);
CREATE TABLE match (
    digest text COLLATE "C" PRIMARY KEY, room text COLLATE "C" NOT NULL, game text NOT NULL,
    first integer NOT NULL, last integer NOT NULL, rated boolean NOT NULL, ended bigint NOT NULL
);
CREATE TABLE result (
    digest text COLLATE "C"{of_match}, seat integer, who text NOT NULL, name text NOT NULL,
    kind text NOT NULL, rank integer NOT NULL, score bigint NOT NULL, PRIMARY KEY (digest, seat)
);
"""


def ratings(stamps: str = "") -> str:
    """Return the script of the ratings. ``stamps``: the columns that say who has written a row."""
    return f"""
CREATE TABLE rating (
    who text, game text, name text NOT NULL, kind text NOT NULL, mu double precision NOT NULL,
    sigma double precision NOT NULL, shown integer NOT NULL{stamps}, PRIMARY KEY (who, game)
);
"""


def contests(holder: str = "", stamps: str = "") -> str:
    """Return the script of the contests, with who holds one."""
    return f"""
CREATE TABLE contest (name text PRIMARY KEY, plan text NOT NULL, stopped boolean NOT NULL{holder}{stamps});
CREATE TABLE pairing (
    contest text, number integer, room text NOT NULL, result text{stamps}, PRIMARY KEY (contest, number)
);
"""


_PROFILES = """
CREATE TABLE profile (
    key text COLLATE "C", game text, who text NOT NULL, name text NOT NULL, kind text NOT NULL, tally text NOT NULL,
    PRIMARY KEY (key, game)
);
CREATE INDEX profile_of_person ON profile (who)
"""
_DAILY = """
CREATE TABLE secret (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE daily (
    day text COLLATE "C", board text, key text COLLATE "C", who text NOT NULL, name text NOT NULL, kind text NOT NULL,
    room text NOT NULL, ms bigint, PRIMARY KEY (day, board, key)
);
CREATE INDEX daily_of_name ON daily (key, board, day);
CREATE INDEX daily_of_person ON daily (who)
"""
DAILY_POINTS = "ALTER TABLE daily ADD COLUMN points bigint"
STYLES = "ALTER TABLE result ADD COLUMN style text"
"""How a bot played. It is not known of older matches."""
CHAIN = """
CREATE TABLE chain (n bigint PRIMARY KEY, at bigint NOT NULL, match text NOT NULL, over text, hash text NOT NULL)
"""
MISSED = 'CREATE TABLE missed (who text, digest text COLLATE "C", PRIMARY KEY (who, digest))'
"""The matches whose end someone has not seen yet."""
PRESETS = """
CREATE TABLE preset (
    game text COLLATE "C", key text COLLATE "C", name text NOT NULL, who text NOT NULL, by text NOT NULL,
    rules text NOT NULL, PRIMARY KEY (game, key)
)
"""
WEBHOOKS = """
CREATE TABLE webhook (
    who text PRIMARY KEY, url text NOT NULL, format text NOT NULL, lang text NOT NULL, off text,
    faults integer NOT NULL DEFAULT 0, hour bigint NOT NULL DEFAULT 0, calls integer NOT NULL DEFAULT 0
);
CREATE TABLE notified (who text, room text COLLATE "C", turn text NOT NULL, PRIMARY KEY (who, room))
"""
"""``calls`` are those in ``hour``, counted from 1970. ``notified``: the last turn of which someone was notified."""
HOUSE = "ALTER TABLE result ADD COLUMN house boolean NOT NULL DEFAULT FALSE"
"""Whether a house bot played. It is not known of older matches."""
HISTORY = f"""
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
CREATE INDEX daily_time ON daily (day, board, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_most ON daily (day, board, points DESC, ms, name) WHERE ms IS NOT NULL;
CREATE INDEX daily_fewest ON daily (day, board, points, ms, name) WHERE ms IS NOT NULL;
ALTER TABLE identity ADD COLUMN played boolean NOT NULL DEFAULT FALSE
"""
"""Tables and indexes that keep answers fast as the history grows. ``game`` is empty in the standings of all games."""
_FINISHES = """
SELECT digest, game, ended, who, name, kind, rank, score FROM match JOIN result USING (digest) WHERE rated
ORDER BY ended, match.room, first, seat
"""
_STYLE = "CASE WHEN MIN(style) <> MAX(style) THEN '' ELSE MIN(style) END"
"""The style of several rows: empty if there are several."""
_FILL = (
    ADD_ROWS.format(
        rows=f"""SELECT game, name, kind, {SUMS}, {_STYLE} FROM match JOIN result AS r USING (digest)
        WHERE match.digest >= $1 AND match.digest < $2 AND {COUNTS} GROUP BY game, name, kind"""
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
_FILLED = (
    f"""
INSERT INTO standing (game, name, kind, games, wins, points, style)
SELECT '', name, kind, SUM(games), SUM(wins), CAST(SUM(points) AS bigint), {_STYLE} FROM standing GROUP BY name, kind
""",
    """
UPDATE standing SET rating = best.shown
FROM (SELECT game, name, kind, MAX(shown) AS shown FROM rating GROUP BY game, name, kind) AS best
WHERE standing.game = best.game AND standing.name = best.name AND standing.kind = best.kind
""",
    """
DELETE FROM meeting WHERE NOT EXISTS (SELECT 1 FROM identity WHERE who = one)
OR NOT EXISTS (SELECT 1 FROM identity WHERE who = other)
""",
    "UPDATE identity SET played = TRUE WHERE EXISTS (SELECT 1 FROM result WHERE result.who = identity.who)",
)
"""What follows when all are counted."""
SLICES = 256
"""Parts in which old matches are counted, by the beginning of their digests."""
TELL = 2.0
"""Seconds from one line of progress to the next."""

log = structlog.get_logger()


def refuse_newer(what: object, found: int, known: int) -> None:
    """Raise CannotOpen if ``what`` is of a version, ``found``, that this parlour does not know."""
    if found > known:
        raise CannotOpen(
            f"{what} was written by a newer parlour (schema {found}, this one knows {known}). Install that one again"
        )


def steps(migration: Migration) -> Steps[None]:
    """Return a migration as steps."""
    if isinstance(migration, str):
        yield migration, None
    else:
        yield from migration()


def add_profiles() -> Steps[None]:
    """Add the table, and count the matches that have been played so far. Their times were not stored."""
    yield _PROFILES, None
    finishes: list[Row] = yield _FINISHES, ()
    for _, found in groupby(finishes, key=itemgetter(0)):
        rows = list(found)
        counted = [
            Counted(who, name, kind, Finish(ended, rank, len(rows), score))
            for _, _, ended, who, name, kind, rank, score in rows
            if who
        ]
        yield from Procedures.count(rows[0][1], counted)


def add_daily() -> Steps[None]:
    """Add the tables, and the secret of the daily boards."""
    yield _DAILY, None
    yield "INSERT INTO secret VALUES ('daily', $1)", (secrets.token_hex(32),)


def migrations(before: Iterable[Migration], history: Migration, *more: Migration) -> tuple[Migration, ...]:
    """Return the migration from each version of a store to the next: its own, and those of both stores.

    ``history`` is the store's part of the step that adds the tables and indexes of ``HISTORY``.
    """

    def add_history() -> Steps[None]:
        yield HISTORY, None
        yield from steps(history)
        yield from count_matches()

    both = (add_profiles, add_daily, DAILY_POINTS, STYLES, CHAIN, MISSED, PRESETS, WEBHOOKS, HOUSE)
    return (*before, *both, add_history, *more)


def count_matches() -> Steps[None]:
    """Count the matches that have been played so far in standings and meetings."""
    for part in slices():
        for statement in _FILL:
            yield statement, part
    for statement in _FILLED:
        yield statement, ()


def slices() -> Iterator[tuple[str, str]]:
    """Yield the ranges of digests to count one after the other, and log how far it is."""
    bounds = ["", *(f"{number:02x}" for number in range(1, SLICES)), "~"]
    told = time.monotonic()
    for number, bound in enumerate(pairwise(bounds)):
        yield bound
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            log.info("counting old matches, once; if interrupted, it begins again", done=f"{number * 100 // SLICES} %")
