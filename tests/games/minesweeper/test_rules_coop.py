"""Coop: one board, shared flags, shared results, lives."""

from typing import Any

import pytest
from tests.games.minesweeper.tables import CORNERS, MINES, Table, custom, fair

from parlour_games.minesweeper.actions import Flag, Open
from parlour_games.minesweeper.events import Ended, Exploded, Flagged, Opened, Out, Placed
from parlour_games.minesweeper.options import Shape


def coop(seats: int = 3, **options: Any) -> Table:
    return Table(CORNERS, seats, mode="coop", **options)


def test_the_first_opening_by_anybody_places_the_mines() -> None:
    t = coop()
    assert (t.begun, t.asked(), t.view()["phase"]) == ([], [0, 1, 2], "new")
    assert t.open(2, (1, 0)) == [Placed(None, 0), Opened(2, ((1, 0),), 1, False)]
    assert t.state.first == 1
    assert t.asked() == [0, 1, 2]
    assert {t.rows(seat) for seat in (0, 1, 2, None)} == {".1.. .... ...."}


def test_every_opening_is_its_openers() -> None:
    t = coop()
    t.open(0, (2, 0))
    assert t.open(1, (2, 0), (1, 0)) == []
    t.open(1, (0, 2))
    assert t.view(2)["players"][0]["open"] == 6
    assert [player.opened for player in t.state.players] == [6, 4, 0]
    assert t.view(2)["open"] == 10
    assert t.result() == ("won", (1, 1, 1), (6, 4, 0))


def test_flags_are_shared() -> None:
    t = coop()
    assert t.flag(0, (0, 0)) == [Flagged(0, ((0, 0),), True, False)]
    assert t.open(1, (0, 0)) == []
    assert t.unflag(2, (0, 0)) == [Flagged(2, ((0, 0),), False, False)]
    t.flag(1, (0, 0))
    t.open(0, (1, 1))
    assert t.chord(2, (1, 1))[0] == Opened(2, ((1, 0), (2, 0), (0, 1), (0, 2)), 9, False)


def test_a_mine_loses_for_all() -> None:
    t = coop()
    t.open(0, (1, 0))
    assert t.open(1, (0, 0)) == [Exploded(1, (0, 0), False), Ended("lost")]
    assert t.states() == ["out"] * 3
    assert t.rows(2) == "*1.. .... ...M"
    assert t.result() == ("lost", (2, 2, 2), (1, 0, 0))


def test_lives_forgive_all_mines_but_the_last() -> None:
    t = Table("**.. .... ....", 2, mode="coop", lives=2)
    assert t.open(0, (2, 0), (0, 0), (0, 2))[2:] == [Exploded(0, (0, 0), False)]
    assert (t.view()["lives"], t.asked(), t.rows(1)) == (1, [0, 1], "*.1. .... ....")
    assert t.open(1, (1, 0)) == [Exploded(1, (1, 0), False), Ended("lost")]
    assert t.view()["lives"] == 0
    assert t.result()[:2] == ("lost", (2, 2))


def test_a_board_with_a_mine_set_off_can_still_be_won() -> None:
    t = coop(2, lives=2)
    t.open(0, (1, 1))
    t.open(1, (0, 0))
    t.chord(0, (1, 1))
    assert t.rows() == "*100 1111 001F"
    assert t.result() == ("won", (1, 1), (10, 0))


def test_a_seat_that_times_out_is_frozen_and_shares_the_result() -> None:
    t = coop()
    t.open(0, (2, 0))
    assert t.at(800).late(0) == [Out(0, "clock")]
    assert (t.states(), t.asked()) == (["frozen", "in", "in"], [1, 2])
    t.refused(0, Open(((0, 1),)), "this seat has no open decision: wait for its turn")
    t.at(900).open(1, (0, 2))
    assert [player["ms"] for player in t.view()["players"]] == [800, 900, 900]
    assert t.result() == ("won", (1, 1, 1), (6, 4, 0))


@pytest.mark.parametrize(("verb", "why"), [("resign", "resigned"), ("remove", "left")])
def test_a_seat_that_resigns_does_not_share_a_win(verb: str, why: str) -> None:
    t = coop()
    t.open(0, (2, 0))
    assert getattr(t, verb)(0) == [Out(0, why)]
    assert t.asked() == [1, 2]
    assert t.remove(0) == []
    t.open(1, (0, 2))
    assert t.states() == ["out", "done", "done"]
    assert t.result()[:2] == ("won", (2, 1, 1))


def test_when_no_seat_can_continue_it_is_lost() -> None:
    t = coop()
    t.open(0, (2, 0))
    t.late(0)
    t.resign(1)
    assert t.late(2) == [Out(2, "clock"), Ended("lost")]
    assert t.states() == ["frozen", "out", "frozen"]
    assert t.result()[:2] == ("lost", (2, 2, 2))


# --- a board that needs no guess ---


def making(seats: int = 3) -> Table:
    """Return a table whose seat 1 has opened the first cell, while the server looks for a board."""
    t = Table.of(MINES.start(custom(Shape(8, 8, 8), mode="coop", no_guess=True), seats, fair()))
    t.open(1, (3, 3), (7, 7))
    return t


def test_while_a_board_is_made_the_first_click_stays_the_first() -> None:
    t = making()
    assert (t.view()["phase"], t.asked()) == ("making", [0, 2])
    t.refused(0, Open(((5, 5),)), "making the board")
    t.refused(2, Flag(((5, 5),)), "making the board")
    t.settle()
    assert t.state.first == 27
    assert t.rows().split()[3][3] != "."
    assert t.state.players[1].opened >= 1
    assert t.asked() == [0, 1, 2]


def test_the_clocks_and_leaves_of_others_count_while_a_board_is_made() -> None:
    t = making()
    assert t.late(0) == [Out(0, "clock")]
    assert t.resign(2) == [Out(2, "resigned")]
    assert t.asked() == []
    t.settle()
    assert (t.asked(), t.state.phase) == ([1], "playing")


def test_the_first_click_counts_although_its_player_has_left_meanwhile() -> None:
    t = making(2)
    assert t.remove(1) == [Out(1, "left")]
    t.settle()
    assert t.state.players[1].opened >= 1
    assert t.asked() == [0]


def test_when_all_have_left_no_board_is_made() -> None:
    t = making(2)
    t.remove(1)
    assert t.remove(0) == [Out(0, "left"), Ended("lost")]
    assert MINES.pending(t.state) is None
    assert t.result()[:2] == ("lost", (2, 2))
