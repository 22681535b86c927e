"""The phrases of Minesweeper, with their formats: players, cells, events, and the rules of a match."""

from collections.abc import Iterator, Mapping
from itertools import dropwhile
from typing import Any

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.phrases import Format, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import player_of
from parlour_client.text.minesweeper.board import board_of, name
from parlour_protocol.messages import Plain

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


_STEPS = 4
"""Progress of rivals in a race is reported at each quarter."""


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if it is not worth one."""
    tag, more, board = event["e"], dict[str, Any](), board_of(room)
    mode = board.mode if board else ""
    if f"minesweeper.event.{tag}" not in phrases:
        return None
    if tag == "board" and "n" not in event and mode != "duel":
        return None
    if tag == "open":
        if "at" not in event:
            return _rival(room, event)
        more["all"] = event["n"] if event["n"] != len(event["at"]) else None
    if tag == "mine":
        more["lives"] = board.lives if board else None
    if tag == "out" and (mode, event["why"]) == ("coop", "clock"):
        more["why"] = "frozen"
    return said(room, f"minesweeper.event.{tag}", event, **more) or None


def _rival(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about a rival's progress in a race if this opening passes a quarter."""
    board, seat = board_of(room), event["seat"]
    player = board.player(seat) if board and isinstance(seat, int) else None
    if board is None or player is None:
        raise WrongProtocol("an opening from the server has no player")
    now = player.open - _openings_behind(room, event)
    before = now - event["n"]
    if now * _STEPS // max(1, board.safe) == before * _STEPS // max(1, board.safe) or player.state == "done":
        return None
    return said(room, "minesweeper.event.progress", {"seat": seat, "open": now, "safe": board.safe})


def _openings_behind(room: JoinedRoom, event: Plain) -> int:
    """Return how many cells the seat opened after ``event``: the view includes later events of the same message."""
    later = dropwhile(lambda each: each is not event, room.events)
    opened = [each["n"] for each in later if each.get("e") == "open" and each.get("seat") == event["seat"]]
    return sum(opened[1:])


def in_short(game: str, options: Plain) -> Iterator[str]:
    """Yield mode and board, and the special rules in force."""
    mode, level = options.get("mode"), options.get("level")
    if mode:
        yield say(f"minesweeper.option.mode.{mode}")
    if level == "custom":
        yield say("minesweeper.rules.size", options)
    elif mode == "duel":
        yield "16×16"
    elif level:
        yield say(f"minesweeper.option.level.{level}")
    if options.get("no_guess"):
        yield say("minesweeper.rules.no_guess")
    if options.get("kind"):
        yield say("minesweeper.rules.kind")
    if options.get("lives", 1) > 1:
        yield say("minesweeper.rules.lives", n=options["lives"])
    if options.get("penalty"):
        yield say("minesweeper.rules.penalty", ms=options["penalty"])


def how_to(game: str, options: Plain) -> Iterator[str]:
    """Yield how the game is played with ``options``, in sentences."""
    mode, lives = options.get("mode"), options.get("lives", 1)
    yield say("minesweeper.manual.numbers")
    yield say("minesweeper.manual.mode", mode=mode)
    if mode != "duel":
        yield say("minesweeper.manual.flags")
    if options.get("kind"):
        yield say("minesweeper.manual.kind")
    if mode == "coop" and lives > 1:
        yield say("minesweeper.manual.lives", n=lives)
    if mode == "race":
        yield say("minesweeper.manual.penalty", ms=options.get("penalty") or None)
    yield say("minesweeper.manual.bbbv")
