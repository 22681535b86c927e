"""Remove old rooms from the SQLite store in steps so small that no move has to wait."""

import sqlite3

from parlour_server.persistence import Pruned
from parlour_server.store.base import GIVEN_UP, PRUNE_LINES, PRUNE_ROOMS
from parlour_server.store.sqlite import schema

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
        schema.file_recent(db)
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
