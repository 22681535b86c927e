"""What the still pictures show: which match, which moment of it, which screen."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.studio.screens import SeenRoom, Size, at, looking_back, opened
from docs.studio.svg import Shot
from docs.studio.table import Table, played

from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import Board, board_of
from parlour_client.tui.games.minesweeper.odds import HintEngine
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_protocol.messages import Clock

WIDE, NARROW = (110, 32), (80, 24)
PACE = 900
"""Milliseconds at the table between the acts of the others."""
_BLITZ: Clock = {"bank": 30_000, "add": 1_000}
_HESITATION = 11_000
"""Milliseconds that the person has looked at the cards."""
_MOST = 500
"""Steps until a moment has come."""


async def start(size: Size) -> Shot:
    """Return the start screen."""
    async with opened(size) as seen:
        return await seen.shot()


async def uno(size: Size) -> Shot:
    """Return a table of UNO: our turn, while one of the others has a single card left."""
    bots = {"ada": "shaper", "bruno": "painfirst", "cleo": "attacker"}
    async with at(Table(79, "uno", {}, bots=bots, adviser="counter", clock=_BLITZ), size) as seen:
        await _until(seen, lambda room: len(_cards(room)) == 8 and 1 in (room.view or {})["counts"])
        await seen.step(_HESITATION)
        return await seen.shot()


async def race(size: Size) -> Shot:
    """Return a race on an expert's board: ours half open, with the mines flagged that are known."""
    options = {"mode": "race", "level": "expert", "penalty": 10_000}
    bots = {"ada": "exact", "bruno": "adjacency", "cleo": "article"}
    async with at(Table(5, "minesweeper", options, bots=bots, adviser="exact"), size) as seen:
        await _until(seen, lambda room: _board(room).players[0].open > 200)
        mines = HintEngine().hints(_board(seen.room)).mines
        await seen.act({"do": "flag", "cells": [[x, y] for x, y in sorted(mines)]})
        await seen.press("n")
        return await seen.shot()


async def replay(size: Size) -> Shot:
    """Return a finished race as one who took part saw it: a guess, its reason, and the odds as they were."""
    options = {"mode": "race", "level": "expert", "penalty": 10_000}
    lines = played(5, "minesweeper", options, {"ada": "exact", "bruno": "adjacency", "cleo": "article"})
    with TemporaryDirectory() as folder:
        path = _written(Path(folder, "race.jsonl"), lines)
        async with looking_back(path, size, "ada") as seen:
            screen = seen.app.screen
            assert isinstance(screen, ReplayScreen)
            assert screen.timeline is not None
            screen.go(next(at for at, position in enumerate(screen.timeline.positions) if "guess" in position.note))
            await seen.press("H")
            return await seen.shot()


async def _until(seen: SeenRoom, come: Callable[[JoinedRoom], bool]) -> None:
    """Let everybody play, the person as advised, until the moment has come at which the person is asked."""
    for _ in range(_MOST):
        asked = seen.room.question is not None
        if asked and come(seen.room):
            return
        if asked:
            await seen.act()
        await seen.step(PACE)
    raise AssertionError("there was no such moment")


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _cards(room: JoinedRoom) -> list[int]:
    hand: list[int] = (room.view or {})["hand"]
    return hand


def _board(room: JoinedRoom) -> Board:
    board = board_of(room)
    assert board is not None
    return board
