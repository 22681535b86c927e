"""Matches on boards that a test draws, with methods that play them."""

from typing import Any

import pytest

from parlour_games.fair import Fair
from parlour_games.game import Decision, Done, IllegalAction, Outcome, Plain
from parlour_games.minesweeper.actions import Action, At, Bomb, Chord, Flag, Move, Open, Pass, Resign, Seq, Unflag
from parlour_games.minesweeper.board import Board
from parlour_games.minesweeper.events import Event
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.minesweeper.state import State

MINES = Minesweeper()
KEY = "play"
CORNERS = "*... .... ...*"
"""*100 1111 001*: two areas of zeros that open everything."""


def fair(seed: int = 1) -> Fair:
    return Fair(bytes([seed % 256]) * 32, f"TEST/{seed}", [])


def drawn(picture: str) -> tuple[Shape, list[int]]:
    """Return the size and the mines of a board drawn row by row: ``*`` is a mine, ``.`` is none."""
    rows = picture.split()
    mines = [cell for cell, char in enumerate("".join(rows)) if char == "*"]
    return Shape(len(rows[0]), len(rows), len(mines)), mines


def board(picture: str) -> Board:
    return Board(*drawn(picture))


def custom(shape: Shape, **options: Any) -> Options:
    size = {"width": shape.width, "height": shape.height, "mines": shape.mines}
    return Options(**{"level": "custom", **size, "first": "any", **options})


def viewers(state: State) -> list[int | None]:
    return [None, *range(len(state.players))]


def told(events: list[Event], viewer: int | None) -> list[Plain]:
    return [plain for event in events if (plain := MINES.redact(event, viewer)) is not None]


class Table:
    """A match, by default on a drawn board. Its methods return the events."""

    state: State
    begun: list[Event]

    def __init__(self, picture: str, seats: int = 1, start: At = (0, 0), **options: Any) -> None:
        shape, mines = drawn(picture)
        first = start[1] * shape.width + start[0]
        self.state, self.begun = MINES.start_on(custom(shape, **options), seats, mines, first)

    @classmethod
    def of(cls, begun: tuple[State, list[Event]]) -> "Table":
        """Return the table of a match that was started in another way."""
        table = cls.__new__(cls)
        table.state, table.begun = begun
        return table

    def do(self, seat: int, action: Action) -> list[Event]:
        return MINES.apply(self.state, seat, KEY, action)

    def open(self, seat: int, *cells: At) -> list[Event]:
        return self.do(seat, Open(cells))

    def flag(self, seat: int, *cells: At) -> list[Event]:
        return self.do(seat, Flag(cells))

    def unflag(self, seat: int, *cells: At) -> list[Event]:
        return self.do(seat, Unflag(cells))

    def chord(self, seat: int, *cells: At) -> list[Event]:
        return self.do(seat, Chord(cells))

    def seq(self, seat: int, *moves: Move) -> list[Event]:
        return self.do(seat, Seq(moves))

    def bomb(self, seat: int, at: At) -> list[Event]:
        return self.do(seat, Bomb(at))

    def late(self, seat: int) -> list[Event]:
        action = MINES.default_action(self.state, seat, KEY)
        assert action == Pass()
        return self.do(seat, action)

    def resign(self, seat: int) -> list[Event]:
        return self.do(seat, Resign())

    def remove(self, seat: int) -> list[Event]:
        return MINES.remove(self.state, seat)

    def at(self, ms: int) -> "Table":
        """Set the time to ``ms`` milliseconds after the start of the match."""
        MINES.note_time(self.state, ms)
        return self

    def settle(self) -> list[Event]:
        """Run the job that the match waits for."""
        job = MINES.pending(self.state)
        assert job
        return MINES.settle(self.state, Done(job.name, MINES.compute(job.name, job.args)))

    def refused(self, seat: int, action: Action, why: str) -> None:
        """Check that ``action`` is refused for a reason that matches ``why``, without changing the state."""
        before = MINES.canonical(self.state)
        with pytest.raises(IllegalAction, match=why):
            self.do(seat, action)
        assert MINES.canonical(self.state) == before

    def asked(self) -> list[int]:
        return [decision.seat for decision in MINES.decisions(self.state)]

    def decision(self, seat: int) -> Decision:
        return next(decision for decision in MINES.decisions(self.state) if decision.seat == seat)

    def view(self, viewer: int | None = 0) -> Plain:
        return MINES.view(self.state, viewer)

    def rows(self, viewer: int | None = 0) -> str:
        return " ".join(self.view(viewer)["rows"])

    def states(self) -> list[str]:
        return [player.status for player in self.state.players]

    def outcome(self) -> Outcome:
        """Return the result, after the review if there is one."""
        if MINES.pending(self.state):
            self.settle()
        outcome = MINES.outcome(self.state)
        assert outcome
        return outcome

    def result(self) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
        """Return the reason of the end, the ranks and the scores."""
        outcome = self.outcome()
        return outcome.why, outcome.ranks, outcome.scores

    def stats(self) -> Plain:
        stats = self.outcome().stats
        assert stats
        return stats
