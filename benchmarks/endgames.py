"""The error of sampled endgames: the probability to win that ``exact`` claims, minus the share of games it then wins.

``exact`` plays expert boards. Wherever it values an endgame by a sample of the mine layouts, the game is also played on
to its end from there, on layouts drawn from all that are possible. ``python -m benchmarks.endgames 4000`` plays 4,000
boards per rule.
"""

import sys
from collections.abc import Iterable, Iterator
from random import Random
from statistics import mean

from benchmarks.results import Row, show
from parlour_bots.arena.minesweeper.game import fresh
from parlour_bots.minesweeper.exact import Solver, endgame
from parlour_games.minesweeper.board import CLOSED, Board, VisibleBoard, known
from parlour_games.minesweeper.options import Options
from parlour_games.statistics import Deals

BOARDS = 200
SEEDS = {"safe": 20261241, "opening": 20261242}
"""The boards per rule, and the seed of each rule's boards. The weights of ``endgame`` were chosen on others."""
LAYOUTS = 8
"""The layouts on which a game is played on from a position."""


def measure(boards: int = BOARDS) -> list[Row]:
    """Return the results of the sampled endgames of ``boards`` boards per rule."""
    claims, errors = [], Deals()
    for first in SEEDS:
        for claim, won in _endgames(first, boards):
            claims.append(claim)
            errors.add(claim - won)
    if len(claims) < 2:
        return []
    low, high = errors.interval() or (0.0, 0.0)
    return [
        ("sampled endgames of exact, expert: positions", float(len(claims)), ""),
        ("sampled endgames of exact, expert: claimed to be won", mean(claims), ""),
        ("sampled endgames of exact, expert: claimed minus won", errors.mean, f"({low:+.3f} to {high:+.3f})"),
    ]


def _endgames(first: str, boards: int) -> Iterator[tuple[float, float]]:
    """Yield for each sampled endgame the probability to win that is claimed, and the share of games won from there."""
    options, rng = Options(level="expert", first=first), Random(SEEDS[first])
    shape = options.shape
    for dealt in fresh(options, None, SEEDS[first], boards):
        solver = Solver(shape.width, shape.height, shape.mines)
        guesses, _ = _played(solver, Board(shape, list(dealt.mines)), [dealt.first])
        for cells in guesses:
            odds = solver.engine.read(cells)
            found = endgame.solve(shape.width, shape.height, odds) if odds.solutions > endgame.LISTED else None
            if found:
                shown = [cell for cell, value in enumerate(cells) if value != CLOSED]
                layouts = [odds.layout(rng.randrange(odds.solutions)) for _ in range(LAYOUTS)]
                games = [_played(solver, Board(shape, mines), [*shown, found[0]]) for mines in layouts]
                yield found[1], mean(won for _, won in games)


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
