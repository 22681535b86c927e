"""Noninterference runs of Minesweeper: the second run moves hidden mines, or lets a rival open other cells."""

import random
from typing import Any

import attrs
from tests.conversations.fixed_boards import FixedBoardFair
from tests.server.rooms.noninterference import NONSENSE, Run, Step

from parlour_games.fair import Fair
from parlour_games.minesweeper.board import Board, around, neighbours
from parlour_games.minesweeper.options import Shape
from parlour_protocol import messages as m
from parlour_server.rooms.match import Match

SIDE, MINES = 14, 35
SHAPE = Shape(SIDE, SIDE, MINES)
SEATS = {"solo": 1, "race": 3, "coop": 3, "duel": 2}
LIVES = 5
STEPS = 25


@attrs.define
class MinesweeperRun(Run):
    """A match whose mines are ``cards``; a race begins at ``start``."""

    mode: str = attrs.field(kw_only=True)

    def fair(self) -> Fair:
        mines = " ".join(f"{cell % SIDE},{cell // SIDE}" for cell in self.cards)
        return FixedBoardFair(f"{SIDE}x{SIDE} {mines} / {self.start % SIDE},{self.start // SIDE}")

    def options(self) -> m.Plain:
        size = {"level": "custom", "width": SIDE, "height": SIDE, "mines": MINES, "first": "any"}
        more: m.Plain = {"coop": {"lives": LIVES}, "race": {"penalty": 1_000}}.get(self.mode, {})
        return {**size, **more, "mode": self.mode}

    @property
    def match(self) -> Match | None:
        """The match, while it is not decided."""
        match = self.server.lobby.rooms.loaded[self.code].room.match
        return match if match and match.state.phase in ("new", "playing") else None

    def shown(self) -> set[int]:
        """Return the cells that are open on any board."""
        match = self.match
        assert match is not None
        return {
            cell for board in match.state.visible_boards for cell, char in enumerate(board.shown) if char not in b".F"
        }


def layout(rng: random.Random) -> tuple[list[int], int]:
    """Return mines and a start cell from which some cells come open."""
    start = rng.randrange(SHAPE.cells)
    free = set(around(SIDE, SIDE, start, 1))
    return rng.sample([cell for cell in range(SHAPE.cells) if cell not in free], MINES), start


def elsewhere(mines: list[int], shown: set[int], rng: random.Random) -> list[int]:
    """Return other mines that are consistent with everything that was shown."""
    near = neighbours(SIDE, SIDE)
    told = shown | {cell for here in shown for cell in near[here]}
    free = [cell for cell in range(SHAPE.cells) if cell not in told]
    hidden = [mine for mine in mines if mine not in told]
    return [mine for mine in mines if mine in told] + rng.sample(free, len(hidden))


def script(run: MinesweeperRun, rng: random.Random) -> list[Step]:
    """Play at random, mistakes included; return what was done before the match was decided."""
    done: list[Step] = []
    for _ in range(STEPS):
        match = run.match
        if match is None:
            break
        step = _choose(run, match, rng, sum(step[0] == "try" for step in done) < 15)
        run.play(step)
        if run.match is None:
            done.append(step)
            return done[:-1]
        done.append(step)
    return done


def _choose(run: MinesweeperRun, match: Match, rng: random.Random, may_try: bool) -> Step:
    decision = rng.choice(match.book.obligations())
    kind = rng.choice(("act",) * 8 + (("try",) if may_try else ()) + ("wait", "chat", "list", "rewatch", "lose"))
    if kind == "act":
        return "act", decision.seat, (decision.rid, _action(run, match, decision.seat, rng))
    if kind == "try":
        closed = rng.choice(_closed(match, decision.seat))
        chord = {"do": "chord", "cells": [[closed % SIDE, closed // SIDE]]}
        wrong = [NONSENSE, {"do": "open", "cells": [[SIDE, 0]]}, {"do": "bomb", "at": [0, 0]}, chord]
        return "try", decision.seat, (decision.rid, rng.choice(wrong))
    rest: Any = {"wait": rng.randrange(300), "chat": "hm", "lose": rng.choice((None, {"epoch": 1, "seq": 3}))}.get(kind)
    return kind, decision.seat, rest


def _closed(match: Match, seat: int) -> list[int]:
    return [cell for cell in range(SHAPE.cells) if match.state.visible_board_of(seat).is_closed(cell)]


def _action(run: MinesweeperRun, match: Match, seat: int, rng: random.Random) -> m.Plain | int:
    closed = _closed(match, seat)
    mines, bold = set(run.cards), rng.random() < 0.2 and run.mode != "solo"
    cell = rng.choice([cell for cell in closed if (cell in mines) == bold] or closed)
    x, y = cell % SIDE, cell // SIDE
    if run.mode == "duel" or rng.random() < 0.6:
        return cell
    return rng.choice(
        [
            {"do": "flag", "cells": [[x, y]]},
            {"do": "unflag", "cells": [[x, y]]},
            {"do": "seq", "moves": [["flag", x, y], ["chord", rng.randrange(SIDE), rng.randrange(SIDE)]]},
        ]
    )


def lone_numbers(run: MinesweeperRun, seat: int) -> list[int]:
    """Return cells that ``seat`` may open, each of which opens alone."""
    match = run.match
    assert match is not None
    board = Board(SHAPE, run.cards)
    visible = match.state.visible_board_of(seat)
    return [cell for cell, number in enumerate(board.numbers) if 0 < number < 9 and visible.is_closed(cell)]
