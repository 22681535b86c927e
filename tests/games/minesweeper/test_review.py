"""The review of openings, on positions solved by hand and compared with trying all completions."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions
from tests.games.minesweeper.tables import MINES, Table, board, custom
from tests.support.examples import examples

from parlour_games.game import Plain
from parlour_games.minesweeper import results as module
from parlour_games.minesweeper.board import IS_MINE, Board, VisibleBoard, known
from parlour_games.minesweeper.options import Shape
from parlour_games.minesweeper.results import Log, review

CORNER = "*... ...."
"""*100 1100"""


def judged(
    log: Log, picture: str = CORNER, promise: str = "any", start: int | None = None, seats: int = 1
) -> list[Plain]:
    made = board(picture)
    rows: list[Plain] = review(made, promise, start, [log], [end(made, start, log)], seats)["seats"]
    return rows


def end(made: Board, start: int | None, log: Log) -> str:
    """Return the visible board after these openings, one character per cell."""
    field = VisibleBoard(made.shape.width, made.shape.height)
    for cell in [*([] if start is None else [start]), *(cell for _, cells in log for cell in cells)]:
        field.explode(cell) if made.numbers[cell] == IS_MINE else field.open_cell(made, cell)
    return "".join(field.rows())


def row(forced: int = 0, *guesses: list[int], unjudged: int = 0) -> Plain:
    return {"forced": forced, "unjudged": unjudged, "guesses": list(guesses)}


def test_a_first_click_is_a_guess_where_nothing_was_promised() -> None:
    assert judged([(0, (1,))]) == [row(0, [1, 0, 8750])]
    assert judged([(0, (0,))]) == [row(0, [0, 0, 8750])]


@pytest.mark.parametrize("promise", ["safe", "opening", "radius"])
def test_a_first_click_that_was_promised_is_certain(promise: str) -> None:
    assert judged([(0, (1,))], promise=promise) == [row(1)]
    assert judged([(0, (1,)), (0, (4,))], promise=promise) == [row(1, [0, 1, 8000])]


@pytest.mark.parametrize(("promise", "odds"), [("any", 8888), ("safe", 8750), ("opening", 8000), ("radius", 8750)])
def test_the_cells_of_the_first_act_are_judged_by_its_promise(promise: str, odds: int) -> None:
    """Of 9 cells with one mine 9, 8 or 5 may have it; a first click that was promised comes on top."""
    [told] = judged([(0, (6, 2))], "*.. ... ...", promise)
    assert told == (row(0, [0, 2, 8888], [2, 0, 8888]) if promise == "any" else row(1, [2, 0, odds]))


def test_the_cells_of_one_act_are_judged_by_the_position_before_it() -> None:
    assert judged([(0, (1,)), (0, (3, 4))]) == [row(1, [1, 0, 8750], [0, 1, 8000])]


def test_in_a_race_each_field_begins_with_the_start_cell() -> None:
    logs: list[Log] = [[(0, (4,))], [(1, (3,)), (1, (4,))], []]
    ends = [end(board(CORNER), 1, log) for log in logs]
    assert review(board(CORNER), "safe", 1, logs, ends, 3)["seats"] == [
        row(0, [0, 1, 8000]),
        row(1, [0, 1, 5000]),
        row(),
    ]


def test_odds_are_rounded_down_and_never_up_to_certainty() -> None:
    picture = "*" + "." * 99 + f" {'.' * 100}" * 99
    assert board(picture).shape == Shape(100, 100, 1)
    assert judged([(0, (101,))], picture) == [row(0, [1, 1, 9999])]
    assert judged([(0, (1,))], "*.. ...") == [row(0, [1, 0, 8333])]


def test_openings_that_would_take_too_long_are_unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGET", 0)
    assert judged([(0, (1,)), (0, (0, 4))]) == [row(0, [1, 0, 8750], unjudged=2)]


def test_only_the_first_guesses_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GUESSES", 1)
    assert judged([(0, (1,)), (0, (3,)), (0, (4,))]) == [row(1, [1, 0, 8750], unjudged=1)]


# --- from a match to its review ---


def reviewed(t: Table) -> list[Plain]:
    return [{name: seat[name] for name in ("forced", "unjudged", "guesses")} for seat in t.stats()["seats"]]


def test_a_match_alone_is_reviewed_when_it_is_decided() -> None:
    t = Table(CORNER)
    t.open(0, (1, 0))
    t.seq(0, ("flag", 0, 0), ("open", 3, 1), ("open", 1, 0))
    t.chord(0, (1, 0))
    assert reviewed(t) == [row(1, [1, 0, 8750], [0, 1, 5000])]


def test_a_race_is_reviewed_field_by_field() -> None:
    t = Table(CORNER, 3, (1, 0), mode="race")
    t.open(0, (3, 0))
    t.open(1, (0, 0))
    t.open(2, (3, 0), (0, 1))
    t.open(0, (0, 1))
    assert reviewed(t) == [row(1, [0, 1, 5000]), row(0, [0, 0, 8000]), row(1, [0, 1, 8000])]


def test_cells_that_a_flag_kept_closed_are_not_known() -> None:
    t = Table(CORNER)
    t.flag(0, (2, 0), (2, 1))
    t.open(0, (3, 0))
    t.open(0, (1, 1))
    t.resign(0)
    assert reviewed(t) == [row(0, [3, 0, 8750], [1, 1, 7500])]


@given(st.integers(0, 2**32), st.sampled_from([(4, 4, 3), (5, 3, 4), (3, 5, 2)]))
@examples(80)
def test_odds_are_the_share_of_completions_in_which_the_cell_is_safe(seed: int, size: tuple[int, int, int]) -> None:
    rng, shape = Random(seed), Shape(*size)
    layout = rng.sample(range(shape.cells), shape.mines)
    t = Table.of(MINES.start_on(custom(shape, mode="coop", lives=9), 2, layout))
    state = t.state
    expected = [row(), row()]
    for cell in rng.sample(range(shape.cells), 8):
        seat, shown = rng.randrange(2), state.visible_boards[0].shown[cell]
        if rng.random() < 0.2:
            t.flag(seat, state.at(cell))
        elif shown == ord(".") and t.asked():
            fits = completions(shape.width, shape.height, shape.mines, known(state.visible_boards[0].rows()))
            odds = Fraction(sum(cell not in placed for placed in fits), len(fits))
            t.open(seat, state.at(cell))
            expected[seat]["forced"] += odds == 1
            expected[seat]["guesses"] += [] if odds == 1 else [[*state.at(cell), int(odds * 10_000)]]
        if not t.asked():
            break
    for seat in t.asked():
        t.resign(seat)
    assert not MINES.pending(state) or reviewed(t) == expected


@pytest.mark.parametrize(("mode", "seats"), [("solo", 1), ("coop", 2), ("race", 2)])
def test_the_job_is_plain_data_and_is_asked_for_the_same_again(mode: str, seats: int) -> None:
    t = Table(CORNER, seats, (1, 0), mode=mode)
    while t.asked():
        t.open(t.asked()[0], (3, 0), (0, 0))
    job, again = MINES.pending(t.state), MINES.pending(MINES.copy(t.state))
    assert job
    assert job == again
    assert (job.name, job.args["layout"], job.args["start"]) == ("review", [0], 1 if mode == "race" else None)
