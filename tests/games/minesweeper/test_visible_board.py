"""Visible boards: flooding compared with its definition, flags, chords, and mines revealed at the end."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.tables import CORNERS, board

from parlour_games.minesweeper.board import CLOSED, IS_MINE, MINE, Board, VisibleBoard, known, neighbours, solved
from parlour_games.minesweeper.options import Shape


def field_of(made: Board) -> VisibleBoard:
    return VisibleBoard(made.shape.width, made.shape.height)


def corners() -> tuple[Board, VisibleBoard]:
    made = board(CORNERS)
    return made, field_of(made)


def flooded(made: Board, cell: int, flags: set[int], seen: set[int]) -> set[int]:
    """Return the cells that open with ``cell``: itself and, if it is a 0, those that open with its neighbours."""
    if cell in seen or cell in flags:
        return set()
    seen.add(cell)
    if made.numbers[cell]:
        return {cell}
    near = neighbours(made.shape.width, made.shape.height)[cell]
    return {cell}.union(*(flooded(made, other, flags, seen) for other in near))


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 2**32))
def test_a_flood_opens_exactly_the_connected_cells(width: int, height: int, seed: int) -> None:
    rng = Random(seed)
    cells = width * height
    mines = rng.sample(range(cells), rng.randint(1, max(1, cells // 5)))
    made = Board(Shape(width, height, len(mines)), mines)
    field, opened = field_of(made), set[int]()
    flags = set(rng.sample(range(cells), rng.randint(0, cells // 5)))
    for cell in flags:
        assert field.flag(cell, True)
    for cell in rng.sample(range(cells), cells):
        expected = flooded(made, cell, flags, set(opened))
        came = field.open_cell(made, cell)
        if made.numbers[cell] == IS_MINE and cell not in flags:
            assert came is None
            continue
        assert came == len(expected)
        opened |= expected
        assert field.open == len(opened)
        text = ["F" if c in flags else str(made.numbers[c]) if c in opened else "." for c in range(cells)]
        assert "".join(field.rows()) == "".join(text)


def test_a_mine_does_not_open_without_an_action() -> None:
    made, field = corners()
    assert field.open_cell(made, 0) is None
    assert field.rows() == ["....", "....", "...."]
    field.explode(0)
    assert field.rows()[0] == "*..."
    assert field.open_cell(made, 0) == 0
    assert field.open == 0


def test_flags_mark_closed_cells_only_and_can_be_taken_away() -> None:
    made, field = corners()
    field.open_cell(made, 1)
    field.explode(0)
    field.find(11, 1)
    for cell in (0, 1, 11):
        assert not field.flag(cell, True)
        assert not field.flag(cell, False)
    assert [field.flag(2, False), field.flag(2, True), field.flag(2, True), field.flag(2, False)] == [
        *(False, True, False, True),
    ]
    assert field.rows() == ["*1..", "....", "...B"]


def test_closed_and_number() -> None:
    made, field = corners()
    field.open_cell(made, 2)
    field.explode(0)
    field.find(11, 0)
    field.flag(8, True)
    assert [cell for cell in range(12) if field.is_closed(cell)] == [4, 8, 9, 10]
    assert [cell for cell in range(12) if field.is_number(cell)] == [1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize("mark", ["flag", "explode", "find"])
def test_a_chord_needs_as_many_marks_as_the_number_says(mark: str) -> None:
    made, field = corners()
    field.open_cell(made, 5)
    assert field.chord_cells(5) == []
    if mark == "flag":
        field.flag(0, True)
    elif mark == "explode":
        field.explode(0)
    else:
        field.find(0, 1)
    assert field.chord_cells(5) == [1, 2, 4, 6, 8, 9, 10]
    field.flag(2, True)
    assert field.chord_cells(5) == []


def test_a_chord_is_for_open_numbers() -> None:
    _, field = corners()
    field.explode(0)
    field.flag(5, True)
    assert [field.chord_cells(cell) for cell in (0, 1, 5)] == [[], [], []]


def test_a_chord_on_a_zero_opens_cells_that_a_flag_kept_closed() -> None:
    made, field = corners()
    field.flag(1, True)
    field.open_cell(made, 2)
    assert field.chord_cells(2) == []
    field.flag(1, False)
    assert field.chord_cells(2) == [1]


def test_flagged_counts_the_mines_that_are_flagged() -> None:
    made, field = corners()
    field.flag(0, True)
    field.flag(1, True)
    assert field.flagged(made) == 1


@pytest.mark.parametrize(("won", "rows"), [(False, ["FX..", "...A", "..M*"]), (True, ["FX..", "...A", "..F*"])])
def test_at_the_end_mines_and_wrong_flags_come_to_light(won: bool, rows: list[str]) -> None:
    made = board("*... ...* ..**")
    field = field_of(made)
    field.flag(0, True)
    field.flag(1, True)
    field.find(7, 0)
    field.explode(11)
    before = field.rows()
    assert field.reveal(made, won).rows() == rows
    assert field.rows() == before == ["FF..", "...A", "...*"]


def test_values_of_cells_in_rows() -> None:
    assert known([".F0", "8*A", "B35"]) == [CLOSED, CLOSED, 0, 8, MINE, MINE, MINE, 3, 5]


def test_a_solved_field_has_everything_open() -> None:
    made = board(CORNERS)
    assert solved(made).rows() == [".100", "1111", "001."]
    assert solved(made).open == made.shape.safe == 10
