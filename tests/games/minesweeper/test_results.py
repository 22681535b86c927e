"""Results: ranks and scores of states made by hand; statistics of boards counted by hand and by another way."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.tables import CORNERS, MINES, Table, board

from parlour_games.minesweeper.board import IS_MINE, Board, VisibleBoard
from parlour_games.minesweeper.options import Shape
from parlour_games.minesweeper.results import Measure, ranks, scores
from parlour_games.minesweeper.state import DONE, FROZEN, OUT, OVER, Player, State


@pytest.mark.parametrize(
    ("picture", "bbbv"),
    [
        (CORNERS, 2),
        ("... .*. ...", 8),
        ("*.* ... ...", 2),
        ("*.*.* ..... .....", 3),
        (".*..*. .*..*. .*..*.", 12),
        ("***** *...* *...* *...* *****", 1),
    ],
)
def test_3bv_counted_by_hand(picture: str, bbbv: int) -> None:
    assert Measure(board(picture)).bbbv == bbbv


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 2**32))
def test_3bv_is_the_number_of_openings_with_zeros_first(width: int, height: int, seed: int) -> None:
    rng = Random(seed)
    mines = rng.sample(range(width * height), rng.randint(1, width * height // 3 + 1))
    made = Board(Shape(width, height, len(mines)), mines)
    field, log = VisibleBoard(width, height), []
    measure = Measure(made)
    for cell in sorted(range(width * height), key=lambda cell: made.numbers[cell]):
        if made.numbers[cell] != IS_MINE and field.open_cell(made, cell):
            log.append((0, (cell,)))
            assert measure.done(log, 1) == [len(log)]
    assert field.open == made.shape.safe
    assert len(log) == measure.bbbv
    assert measure.done([], 2) == [0, 0]


def test_a_part_counts_once_for_the_first_seat() -> None:
    measure = Measure(board("*.*.* ..... ....."))
    log = [(0, (0, 1)), (1, (5, 7)), (1, (12, 3)), (0, (10,))]
    assert measure.bbbv == 3
    assert measure.done(log, 2) == [1, 2]


def test_a_won_game_alone() -> None:
    t = Table(CORNERS)
    t.at(10_000).flag(0, (0, 0))
    t.at(20_000).open(0, (1, 0))
    t.at(21_000).open(0, (2, 0))
    t.at(28_000).open(0, (0, 2))
    [seat] = t.stats()["seats"]
    assert t.stats()["bbbv"] == 2
    assert {name: seat[name] for name in list(seat)[:8]} == {
        "ms": 8_000,
        "clicks": 4,
        "opened": 10,
        "bbbv": 2,
        "rate": 250,
        "efficiency": 50,
        "flagged": 100,
        "open": 100,
    }
    assert list(seat)[8:] == ["forced", "unjudged", "guesses"]


def test_statistics_of_a_lost_match() -> None:
    t = Table(CORNERS)
    t.open(0, (2, 0))
    t.flag(0, (3, 2), (0, 1))
    t.at(3_000).open(0, (0, 0))
    [seat] = t.stats()["seats"]
    assert (seat["ms"], seat["clicks"], seat["bbbv"], seat["rate"]) == (3_000, 4, 1, 333)
    assert (seat["efficiency"], seat["flagged"], seat["open"]) == (25, 50, 60)


def test_no_time_and_no_clicks_are_no_divisors() -> None:
    t = Table(CORNERS, 2, (1, 1), mode="race")
    t.resign(0)
    t.open(1, (2, 0), (0, 2))
    idle, quick = t.stats()["seats"]
    assert (idle["clicks"], idle["efficiency"], idle["rate"], idle["open"]) == (0, 0, 0, 10)
    assert (quick["ms"], quick["rate"], quick["efficiency"]) == (0, 0, 100)


@pytest.mark.parametrize(
    ("mode", "measured"), [("race", [(2, 100, 100), (1, 0, 70)]), ("coop", [(1, 100, 100), (1, 100, 100)])]
)
def test_a_seat_is_measured_by_its_own_openings_on_its_field(mode: str, measured: list[tuple[int, int, int]]) -> None:
    t = Table(CORNERS, 2, (1, 1), mode=mode)
    t.open(1, (0, 1), (2, 0)) if mode == "race" else t.open(1, (1, 1), (2, 0))
    t.open(0, (2, 0), (0, 2))
    if mode == "race":
        t.resign(1)
    rows = t.stats()["seats"]
    assert [(row["bbbv"], row["flagged"], row["open"]) for row in rows] == measured
    assert [row["opened"] for row in rows] == [9 if mode == "race" else 4, 6]


def test_penalties_are_part_of_the_time() -> None:
    t = Table(CORNERS, 2, (1, 1), mode="race", penalty=500)
    t.open(0, (0, 0))
    t.at(1_500).open(0, (2, 0), (0, 2))
    t.resign(1)
    assert [(row["ms"], row["rate"]) for row in t.stats()["seats"]] == [(2_000, 1_000), (1_500, 0)]


def test_a_duel_is_scored_by_found_mines() -> None:
    t = Table("*.*.* ..... .....", 2, mode="duel")
    t.open(0, (2, 2))
    t.open(1, (0, 0), (4, 0))
    assert t.stats() == {"seats": [{"found": 0, "opened": 10}, {"found": 2, "opened": 0}]}


@pytest.mark.parametrize("options", [{}, {"mode": "coop"}])
def test_without_a_board_there_is_nothing_to_measure(options: dict[str, Any]) -> None:
    t = Table(CORNERS, 2 if options else 1, **options)
    for seat in t.asked():
        t.resign(seat)
    assert t.outcome().stats is None


# --- ranks and scores ---


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
