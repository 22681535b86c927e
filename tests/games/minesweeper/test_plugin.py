"""Minesweeper as a ``Game``: decisions, indices, jobs, results."""

import pytest
from tests.games.minesweeper.tables import CORNERS, KEY, MINES, Table, custom, fair

from parlour_games.game import BadOptions, Decision, Done, Fired, IllegalAction
from parlour_games.minesweeper.actions import Open, Pass
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.registry import games


def test_it_is_found_by_its_name_and_lists_no_actions() -> None:
    assert isinstance(games()["minesweeper"], type(MINES))
    assert (MINES.name, MINES.listed, MINES.min_seats, MINES.max_seats) == ("minesweeper", False, 1, 10)
    t = Table(CORNERS)
    assert MINES.legal(t.state, 0, KEY) == []


@pytest.mark.parametrize(
    ("mode", "seats", "asked"), [("solo", 1, [0]), ("race", 3, [0, 1, 2]), ("coop", 2, [0, 1]), ("duel", 2, [0])]
)
def test_the_first_decisions(mode: str, seats: int, asked: list[int]) -> None:
    state, _ = MINES.start(Options(mode=mode), seats, fair())
    assert MINES.decisions(state) == [Decision(seat, KEY, True) for seat in asked]
    assert MINES.pending(state) is None
    assert MINES.outcome(state) is None
    assert all(MINES.default_action(state, seat, KEY) == Pass() for seat in asked)


def test_an_int_is_the_cell_that_it_numbers_row_by_row() -> None:
    t = Table(CORNERS)
    assert [MINES.indexed(t.state, 0, KEY, index) for index in (0, 3, 4, 11)] == [
        *(Open(((0, 0),)), Open(((3, 0),)), Open(((0, 1),)), Open(((3, 2),))),
    ]


@pytest.mark.parametrize("index", [-1, 12, 2**52])
def test_an_int_off_the_board_is_refused(index: int) -> None:
    t = Table(CORNERS)
    with pytest.raises(IllegalAction, match=f"there is no cell {index}: cells are 0 to 11, y · 4 \\+ x"):
        MINES.indexed(t.state, 0, KEY, index)


@pytest.mark.parametrize("result", [Fired("review"), Done("board", {"attempt": 1}), Done("odds", {}), Fired("board")])
def test_only_pending_results_are_accepted(result: Fired | Done) -> None:
    playing, decided = Table(CORNERS), Table(CORNERS)
    decided.open(0, (1, 0), (0, 0))
    for t in (playing, decided):
        before = MINES.canonical(t.state)
        with pytest.raises(ValueError, match="not what the match waits for"):
            MINES.settle(t.state, result)
        assert MINES.canonical(t.state) == before


def test_there_are_two_computations() -> None:
    with pytest.raises(LookupError, match="minesweeper has no job odds"):
        MINES.compute("odds", {"width": 4, "height": 3, "mines": 2})


def test_the_job_of_a_board_says_all_that_decides_it() -> None:
    state, _ = MINES.start(custom(Shape(6, 5, 4), no_guess=True, first="opening"), 1, fair())
    MINES.apply(state, 0, KEY, Open(((2, 1),)))
    job = MINES.pending(state)
    assert job
    assert job.name == "board"
    assert job.args == {
        "width": 6,
        "height": 5,
        "mines": 4,
        "key": fair().deal(1).key.hex(),
        "promise": "opening",
        "first": 8,
    }
    assert MINES.compute(job.name, job.args) == MINES.compute(job.name, job.args)


def test_the_attempt_is_recorded_and_places_its_mines() -> None:
    shape = Shape(6, 5, 6)
    state, _ = MINES.start(custom(shape, no_guess=True, first="safe"), 1, fair())
    MINES.apply(state, 0, KEY, Open(((2, 1),)))
    MINES.settle(state, Done("board", {"attempt": 7}))
    assert state.board
    assert MINES.canonical(state)["attempt"] == 7
    assert state.board.mines == sorted(state.source.mines(shape, "safe", 8, 7))


def test_a_given_layout_is_not_searched_for() -> None:
    with pytest.raises(BadOptions, match="no_guess is not available for a given layout"):
        MINES.start_on(custom(Shape(4, 3, 2), no_guess=True), 1, [0, 11])


def test_states_that_continue_differently_have_different_canonical_forms() -> None:
    def after(*verbs: str) -> str:
        t = Table(CORNERS, 2, mode="coop", lives=2)
        for verb in verbs:
            t.seq(0, (verb, 1, 0))  # type: ignore[arg-type]
        return str(MINES.canonical(t.state))

    assert len({after(), after("flag"), after("flag", "unflag"), after("open"), after("flag", "open")}) == 4
    assert after("flag") == after("flag", "open")
