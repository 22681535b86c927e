"""Writes for store tests, with what a test does not care about filled in."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from parlour_server.persistence import Append, MatchFinished, MatchRow, SaveIdentity, SaveMatch, SaveRoom, Write
from parlour_server.store.base import Conflict
from parlour_server.store.sqlite.store import SqliteStore

ROOM = "K7QD"
FIRST_COLUMNS = "(digest, seat, who, name, kind, rank, score)"
"""The columns that the first schema has for results."""


def opened(room: str = ROOM, *, kept: bool = False) -> list[Write]:
    """A room as it is opened."""
    return [SaveRoom(room, 1, True, kept), line(0, room)]


def line(n: int, room: str = ROOM) -> Append:
    return Append(room, 1, n, f'{{"n":{n},"room":"{room}"}}')


def lines(count: int, room: str = ROOM) -> list[str]:
    """The first lines of a room as they are read again."""
    return [line(n, room).line for n in range(count)]


def identity(name: str, **more: Any) -> SaveIdentity:
    fields: dict[str, Any] = {"kind": "human", "token": f"{name}-token", "previous": None, "key": None, **more}
    return SaveIdentity(f"id-{name}", name, **fields)


def match(digest: str, *players: tuple[str, int, int], game: str = "uno", rated: bool = True, **more: Any) -> SaveMatch:
    """A finished match; players as (name, rank, score) by seat. ``styles``: those of bots, by name.

    One named ``deleted`` has no identity any more. The names of bots begin with ``bot``, of house bots with ``house``.
    """
    styles = more.get("styles", {})
    rows = tuple(
        MatchRow(
            seat,
            "" if name == "deleted" else f"id-{name}",
            name,
            "bot" if name.startswith(("bot", "house")) else "human",
            rank,
            score,
            styles.get(name),
            name.startswith("house"),
        )
        for seat, (name, rank, score) in enumerate(players)
    )
    first, last = more.get("first", 0), more.get("last", 0)
    return SaveMatch(more.get("room", ROOM), MatchFinished(digest, game, first, last, rated, rows, more.get("time")))


async def conflict(commit: Awaitable[object]) -> Conflict:
    """Return what else stands against a commit that is refused."""
    with pytest.raises(Conflict) as refused:
        await commit
    return refused.value


async def long_room(path: Path) -> Path:
    """Write a store with some hundred pages, and close it."""
    store = SqliteStore(path)
    await store.commit([SaveRoom("AAAA", 1, False), *(Append("AAAA", 1, n, f"{n} " * 200) for n in range(500))])
    await store.close()
    return path
