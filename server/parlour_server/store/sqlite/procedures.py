"""Run steps on a SQLite connection, and the procedures of a SQLite store."""

import json
import re
import sqlite3
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from msgspec.structs import astuple
from typing_extensions import override

from parlour_server import persistence
from parlour_server.persistence import Pruned
from parlour_server.store.procedures import PERSON, UNPLAYED, Procedures, called, step
from parlour_server.store.sql import Row, Steps

T = TypeVar("T")

_SAVE_ROOM = "INSERT INTO room VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE SET open = excluded.open"
_COLUMNS = f"{PERSON}, saved, called, look, lower_look".split(", ")
_SAVE_IDENTITY = f"""
INSERT INTO identity ({", ".join(_COLUMNS)}) VALUES ({", ".join(f"${n}" for n in range(1, len(_COLUMNS) + 1))})
ON CONFLICT DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[1:])}
"""
_IDLE = "max(0, CAST(strftime('%s', 'now') AS integer) - saved) * 1000"


class SqliteProcedures(Procedures):
    """The procedures of a SQLite store."""

    known_people = f"""
SELECT {PERSON}, {UNPLAYED}, 0, FALSE, NULL FROM identity WHERE called = ANY($1) OR look = ANY($2)
OR lower_look = ANY($2) OR token = ANY($3) OR key = ANY($3) OR who = ANY($4)
"""
    here = "house OR key IS NULL OR previous IS NOT NULL OR NOT played"

    def __init__(self) -> None:
        super().__init__()
        self.writers |= {
            persistence.SaveRoom: lambda it: step(_SAVE_ROOM, it.room, it.epoch, it.open, it.kept),
            persistence.SaveSeat: lambda it: self.seat([(it.room, it.who)], it.seated),
            persistence.SaveIdentity: lambda it: step(_SAVE_IDENTITY, *astuple(it), int(time.time()), *called(it.name)),
            persistence.DropIdentity: self._drop_identity,
            persistence.SaveLink: lambda link: self.add_links([link]),
            persistence.SaveTicket: lambda _: self.seat((), True),  # there is no other node to enter
        }

    @override
    def people(self, which: str, *args: Any) -> Steps[list[Row]]:
        found: list[Row] = yield f"SELECT {PERSON}, {UNPLAYED}, {_IDLE} FROM identity WHERE {which}", args
        return found

    @override
    def prune(self, before: int, after: str, most: int) -> Steps[Pruned]:
        yield from file_recent()
        return (yield from super().prune(before, after, most))

    def _drop_identity(self, write: persistence.DropIdentity) -> Steps[None]:
        yield "DELETE FROM identity WHERE who = $1", (write.who,)
        yield from self.erase(write.who) if write.erased else self.drop_rows([write.who])


def file_recent() -> Steps[None]:
    """Move the lines in ``recent`` to ``record``, where those of a room are together."""
    yield "INSERT INTO record SELECT room, n, line FROM recent ORDER BY room, n", ()
    yield "DELETE FROM recent", ()


def run(db: sqlite3.Connection, steps: Steps[T]) -> T:
    """Run steps. The caller ends the transaction."""
    rows: Sequence[Row] | None = None
    try:
        while True:
            statement, args = steps.send(rows)
            if args is None:
                for each in statement.split(";"):
                    db.execute(_table(each))
            elif isinstance(args, list):
                rows = db.executemany(placed(statement), args).fetchall()
            else:
                rows = db.execute(placed(statement), bound(args)).fetchall()
    except StopIteration as end:
        result: T = end.value
        return result


@cache
def placed(statement: str) -> str:
    """Return a statement as SQLite has it: with its placeholders, and lists as JSON."""
    return re.sub(r"= ANY\(\$(\d+)\)", r"IN (SELECT value FROM json_each($\1))", statement).replace("$", "?")


def bound(args: Sequence[Any]) -> list[Any]:
    """Return parameters as SQLite takes them."""
    return [json.dumps(each) if isinstance(each, list) else each for each in args]


def _table(statement: str) -> str:
    """Return a statement about tables as SQLite has it. The rows of most tables are kept in the order of their key."""
    statement = re.sub(r"\b(bigint|boolean)\b", "INTEGER", statement.replace(' COLLATE "C"', ""))
    statement = statement.replace("double precision", "REAL")
    keyed = re.search("CREATE TABLE .*(?<!INTEGER )PRIMARY KEY", statement, re.DOTALL)
    return f"{statement} WITHOUT ROWID" if keyed else statement
