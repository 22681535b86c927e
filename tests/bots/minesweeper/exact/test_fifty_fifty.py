import pytest

from parlour_bots.minesweeper.exact.fifty_fifty import burdens
from parlour_games.minesweeper.grid import CLOSED, MINE
from parlour_games.minesweeper.inference import Engine


def burden(width: int, height: int, mines: int, cells: list[int]) -> dict[int, float]:
    engine = Engine(width, height, mines)
    return burdens(width, height, engine, engine.read(cells), 100)


def test_a_column_at_the_edge() -> None:
    # Beside the two 1s one of the middle cells is a mine, and no number can say which.
    assert burden(4, 2, 1, [CLOSED, CLOSED, 1, 0, CLOSED, CLOSED, 1, 0]) == {1: 0.5, 5: 0.5}


def test_a_pair_in_the_corner_behind_known_mines() -> None:
    assert burden(5, 2, 3, [CLOSED, CLOSED, MINE, 2, 0, 1, 3, MINE, 2, 0]) == {0: 0.5, 1: 0.5}


def test_an_open_cell_at_the_end_tells_the_two_apart() -> None:
    assert burden(4, 1, 2, [CLOSED, CLOSED, 1, CLOSED]) == {}


def test_a_wall_that_may_be_missing_weighs_by_its_probability() -> None:
    # Cells 0 and 1 with a wall at 2, cells 2 and 3 with a wall at 1: one board of six each. The pair in the middle
    # would need two walls that are uncertain.
    assert burden(4, 1, 2, [CLOSED] * 4) == pytest.approx({0: 1 / 6, 1: 2 / 6, 2: 2 / 6, 3: 1 / 6})


def test_a_square_counts_beside_its_rows_and_columns() -> None:
    assert burden(2, 2, 2, [CLOSED] * 4) == pytest.approx(dict.fromkeys(range(4), 1 / 3 + 1 / 3 + 1 / 6))


def test_looks_at_no_more_than_it_may() -> None:
    engine = Engine(2, 2, 2)
    assert burdens(2, 2, engine, engine.read([CLOSED] * 4), 0) == {}
