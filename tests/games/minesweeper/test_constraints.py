import pytest

from parlour_games.minesweeper.board import CLOSED, MINE
from parlour_games.minesweeper.constraints import MINED, OPEN, SAFE, Constraints, Impossible


def counted(width: int, height: int, cells: list[int]) -> Constraints:
    constraints = Constraints(width, height)
    assert constraints.read(cells)
    return constraints


def test_a_satisfied_number_frees_the_rest() -> None:
    constraints = counted(3, 1, [MINE, 1, CLOSED])
    assert constraints.known == [MINED, OPEN, SAFE]
    assert constraints.safe == {2}
    assert (constraints.mined, constraints.undecided) == (1, 0)


def test_a_full_number_mines_them_all() -> None:
    constraints = counted(3, 1, [CLOSED, 2, CLOSED])
    assert constraints.known == [MINED, OPEN, MINED]


def test_one_number_leads_to_the_next() -> None:
    constraints = counted(6, 1, [CLOSED, 1, 1, CLOSED, 1, CLOSED])
    assert constraints.known == [MINED, OPEN, OPEN, MINED, OPEN, SAFE]


def test_deductions_from_two_numbers_are_left_open() -> None:
    cells = [CLOSED] * 3 + [1, 1, 1] + [CLOSED] * 3
    constraints = counted(3, 3, cells)
    assert constraints.active == {3, 4, 5}
    assert constraints.undecided == 6


def test_grows_with_the_game() -> None:
    constraints = counted(3, 1, [CLOSED, 1, CLOSED])
    assert constraints.read([0, 1, CLOSED])
    assert constraints.known == [OPEN, OPEN, MINED]


def test_refuses_a_past_that_never_was() -> None:
    constraints = counted(3, 1, [CLOSED, 1, CLOSED])
    assert constraints.read([CLOSED, CLOSED, CLOSED]) is False
    assert constraints.cells == [CLOSED, 1, CLOSED]


@pytest.mark.parametrize(
    "cells",
    [
        [CLOSED, 3, CLOSED],
        [MINE, 0, CLOSED],
        [MINE, 1, MINE],
        [1, 1, 1],
        [1, CLOSED, 0],
    ],
)
def test_contradictions(cells: list[int]) -> None:
    with pytest.raises(Impossible):
        counted(3, 1, cells)


def test_opening_a_certain_mine() -> None:
    constraints = counted(3, 1, [CLOSED, 2, CLOSED])
    with pytest.raises(Impossible):
        constraints.read([1, 2, CLOSED])
