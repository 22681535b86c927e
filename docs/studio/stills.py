"""The still pictures: the match, the moment and the screen of each."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.studio.screens import LOOK, SeenRoom, at, opened
from docs.studio.staged_match import StagedMatch, play_match

from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import Board, board_of
from parlour_client.text.minesweeper.odds import HintEngine
from parlour_client.tui.filming import Size, replayed
from parlour_client.tui.svg import Shot
from parlour_protocol.messages import Clock

WIDE, NARROW = (110, 32), (80, 24)
PACE = 900
"""Milliseconds between the acts of the bots."""
_BLITZ: Clock = {"bank": 30_000, "add": 1_000}
_HESITATION = 11_000
"""Milliseconds that the person has been thinking."""
_MOST = 500
"""The maximum of steps until the wanted moment."""


async def start(size: Size) -> Shot:
    """Return the start screen."""
    async with opened(size) as seen:
        return await seen.shot()


async def uno(size: Size) -> Shot:
    """Return an UNO match at our turn, while an opponent has a single card left."""
    bots = {"ada": "shaper", "bruno": "painfirst", "cleo": "attacker"}
    async with at(StagedMatch(79, "uno", {}, bots=bots, adviser="counter", clock=_BLITZ), size) as seen:
        await _until(seen, lambda room: len(_cards(room)) == 8 and 1 in (room.view or {})["counts"])
        await seen.step(_HESITATION)
        return await seen.shot()


async def race(size: Size) -> Shot:
    """Return a race on an expert board, half open, with all known mines flagged."""
    options = {"mode": "race", "level": "expert", "penalty": 10_000}
    bots = {"ada": "exact", "bruno": "adjacency", "cleo": "article"}
    async with at(StagedMatch(5, "minesweeper", options, bots=bots, adviser="exact"), size) as seen:
        await _until(seen, lambda room: _board(room).players[0].open > 200)
        mines = HintEngine().hints(_board(seen.room)).mines
        await seen.act({"do": "flag", "cells": [[x, y] for x, y in sorted(mines)]})
        await seen.press("n")
        return await seen.shot()


async def replay(size: Size) -> Shot:
    """Return the replay of a race from a player's view: a guess, its reason, and the odds."""
    options = {"mode": "race", "level": "expert", "penalty": 10_000}
    lines = play_match(5, "minesweeper", options, {"ada": "exact", "bruno": "adjacency", "cleo": "article"})
    with TemporaryDirectory() as folder:
        path = _written(Path(folder, "race.jsonl"), lines)
        async with replayed(path, size, LOOK, "ada") as (seen, screen, timeline):
            screen.scrubber.go(next(at for at, position in enumerate(timeline.positions) if "guess" in position.note))
            await seen.press("H")
            return await seen.shot()


async def _until(seen: SeenRoom, condition: Callable[[JoinedRoom], bool]) -> None:
    """Play as advised until the person has a decision and ``condition`` holds."""
    for _ in range(_MOST):
        asked = seen.room.question is not None
        if asked and condition(seen.room):
            return
        if asked:
            await seen.act()
        await seen.step(PACE)
    raise AssertionError("the wanted moment never came")


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def _cards(room: JoinedRoom) -> list[int]:
    hand: list[int] = (room.view or {})["hand"]
    return hand


def _board(room: JoinedRoom) -> Board:
    board = board_of(room)
    assert board is not None
    return board
