from math import comb
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.minesweeper.inference.boards import completions, position

from parlour_bots.minesweeper.exact.worlds import outcomes, worlds
from parlour_games.minesweeper.grid import CLOSED, MINE, neighbours
from parlour_games.minesweeper.inference import Engine


@settings(max_examples=200, deadline=None)
@given(st.randoms(use_true_random=False))
def test_worlds_are_the_completions(rng: Random) -> None:
    width, height = rng.randint(1, 5), rng.randint(1, 5)
    mines = rng.randint(0, min(width * height, 7))
    cells = position(rng, width, height, mines)
    if comb(cells.count(CLOSED), mines - cells.count(MINE)) > 3_000:
        return
    odds = Engine(width, height, mines).read(cells)
    undecided = frozenset(odds.undecided)
    expected = {sum(1 << cell for cell in placed & undecided) for placed in completions(width, height, mines, cells)}
    found = worlds(odds)
    assert set(found) == expected
    assert len(found) == odds.solutions


def test_outcomes() -> None:
    #  a . b   with one mine at either end, and one more that is in both worlds
    around = neighbours(3, 1)
    assert outcomes((0, 1, 2), around, [0b001, 0b100]) == {0: {0: 0b10}, 1: {1: 0b11}, 2: {0: 0b01}}
