"""Boards and their mines, which are derived a second time from the committed secret."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games import plain_fair
from tests.games.minesweeper.tables import MINES, Table, custom
from tests.support.examples import examples

from parlour_games.fair import Fair, Stream
from parlour_games.minesweeper.actions import Open
from parlour_games.minesweeper.board import IS_MINE, Board, Dealt, GivenMines, around, neighbours
from parlour_games.minesweeper.options import FIRSTS, Options, Shape, reach

SECRET, CONTEXT, NONCES = bytes(range(32)), "K7QD/1", [b"", bytes([7]) * 32]
KEY = plain_fair.deal_key(SECRET, CONTEXT, 1, NONCES)


def dealt() -> Fair:
    return Fair(SECRET, CONTEXT, NONCES)


sides = st.integers(1, 9)


# --- cells and numbers ---


@given(sides, sides, st.data(), st.integers(0, 9))
def test_around_is_all_that_is_near_in_both_directions(width: int, height: int, data: st.DataObject, far: int) -> None:
    cell = data.draw(st.integers(0, width * height - 1))
    near = [
        other
        for other in range(width * height)
        if max(abs(other % width - cell % width), abs(other // width - cell // width)) <= far
    ]
    assert list(around(width, height, cell, far)) == near


@given(sides, sides)
def test_neighbours_are_all_around_but_oneself(width: int, height: int) -> None:
    assert [*map(list, neighbours(width, height))] == [
        [near for near in around(width, height, cell, 1) if near != cell] for cell in range(width * height)
    ]


@given(st.integers(2, 7), st.integers(2, 7), st.data())
def test_every_number_counts_the_mines_around_it(width: int, height: int, data: st.DataObject) -> None:
    mines = data.draw(st.lists(st.integers(0, width * height - 1), unique=True, min_size=1))
    made = Board(Shape(width, height, len(mines)), mines)
    assert made.mines == sorted(mines)
    for cell in range(width * height):
        near = sum(other in mines for other in around(width, height, cell, 1))
        assert made.numbers[cell] == (IS_MINE if cell in mines else near)


# --- the derivation ---


@pytest.mark.parametrize(
    ("level", "first", "x", "y"),
    [
        ("beginner", "any", 4, 4),
        ("beginner", "safe", 4, 4),
        ("beginner", "opening", 0, 0),
        ("beginner", "opening", 8, 4),
        ("expert", "radius", 28, 1),
    ],
)
def test_the_first_click_draws_the_mines_from_the_label_mines_1(level: str, first: str, x: int, y: int) -> None:
    options = Options(level=level, first=first)
    state, _ = MINES.start(options, 1, dealt())
    assert state.board is None
    MINES.apply(state, 0, "play", Open(((x, y),)))
    at = y * options.shape.width + x
    assert state.board
    assert state.board.mines == plain_fair.mines(KEY, attrs.astuple(options.shape), first, at, 1)
    assert (state.first, state.attempt) == (at, 1)


def test_a_race_starts_at_the_cell_that_the_label_start_says() -> None:
    state, _ = MINES.start(Options(mode="race", first="any"), 2, dealt())
    assert state.first == plain_fair.below(plain_fair.words(KEY, "start"), 81)
    assert state.board
    assert state.board.mines == plain_fair.mines(KEY, (9, 9, 10), "safe", state.first, 1)


def test_a_duel_draws_its_mines_from_all_cells() -> None:
    state, _ = MINES.start(Options(mode="duel"), 2, dealt())
    assert state.board
    assert state.board.mines == plain_fair.mines(KEY, (16, 16, 51), "any", 0, 1)


def test_a_board_that_needs_no_guess_has_the_mines_of_its_attempt() -> None:
    table = Table.of(MINES.start(custom(Shape(8, 8, 12), no_guess=True, first="safe"), 1, dealt()))
    state = table.state
    table.open(0, (3, 2))
    table.settle()
    assert state.attempt > 1
    assert state.board
    assert state.board.mines == plain_fair.mines(KEY, (8, 8, 12), "safe", 19, state.attempt)


# --- promises ---


@given(
    st.integers(2, 12),
    st.integers(2, 12),
    st.sampled_from(FIRSTS),
    st.integers(0, 143),
    st.integers(0, 999),
    st.binary(max_size=4),
)
@examples(300)
def test_every_promise_is_kept_on_the_fullest_board(
    width: int, height: int, promise: str, at: int, attempt: int, key: bytes
) -> None:
    shape = Shape(width, height, 0)
    first, distance = at % shape.cells, reach(shape, promise)
    free = set(around(width, height, first, distance)) if distance >= 0 else set()
    shape = Shape(width, height, shape.cells - len(free))
    mines = Dealt(Stream(key)).mines(shape, promise, first, attempt)
    assert len(mines) == len(set(mines)) == shape.mines
    assert set(mines) == set(range(shape.cells)) - free


def test_a_given_layout_is_used_unchanged() -> None:
    source = GivenMines((5, 1), first=7)
    assert source.start(Shape(4, 4, 2)) == 7
    assert source.mines(Shape(4, 4, 2), "opening", 5, 3) == [5, 1]


# --- drawing ---


@given(st.lists(st.integers(), max_size=300), st.integers(0, 300), st.binary(max_size=8))
def test_to_draw_is_to_begin_to_shuffle(items: list[int], count: int, key: bytes) -> None:
    count = min(count, len(items))
    whole, steps = items.copy(), Stream(key).label("mines/1")
    Stream(key).label("mines/1").shuffle(whole)
    assert steps.draw(items.copy(), count) == whole[len(whole) - count :]
