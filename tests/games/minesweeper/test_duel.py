"""A duel: finds keep the turn, misses pass it, one bomb each, the majority wins."""

import pytest
from tests.games.minesweeper.tables import MINES, Table, fair

from parlour_games.minesweeper import duel
from parlour_games.minesweeper.actions import Action, Bomb, Chord, Flag, Open, Seq, Unflag
from parlour_games.minesweeper.events import Bombed, Ended, Found, NoMine, Out, Passed, Placed
from parlour_games.minesweeper.options import Options

STRIPE = "*.*.* ..... ....."
"""*2*2* 12121 00000"""
LATTICE = "*..*..* ....... ....... *..*..* ....... ....... *..*..*"
"""No zeros: every safe cell is a 1."""


def of(picture: str = STRIPE) -> Table:
    return Table(picture, 2, mode="duel")


def test_the_board_is_there_from_the_start_and_seat_0_begins() -> None:
    t = of()
    assert t.begun == [Placed(None, 0)]
    assert (t.asked(), t.view()["turn"], t.rows()) == ([0], 0, "..... ..... .....")
    t.refused(1, Open(((0, 0),)), "this seat has no open decision: wait for its turn")


def test_a_find_keeps_the_turn_and_a_miss_passes_it() -> None:
    t = of()
    assert t.open(0, (0, 0)) == [Found(0, ((0, 0),))]
    assert (t.asked(), t.rows()) == ([0], "A.... ..... .....")
    assert t.open(0, (1, 0)) == [NoMine(0, (1, 0), 1)]
    assert (t.asked(), t.rows()) == ([1], "A2... ..... .....")
    assert t.open(1, (4, 0)) == [Found(1, ((4, 0),))]
    assert t.rows() == "A2..B ..... ....."
    assert t.asked() == [1]


def test_several_cells_go_in_order_until_one_is_no_mine() -> None:
    t = of()
    assert t.open(0, (0, 0), (0, 0), (1, 1), (2, 0)) == [Found(0, ((0, 0),)), NoMine(0, (1, 1), 1)]
    assert (t.asked(), t.rows()) == ([1], "A.... .2... .....")


def test_zeros_flood() -> None:
    t = of()
    assert t.open(0, (2, 2)) == [NoMine(0, (2, 2), 10)]
    assert t.rows() == "..... 12121 00000"
    assert t.state.players[0].opened == 10


def test_the_majority_wins_immediately() -> None:
    t = of()
    t.open(0, (1, 0))
    assert t.open(1, (0, 0), (2, 0), (4, 0)) == [Found(1, ((0, 0), (2, 0))), Ended("majority")]
    assert (t.asked(), t.view()["phase"], t.view()["turn"]) == ([], "over", None)
    assert t.rows() == "B2B.M ..... ....."
    assert t.states() == ["out", "done"]
    assert t.result() == ("majority", (2, 1), (0, 2))
    assert MINES.pending(t.state) is None


def test_the_classic_duel_is_won_with_26_of_51() -> None:
    state, _ = MINES.start(Options(mode="duel"), 2, fair())
    assert duel.needed(state) == 26


def test_a_time_out_passes() -> None:
    t = of()
    t.open(0, (0, 0))
    assert t.late(0) == [Passed(0)]
    assert (t.asked(), t.state.players[0].found) == ([1], 1)
    assert t.late(1) == [Passed(1)]
    assert t.asked() == [0]


@pytest.mark.parametrize(
    ("verb", "why", "seat"), [("resign", "resigned", 0), ("remove", "left", 0), ("remove", "left", 1)]
)
def test_a_seat_that_resigns_loses_whatever_the_score(verb: str, why: str, seat: int) -> None:
    t = of()
    t.open(0, (0, 0))
    assert getattr(t, verb)(seat) == [Out(seat, why), Ended(why)]
    assert t.result() == (why, (2, 1) if seat == 0 else (1, 2), (1, 0))
    assert t.remove(1 - seat) == []


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Open(()), "name at least one cell"),
        (Open(((5, 0),)), r"cell \[5, 0\] is off the board: x is 0 to 4, y is 0 to 2"),
        (Open(((2, 0), (0, 3))), r"cell \[0, 3\] is off the board"),
        (Open(((1, 0),)), r"\[1, 0\] is open already: look for a mine under a closed cell"),
        (Open(((2, 0), (1, 0))), r"\[1, 0\] is open already"),
        (Open(((0, 0),)), r"\[0, 0\] is open already"),
        (Bomb((0, 3)), r"cell \[0, 3\] is off the board"),
        (Bomb((0, 0)), r"you cannot throw your bomb: you are not behind \(1 to 1\)"),
        (Flag(((2, 0),)), "that is not possible in a duel: open a cell with a mine, throw your bomb, or resign"),
        (Unflag(((2, 0),)), "possible in a duel"),
        (Chord(((1, 0),)), "possible in a duel"),
        (Seq((("open", 2, 0),)), "possible in a duel"),
    ],
)
def test_actions_that_a_duel_does_not_have_are_refused(action: Action, why: str) -> None:
    t = of()
    t.open(0, (0, 0))
    t.open(0, (1, 0))
    t.open(1, (4, 0))
    t.refused(1, action, why)


def bombs(t: Table) -> list[str]:
    return [player["bomb"] for player in t.view()["players"]]


def behind(miss: tuple[int, int], find: tuple[int, int], picture: str = LATTICE) -> Table:
    """Return a duel in which seat 0 has found a mine and missed another: seat 1 may throw its bomb."""
    t = of(picture)
    t.open(0, find)
    t.open(0, miss)
    return t


def test_a_bomb_opens_5_by_5_takes_the_mines_in_it_and_passes_the_turn() -> None:
    t = behind((1, 0), (0, 0))
    assert t.bomb(1, (3, 3)) == [Bombed(1, (3, 3), 24, 1)]
    assert t.rows().split() == ["A1.....", ".11111.", ".11111.", ".11B11.", ".11111.", ".11111.", "......."]
    assert (t.asked(), t.state.players[1].found, t.state.players[1].opened) == ([0], 1, 24)


@pytest.mark.parametrize(
    ("at", "n", "found", "rows"),
    [
        ((0, 0), 8, 1, ["B11....", "111....", "111....", ".......", ".......", ".......", ".....1A"]),
        ((6, 1), 10, 2, ["....11B", "....111", "....111", "....11B", ".......", ".......", ".....1A"]),
        ((6, 6), 7, 0, [".......", ".......", ".......", ".......", "....111", "....111", "....11A"]),
    ],
)
def test_a_bomb_is_clipped_at_the_edge(at: tuple[int, int], n: int, found: int, rows: list[str]) -> None:
    t = behind((5, 6), (6, 6))
    assert t.bomb(1, at) == [Bombed(1, at, n, found)]
    assert t.rows().split() == rows


def test_zeros_flood_beyond_the_reach_of_a_bomb() -> None:
    t = behind((1, 0), (0, 0), "*.......* ......... ........*")
    assert t.bomb(1, (4, 1)) == [Bombed(1, (4, 1), 22, 0)]
    assert t.rows() == "A1000001. 11000002. 00000001."


def test_a_bomb_is_for_the_seat_that_is_behind_and_only_once() -> None:
    t = of(LATTICE)
    t.refused(0, Bomb((2, 2)), r"you cannot throw your bomb: you are not behind \(0 to 0\)")
    t.open(0, (0, 0), (3, 0))
    t.refused(0, Bomb((2, 2)), r"you are not behind \(2 to 0\)")
    assert bombs(t) == ["kept", "ready"]
    t.late(0)
    t.bomb(1, (3, 3))
    assert bombs(t) == ["kept", "thrown"]
    t.late(0)
    t.refused(1, Bomb((2, 2)), "you have thrown it")
    t.open(1, (6, 6), (6, 3), (6, 5))
    assert bombs(t) == ["ready", "thrown"]
    assert t.bomb(0, (6, 6)) == [Bombed(0, (6, 6), 3, 0)]
    assert bombs(t) == ["thrown", "thrown"]


def test_a_bomb_can_decide_the_duel() -> None:
    t = behind((1, 0), (0, 0), STRIPE)
    assert t.bomb(1, (4, 2)) == [Bombed(1, (4, 2), 11, 2), Ended("majority")]
    assert t.result() == ("majority", (2, 1), (1, 2))
    assert t.rows() == "A2B2B 12121 00000"
