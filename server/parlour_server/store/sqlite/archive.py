"""Read the finished matches of a SQLite store, whether or not a server uses it. Nothing is written."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from parlour_server.rooms.records import game_file
from parlour_server.store.base import CannotOpen, path_of
from parlour_server.store.sql import LINES, SPAN
from parlour_server.store.sqlite.file import snapshot
from parlour_server.store.sqlite.procedures import placed
from parlour_server.store.sqlite.schema import WITH_LOG

_MATCHES = """
SELECT digest, room, game, ended, rated FROM match WHERE (?1 IS NULL OR game = ?1) AND {which}
ORDER BY ended DESC, room, first DESC LIMIT ?2
"""
_OF_CONTEST = "room IN (SELECT room FROM pairing WHERE contest = ?3)"
_PLAYERS = "SELECT seat, name, kind, rank, score FROM result WHERE digest = ? ORDER BY seat"
_LINES = placed(LINES.format(n="n", log="log"))
_OLDER_LOG = "CREATE TEMP VIEW log AS SELECT room, n, line FROM record"
"""What stands for the view of that name in files that no server has opened since it was introduced."""


@attrs.frozen
class Finisher:
    """One seat's part in a finished match."""

    seat: int
    name: str
    kind: str
    rank: int
    score: int


@attrs.frozen
class Finished:
    """A finished match. ``ended`` is when it was stored, in seconds since 1970."""

    digest: str
    room: str
    game: str
    ended: int
    rated: bool
    players: tuple[Finisher, ...]
    """By seat."""


class Archive:
    """An open store, for as long as ``archive`` holds it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def matches(self, game: str | None = None, limit: int = -1, contest: str | None = None) -> list[Finished]:
        """Return the finished matches, the latest first; ``limit`` -1 is all of them."""
        statement = _MATCHES.format(which=_OF_CONTEST if contest is not None else "?3 IS NULL")
        rows = self._db.execute(statement, (game, limit, contest)).fetchall()
        return [
            Finished(digest, room, name, ended, bool(rated), self._players(digest))
            for digest, room, name, ended, rated in rows
        ]

    def digests(self, beginning: str) -> list[str]:
        """Return at most three digests with this beginning."""
        span = (beginning, beginning + "g")  # g sorts after every hex digit
        rows = self._db.execute("SELECT digest FROM match WHERE digest >= ? AND digest < ? LIMIT 3", span)
        return [digest for (digest,) in rows]

    def file(self, digest: str) -> list[str]:
        """Return the lines of the match file with this digest, none if there is no such match."""
        spans = self._db.execute(placed(SPAN), (digest,)).fetchall()
        return list(game_file(line for span in spans for _, line in self._db.execute(_LINES, span)))

    def _players(self, digest: str) -> tuple[Finisher, ...]:
        return tuple(Finisher(*row) for row in self._db.execute(_PLAYERS, (digest,)))


@contextmanager
def archive(url: str) -> Iterator[Archive]:
    """Open the store that ``url`` names to read in it. Raises CannotOpen, also when reading fails."""
    path = path_of(url)
    if not path.is_file():
        raise CannotOpen(
            f"there is no store {path}; name one with --store sqlite:///FILE. "
            "Matches saved in the terminal client are under Replays on its start screen"
        )
    with snapshot(path, whole=False) as (db, version):
        if version < WITH_LOG:
            db.execute(_OLDER_LOG)
        yield Archive(db)
