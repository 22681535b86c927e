import pytest

from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget, readings
from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.inference import Engine


def test_an_ordinary_reading_costs_one() -> None:
    assert readings(Engine(30, 16, 99).read([1] + [CLOSED] * 479)) == 1


def test_a_crowded_board_costs_more() -> None:
    cells = [CLOSED] * 2_500
    for row in range(1, 49, 4):
        for column in range(1, 49, 2):
            cells[row * 50 + column] = 4
    odds = Engine(50, 50, 1_200).read(cells)
    assert readings(odds) == 1 + odds.work // 2_000 > 10


def test_a_budget_is_spent_to_the_last() -> None:
    budget = WorkBudget(5)
    budget.take(3)
    budget.take(2)
    assert budget.left == 0
    with pytest.raises(OutOfWork):
        budget.take(1)
