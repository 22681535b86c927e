"""Options refuse impossible boards and say what is allowed."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.tables import MINES, fair

from parlour_games.game import BadOptions
from parlour_games.minesweeper.board import around
from parlour_games.minesweeper.options import Options, Shape, largest_free, reach


def test_the_defaults_are_beginner_alone() -> None:
    assert attrs.asdict(Options()) == {
        "mode": "solo",
        "level": "beginner",
        "width": 0,
        "height": 0,
        "mines": 0,
        "first": "opening",
        "no_guess": False,
        "kind": False,
        "lives": 1,
        "penalty": 0,
        "first_cell": -1,
    }


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({}, Shape(9, 9, 10)),
        ({"level": "intermediate"}, Shape(16, 16, 40)),
        ({"level": "expert"}, Shape(30, 16, 99)),
        ({"level": "expert", "mode": "race"}, Shape(30, 16, 99)),
        ({"mode": "duel"}, Shape(16, 16, 51)),
        ({"mode": "duel", "level": "expert"}, Shape(16, 16, 51)),
        ({"level": "custom", "width": 7, "height": 5, "mines": 4}, Shape(7, 5, 4)),
        ({"mode": "duel", "level": "custom", "width": 7, "height": 5, "mines": 5}, Shape(7, 5, 5)),
    ],
)
def test_the_size_of_the_board(options: dict[str, Any], shape: Shape) -> None:
    assert Options(**options).shape == shape
    assert (shape.cells, shape.safe) == (shape.width * shape.height, shape.width * shape.height - shape.mines)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"mode": "chess"}, "mode must be one of solo, race, coop, duel, not 'chess'"),
        ({"level": "hard"}, "level must be one of beginner, intermediate, expert, custom, not 'hard'"),
        ({"first": "lucky"}, "first must be one of any, safe, opening, radius, not 'lucky'"),
        ({"width": 101}, "width must be a whole number from 0 to 100, not 101"),
        ({"width": -1}, "width must be a whole number from 0 to 100"),
        ({"mines": 10_001}, "mines must be a whole number from 0 to 10000"),
        ({"no_guess": 1}, "no_guess must be true or false"),
        ({"lives": 0, "mode": "coop"}, "lives must be a whole number from 1 to 1000, not 0"),
        ({"lives": 1001, "mode": "coop"}, "lives must be a whole number from 1 to 1000"),
        ({"penalty": -1, "mode": "race"}, "penalty must be a whole number from 0 to 600000"),
        ({"penalty": 600_001, "mode": "race"}, "penalty must be a whole number from 0 to 600000"),
        ({"width": 9}, "level beginner has its own size: width, height and mines are for level custom"),
        ({"level": "expert", "height": 16}, "level expert has its own size"),
        ({"mode": "duel", "mines": 51}, "level beginner has its own size"),
        ({"level": "custom"}, "width and height must be whole numbers from 2 to 100 on a custom board"),
        ({"level": "custom", "width": 1, "height": 9, "mines": 1}, "width and height must be whole numbers from 2"),
        ({"level": "custom", "width": 9, "height": 9}, "mines must be a whole number from 1 to 72 on 9×9 cells"),
        ({"level": "custom", "width": 2, "height": 2, "mines": 1}, "from 1 to 0 on 2×2 cells with first opening"),
        ({"mode": "duel", "no_guess": True}, "no_guess is not available in a duel"),
        ({"lives": 2}, "lives is only for mode coop, not for solo"),
        ({"lives": 2, "mode": "race"}, "lives is only for mode coop, not for race"),
        ({"penalty": 1}, "penalty is only for mode race, not for solo"),
        ({"penalty": 1, "mode": "coop"}, "penalty is only for mode race, not for coop"),
        (
            {"mode": "duel", "level": "custom", "width": 4, "height": 4, "mines": 4},
            "mines must be odd in a duel, so that there is a majority, not 4",
        ),
    ],
)
def test_impossible_options_are_refused_with_the_reason(options: dict[str, Any], text: str) -> None:
    with pytest.raises(BadOptions, match=text):
        Options(**options)


@pytest.mark.parametrize(
    ("first", "width", "height", "most"),
    [
        ("any", 9, 9, 80),
        ("safe", 9, 9, 80),
        ("opening", 9, 9, 72),
        ("radius", 9, 9, 72),
        ("radius", 7, 9, 62),
        ("radius", 16, 16, 231),
        ("radius", 100, 10, 750),
        ("radius", 24, 3, 51),
        ("opening", 2, 9, 12),
        ("any", 2, 2, 3),
        ("safe", 2, 2, 3),
        ("opening", 100, 100, 9991),
    ],
)
def test_as_many_mines_as_leave_room_for_the_first_click(first: str, width: int, height: int, most: int) -> None:
    size: dict[str, Any] = {"level": "custom", "width": width, "height": height, "first": first}
    assert Options(**size, mines=most).shape.mines == most
    assert Options(**size, mines=1).shape.mines == 1
    with pytest.raises(BadOptions, match=f"from 1 to {most} on {width}×{height} cells with first {first}"):
        Options(**size, mines=most + 1)
    with pytest.raises(BadOptions, match=f"from 1 to {most} on"):
        Options(**size, mines=0)


@given(
    width=st.integers(2, 30), height=st.integers(2, 30), promise=st.sampled_from(["any", "safe", "opening", "radius"])
)
def test_the_largest_area_kept_free_is_that_of_the_best_placed_cell(width: int, height: int, promise: str) -> None:
    shape = Shape(width, height, 1)
    distance = reach(shape, promise)
    areas = [len(list(around(width, height, cell, distance))) for cell in range(shape.cells)] if distance >= 0 else []
    assert largest_free(shape, promise) == max(areas, default=1)


@pytest.mark.parametrize(("width", "distance"), [(2, 0), (7, 0), (8, 1), (9, 1), (15, 1), (16, 2), (30, 3), (100, 12)])
def test_the_radius_is_an_eighth_of_the_width_rounded_down(width: int, distance: int) -> None:
    assert reach(Shape(width, 9, 1), "radius") == int(0.125 * width) == distance


@pytest.mark.parametrize(
    ("options", "promise"),
    [
        ({"first": "any"}, "any"),
        ({"first": "any", "mode": "coop"}, "any"),
        ({"first": "any", "mode": "race"}, "safe"),
        ({"first": "any", "no_guess": True}, "safe"),
        ({"first": "any", "no_guess": True, "mode": "coop"}, "safe"),
        ({"first": "radius", "mode": "race", "no_guess": True}, "radius"),
        ({"first": "opening", "mode": "duel"}, "any"),
        ({}, "opening"),
    ],
)
def test_cells_that_the_first_click_keeps_free(options: dict[str, Any], promise: str) -> None:
    assert Options(**options).promise == promise


@pytest.mark.parametrize(
    ("mode", "least", "most", "allowed"),
    [
        ("solo", 1, 1, "1 seat"),
        ("race", 2, 10, "2 to 10 seats"),
        ("coop", 2, 10, "2 to 10 seats"),
        ("duel", 2, 2, "2 seats"),
    ],
)
def test_how_many_play(mode: str, least: int, most: int, allowed: str) -> None:
    options = Options(mode=mode)
    assert MINES.seats(options) == (least, most)
    for seats in (least, most):
        state, _ = MINES.start(options, seats, fair())
        assert len(state.players) == seats
    for seats in (0, least - 1, most + 1):
        with pytest.raises(BadOptions, match=f"mode {mode} is for {allowed}, not {seats}"):
            MINES.start(options, seats, fair())


def test_options_have_names_only() -> None:
    with pytest.raises(TypeError):
        Options("race")  # type: ignore[call-arg]
