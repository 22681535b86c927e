from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import position

from parlour_bots.minesweeper.worlds import allocations
from parlour_games.minesweeper.frontier import ComponentShape
from parlour_games.minesweeper.inference import Engine


def plainly(shape: ComponentShape) -> list[list[int]]:
    """Return the spreads by trying every number of mines in every group."""
    found = []
    for placed in product(*[range(size + 1) for size in shape.sizes]):
        served = [0] * len(shape.needs)
        for mines, touching in zip(placed, shape.touching, strict=True):
            for number in touching:
                served[number] += mines
        if served == list(shape.needs):
            found.append(list(placed))
    return found


@given(st.randoms(use_true_random=False))
def test_all_spreads_and_each_once(rng: Random) -> None:
    mines = rng.randint(3, 9)
    for part in Engine(5, 4, mines).read(position(rng, 5, 4, mines)).parts:
        assert [list(placed) for placed in allocations(part.shape)] == plainly(part.shape)
