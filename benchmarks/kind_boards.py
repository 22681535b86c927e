"""Dense kind boards: how often a forced guess sets off a mine, because judging it takes more than the budget.

    python -m benchmarks.kind_boards [WIDTH HEIGHT MINES GAMES]

A bot opens all certainly safe cells. Where there is none, it opens a random cell that is not certainly a mine: each
such guess is forced.
"""

import sys
from random import Random
from time import process_time

from benchmarks.results import show
from parlour_games.fair import Fair
from parlour_games.minesweeper.actions import Open
from parlour_games.minesweeper.board import CLOSED, known
from parlour_games.minesweeper.component import UNLIMITED
from parlour_games.minesweeper.inference import Engine
from parlour_games.minesweeper.options import Options
from parlour_games.minesweeper.plugin import Minesweeper

BOARDS = ((16, 16, 90, 300), (24, 24, 180, 40))
"""Width, height, mines, number of games."""
_GAME = Minesweeper()


def measure(width: int, height: int, mines: int, games: int) -> None:
    """Play the games and print the results."""
    options = Options(level="custom", width=width, height=height, mines=mines, kind=True)
    lost = guesses = 0
    longest = 0.0
    for number in range(games):
        state, _ = _GAME.start(options, 1, Fair(bytes(range(32)), f"KIND/{number}", [b""]))
        engine, rng = Engine(width, height, mines, budget=UNLIMITED), Random(number)
        while state.why is None:
            cells = known(_GAME.view(state, 0)["rows"])
            odds = engine.read(cells)
            mined = set(odds.mines)
            free = [cell for cell, value in enumerate(cells) if value == CLOSED and cell not in mined]
            guesses += not odds.safe
            began = process_time()
            _GAME.apply(state, 0, "play", Open(tuple(map(state.at, odds.safe or [rng.choice(free)]))))
            longest = max(longest, process_time() - began)
        lost += state.unspared
    name = f"{width}×{height} with {mines} mines, {games} games"
    show(
        [
            (f"{name}: forced guesses", float(guesses), ""),
            (f"{name}: that set off a mine", float(lost), ""),
            (f"{name}: the longest act", longest * 1e3, "ms of CPU"),
        ]
    )


if __name__ == "__main__":
    chosen = tuple(map(int, sys.argv[1:5]))
    for board in [chosen] if chosen else BOARDS:
        measure(*board)
