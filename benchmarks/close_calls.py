"""What play-ons add at close calls: ``exact`` with a second opinion against ``exact``, without the luck of the game.

At a guess of the middle game for which several cells are valued within 3 %, the second opinion plays the game on with
the best three, on the same layouts drawn from all that are possible, and drops a cell when it is clearly behind. If it
then opens another cell than ``exact``, both are compared on fresh layouts, with ``exact`` playing on. The game goes on
with the other cell. The expected sum of these differences in a game is the gain in games won (the performance
difference lemma of Kakade and Langford, 2002).

``python -m benchmarks.close_calls 400 2`` plays 400 boards per rule in two processes, at about five seconds of CPU a
board, so that ``make bench`` leaves it out. Ctrl-C ends it with the results so far.
"""

import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice, product
from math import sqrt
from random import Random
from statistics import mean, median
from time import process_time

import attrs

from benchmarks.results import Row, show
from parlour_bots.arena.minesweeper.game import generated
from parlour_bots.minesweeper.exact import Move, Solver
from parlour_bots.minesweeper.guessing import LATER, Guess
from parlour_bots.minesweeper.review import PlayOns, layouts
from parlour_games.minesweeper.actions import Step
from parlour_games.minesweeper.board import Board, VisibleBoard, known
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.statistics import Deals

BOARDS = 50
SEEDS = {"safe": 20261251, "opening": 20261252}
"""The boards per rule, and the seed of each rule's boards."""
CELLS = 3
"""The most cells that are compared at a close call."""
BATCH, MOST = 20, 100
"""The layouts after which cells may be dropped, and the most of them."""
BEHIND = 2.5
"""A cell is dropped when it is this many standard errors behind the best."""
FRESH = 40
"""The layouts on which another cell is compared with that of ``exact``."""


@attrs.frozen
class Game:
    """The close calls of a game, and the gain and cost of the second opinion."""

    calls: int
    """Close calls."""
    others: int
    """Close calls at which it opened another cell than ``exact``."""
    gain: float
    """The sum of the differences of the probabilities to win."""
    seconds: float
    """The CPU of the second opinion."""


def measure(boards: int = BOARDS, jobs: int = 1) -> list[Row]:
    """Return what the second opinion gains on ``boards`` boards per rule; on Ctrl-C, on those played so far."""
    games = list[Game]()
    ignore = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches all processes
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=ignore) as pool, suppress(KeyboardInterrupt):
        try:
            pending = [pool.submit(_game, first, number) for number, first in product(range(boards), SEEDS)]
            for done in as_completed(pending):
                games.append(done.result())
                if len(games) % 20 == 0:
                    print(f"{len(games)} of {len(pending)} games", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return _rows(games)


def _rows(games: list[Game]) -> list[Row]:
    if len(games) < 2:
        return []
    gains = Deals()
    for game in games:
        gains.add(100 * game.gain)
    low, high = gains.interval() or (0.0, 0.0)
    calls = sum(game.calls for game in games)
    return [
        ("second opinion at close calls, expert: games", float(len(games)), ""),
        ("second opinion: close calls", float(calls), ""),
        ("second opinion: another cell", float(sum(game.others for game in games)), ""),
        ("second opinion: CPU per close call", sum(game.seconds for game in games) / max(1, calls), "s"),
        ("second opinion: CPU per game, median", median(game.seconds for game in games), "s"),
        ("second opinion: gain per 100 games", gains.mean, f"games won ({low:+.2f} to {high:+.2f})"),
    ]


def _game(first: str, number: int) -> Game:
    """Play a board with the second opinion."""
    options, rng = Options(level="expert", first=first), Random(f"{SEEDS[first]}/{number}")
    shape, dealt = options.shape, generated(options, None, SEEDS[first], number)
    board, visible = Board(shape, list(dealt.mines)), VisibleBoard(shape.width, shape.height)
    solver = Solver(shape.width, shape.height, shape.mines)
    play_ons = PlayOns(Solver(shape.width, shape.height, shape.mines))
    opened: Sequence[int] = [dealt.first]
    calls = others = 0
    gain = seconds = 0.0
    while None not in [visible.open_cell(board, cell) for cell in opened] and visible.open < shape.safe:
        cells = known(visible.rows())
        move = solver.move(cells)
        opened = move.cells
        close = _close(solver, cells, move) if "ahead" in move.why else []
        if len(close) < 2:
            continue
        drawn = layouts(shape, solver.engine.read(cells), rng)
        begun = process_time()
        other = _race(play_ons, visible, drawn, close)
        seconds += process_time() - begun
        if other != close[0]:
            gain += mean(
                play_ons.value(visible, layout, _opening(shape, other))
                - play_ons.value(visible, layout, _opening(shape, close[0]))
                for layout in islice(drawn, FRESH)
            )
            others += 1
        calls += 1
        opened = [other]
    return Game(calls, others, gain, seconds)


def _close(solver: Solver, cells: list[int], move: Move) -> list[int]:
    """Return the best cells of the middle game that are close, first that of ``exact``."""
    guess = Guess(solver.width, solver.height, solver.engine, solver.engine.read(cells))
    if guess.style is not LATER:
        return []
    return [*move.cells, *[cell for cell, _ in guess.ranked() if cell not in move.cells][: CELLS - 1]]


def _opening(shape: Shape, cell: int) -> list[Step]:
    """Return the move that opens a cell."""
    y, x = divmod(cell, shape.width)
    return [("open", x, y)]


def _race(play_ons: PlayOns, visible: VisibleBoard, drawn: Iterator[Board], cells: list[int]) -> int:
    """Return the cell that wins most when the game is played on."""
    won: dict[int, list[float]] = {cell: [] for cell in cells}
    for _ in range(0, MOST, BATCH):
        for board in islice(drawn, BATCH):
            for cell, values in won.items():
                values.append(play_ons.value(visible, board, _opening(board.shape, cell)))
        best = max(won, key=lambda cell: sum(won[cell]))
        won = {cell: values for cell, values in won.items() if not _behind(values, won[best])}
        if len(won) == 1:
            break
    return max(won, key=lambda cell: sum(won[cell]))


def _behind(values: list[float], best: list[float]) -> bool:
    """Return whether the average of ``values`` is clearly less than that of ``best``."""
    differences = [one - other for one, other in zip(best, values, strict=True)]
    middle = mean(differences)
    error = sqrt(sum((each - middle) ** 2 for each in differences)) / (len(differences) - 1)
    return middle > BEHIND * error


if __name__ == "__main__":
    show(measure(*map(int, sys.argv[1:])))
