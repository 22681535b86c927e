"""Which cards may be played: by colour, by symbol, and on a penalty."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.uno.tables import table

from parlour_games.uno.cards import ALIKE, CARDS, COLOUR, DRAW_TWO, DRAW_TWOS, FOURS, MATCH, SYMBOL, WILD_FOUR, cards_in
from parlour_games.uno.options import Options
from parlour_games.uno.piles import fitting, is_bluff, playable, stacking


@given(card=st.integers(0, CARDS - 1))
def test_like_cards_have_the_same_colour_and_symbol_and_wilds_have_none(card: int) -> None:
    like = [
        other
        for other in range(CARDS)
        if other != card and COLOUR[card] is not None and (COLOUR[other], SYMBOL[other]) == (COLOUR[card], SYMBOL[card])
    ]
    assert cards_in(ALIKE[card]) == like
    assert len(like) == (COLOUR[card] is not None and SYMBOL[card] != 0)


@pytest.mark.parametrize(
    ("options", "on_two", "on_four"),
    [
        ({}, 0, 0),
        ({"stack2": True}, DRAW_TWOS, 0),
        ({"stack4": True}, 0, FOURS),
        ({"stack_cross": True}, FOURS, DRAW_TWOS),
        ({"stack2": True, "stack4": True}, DRAW_TWOS, FOURS),
    ],
)
def test_cards_that_stack(options: dict[str, Any], on_two: int, on_four: int) -> None:
    assert stacking(Options(**options), DRAW_TWO) == on_two
    assert stacking(Options(**options), WILD_FOUR) == on_four


def test_without_a_penalty_matching_cards_fit() -> None:
    state = table("r1 b2", "y1", top="r+2", preset="chaos").state
    assert fitting(state) == MATCH[0][DRAW_TWO]
    state.pending = 2
    assert fitting(state) == DRAW_TWOS | FOURS


def test_a_bluff_is_about_the_colour_or_about_all_that_fits() -> None:
    for faces, by_colour, strictly in (("r1", True, True), ("b5", False, True), ("b1", False, False)):
        state = table(f"w+4 {faces}", "y1", top="r5").state
        assert is_bluff(state, state.hands[0]) == by_colour
        state = table(f"w+4 {faces}", "y1", top="r5", strict_wild4=True).state
        assert is_bluff(state, state.hands[0]) == strictly


def test_playable_cards_are_held_and_fit_and_after_drawing_are_the_drawn_one() -> None:
    t = table("r1 b2 w+4", "y1", top="r5", deck="r9", draw_until=True, no_bluff=True)
    assert cards_in(playable(t.state)) == [t.held(0, "r1")]
    t.draw(0)
    assert cards_in(playable(t.state)) == [t.held(0, "r9")]
