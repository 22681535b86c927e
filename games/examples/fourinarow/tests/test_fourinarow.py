"""The rules of four in a row, beside the laws of every game."""

import pytest

from parlour_bots.laws import Laws
from parlour_fourinarow.game import BoardOptions, Drop, FourInARow, State
from parlour_games.fair import Fair
from parlour_games.game import BadOptions, IllegalAction

GAME = FourInARow()


class TestLaws(Laws):
    game = GAME


def played(*columns: int, **options: int) -> State:
    """Return the state after drops into ``columns``, counted from 1, in turn."""
    state, _ = GAME.start(BoardOptions(**options), 2, Fair(bytes(32), "TEST/1", [b"", b""]))
    for column in columns:
        drop(state, column)
    return state


def drop(state: State, column: int) -> None:
    [asked] = GAME.decisions(state)
    GAME.apply(state, asked.seat, asked.key, Drop(column - 1))


@pytest.mark.parametrize(
    "columns",
    [
        (1, 1, 2, 2, 3, 3, 4),
        (1, 2, 1, 2, 1, 2, 1),
        (1, 2, 2, 3, 3, 4, 3, 4, 4, 7, 4),
        (4, 3, 3, 2, 2, 1, 2, 1, 1, 7, 1),
    ],
    ids=["across", "up", "rising", "falling"],
)
def test_four_in_a_row_win(columns: tuple[int, ...]) -> None:
    state = played(*columns[:-1])
    seat = state.turn
    assert GAME.outcome(state) is None
    drop(state, columns[-1])
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks[seat], outcome.why) == (1, "line")
    assert len(GAME.view(state, None)["line"]) == 4
    assert GAME.decisions(state) == []


def test_full_column_is_not_listed_and_refused() -> None:
    state = played(3, 3, 3, 3, 3, 3)
    [asked] = GAME.decisions(state)
    assert Drop(2) not in GAME.legal(state, asked.seat, asked.key)
    with pytest.raises(IllegalAction):
        GAME.apply(state, asked.seat, asked.key, Drop(2))


def test_full_board_is_a_draw() -> None:
    state = played(*[1, 2] * 2, *[2, 1] * 2, *[3, 4] * 2, *[4, 3] * 2, 5, *[1, 2, 3, 4], *[5] * 4, columns=5, rows=5)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks, outcome.why) == ((1, 1), "full")


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_for_two(seats: int) -> None:
    with pytest.raises(BadOptions):
        GAME.start(BoardOptions(), seats, Fair(bytes(32), "TEST/1", []))
