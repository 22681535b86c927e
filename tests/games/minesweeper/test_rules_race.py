"""Races: the same board for every seat, each with its own visible board."""

from typing import Any

import pytest
from tests.games.minesweeper.tables import CORNERS, MINES, Table, custom, fair, told

from parlour_games.game import Done
from parlour_games.minesweeper.actions import Chord, Open
from parlour_games.minesweeper.events import Cleared, Ended, Exploded, Flagged, Opened, Out, Placed
from parlour_games.minesweeper.options import Shape

BEGUN = ".... .1.. ...."


def race(seats: int = 2, start: tuple[int, int] = (1, 1), **options: Any) -> Table:
    return Table(CORNERS, seats, start, mode="race", **options)


def test_the_server_opens_the_start_cell_for_all() -> None:
    t = race(3)
    assert t.begun == [Placed((1, 1), 1)]
    assert [t.rows(seat) for seat in range(3)] == [BEGUN] * 3
    assert (t.asked(), t.view()["phase"]) == ([0, 1, 2], "playing")
    assert [player.clicks for player in t.state.players] == [0, 0, 0]
    assert race(2, (2, 0)).begun == [Placed((2, 0), 6)]


def test_each_plays_on_a_field_of_its_own() -> None:
    t = race()
    assert t.open(1, (2, 0)) == [Opened(1, ((2, 0),), 5, True)]
    assert t.flag(0, (0, 0)) == [Flagged(0, ((0, 0),), True, True)]
    assert (t.rows(0), t.rows(1)) == ("F... .1.. ....", ".100 .111 ....")
    t.refused(0, Chord(((2, 1),)), "a chord needs an open number")
    t.chord(0, (1, 1))
    assert (t.rows(0), t.rows(1)) == ("F100 1111 001.", ".100 .111 ....")


def test_a_mine_is_out_and_the_others_play_on() -> None:
    t = race(3)
    assert t.at(700).open(1, (0, 0)) == [Exploded(1, (0, 0), True), Out(1, "mine")]
    assert (t.states(), t.asked(), t.rows(1)) == (["in", "out", "in"], [0, 2], "*... .1.. ....")
    t.refused(1, Open(((2, 2),)), "this seat has no open decision: wait for its turn")
    assert t.view(0)["players"][1] == {"state": "out", "open": 1, "ms": 700}


@pytest.mark.parametrize(("verb", "why"), [("late", "clock"), ("resign", "resigned"), ("remove", "left")])
def test_a_seat_that_times_out_or_resigns_is_out(verb: str, why: str) -> None:
    t = race()
    assert getattr(t, verb)(1) == [Out(1, why)]
    assert t.asked() == [0]
    assert getattr(t, verb)(0) == [Out(0, why), Ended("race")]


def test_when_all_are_out_the_race_is_over_and_progress_ranks() -> None:
    t = race(4)
    t.open(0, (1, 0), (0, 0))
    t.open(1, (1, 0))
    t.flag(1, (0, 0))
    t.resign(1)
    t.open(2, (2, 0))
    t.late(2)
    t.open(3, (1, 0))
    assert t.open(3, (3, 2)) == [Exploded(3, (3, 2), True), Out(3, "mine"), Ended("race")]
    assert t.result() == ("race", (2, 2, 1, 2), (2, 2, 6, 2))


def test_the_first_to_clear_wins_and_the_others_play_on_for_their_places() -> None:
    t = race(3)
    assert t.at(2_000).open(2, (2, 0), (0, 2)) == [Opened(2, ((2, 0), (0, 2)), 9, True), Cleared(2, 2_000)]
    assert (t.states(), t.asked(), MINES.pending(t.state)) == (["in", "in", "done"], [0, 1], None)
    t.at(3_000).open(0, (0, 0))
    assert t.at(4_000).open(1, (2, 0), (0, 2))[1:] == [Cleared(1, 4_000), Ended("race")]
    assert t.result() == ("race", (3, 2, 1), (1, 10, 10))


def test_a_clear_board_stays_clear_whatever_else_the_act_names() -> None:
    t = race(2)
    events = t.at(2_000).open(0, (2, 0), (0, 2), (0, 0))
    assert events == [Opened(0, ((2, 0), (0, 2)), 9, True), Cleared(0, 2_000)]
    assert t.states() == ["done", "in"]


def test_a_start_that_clears_the_board_ends_the_race_in_a_draw() -> None:
    t = Table("...* .... ....", 3, (0, 2), mode="race")
    assert t.begun == [Placed((0, 2), 11), *(Cleared(seat, 0) for seat in range(3)), Ended("race")]
    assert t.result() == ("race", (1, 1, 1), (11, 11, 11))


# --- a penalty instead ---


def test_a_mine_costs_time_where_there_is_a_penalty() -> None:
    t = race(2, penalty=10_000)
    assert t.at(1_000).open(0, (0, 0), (2, 0)) == [Exploded(0, (0, 0), True)]
    assert (t.states(), t.asked(), t.rows(0)) == (["in", "in"], [0, 1], "*... .1.. ....")
    t.open(0, (0, 0))
    assert t.view(1)["players"][0] == {"state": "in", "open": 1, "penalty": 10_000}
    opened = Opened(0, ((1, 0), (2, 0), (0, 1), (0, 2)), 9, True)
    assert t.at(1_500).chord(0, (1, 1)) == [opened, Cleared(0, 11_500)]
    assert t.view(1)["players"][0] == {"state": "done", "open": 10, "ms": 11_500, "penalty": 10_000}


def test_every_mine_costs_its_time() -> None:
    t = race(2, penalty=7)
    t.open(0, (0, 0))
    t.open(0, (3, 2))
    t.open(0, (2, 0), (0, 2))
    assert t.states() == ["done", "in"]
    assert t.state.time_of(0) == 14


# --- a board that needs no guess ---


def test_in_a_race_the_board_is_made_before_anybody_is_asked() -> None:
    t = Table.of(MINES.start(custom(Shape(8, 8, 8), mode="race", no_guess=True), 3, fair()))
    assert told(t.begun, None) == [{"e": "making"}]
    assert (t.asked(), t.view(1)["phase"], t.view(None)["rows"]) == ([], "making", None)
    assert t.at(500).remove(2) == [Out(2, "left")]
    placed = t.at(9_000).settle()[0]
    assert isinstance(placed, Placed)
    assert placed.at == t.state.at(t.state.first)
    assert t.asked() == [0, 1]
    assert (t.rows(0), t.state.began) == (t.rows(1), 9_000)
    assert sum(char != "." for char in t.rows(0).replace(" ", "")) == placed.n > 0
    assert t.view(0)["players"][2]["ms"] == 0


def test_a_race_without_a_board_has_no_winner() -> None:
    t = Table.of(MINES.start(custom(Shape(8, 4, 4), mode="race", no_guess=True), 2, fair()))
    assert told(MINES.settle(t.state, Done("board", {"attempt": None})), 0) == [{"e": "end", "why": "no_board"}]
    outcome = t.outcome()
    assert (outcome.why, outcome.ranks, outcome.rated) == ("no_board", (1, 1), False)
    assert t.view(None)["rows"] is None
