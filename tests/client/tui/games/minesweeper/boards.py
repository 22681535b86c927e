"""Minesweeper boards for tests of pure functions."""

from typing import Any

from tests.client.minesweeper_rooms import ROWS

from parlour_client.text.minesweeper.board import Board, SeatView


def board(*rows: str, mode: str = "solo", phase: str = "playing", mines: int = 2, **more: Any) -> Board:
    shown = list(rows) or ROWS
    players = more.pop("players", [SeatView("in", 9)])
    size = len(shown[0]), len(shown)
    return Board(mode, phase, *size, mines, size[0] * size[1] - mines, players, shown, **more)


def duel(*rows: str, bomb: str = "ready", **more: Any) -> Board:
    return board(*rows, mode="duel", players=[SeatView("in", 0, 1, bomb), SeatView("in", 0, 2, "kept")], **more)
