from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions, position
from tests.support.examples import examples

from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget, allocations, readings, worlds
from parlour_games.minesweeper.board import CLOSED, MINE
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.frontier import ComponentShape
from parlour_games.minesweeper.inference import Engine, Odds


def drawn(rng: Random, most: int) -> tuple[Odds, set[int]] | None:
    """Return the odds of some small position and its worlds by trying everything; None if that is too much."""
    width, height = rng.randint(1, 5), rng.randint(1, 5)
    mines = rng.randint(0, min(width * height, 7))
    cells = position(rng, width, height, mines)
    if comb(cells.count(CLOSED), mines - cells.count(MINE)) > most:
        return None
    odds = Engine(width, height, mines).read(cells)
    undecided = frozenset(odds.undecided)
    placed = completions(width, height, mines, cells)
    return odds, {sum(1 << cell for cell in mines & undecided) for mines in placed}


def late() -> Odds:
    """Return the odds of two numbers on a small board: far more worlds than are wanted of it."""
    return Engine(8, 6, 8).read([{9: 2, 22: 3}.get(cell, CLOSED) for cell in range(48)])


@examples(200)
@given(st.randoms(use_true_random=False))
def test_worlds_are_the_completions(rng: Random) -> None:
    if example := drawn(rng, 3_000):
        odds, expected = example
        found = worlds(odds, 3_000)
        assert (set(found), len(found)) == (expected, odds.solutions)


@examples(100)
@given(st.randoms(use_true_random=False), st.integers(1, 40))
def test_a_share_of_them_has_no_other_worlds_and_none_twice(rng: Random, most: int) -> None:
    if example := drawn(rng, 1_000):
        odds, expected = example
        found = worlds(odds, most)
        assert expected.issuperset(found)
        assert len(set(found)) == len(found)
        assert min(most, odds.solutions) * 0.6 <= len(found) <= most


def test_a_share_of_them_agrees_with_the_exact_odds() -> None:
    odds = late()
    found = worlds(odds, 2_000)
    assert odds.solutions > 100_000
    assert 1_900 < len(found) <= 2_000
    for cell in odds.undecided:
        share = sum(world >> cell & 1 for world in found) / len(found)
        assert share == pytest.approx(odds.risks[cell], abs=0.03)


def test_the_same_position_gets_the_same_share() -> None:
    assert worlds(late(), 500) == worlds(late(), 500)


def test_a_component_with_too_many_spreads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.minesweeper.worlds.ALLOCATIONS", 1)
    with pytest.raises(TooLarge):
        worlds(Engine(6, 1, 2).read([CLOSED, 1, CLOSED, 1, CLOSED, CLOSED]), 10)


def test_an_ordinary_reading_costs_one_and_a_crowded_board_more() -> None:
    assert readings(Engine(30, 16, 99).read([1] + [CLOSED] * 479)) == 1
    crowd = {row * 50 + column for row in range(1, 49, 4) for column in range(1, 49, 2)}
    odds = Engine(50, 50, 1_200).read([4 if cell in crowd else CLOSED for cell in range(2_500)])
    assert readings(odds) == 1 + odds.work // 2_000 > 10


def test_a_budget_is_spent_to_the_last() -> None:
    budget = WorkBudget(5)
    budget.take(3)
    budget.take(2)
    assert budget.left == 0
    with pytest.raises(OutOfWork):
        budget.take(1)


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
