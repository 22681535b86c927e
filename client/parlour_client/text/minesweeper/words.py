"""The phrases of Minesweeper, with their formats: players and cells."""

from collections.abc import Mapping
from typing import Any

from parlour_client.core.phrases import Format, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import player_of
from parlour_client.text.minesweeper.board import name

_NAMED = 8
"""Cells named in one line."""

_NONE: Mapping[str, Any] = {}

phrases.add("parlour_games.minesweeper.phrases")


def said(room: JoinedRoom | None, key: str, fields: Mapping[str, Any] = _NONE, /, **more: Any) -> str:
    """Return the phrase ``key`` about a match in ``room``; None for phrases without players."""
    formats: dict[str, Format] = {"cell": _cells} | ({"player": player_of(room)} if room else {})
    return say(key, fields, formats, **more)


def cells(at: list[Any]) -> str:
    """Return the names of the cells ``[[x, y], …]``, at most the first few."""
    names = ", ".join(map(name, at[:_NAMED]))
    return say("minesweeper.cells.more", cells=names, n=len(at) - _NAMED) if len(at) > _NAMED else names


def _cells(value: Any) -> tuple[str, ...]:
    """Return a cell, or several, and the key for their number."""
    several = value if isinstance(value[0], list) else [value]
    return cells(several), "one" if len(several) == 1 else "other"


def some(n: int, one: str, many: str) -> str:
    """Return a number of things as text."""
    return f"1 {one}" if n == 1 else f"{n} {many}"


def name_of(room: JoinedRoom, seat: int) -> str:
    """Return the name of the player at ``seat``, "you" if it is us."""
    return "you" if seat == room.seat else room.name(seat)
