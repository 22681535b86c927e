import pytest

from parlour_games.minesweeper.grid import CLOSED, MINE
from parlour_games.minesweeper.inference.constraints import MINED, OPEN, SAFE, Counting
from parlour_games.minesweeper.inference.errors import Impossible


def counted(width: int, height: int, cells: list[int]) -> Counting:
    counting = Counting(width, height)
    assert counting.read(cells)
    return counting


def test_a_satisfied_number_frees_the_rest() -> None:
    counting = counted(3, 1, [MINE, 1, CLOSED])
    assert counting.known == [MINED, OPEN, SAFE]
    assert counting.safe == {2}
    assert (counting.mined, counting.undecided) == (1, 0)


def test_a_full_number_mines_them_all() -> None:
    counting = counted(3, 1, [CLOSED, 2, CLOSED])
    assert counting.known == [MINED, OPEN, MINED]


def test_one_number_leads_to_the_next() -> None:
    counting = counted(6, 1, [CLOSED, 1, 1, CLOSED, 1, CLOSED])
    assert counting.known == [MINED, OPEN, OPEN, MINED, OPEN, SAFE]


def test_what_two_numbers_say_together_is_left_open() -> None:
    cells = [CLOSED] * 3 + [1, 1, 1] + [CLOSED] * 3
    counting = counted(3, 3, cells)
    assert counting.active == {3, 4, 5}
    assert counting.undecided == 6


def test_grows_with_the_game() -> None:
    counting = counted(3, 1, [CLOSED, 1, CLOSED])
    assert counting.read([0, 1, CLOSED])
    assert counting.known == [OPEN, OPEN, MINED]


def test_refuses_a_past_that_never_was() -> None:
    counting = counted(3, 1, [CLOSED, 1, CLOSED])
    assert counting.read([CLOSED, CLOSED, CLOSED]) is False
    assert counting.cells == [CLOSED, 1, CLOSED]


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


def test_opening_what_must_be_a_mine() -> None:
    counting = counted(3, 1, [CLOSED, 2, CLOSED])
    with pytest.raises(Impossible):
        counting.read([1, 2, CLOSED])
