"""The speed of Minesweeper: inference, generating no-guess boards, reviewing a game, and the size of a turn.

The boards are expert boards, 30×16 with 99 mines. Positions come from whole games: the player opens all safe cells, or
the least risky cell if none is safe.
"""

from collections.abc import Iterator
from statistics import median
from time import process_time

from benchmarks.results import Row, show
from parlour_games.fair import Fair
from parlour_games.game import Done
from parlour_games.minesweeper.actions import Open
from parlour_games.minesweeper.board import CLOSED, Dealt, known
from parlour_games.minesweeper.fair_boards import make
from parlour_games.minesweeper.inference import Engine
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.minesweeper.state import State
from parlour_protocol.codec import CODECS
from parlour_protocol.messages import Turn
from parlour_protocol.wire import plain

GAMES, BOARDS = 60, 60
_GAME = Minesweeper()
_EXPERT = Options(level="expert", first="opening")


def measure() -> list[Row]:
    """Return the results, in CPU time of this process."""
    played = [_play(number) for number in range(GAMES)]
    reads = sorted(ms for times, _ in played for ms in times)
    reviews = sorted(_review(state) for _, state in played)
    generated = sorted(_generate(number) for number in range(BOARDS))
    largest = Shape(100, 100, 2_000)
    return [
        ("Minesweeper, expert: inference on one position, median", median(reads), "ms"),
        ("Minesweeper, expert: inference on one position, maximum", reads[-1], "ms"),
        ("Minesweeper, expert: review of a game, median", median(reviews), "ms"),
        ("Minesweeper, expert: generating a no-guess board, median", median(generated), "ms"),
        ("Minesweeper, expert: generating a no-guess board, p95", generated[int(0.95 * BOARDS)], "ms"),
        ("Minesweeper, 100×100 with 2,000 mines: inference, maximum", max(_reads(largest, 1)), "ms"),
        *((f"{name}: a turn with a half-open expert board", float(size), "bytes") for name, size in _sizes(played)),
    ]


def _play(number: int) -> tuple[list[float], State]:
    """Play a game; return the milliseconds of each inference and the final state."""
    state, _ = _GAME.start(_EXPERT, 1, _fair(number))
    times: list[float] = []
    for cells in _moves(state, times):
        _GAME.apply(state, 0, "play", Open(tuple(state.at(cell) for cell in cells)))
    return times, state


def _moves(state: State, times: list[float]) -> Iterator[list[int]]:
    """Yield the cells to open next until the game is decided; append the time of each inference to ``times``."""
    shape = state.shape
    engine = Engine(shape.width, shape.height, shape.mines)
    while state.why is None:
        cells = known(_GAME.view(state, 0)["rows"])
        began = process_time()
        odds = engine.read(cells)
        safe, risks = list(odds.safe), odds.risks
        times.append((process_time() - began) * 1e3)
        closed = [cell for cell, value in enumerate(cells) if value == CLOSED]
        yield safe or [min(closed, key=risks.__getitem__)]


def _reads(shape: Shape, number: int) -> list[float]:
    options = Options(level="custom", width=shape.width, height=shape.height, mines=shape.mines)
    state, _ = _GAME.start(options, 1, _fair(number))
    times: list[float] = []
    for cells in _moves(state, times):
        for cell in cells:  # one at a time, for more and rarer positions
            if state.why is None:
                _GAME.apply(state, 0, "play", Open((state.at(cell),)))
    return times


def _review(state: State) -> float:
    job = _GAME.pending(state.copy())
    assert job is not None
    began = process_time()
    result = _GAME.compute(job.name, job.args)
    took = process_time() - began
    _GAME.settle(state.copy(), Done(job.name, result))
    return took * 1e3


def _generate(number: int) -> float:
    shape = _EXPERT.shape
    began = process_time()
    make(Dealt(_fair(number).deal(1)), shape, "opening", shape.cells // 2)
    return (process_time() - began) * 1e3


def _sizes(played: list[tuple[list[float], State]]) -> Iterator[tuple[str, int]]:
    state = next(state for _, state in played if state.visible_boards[0].open > state.shape.safe // 2)
    turn = plain(Turn("K7QD", 90, "minesweeper", 0, _GAME.view(state, 0), [], [], {"0": 61_000}, 41, 61_000))
    for name, codec in CODECS.items():
        yield name, len(codec.encode(turn))


def _fair(number: int) -> Fair:
    return Fair(bytes(range(32)), f"BENCH/{number}", [b""])


if __name__ == "__main__":
    show(measure())
