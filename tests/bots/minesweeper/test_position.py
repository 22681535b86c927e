import pytest
from tests.bots.minesweeper.positions import here, view

from parlour_bots import boards
from parlour_games.minesweeper.board import CLOSED, MINE


def test_every_character_tells_what_is_known() -> None:
    shown = here("012345", "678.F*", "ABMX..", mines=7)
    assert shown.cells == [*range(9), CLOSED, CLOSED, MINE, MINE, MINE, MINE, CLOSED, CLOSED, CLOSED]
    assert shown.flags == {10, 15}
    assert (shown.width, shown.height, shown.mines) == (6, 3, 7)
    assert shown.at(8) == [2, 1], "column and row"


def test_neighbourhood_of_a_number() -> None:
    shown = here("3.F", "*..", "000")
    assert shown.closed(0) == {1, 4}
    assert (shown.hidden(0), shown.numbers()) == (2, [0, 6, 7, 8])


def test_spectators_of_a_race_have_no_position() -> None:
    with pytest.raises(TypeError):
        boards.position({**view("..", mines=1), "rows": None})


def test_numbers_and_neighbours_of_a_view() -> None:
    view = {"width": 3, "height": 2, "rows": ["1F.", "0*2"]}
    assert boards.numbers(view) == [1, boards.CLOSED, boards.CLOSED, 0, boards.MINE, 2]
    assert boards.neighbours(view)[0] == (1, 3, 4)
    assert boards.numbers({**view, "rows": None}) == []
