"""Solo: openings, flags, chords, sequences, the first click, the end."""

from typing import Any

import pytest
from tests.games.minesweeper.tables import CORNERS, MINES, Table, custom, fair, told

from parlour_games.game import Done, Outcome
from parlour_games.minesweeper.actions import Action, Bomb, Chord, Flag, Move, Open, Seq, Unflag
from parlour_games.minesweeper.events import Ended, Exploded, Flagged, Opened, Out, Placed, ReviewDone
from parlour_games.minesweeper.options import Shape
from parlour_games.minesweeper.state import OVER, REVIEW

NO_BOARD = Done("board", {"attempt": None})


def corners(seats: int = 1, **options: Any) -> Table:
    return Table(CORNERS, seats, **options)


def opened(*at: tuple[int, int], n: int) -> Opened:
    return Opened(0, at, n, False)


# --- openings ---


def test_the_first_opening_places_the_mines_and_opens() -> None:
    t = corners()
    assert (t.view()["phase"], t.begun, t.asked()) == ("new", [], [0])
    assert t.open(0, (1, 0)) == [Placed(None, 0), opened((1, 0), n=1)]
    assert (t.view()["phase"], t.rows()) == ("playing", ".1.. .... ....")
    assert t.open(0, (2, 0)) == [opened((2, 0), n=5)]
    assert t.rows() == ".100 .111 ...."


def test_several_cells_open_in_order_until_one_is_a_mine() -> None:
    t = corners()
    events = t.open(0, (1, 0), (1, 0), (0, 1), (0, 0), (2, 2))
    assert events[1:] == [
        opened((1, 0), (0, 1), n=2),
        Exploded(0, (0, 0), False),
        Out(0, "mine"),
        Ended("lost"),
    ]
    assert t.rows() == "*1.. 1... ...M"
    assert t.state.players[0].clicks == 3


def test_cells_that_came_open_meanwhile_in_the_same_act_are_not_among_those_opened() -> None:
    t = corners()
    assert t.open(0, (2, 0), (3, 0), (2, 1), (0, 1))[1:] == [opened((2, 0), (0, 1), n=7)]
    assert t.state.players[0].clicks == 2


def test_moves_that_change_nothing_are_accepted_and_do_not_count() -> None:
    t = corners()
    t.open(0, (2, 0))
    t.flag(0, (0, 0))
    t.open(0, (1, 1))
    before = MINES.canonical(t.state)
    for action in (
        Open(((2, 0),)),
        Open(((0, 0),)),
        Flag(((0, 0), (2, 0))),
        Unflag(((1, 0), (0, 1))),
        Chord(((2, 1), (3, 0))),
        Seq((("chord", 0, 2), ("chord", 0, 0), ("open", 2, 0))),
    ):
        assert t.do(0, action) == []
        assert {**MINES.canonical(t.state), "players": 0} == {**before, "players": 0}
    assert t.state.players[0].clicks == 2


def test_an_act_that_opens_nothing_earns_no_time() -> None:
    t = corners()
    assert t.decision(0).topped_up
    for earns, verb, cell in (
        (False, "flag", (0, 0)),
        (True, "open", (2, 0)),
        (False, "open", (2, 0)),
        (False, "unflag", (0, 0)),
        (False, "flag", (0, 0)),
        (True, "chord", (1, 0)),
    ):
        t.seq(0, (verb, *cell))  # type: ignore[arg-type]
        assert t.decision(0).topped_up == earns, verb


# --- flags and chords ---


def test_flags_are_set_and_taken_away_also_before_there_is_a_board() -> None:
    t = corners()
    assert t.flag(0, (0, 0), (1, 0), (0, 0)) == [Flagged(0, ((0, 0), (1, 0)), True, False)]
    assert (t.rows(), t.view()["phase"]) == ("FF.. .... ....", "new")
    assert t.unflag(0, (1, 0), (3, 2)) == [Flagged(0, ((1, 0),), False, False)]
    assert t.rows() == "F... .... ...."
    assert t.state.players[0].clicks == 3


def test_flags_are_reported_in_the_order_of_setting() -> None:
    t = corners()
    t.flag(0, (0, 0))
    assert t.seq(0, ("unflag", 0, 0), ("flag", 0, 0), ("flag", 1, 0), ("unflag", 1, 0)) == [
        Flagged(0, ((0, 0),), False, False),
        Flagged(0, ((0, 0), (1, 0)), True, False),
        Flagged(0, ((1, 0),), False, False),
    ]
    assert t.rows() == "F... .... ...."


def test_flagged_cells_never_open() -> None:
    t = corners()
    t.flag(0, (1, 0), (0, 0))
    assert t.open(0, (0, 0)) == []
    assert t.view()["phase"] == "new"
    t.open(0, (2, 0))
    assert t.rows() == "FF00 .111 ...."
    t.chord(0, (2, 0))
    t.open(0, (1, 0))
    assert t.rows() == "FF00 .111 ...."


def test_a_chord_opens_all_neighbours_that_are_not_marked() -> None:
    t = corners()
    t.open(0, (1, 1))
    assert t.chord(0, (1, 1)) == []
    t.flag(0, (0, 0))
    assert t.chord(0, (1, 1)) == [opened((1, 0), (2, 0), (0, 1), (0, 2), n=9), Ended("won")]
    assert t.rows() == "F100 1111 001F"
    assert t.result() == ("won", (1,), (10,))


def test_a_chord_with_a_wrong_flag_loses() -> None:
    t = corners()
    t.open(0, (1, 1))
    t.flag(0, (1, 0))
    assert t.chord(0, (1, 1)) == [Exploded(0, (0, 0), False), Out(0, "mine"), Ended("lost")]
    assert t.rows() == "*X.. .1.. ...M"


def test_several_chords_go_in_order() -> None:
    t = corners()
    t.open(0, (1, 1), (0, 1))
    t.flag(0, (0, 0))
    assert t.chord(0, (0, 1), (1, 1))[0] == opened((1, 0), (0, 2), (2, 0), n=8)
    assert t.state.players[0].clicks == 5


def test_a_seq_flags_opens_and_chords_in_order() -> None:
    t = corners()
    events = t.seq(0, ("open", 1, 0), ("flag", 0, 0), ("flag", 3, 2), ("unflag", 3, 2), ("chord", 1, 0), ("open", 0, 2))
    assert events == [
        Placed(None, 0),
        Flagged(0, ((0, 0), (3, 2)), True, False),
        Flagged(0, ((3, 2),), False, False),
        opened((1, 0), (2, 0), (0, 1), (0, 2), n=10),
        Ended("won"),
    ]
    assert t.state.players[0].clicks == 6


def test_a_seq_stops_at_a_mine() -> None:
    t = corners()
    t.seq(0, ("open", 1, 0), ("open", 0, 0), ("flag", 3, 2), ("open", 2, 0))
    assert t.rows() == "*1.. .... ...M"


def test_a_seq_has_at_most_64_moves() -> None:
    t = corners()
    flags: tuple[Move, ...] = tuple(("flag" if i % 2 else "unflag", 0, 0) for i in range(1, 66))
    t.refused(0, Seq(flags), "a seq has at most 64 moves, not 65")
    assert len(t.do(0, Seq(flags[:64]))) == 64
    assert t.state.players[0].clicks == 64


# --- refusals ---


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Open(()), "name at least one cell"),
        (Flag(()), "name at least one cell"),
        (Chord(()), "name at least one cell"),
        (Seq(()), "name at least one cell"),
        (Open(((4, 0),)), r"cell \[4, 0\] is off the board: x is 0 to 3, y is 0 to 2"),
        (Open(((0, 3),)), r"cell \[0, 3\] is off the board"),
        (Unflag(((-1, 0),)), r"cell \[-1, 0\] is off the board"),
        (Flag(((0, 0), (1, 1), (0, -1))), r"cell \[0, -1\] is off the board"),
        (Open(((3, 1), (2**52, 0))), "off the board"),
        (Seq((("open", 0, 1), ("flag", 9, 9))), r"cell \[9, 9\] is off the board"),
        (Chord(((1, 1), (3, 1))), r"a chord needs an open number: \[3, 1\] is not one"),
        (Chord(((0, 0),)), r"a chord needs an open number: \[0, 0\] is not one"),
        (Bomb((1, 1)), "bombs are only for duels: open, flag, unflag, chord, seq or resign"),
    ],
)
def test_a_malformed_part_refuses_the_whole_act(action: Action, why: str) -> None:
    t = corners()
    t.flag(0, (0, 0))
    t.open(0, (1, 1))
    t.refused(0, action, why)


def test_a_seat_without_a_decision_cannot_act() -> None:
    t = corners()
    t.refused(1, Open(((1, 1),)), "this seat has no open decision: wait for its turn")
    with pytest.raises(Exception, match="no open decision"):
        MINES.apply(t.state, 0, "bomb", Open(((1, 1),)))
    t.resign(0)
    t.refused(0, Open(((1, 1),)), "this seat has no open decision: wait for its turn")


# --- the end ---


def test_all_safe_cells_open_is_a_win_whatever_is_flagged() -> None:
    t = corners()
    t.at(1_000).open(0, (2, 0), (0, 2))
    assert t.state.phase == REVIEW
    assert t.asked() == []
    assert t.rows() == "F100 1111 001F"
    assert MINES.outcome(t.state) is None
    assert t.settle() == [ReviewDone()]
    assert (t.state.phase, MINES.pending(t.state), t.states()) == (OVER, None, ["done"])
    assert t.result() == ("won", (1,), (10,))


def test_a_board_that_is_clear_is_won_before_the_same_act_comes_to_a_mine() -> None:
    t = corners()
    events = t.open(0, (2, 0), (0, 2), (0, 0))
    assert events[1:] == [opened((2, 0), (0, 2), n=10), Ended("won")]
    assert t.result()[0] == "won"


@pytest.mark.parametrize("how", ["mine", "clock", "resigned", "left"])
def test_four_ways_to_lose(how: str) -> None:
    t = corners()
    t.open(0, (1, 0))
    ways = {"mine": lambda: t.open(0, (0, 0)), "clock": lambda: t.late(0), "resigned": lambda: t.resign(0)}
    events = ways.get(how, lambda: t.remove(0))()
    assert events[-2:] == [Out(0, how), Ended("lost")]
    assert t.states() == ["out"]
    assert t.asked() == []
    assert t.result() == ("lost", (2,), (1,))
    assert t.remove(0) == []


@pytest.mark.parametrize("how", ["clock", "resigned", "left"])
def test_a_match_lost_before_its_board_is_over_immediately(how: str) -> None:
    t = corners()
    t.flag(0, (0, 0))
    t.at(60_000)
    {"clock": t.late, "resigned": t.resign, "left": t.remove}[how](0)
    assert MINES.pending(t.state) is None
    assert t.outcome() == Outcome((2,), (0,), "lost")
    assert t.rows() == "F... .... ...."
    assert t.view()["players"][0]["ms"] == 0


# --- the first click ---


def test_a_mine_at_the_first_click() -> None:
    t = corners()
    assert t.open(0, (0, 0)) == [Placed(None, 0), Exploded(0, (0, 0), False), Out(0, "mine"), Ended("lost")]
    assert t.result() == ("lost", (2,), (0,))


# --- a board that needs no guess ---


def searching(seats: int = 1, **options: Any) -> Table:
    return Table.of(MINES.start(custom(Shape(8, 8, 8), no_guess=True, first="safe", **options), seats, fair()))


def test_the_first_opening_waits_for_the_board_and_the_rest_of_the_act_comes_after() -> None:
    t = searching()
    events = t.seq(0, ("flag", 7, 7), ("open", 7, 7), ("open", 3, 3), ("unflag", 7, 7), ("flag", 0, 0))
    assert told(events, None) == [{"e": "making"}, {"e": "flag", "seat": 0, "at": [[7, 7]], "on": True}]
    assert (t.view()["phase"], t.asked(), t.rows().count("."), t.view()["rows"][7][7]) == ("making", [], 63, "F")
    job = MINES.pending(t.state)
    assert job
    assert job.args["first"] == 27
    events = t.at(5_000).settle()
    assert [event.e for event in events] == ["board", "flag", "flag", "open"]
    assert events[-1].at == ((3, 3),)  # type: ignore[attr-defined]
    assert (t.view()["phase"], t.asked(), t.state.began, t.state.waiting) == ("playing", [0], 5_000, None)
    assert (t.rows()[0], t.rows()[-1]) == ("F", ".")
    assert t.state.players[0].clicks == 4
    assert t.decision(0).topped_up


def test_no_board_in_500_attempts_ends_the_match_unrated() -> None:
    t = searching()
    t.open(0, (3, 3))
    with pytest.raises(ValueError, match="not what the match waits for: board"):
        MINES.settle(t.state, Done("review", {"seats": []}))
    events = MINES.settle(t.state, NO_BOARD)
    assert told(events, None) == [{"e": "end", "why": "no_board"}]
    outcome = MINES.outcome(t.state)
    assert outcome
    assert (outcome.why, outcome.rated, outcome.stats) == ("no_board", False, None)
    assert t.view()["phase"] == "over"
