"""Boards from pictures, results from a few numbers, and bots in files, for the tests of the arena."""

from pathlib import Path
from typing import Any

from parlour_bots.arena.minesweeper.game import ArenaBoard
from parlour_bots.arena.minesweeper.summary import BoardResult

ARTICLE = "parlour_bots.minesweeper.article:play"
ADJACENCY = "parlour_bots.minesweeper.adjacency:play"


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
