from random import Random

import pytest
from tests.bots.minesweeper.planes import drawn, parts, perfectly
from tests.support.examples import seeds

from parlour_bots.minesweeper.endgame import EndgameSearch
from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget

EVERY = frozenset(range(24))
ALL = (1 << 24) - 1


@pytest.mark.parametrize("seed", seeds(60))
def test_bounds_change_no_value(seed: int) -> None:
    shows, live = drawn(Random(seed))
    found = EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, 1)
    assert found is not None
    place, wins = found
    assert wins == perfectly(shows, EVERY)
    assert wins == sum(perfectly(shows, part) for part in parts(shows[place], EVERY))


@pytest.mark.parametrize("seed", seeds(20))
def test_nothing_is_better_than_perfect(seed: int) -> None:
    shows, live = drawn(Random(seed))
    wins = perfectly(shows, EVERY)
    assert EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins) is None
    better = EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins - 1)
    assert better is not None
    assert better[1] == wins


@pytest.mark.parametrize("seed", seeds(20))
def test_what_is_kept_as_a_bound_is_never_too_low(seed: int) -> None:
    shows, live = drawn(Random(seed))
    search = EndgameSearch(live, WorkBudget(1_000_000))
    true = perfectly(shows, EVERY)
    for least in range(24, -1, -1):
        value = search.value(ALL, search.live, least)
        assert value == true if value > least else value >= true


def test_all_that_a_cell_leaves_may_be_won() -> None:
    assert EndgameSearch([(0, 0b001, [0b010, 0b100])], WorkBudget(100)).better(0b111, 1) == (0, 2)


def test_too_little_work() -> None:
    with pytest.raises(OutOfWork):
        EndgameSearch(drawn(Random(1))[1], WorkBudget(20)).better(ALL, 1)
