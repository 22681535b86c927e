"""Actions and codes correspond one to one, and ``legal`` lists codes in ascending order."""

import pytest

from parlour_games.uno.actions import (
    ACTIONS,
    BY_CODE,
    CALLING_PLAYS,
    CATCH_CODES,
    CODES,
    COLOUR_CODES,
    DRAW,
    JUMP,
    SILENT_PLAYS,
    Action,
    Catch,
    Colour,
    Jump,
    Play,
    Resign,
    card_of,
    swap_of,
    swapping,
)
from parlour_games.uno.cards import CARDS, CARDS_BY_FACE, COLOUR, SYMBOL
from parlour_games.uno.plugin import Uno


def test_codes_and_actions_are_one_to_one() -> None:
    plays, swaps = 100 * 2 + 8 * 4 * 2, 8 * 10
    jumps = 100 * 2 + swaps
    assert len(BY_CODE) == len(CODES) == plays + swaps + jumps + 6 + 4 + 10
    assert all(CODES[action] == code for code, action in BY_CODE.items())


def test_every_action_class_has_a_code_and_a_tag() -> None:
    assert {type(action) for action in CODES} == set(ACTIONS)
    assert {action.do for action in CODES} == {
        *("play", "jump", "draw", "pass", "challenge", "accept", "colour", "uno", "catch", "resign"),
    }


@pytest.mark.parametrize("card", range(CARDS))
def test_plays_of_a_card(card: int) -> None:
    calling, silent = ([BY_CODE[code] for code in sorted(plays[card])] for plays in (CALLING_PLAYS, SILENT_PLAYS))
    colours = [None] if COLOUR[card] is not None else ["red", "yellow", "green", "blue"]
    assert silent == [Play(card, colour) for colour in colours]
    assert calling == [Play(card, colour, uno) for colour in colours for uno in (True, False)]
    assert all(code < DRAW for code in CALLING_PLAYS[card])


@pytest.mark.parametrize("seat", [0, 9])
def test_a_play_with_a_swap_and_a_jump_are_the_play_with_more(seat: int) -> None:
    seven = CARDS_BY_FACE["r7"][0]
    [code] = SILENT_PLAYS[seven]
    assert BY_CODE[swapping(code, seat)] == Play(seven, swap=seat)
    assert BY_CODE[swapping(code, seat) | JUMP] == Jump(seven, swap=seat)
    assert [BY_CODE[code | JUMP] for code in CALLING_PLAYS[seven]] == [Jump(seven), Jump(seven, uno=True)]
    assert (card_of(swapping(code, seat) | JUMP), swap_of(swapping(code, seat)), swap_of(code)) == (seven, seat, None)


def test_no_seat_jumps_with_a_wild_and_only_a_seven_swaps() -> None:
    jumps = [action for action in CODES if isinstance(action, Jump)]
    assert {COLOUR[action.card] for action in jumps} == {0, 1, 2, 3}
    swaps = [action for action in CODES if isinstance(action, Play | Jump) and action.swap is not None]
    assert {SYMBOL[action.card] for action in swaps if action.card is not None} == {7}


def test_seats_and_colours_have_their_codes_in_order() -> None:
    assert [BY_CODE[code] for code in CATCH_CODES] == [Catch(seat) for seat in range(10)]
    assert [BY_CODE[code] for code in COLOUR_CODES] == [Colour(c) for c in ("red", "yellow", "green", "blue")]


@pytest.mark.parametrize(
    ("action", "wire"),
    [
        (Play(0), {"do": "play", "card": 0}),
        (Play(101, "blue", True), {"do": "play", "card": 101, "colour": "blue", "uno": True}),
        (Play(13, swap=0), {"do": "play", "card": 13, "swap": 0}),
        (Play(cards=(9, 34), uno=True), {"do": "play", "cards": [9, 34], "uno": True}),
        (Jump(13, swap=2), {"do": "jump", "card": 13, "swap": 2}),
        (Catch(0), {"do": "catch", "seat": 0}),
        (Colour("red"), {"do": "colour", "colour": "red"}),
        (Resign(), {"do": "resign"}),
    ],
)
def test_wire_form(action: Action, wire: dict[str, object]) -> None:
    assert Uno().wire(action) == wire
