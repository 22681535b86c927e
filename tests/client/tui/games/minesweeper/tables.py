"""Minesweeper tables for tests: a real server in process, and an app that holds nothing but a face of one seat."""

from typing import Any

from tests.client.tui.seated import Seated, Seats
from tests.client.tui.snapshots import lines

from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_games.minesweeper.actions import At
from parlour_protocol.messages import Act, Create, Plain
from parlour_server.local import Local

TRUECOLOUR = Seated.LOOK.cloth("minesweeper")
NAMES = ("maria", "otto", "pia", "kim", "lou", "ada", "bob", "cleo", "dan", "eve")


class Table(Seats):
    """A match on a real server. Seat 0 is called maria."""

    def __init__(self, *, seats: int = 1, seed: int = 7, hints: bool = True, clock: Any = None, **options: Any) -> None:
        create = Create("minesweeper", options=options, seats=seats, hints=hints, clock=clock)
        super().__init__(Local(seed), create, [(name, "human") for name in NAMES[:seats]])
        self.hall.wait(100)

    def view(self, seat: int = 0) -> Plain:
        return self.room(seat).view or {}

    def act(self, seat: int, act: int | Plain) -> None:
        """Let a seat answer what it is asked."""
        room = self.room(seat)
        assert room.question, "nothing is asked of this seat"
        self.peers[seat].send(Act(self.code, room.question.rid, act))

    def open(self, seat: int, *cells: At) -> None:
        self.act(seat, {"do": "open", "cells": [list(at) for at in cells]})

    @property
    def mines(self) -> list[At]:
        width = self.match.shape.width
        return sorted((cell % width, cell // width) for cell in self.match.board.mines)

    def safe(self, seat: int = 0) -> list[At]:
        """Return the closed cells without a mine, as a seat's board stands."""
        rows, mines = self.view(seat)["rows"], set(self.mines)
        return [
            (x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "." and (x, y) not in mines
        ]


class Sitting(Seated):
    """Minesweeper's face, at a seat of a table."""

    CSS = "Screen { background: $table; } MinesweeperWidget { height: 100%; }"
    FACE = MinesweeperWidget
    LOOK = TRUECOLOUR
    table: Table
    game_widget: MinesweeperWidget

    async def at(self, cell: At, *keys: str) -> None:
        self.game_widget.board.point(cell)
        await self.pilot.press(*keys)

    async def odds(self) -> None:
        """Press the key of the odds, and wait for them."""
        await self.pilot.press("H")
        await self.workers.wait_for_complete()
        await self.pilot.pause()

    def board_lines(self) -> list[str]:
        """The lines of the board's place."""
        region = self.game_widget.board.region
        return [line[region.x : region.right] for line in lines(self)[region.y : region.bottom]]
