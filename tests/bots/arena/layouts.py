"""Boards from pictures, outcomes of games from a few numbers, settings of contests, and bots in files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parlour_bots.arena.league.game import LeagueOutcome
from parlour_bots.arena.league.run import LeagueSettings
from parlour_bots.arena.measures import Times
from parlour_bots.arena.minesweeper.game import ArenaBoard
from parlour_bots.arena.minesweeper.summary import BoardResult

ARTICLE = "parlour_bots.minesweeper.article:play"
ADJACENCY = "parlour_bots.minesweeper.adjacency:play"
MS = 1_000_000


def board(*rows: str, first: tuple[int, int] = (0, 0), name: str = "b") -> ArenaBoard:
    """Return the board with a mine at each ``*``."""
    width, text = len(rows[0]), "".join(rows)
    mines = tuple(cell for cell, char in enumerate(text) if char == "*")
    return ArenaBoard(name, width, len(rows), first[1] * width + first[0], mines)


def result(won: bool = True, ms: float = 1.0, **fields: Any) -> BoardResult:
    told: dict[str, Any] = {"guesses": 0, "moves": 1, "longest": ms, "flagged": 1.0, "open": 1.0, "mistakes": 0}
    return BoardResult("b", won, ms, **{**told, **fields})


def bot_file(folder: Path, body: str, name: str = "foreign") -> str:
    """Return the path of a bot whose ``play(turn)`` has this body."""
    path = folder / f"{name}.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    path.write_text(f"import os, sys\n\n\ndef play(turn):\n{lines}", encoding="utf-8")
    return str(path)


def outcome(seats: Sequence[int], winner: int | None, points: int = 30, **fields: Any) -> LeagueOutcome:
    """Return a game that the seat ``winner`` won, None: that was stopped."""
    told: dict[str, Any] = {
        "game": 0,
        "deal": 0,
        "ranks": tuple(1 if winner in (None, seat) else 2 for seat in range(len(seats))),
        "points": tuple(points if seat == winner else 0 for seat in range(len(seats))),
        "answers": 10,
        "faults": tuple({} for _ in seats),
        "times": tuple(tuple(Times.of([MS, 3 * MS]).numbers()) for _ in seats),
        "stopped": winner is None,
    }
    return LeagueOutcome(seats=tuple(seats), **{**told, **fields})


def settings(*bots: str, **fields: Any) -> LeagueSettings:
    """Return the settings of a contest of bots, called as they are named."""
    return LeagueSettings(bots, tuple(bot.rpartition("/")[2] for bot in bots), **{"seed": 7, **fields})
