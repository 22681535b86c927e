"""Cells and their neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from parlour_games.minesweeper.board import around, neighbours

sides = st.integers(1, 9)


def test_a_cell_is_counted_row_by_row_from_the_top_left() -> None:
    assert list(around(4, 3, 5, 1)) == [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert list(around(4, 3, 0, 1)) == [0, 1, 4, 5]
    assert list(around(4, 3, 11, 2)) == [1, 2, 3, 5, 6, 7, 9, 10, 11]
    assert list(around(4, 3, 7, 0)) == [7]
    assert neighbours(4, 3)[3] == (2, 6, 7)


@given(width=sides, height=sides, data=st.data(), distance=st.integers(0, 9))
def test_around_is_all_that_is_near_in_both_directions(
    width: int, height: int, data: st.DataObject, distance: int
) -> None:
    cell = data.draw(st.integers(0, width * height - 1))
    near = [
        other
        for other in range(width * height)
        if max(abs(other % width - cell % width), abs(other // width - cell // width)) <= distance
    ]
    assert list(around(width, height, cell, distance)) == near


@given(width=sides, height=sides)
def test_neighbours_are_mutual_and_never_oneself(width: int, height: int) -> None:
    around_of = neighbours(width, height)
    assert len(around_of) == width * height
    for cell, near in enumerate(around_of):
        assert cell not in near
        assert all(cell in around_of[other] for other in near)
    assert sum(map(len, around_of)) == 2 * (
        (width - 1) * height + width * (height - 1) + 2 * (width - 1) * (height - 1)
    )
