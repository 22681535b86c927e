"""The endgames of ``exact`` on expert boards: the error of its samples, and what perfect play would win beyond it.

Wherever it values an endgame by a sample of the mine layouts, the game is also played on to its end from there, on
layouts drawn from all that are possible: the probability to win that is claimed, minus the share of games won.

At the first guess of a game with few layouts, a search without the limits of a move finds what perfect play wins. What
it wins beyond the value of the cell that ``exact`` opens is an upper bound of what is left to win in endgames.

``python -m benchmarks.endgames 4000`` plays 4,000 boards per rule.
"""

import sys
from collections.abc import Iterable
from random import Random
from statistics import mean

import attrs

from benchmarks.results import Row, show
from parlour_bots.arena.minesweeper.game import fresh
from parlour_bots.minesweeper import endgame
from parlour_bots.minesweeper.exact import Solver
from parlour_games.minesweeper.board import CLOSED, Board, VisibleBoard, known
from parlour_games.minesweeper.options import Options
from parlour_games.statistics import Deals

BOARDS = 200
SEEDS = {"safe": 20261241, "opening": 20261242}
"""The boards per rule, and the seed of each rule's boards. The weights of ``endgame`` were chosen on others."""
LAYOUTS = 8
"""The layouts on which a game is played on from a position."""
WORK = 4_000_000
"""The work limit of a search for perfect play, 200 times that of a move. A position that needs more is left out."""


def measure(boards: int = BOARDS) -> list[Row]:
    """Return the results of the sampled endgames of ``boards`` boards per rule."""
    found = _Endgames()
    for first in SEEDS:
        _endgames(first, boards, found)
    return [*_sampled(found), *_left(found)]


@attrs.define
class _Endgames:
    """What was found on boards of both rules."""

    claims: list[float] = attrs.field(factory=list)
    """Of each sampled endgame, the probability to win that is claimed."""
    errors: Deals = attrs.field(factory=Deals)
    """Claimed minus won."""
    left: Deals = attrs.field(factory=Deals)
    """Of each game, what perfect play wins beyond ``exact`` from its first endgame on, times 100."""
    listed: int = 0
    """The games that came to an endgame whose layouts are all listed."""
    unsolved: int = 0
    """Those of them that need too much work."""


def _sampled(found: _Endgames) -> list[Row]:
    if len(found.claims) < 2:
        return []
    low, high = found.errors.interval() or (0.0, 0.0)
    return [
        ("sampled endgames of exact, expert: positions", float(len(found.claims)), ""),
        ("sampled endgames of exact, expert: claimed to be won", mean(found.claims), ""),
        ("sampled endgames of exact, expert: claimed minus won", found.errors.mean, f"({low:+.3f} to {high:+.3f})"),
    ]


def _left(found: _Endgames) -> list[Row]:
    if found.left.count < 2:
        return []
    low, high = found.left.interval() or (0.0, 0.0)
    return [
        ("listed endgames of exact, expert: games", float(found.left.count), ""),
        ("listed endgames of exact, expert: games with one", float(found.listed), ""),
        ("listed endgames of exact, expert: too much work for perfect play", float(found.unsolved), ""),
        ("perfect play of listed endgames: more per 100 games", found.left.mean, f"won ({low:+.3f} to {high:+.3f})"),
    ]


def _endgames(first: str, boards: int, into: _Endgames) -> None:
    """Play ``boards`` boards, and add their endgames."""
    options, rng = Options(level="expert", first=first), Random(SEEDS[first])
    shape = options.shape
    for dealt in fresh(options, None, SEEDS[first], boards):
        solver = Solver(shape.width, shape.height, shape.mines)
        guesses, _ = _played(solver, Board(shape, list(dealt.mines)), [dealt.first])
        left: float | None = None
        for cells in guesses:
            odds = solver.engine.read(cells)
            found = None if odds.safe else endgame.solve(shape.width, shape.height, odds)
            if found is None:
                continue
            if odds.solutions > endgame.LISTED:
                shown = [cell for cell, value in enumerate(cells) if value != CLOSED]
                layouts = [odds.layout(rng.randrange(odds.solutions)) for _ in range(LAYOUTS)]
                games = [_played(solver, Board(shape, mines), [*shown, found[0]]) for mines in layouts]
                into.claims.append(found[1])
                into.errors.add(found[1] - mean(won for _, won in games))
            elif left is None:
                into.listed += 1
                perfect = endgame.perfect_value(shape.width, shape.height, odds, WORK)
                into.unsolved += perfect is None
                left = 0.0 if perfect is None else 100 * (perfect - found[1])
        into.left.add(left or 0.0)


def _played(solver: Solver, board: Board, opened: Iterable[int]) -> tuple[list[list[int]], bool]:
    """Open cells and play on to the end. Return the position before each guess, and whether the game is won."""
    visible, guesses = VisibleBoard(solver.width, solver.height), list[list[int]]()
    while None not in [visible.open_cell(board, cell) for cell in opened]:
        if visible.open == board.shape.safe:
            return guesses, True
        cells = known(visible.rows())
        move = solver.move(cells)
        if move.why != "forced":
            guesses.append(cells)
        opened = move.cells
    return guesses, False


if __name__ == "__main__":
    show(measure(*map(int, sys.argv[1:])))
