"""Kind boards, compared with trying every completion."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions, position
from tests.games.minesweeper.tables import MINES, Table, board, custom, fair
from tests.support.examples import examples

from parlour_games.fair import Stream
from parlour_games.game import BadOptions
from parlour_games.minesweeper import fair_boards
from parlour_games.minesweeper.actions import At, Chord
from parlour_games.minesweeper.board import MINE, Board, VisibleBoard, known
from parlour_games.minesweeper.events import Ended, Exploded, Opened
from parlour_games.minesweeper.inference import Engine
from parlour_games.minesweeper.options import KindLimits, Options, Shape
from parlour_games.minesweeper.state import PLAYING

SHAPES = [Shape(3, 3, 2), Shape(4, 3, 3), Shape(4, 4, 4), Shape(5, 3, 3), Shape(5, 4, 5)]


def on(picture: str, *opened: int, seats: int = 1, **options: object) -> Table:
    """Return a match on a kind board in which these cells are open."""
    made = board(picture)
    t = Table.of(MINES.start(custom(made.shape, kind=True, **options), seats, fair()))
    t.state.board, t.state.phase, t.state.first = made, PLAYING, opened[0]
    for cell in opened:
        t.state.visible_boards[0].open_cell(made, cell)
        t.state.openings[0].append((0, (cell,)))
    return t


def fits(visible: VisibleBoard, mines: int) -> list[frozenset[int]]:
    return completions(visible.width, visible.height, mines, known(visible.rows()))


# --- by enumeration ---


@given(st.integers(0, 2**32), st.sampled_from(SHAPES))
@examples(60)
def test_each_completion_has_a_number(seed: int, shape: Shape) -> None:
    cells = position(Random(seed), shape.width, shape.height, shape.mines)
    odds = Engine(shape.width, shape.height, shape.mines).read(cells)
    found = [frozenset(odds.layout(rank)) for rank in range(odds.solutions)]
    assert len(set(found)) == len(found)
    assert set(found) == set(completions(shape.width, shape.height, shape.mines, cells))


@given(st.integers(0, 2**32), st.sampled_from(SHAPES))
@examples(100)
def test_a_mine_goes_off_only_where_the_guess_was_not_forced(seed: int, shape: Shape) -> None:
    """Play until the board is clear or lost. Each opening is judged by trying every completion."""
    rng = Random(seed)
    t = Table.of(MINES.start(custom(shape, kind=True), 1, fair(seed)))
    state, visible = t.state, t.state.visible_boards[0]
    while state.why is None:
        possible = fits(visible, shape.mines)
        closed = [cell for cell in range(shape.cells) if visible.is_closed(cell)]
        mined, certain = frozenset().union(*possible), frozenset.intersection(*possible)
        forced = mined.issuperset(closed)
        cell = rng.choice(closed)
        before = frozenset(state.board.mines) if state.board else None
        log = t.open(0, state.at(cell))
        dead = any(isinstance(event, Exploded) for event in log)
        if forced and cell not in certain:
            assert not dead
        elif before is not None:
            assert dead == (cell in before)
            assert state.board
            assert before == frozenset(state.board.mines)
        assert state.board
        assert frozenset(state.board.mines) in possible
        assert all(value < 0 or state.board.numbers[c] == value for c, value in enumerate(known(visible.rows())))


def test_every_layout_that_fits_is_equally_likely() -> None:
    """The first cell is guessed beside the only number."""
    made = board("*.. ... ...")
    visible = VisibleBoard(3, 3)
    visible.open_cell(made, 4)
    wanted = {mines for mines in fits(visible, 1) if 0 not in mines}
    found: Counter[frozenset[int]] = Counter()
    for seed in range(700):
        other = fair_boards.spare(made, visible, 0, Stream(seed.to_bytes(32, "big")).label("kind/1"), KindLimits())
        assert other
        found[frozenset(other.mines)] += 1
    assert found.keys() == wanted
    assert len(wanted) == 7
    assert all(65 < times < 135 for times in found.values())


def test_large_numbers_are_uniform_and_small_ones_as_below() -> None:
    stream = Stream(bytes(32))
    assert [stream.label("a").large(n) for n in (1, 7, 2**31 + 1, 2**32)] == [
        stream.label("a").below(n) for n in (1, 7, 2**31 + 1, 2**32)
    ]
    words = stream.label("b")
    drawn = [words.large(3 * 2**70) // 2**70 for _ in range(600)]
    assert {150 < drawn.count(third) < 250 for third in range(3)} == {True}


# --- the rules ---


def test_the_first_opening_is_a_forced_guess() -> None:
    for seed in range(20):
        t = Table.of(MINES.start(custom(Shape(3, 3, 8), kind=True), 1, fair(seed)))
        t.open(0, (1, 1))
        assert t.state.why == "won"


def test_a_forced_guess_sets_off_no_mine() -> None:
    """The corner is one of two cells. Nothing in the events or the view says that the mine was there."""
    t = on("*. .. ..", 4)
    log = t.open(0, (0, 0))
    assert [type(event) for event in log] == [Opened, Ended]
    assert t.state.board
    assert t.state.board.mines == [1]
    assert (t.state.why, t.state.spared) == ("won", 1)
    untouched = on(".* .. ..", 4)
    assert untouched.open(0, (0, 0)) == log
    assert untouched.state.spared == 0
    assert all(MINES.view(t.state, viewer) == MINES.view(untouched.state, viewer) for viewer in (None, 0))


@pytest.mark.parametrize(
    ("picture", "opened", "flags"),
    [("*... ....", (1,), ()), ("*... ....", (1,), ((3, 0), (3, 1))), ("*....* ......", (2, 6), ())],
    ids=["the number of mines shows a safe cell", "a flag covers the safe cells", "the mine is certain"],
)
def test_a_mine_goes_off_where_no_guess_was_forced(
    picture: str, opened: tuple[int, ...], flags: tuple[At, ...]
) -> None:
    t = on(picture, *opened)
    if flags:
        t.flag(0, *flags)
    t.open(0, (0, 0))
    assert (t.state.why, t.state.spared) == ("lost", 0)


def test_each_cell_of_an_act_is_judged_by_what_is_open_then() -> None:
    t = on("*....* ......", 2)
    t.open(0, (0, 0), (5, 0))
    assert t.state.board
    assert t.state.board.mines == [6, 11]
    assert (t.state.why, t.state.spared) == ("won", 2)


def test_a_chord_that_has_to_guess_is_spared() -> None:
    t = on("*. .. ..", 4)
    t.flag(0, (1, 0))
    t.do(0, Chord(((0, 1),)))
    assert (t.state.why, t.state.spared) == ("won", 1)


def test_the_team_loses_a_life_only_where_it_could_have_known() -> None:
    t = on("*...... .......", 1, seats=2, mode="coop", lives=2)
    t.open(1, (0, 0))
    assert (t.state.lives, t.state.spared, t.state.why) == (1, 0, None)


DENSE = """
13.3..22.3.3.3.2 ....3........... 13...3.......... 13....3......... .......2........ ....5.2124...... 2....2101..4....
.23.3211123..... .22.22.1013..... 2..34.3101...... ......311124..3. ...5.32.221223.. ...41113.3.22... ...41113.43.3...
.....3..2..2.... .......2111112..
"""
"""More than 64 cells depend on one another, none is certainly safe, and x 8, y 2 can be free."""


def dense(version: int, **limits: int) -> Table:
    """Return a match of 90 mines with the open cells of ``DENSE`` and a mine at x 8, y 2."""
    shape, chars = Shape(16, 16, 90), "".join(DENSE.split())
    engine = Engine(16, 16, 90)
    engine.read([-1 if char == "." else int(char) for char in chars])
    game = MINES.under(version)
    assert game
    t = Table.of(game.start(custom(shape, kind=True), 1, fair()))
    t.state.board, t.state.phase, t.state.first = Board(shape, engine.suppose((40, MINE)).layout(0)), PLAYING, 0
    t.state.kind_limits = t.state.kind_limits._replace(**limits)
    for cell, char in enumerate(chars):
        if char != ".":
            t.state.visible_boards[0].open_cell(t.state.board, cell)
    assert "".join(t.state.visible_boards[0].rows()) == chars
    return t


def test_a_forced_guess_is_spared_where_many_cells_depend_on_one_another() -> None:
    t = dense(3)
    t.open(0, (8, 2))
    assert (t.state.why, t.state.spared, t.state.unspared) == (None, 1, 0)


def test_a_mine_goes_off_where_judging_takes_more_than_the_budget_and_the_result_counts_it() -> None:
    t = dense(3, states=100)
    t.open(0, (8, 2))
    assert (t.outcome().why, t.stats()["spared"], t.stats()["unspared"]) == ("lost", 0, 1)


@pytest.mark.parametrize("version", [1, 2])
def test_by_older_rules_a_guess_among_more_than_64_cells_is_not_forced(version: int) -> None:
    t = dense(version)
    t.open(0, (8, 2))
    assert (t.state.why, "unspared" in MINES.canonical(t.state)) == ("lost", False)


def test_the_statistics_are_those_of_the_last_layout() -> None:
    t = on("*....* ......", 2)
    t.open(0, (0, 0), (5, 0))
    assert t.stats()["spared"] == 2
    assert t.stats()["seats"][0]["guesses"] == [[2, 0, 8_333], [0, 0, 5_000], [5, 0, 5_000]]
    assert MINES.best_time(t.state) is None


def test_boards_that_are_not_kind_say_nothing_of_it() -> None:
    assert "spared" not in MINES.canonical(Table("*. .. ..").state)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"mode": "race"}, "race"),
        ({"mode": "duel"}, "duel"),
        ({"no_guess": True}, "no_guess"),
        ({"mode": "coop", "no_guess": True}, "no_guess"),
    ],
)
def test_what_kind_boards_do_not_go_with(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOptions, match=f"kind .*{why}"):
        Options(kind=True, **options)


def test_a_given_layout_is_not_kind() -> None:
    with pytest.raises(BadOptions, match="kind is not available for a given layout"):
        MINES.start_on(custom(Shape(3, 2, 1), kind=True), 1, [0])
