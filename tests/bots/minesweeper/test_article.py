from hypothesis import given
from hypothesis import strategies as st
from tests.bots.minesweeper.positions import here, is_sound, turn

from parlour_bots.minesweeper.article import endgame, obvious_mines, obvious_numbers, play
from parlour_games.minesweeper.actions import MAX_MOVES


def test_obvious_mines() -> None:
    assert obvious_mines(here("2.2", "2.2", "111"), set()) == {1, 4}, "the only closed neighbours of a number"
    assert obvious_mines(here("1..", "...", "..."), set()) == set(), "one of several"
    assert obvious_mines(here("2F2", "2.2", "111"), {1}) == {4}, "what has a flag is not told again"
    assert obvious_mines(here("2*1", "2.1", "111"), set()) == {4}, "a mine that was set off is no longer lacking"


def test_obvious_numbers() -> None:
    assert obvious_numbers(here("1F.", "1..", "..."), {1}) == {4, 6, 7}, "all mines have flags"
    assert obvious_numbers(here("1F.", "1..", "..."), set()) == set(), "no flag counts"
    assert obvious_numbers(here("1*1", "1.1", "111"), set()) == {4}, "the mine was set off"
    assert obvious_numbers(here("1F", "F."), {1, 2}) == set(), "too many flags"


def test_endgame_opens_what_has_no_flag_when_all_mines_have_one() -> None:
    assert endgame(here("F..", "...", mines=1)) == {1, 2, 3, 4, 5}
    assert endgame(here("F*.", "...", mines=2)) == {2, 3, 4, 5}
    assert endgame(here("F..", "...", mines=2)) == set()


def test_flags_and_what_follows_from_them_are_one_answer() -> None:
    action, why = play(turn("01..", "01..", "01..", mines=2))
    assert why == "random"
    action, why = play(turn("01.", "011", "011", "01.", mines=2))
    assert (why, action) == ("obvious mines", {"do": "seq", "moves": [["flag", 2, 0], ["flag", 2, 3]]})
    action, why = play(turn("1.1.", "111.", "000.", mines=2))
    moves = [["flag", 1, 0], ["open", 3, 0], ["open", 3, 1], ["open", 3, 2]]
    assert (why, action) == ("obvious mines", {"do": "seq", "moves": moves})


def test_the_strategies_come_in_their_order() -> None:
    assert play(turn("1F..", "11..", "....", mines=1))[1] == "obvious numbers"
    action, why = play(turn("F...", "....", "....", mines=1))
    assert why == "endgame"
    assert len(action["moves"]) == 11
    assert play(turn("F...", "....", "....", mines=2))[1] == "random"


def test_chance_takes_any_closed_cell_without_a_flag() -> None:
    answers = [play(turn("F.", ".2", mines=2, seed=seed)) for seed in range(40)]
    assert {why for _, why in answers} == {"random"}
    assert {tuple(action["cells"][0]) for action, _ in answers} == {(1, 0), (0, 1)}


def test_the_first_click_is_chance() -> None:
    cells = {play(turn("..", mines=1, phase="new", seed=seed))[0]["cells"][0][0] for seed in range(20)}
    assert cells == {0, 1}


def test_flags_on_everything_are_taken_away() -> None:
    action, why = play(turn("FF", "F2", mines=2))
    assert (why, action) == ("wrong flags", {"do": "unflag", "cells": [[0, 0], [1, 0], [0, 1]]})


def test_a_long_answer_is_cut() -> None:
    action, _ = play(turn("F" + "." * 29, *["." * 30] * 3, mines=1))
    assert len(action["moves"]) == MAX_MOVES


def test_in_a_duel_obvious_mines_are_opened() -> None:
    action, why = play(turn("2..", "222", "000", mines=3, mode="duel"))
    assert (action, why) == ({"do": "open", "cells": [[1, 0], [2, 0]]}, "obvious mines")
    action, why = play(turn("1A.", mines=3, mode="duel"))
    assert (action, why) == ({"do": "open", "cells": [[2, 0]]}, "random")


@given(st.data())
def test_what_is_not_chance_is_never_wrong(data: st.DataObject) -> None:
    assert is_sound(play, data)
