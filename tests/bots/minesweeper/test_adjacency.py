from hypothesis import given
from hypothesis import strategies as st
from tests.bots.minesweeper.positions import here, is_sound, turn

from parlour_bots.minesweeper.adjacency import adjacent, play


def test_the_first_click_is_the_top_left_cell() -> None:
    assert play(turn("...", "...", mines=1, phase="new"))[0] == {"do": "open", "cells": [[0, 0]]}
    action, why = play(turn("F.", mines=1, phase="new"))
    assert (action, why) == ({"do": "open", "cells": [[1, 0]]}, "random")


def test_flag_and_reveal_come_before_the_adjacency_test() -> None:
    action, why = play(turn("1.1.", "111.", "000.", mines=2))
    assert why == "flag and reveal"
    assert action["moves"][0] == ["flag", 1, 0]


def test_all_that_is_safe_is_one_answer() -> None:
    action, why = play(turn("...", "11.", mines=1))
    assert why == "adjacency"
    assert action == {"do": "seq", "moves": [["open", 2, 0], ["open", 2, 1]]}


def test_what_only_the_other_number_has_is_safe_if_both_lack_the_same() -> None:
    assert adjacent(here("...", "11.")) == {2, 5}
    assert adjacent(here("...", "12F", "000")) == {2}, "flags count for what a number lacks"
    assert adjacent(here("...", "12.", "000")) == set()
    assert adjacent(here("..0..", "11011", "00000")) == set(), "numbers that do not touch are not compared"
    assert adjacent(here("....", ".11.", "....")) == set(), "neighbours that only overlap prove nothing"


def test_without_anything_certain_chance_decides() -> None:
    assert play(turn("1..", "...", "...", mines=2))[1] == "random"


def test_in_a_duel_obvious_mines_are_opened() -> None:
    action, _ = play(turn("2..", "222", "000", mines=3, mode="duel"))
    assert action == {"do": "open", "cells": [[1, 0], [2, 0]]}


@given(st.data())
def test_what_is_not_chance_is_never_wrong(data: st.DataObject) -> None:
    assert is_sound(play, data)
