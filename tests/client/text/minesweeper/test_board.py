from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.minesweeper_rooms import ROWS, player, room, view

from parlour_client.core.errors import WrongProtocol
from parlour_client.text.minesweeper import board as mines_board
from parlour_client.text.minesweeper.board import Board, board_of, cell, name, picture
from parlour_games.minesweeper.board import neighbours

COLUMNS = st.integers(0, 99)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(".F0*M", max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["state", "open"]), inner),
    max_leaves=6,
)


def board(*rows: str, **more: Any) -> Board:
    found = board_of(room(view(rows=list(rows) or ROWS, **more)))
    assert found
    return found


@pytest.mark.parametrize(
    ("at", "called"),
    [([0, 0], "a1"), ([3, 4], "d5"), ([25, 9], "z10"), ([26, 0], "aa1"), ([51, 0], "az1"), ([52, 99], "ba100"),
     ([35, 0], "aj1"), ([36, 0], "ak1"), ([99, 0], "cv1")],
)  # fmt: skip
def test_names_of_cells(at: list[int], called: str) -> None:
    assert name(at) == called


@given(COLUMNS, COLUMNS)
def test_every_cell_is_found_by_its_name(x: int, y: int) -> None:
    assert cell(name([x, y])) == (x, y)


@pytest.mark.parametrize("word", ["", "d", "5", "5d", "abc1", "d-5", "d5000", "d5x", "D5", "d٥", "é5"])
def test_words_that_name_no_cell(word: str) -> None:
    assert cell(word) is None


@pytest.mark.parametrize("at", [None, [1], [1, 2, 3], ["a", 1], [-1, 0], [0, 100], [1.5, 2], "d5", {"x": 1}])
def test_what_is_no_cell_on_the_wire(at: Any) -> None:
    with pytest.raises(WrongProtocol):
        name(at)


def test_an_expert_board_fits_80_columns_and_names_columns_beyond_z_downwards() -> None:
    lines = picture(board(*["0123456789"[:8] * 3 + "..F*AB"] * 16))
    assert len(lines) == 18
    assert max(map(len, lines)) <= 79
    assert lines[0] == " " * 56 + "a a a a"
    assert lines[1][4:] == "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d"
    assert lines[-1] == " 16   1 2 3 4 5 6 7   1 2 3 4 5 6 7   1 2 3 4 5 6 7 . . F * A B"


def test_the_widest_board_comes_in_panels() -> None:
    lines = picture(board(*["." * 100] * 2))
    assert max(map(len, lines)) <= 79
    rows = [line for line in lines if line.startswith("  1 ")]
    assert [row.count(".") for row in rows] == [36, 36, 28]
    assert lines[-3].split() == list("uvwxyzabcdefghijklmnopqrstuv")


def test_neighbours_are_those_of_the_rules() -> None:
    here = board()
    for y in range(3):
        for x in range(4):
            assert [b * 4 + a for a, b in here.around(x, y)] == list(neighbours(4, 3)[y * 4 + x])


def test_players_are_found_by_seat() -> None:
    here = board_of(room(view(player(1), player(2, "out"))))
    assert here
    assert here.player(1) == mines_board.SeatView("out", 2)
    assert [here.player(seat) for seat in (None, 2, -1)] == [None] * 3


def test_a_board_may_be_absent_hidden_or_of_a_later_version() -> None:
    assert board_of(room(None)) is None
    assert picture(board_of(room({**view(), "rows": None}, None)) or board()) == []
    assert board_of(room({**view(), "weather": "fine"}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": ["....", "....", "..."]},
        {"rows": ["...."] * 4},
        {"rows": ["...x"] * 3},
        {"rows": ["...\x1b"] * 3},
        {"rows": "............"},
        {"rows": [["."] * 4] * 3},
        {"rows": 7},
        {"width": 0, "rows": [""] * 3},
        {"width": 10**9},
        {"height": 1.0},
        {"width": True},
        {"mode": None},
        {"players": None},
        {"players": [7]},
        {"players": [{"state": "in"}]},
        {"safe": "10"},
        {"lives": "one"},
    ],
)
def test_a_view_that_is_none_is_the_servers_fault(wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongProtocol, match="a board from the server cannot be understood"):
        board_of(room({**view(), **wrong}))


@given(st.dictionaries(st.sampled_from(sorted(view())), PLAIN))
def test_no_view_does_anything_else_than_that(wrong: dict[str, Any]) -> None:
    try:
        found = board_of(room({**view(), **wrong}))
    except WrongProtocol:
        return
    assert found
    assert isinstance(picture(found), list)
