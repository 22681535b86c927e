"""Ranks and scores of states made by hand."""

import pytest
from tests.games.minesweeper.tables import CORNERS, MINES, Table

from parlour_games.minesweeper.results import ranks, scores
from parlour_games.minesweeper.state import DONE, FROZEN, OUT, OVER, Player, State


def ended(mode: str, *players: Player, opened: tuple[int, ...] = (), why: str = "lost") -> State:
    """Return a finished state of these players. In a race ``opened`` are the open cells of their boards."""
    state = Table(CORNERS, len(players), (1, 1), mode=mode).state
    state.players, state.why = list(players), why
    for field, count in zip(state.visible_boards, opened, strict=False):
        field.open = count
    return state


def done(ms: int, place: int = 0, penalty: int = 0, clicks: int = 0) -> Player:
    return Player(DONE, ended=ms, place=place, penalty=penalty, clicks=clicks)


def out(clicks: int, ms: int = 5) -> Player:
    return Player(OUT, ended=ms, clicks=clicks)


def test_seats_that_have_cleared_rank_by_time_with_penalties() -> None:
    state = ended("race", done(300), done(200, penalty=150), done(360), done(340), opened=(10,) * 4)
    assert ranks(state) == (1, 3, 4, 2)
    assert scores(state) == (10, 10, 10, 10)


def test_seats_that_have_cleared_in_equal_times_rank_by_clicks_then_share_and_by_the_first_rules_by_who_was_first() -> (
    None
):
    players = done(300, 0, clicks=9), done(300, 1, clicks=8), done(200, 2, penalty=100, clicks=9)
    state = ended("race", *players, opened=(10,) * 3, why="race")
    state.phase = OVER
    assert ranks(state) == (2, 1, 2)
    for version, expected in ((MINES.rules_version, (2, 1, 2)), (1, (1, 2, 3))):
        rules = MINES.under(version)
        assert rules is not None
        outcome = rules.outcome(state)
        assert outcome is not None
        assert outcome.ranks == expected
    assert MINES.under(0) is None


def test_seats_that_have_not_cleared_rank_by_progress_then_clicks_then_share() -> None:
    state = ended("race", out(5), done(9_999), out(4), out(9), out(5, ms=1), opened=(7, 10, 7, 8, 7))
    assert ranks(state) == (4, 1, 3, 2, 4)
    assert scores(state) == (7, 10, 7, 8, 7)


@pytest.mark.parametrize("mode", ["solo", "coop"])
@pytest.mark.parametrize("why", ["won", "lost"])
def test_a_board_is_won_by_all_seats_that_have_not_left_or_by_none(mode: str, why: str) -> None:
    players = [Player(DONE if why == "won" else OUT, opened=4), Player(OUT, opened=3), Player(FROZEN, opened=2)]
    state = ended(mode, *players[: 1 if mode == "solo" else 3], why=why)
    assert ranks(state) == ((1, 2, 1) if why == "won" else (2, 2, 2))[: len(state.players)]
    assert scores(state) == (4, 3, 2)[: len(state.players)]


def test_a_duel_is_won_by_the_seat_that_is_done() -> None:
    state = Table("*.*.* .....", 2, mode="duel").state
    state.players = [Player(OUT, found=2), Player(DONE, found=1)]
    assert (ranks(state), scores(state)) == ((2, 1), (2, 1))


def test_ranks_leave_the_state_alone() -> None:
    state = ended("race", out(5), done(1), opened=(1, 10))
    before = MINES.canonical(state)
    ranks(state), scores(state)
    assert MINES.canonical(state) == before
