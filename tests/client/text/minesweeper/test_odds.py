import pytest
from tests.client.minesweeper_rooms import board, duel

from parlour_client.text.minesweeper import odds
from parlour_client.text.minesweeper.board import Board
from parlour_client.text.minesweeper.odds import HintEngine, Hints, next_cell

EDGE = board("...", "121", "...", mines=2)


def hints(here: Board) -> Hints:
    return HintEngine().hints(here)


def test_certain_cells_are_told_whatever_is_flagged() -> None:
    told = hints(board("..2F", "1121", "0000"))
    assert told.safe == {(0, 0)}
    assert told.mines == {(1, 0), (3, 0)}
    assert [told.cell_text(at) for at in ((0, 0), (1, 0), (2, 0))] == ["ok", "!!", ""]
    assert told.summary() == "1 safe, 2 mines"


TWO = ["........", ".1...2..", "........"]


def test_the_rest_is_told_in_per_cent_and_the_least_risk_is_marked() -> None:
    told = hints(board(*TWO, mines=5))
    assert not told.safe | told.mines
    assert {told.risks[at] for at in ((0, 0), (4, 1))} == {12, 25}
    assert told.best == {at for at in told.risks if at[0] <= 2}
    assert told.summary() == f"0 safe, 0 mines, elsewhere {told.elsewhere} %"


@pytest.mark.parametrize(
    ("here", "told"),
    [
        (board(".....", ".2...", ".....", ".....", mines=4), "0 safe, 0 mines, best elsewhere: 18 %"),
        (board("8.", ".."), "No placement of the mines fits this board."),
        (board("..", "F."), "Nothing is open yet"),
    ],
)
def test_there_may_be_no_number_to_look_at(here: Board, told: str) -> None:
    assert hints(here).summary().startswith(told)
    assert not hints(here).best


def test_in_a_duel_the_greatest_risk_is_what_one_looks_for() -> None:
    assert hints(duel(*TWO, mines=3)).best == {at for at in hints(duel(*TWO, mines=3)).risks if at[0] >= 4}


def test_too_much_work_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "BUDGET", 1)
    assert hints(board(".....", "11111", ".....", mines=3)).summary().startswith("This position has too many")


def test_only_certain_cells_where_mixing_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "MIXED", -1)
    told = hints(board("..2.", "1121", "0000"))
    assert told.safe
    assert not told.risks


def test_one_oracle_tells_of_boards_of_all_sizes() -> None:
    oracle = HintEngine()
    assert oracle.hints(board("..2F", "1121", "0000")) == hints(board("..2F", "1121", "0000"))
    assert oracle.hints(EDGE) == hints(EDGE)


@pytest.mark.parametrize(
    ("here", "cursor", "safe", "goes"),
    [
        (EDGE, (0, 0), None, (1, 0)),  # along the frontier and round
        (EDGE, (1, 0), None, (2, 0)),
        (EDGE, (2, 0), None, (0, 2)),
        (EDGE, (2, 2), None, (0, 0)),
        (EDGE, (1, 1), None, (0, 2)),
        (EDGE, (0, 0), Hints(safe=frozenset({(1, 2)})), (1, 2)),
        (board("F1.", "11."), (0, 0), None, (2, 0)),  # without flags
        (board("...", "..."), (1, 0), None, (2, 0)),  # anywhere
        (board("1F", "11"), (0, 0), None, None),
    ],
)
def test_next_goes_to_what_is_safe_or_to_the_frontier(
    here: Board, cursor: tuple[int, int], safe: Hints | None, goes: tuple[int, int] | None
) -> None:
    assert next_cell(here, cursor, safe) == goes
