from fractions import Fraction

from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.inference import Engine


def test_equal_cells_have_equal_odds() -> None:
    odds = Engine(3, 3, 2).read([CLOSED] * 4 + [2] + [CLOSED] * 4)
    assert {odds.mine(cell) for cell in range(9) if cell != 4} == {Fraction(1, 4)}
    assert odds.mine(4) == 0
    assert odds.risks[4] == 0.0


def test_spare_cells_share_the_remaining_mines() -> None:
    odds = Engine(5, 1, 2).read([1, CLOSED, CLOSED, CLOSED, CLOSED])
    assert odds.mines == (1,)
    assert odds.spare == (2, 3, 4)
    assert [odds.mine(cell) for cell in odds.spare] == [Fraction(1, 3)] * 3


def test_solutions_of_a_pair() -> None:
    odds = Engine(2, 2, 1).read([1, 1, CLOSED, CLOSED])
    assert odds.solutions == 2
    assert odds.risks == [0.0, 0.0, 0.5, 0.5]
    assert odds.safe == odds.mines == ()


def test_a_won_board_has_one_solution() -> None:
    odds = Engine(2, 2, 1).read([1, 1, 1, CLOSED])
    assert odds.solutions == 1
    assert odds.mines == (3,)
    assert odds.safe == ()
