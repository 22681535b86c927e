from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bots.minesweeper.planes import drawn, improved, parts, perfectly, simply
from tests.support.examples import seeds

from parlour_bots.minesweeper.endgame import EndgameSearch
from parlour_bots.minesweeper.playout import DIGITS, Cell, Playouts
from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget

EVERY = frozenset(range(24))
ALL = (1 << 24) - 1


def playouts(live: list[Cell], work: int = 1_000_000) -> Playouts:
    """Return the playouts over 24 worlds that are all there are."""
    return Playouts(live, [1 - mines.bit_count() / 24 for _, mines, _ in live], WorkBudget(work))


@given(st.randoms(use_true_random=False))
def test_the_simple_player_wins_what_it_wins_one_by_one(rng: Random) -> None:
    shows, live = drawn(rng)
    assert playouts(live).wins(ALL, live) == simply(shows, EVERY)


@given(st.randoms(use_true_random=False))
def test_the_next_guess_may_be_the_best(rng: Random) -> None:
    shows, live = drawn(rng)
    assert playouts(live).improved(ALL, live) == improved(shows, EVERY)


@given(st.randoms(use_true_random=False))
def test_the_best_cell_is_the_best_of_all(rng: Random) -> None:
    shows, live = drawn(rng)
    found = playouts(live).best()
    values = [sum(simply(shows, part) for part in parts(shown, EVERY)) / 24 for shown in shows]
    assert found is not None
    place, value = found
    assert value == pytest.approx(max(values))
    assert values[place] == pytest.approx(value)


@given(st.randoms(use_true_random=False))
def test_counting_again_never_makes_it_worse_and_promises_no_more_than_can_be_won(rng: Random) -> None:
    shows, live = drawn(rng)
    both = playouts(live)
    first, again = both.best(), both.recounted()
    assert first is not None
    assert again is not None
    assert simply(shows, EVERY) / 24 <= first[1] + 1e-9 <= again[1] + 2e-9
    told = parts(shows[again[0]], EVERY)
    assert again[1] == pytest.approx(sum(improved(shows, part) for part in told) / 24)
    assert again[1] <= perfectly(shows, EVERY) / 24 + 1e-9


def test_counting_again_pays() -> None:
    gained = 0.0
    for seed in range(40):
        both = playouts(drawn(Random(seed))[1])
        first, again = both.best(), both.recounted()
        gained += again[1] - first[1] if first and again else 0
    assert gained > 0.1


def test_the_best_is_counted_again_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.minesweeper.playout.RECOUNTED", 1)
    monkeypatch.setattr("parlour_bots.minesweeper.playout.CLOSE", 0.8)
    shows, live = drawn(Random(19))
    both = playouts(live)
    first, again = both.best(), both.recounted()
    assert first is not None
    assert again is not None
    told = parts(shows[first[0]], EVERY)
    assert again == (first[0], round(sum(improved(shows, part) for part in told) / 24, DIGITS))
    assert again[1] > first[1]


def test_the_chances_need_not_be_those_of_the_worlds() -> None:
    # Two worlds tell of a cell that it is safe in both and tells them apart, yet it is risky.
    live: list[Cell] = [(0, 0b01, [0b10]), (1, 0, [0b01, 0b10])]
    assert Playouts(live, [0.9, 0.5], WorkBudget(100)).best() == (0, 0.9)
    assert Playouts(live, [0.4, 0.5], WorkBudget(100)).best() == (1, 0.5)


def test_a_cell_that_is_a_mine_in_all_worlds_at_hand_is_none_to_open() -> None:
    live: list[Cell] = [(0, 0b11, []), (1, 0b01, [0b10])]
    assert Playouts(live, [0.9, 0.5], WorkBudget(100)).best() == (1, 0.5)


@pytest.mark.parametrize("work", [0, 30, 100, 300, 1_000, 10_000])
def test_a_spent_budget_leaves_the_best_so_far(work: int) -> None:
    shows, live = drawn(Random(5))
    short, long = playouts(live, work), playouts(live)
    found, full = [short.best(), short.recounted()][-1], [long.best(), long.recounted()][-1]
    assert (found is None) == (work == 0)
    if found and full:
        assert found[1] <= full[1]
        assert found[1] <= sum(perfectly(shows, part) for part in parts(shows[found[0]], EVERY)) / 24 + 1e-9


@pytest.mark.parametrize("seed", seeds(60))
def test_bounds_change_no_value(seed: int) -> None:
    shows, live = drawn(Random(seed))
    found = EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, 1)
    assert found is not None
    place, wins = found
    assert wins == perfectly(shows, EVERY)
    assert wins == sum(perfectly(shows, part) for part in parts(shows[place], EVERY))
    assert EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins) is None
    assert EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins - 1) == found


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
