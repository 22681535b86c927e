"""Actions and their codes are one to one, and codes ascend as legal lists them."""

import pytest

from parlour_games.uno.actions import (
    ACTIONS,
    BY_CODE,
    CALLING_PLAYS,
    CATCH_CODES,
    CODES,
    COLOUR_CODES,
    DRAW,
    SILENT_PLAYS,
    Action,
    Catch,
    Colour,
    Play,
    Resign,
)
from parlour_games.uno.cards import CARDS, COLOUR
from parlour_games.uno.plugin import Uno


def test_codes_and_actions_are_one_to_one() -> None:
    assert len(BY_CODE) == len(CODES) == 100 * 2 + 8 * 4 * 2 + 6 + 4 + 10
    assert all(CODES[action] == code for code, action in BY_CODE.items())


def test_every_action_class_has_a_code_and_a_tag() -> None:
    assert {type(action) for action in CODES} == set(ACTIONS)
    assert {action.do for action in CODES} == {
        *("play", "draw", "pass", "challenge", "accept", "colour", "uno", "catch", "resign"),
    }


@pytest.mark.parametrize("card", range(CARDS))
def test_plays_of_a_card(card: int) -> None:
    calling, silent = ([BY_CODE[code] for code in sorted(plays[card])] for plays in (CALLING_PLAYS, SILENT_PLAYS))
    colours = [None] if COLOUR[card] is not None else ["red", "yellow", "green", "blue"]
    assert silent == [Play(card, colour) for colour in colours]
    assert calling == [Play(card, colour, uno) for colour in colours for uno in (True, False)]
    assert all(code < DRAW for code in CALLING_PLAYS[card])


def test_seats_and_colours_have_their_codes_in_order() -> None:
    assert [BY_CODE[code] for code in CATCH_CODES] == [Catch(seat) for seat in range(10)]
    assert [BY_CODE[code] for code in COLOUR_CODES] == [Colour(c) for c in ("red", "yellow", "green", "blue")]


@pytest.mark.parametrize(
    ("action", "wire"),
    [
        (Play(0), {"do": "play", "card": 0}),
        (Play(101, "blue", True), {"do": "play", "card": 101, "colour": "blue", "uno": True}),
        (Catch(0), {"do": "catch", "seat": 0}),
        (Colour("red"), {"do": "colour", "colour": "red"}),
        (Resign(), {"do": "resign"}),
    ],
)
def test_wire_form(action: Action, wire: dict[str, object]) -> None:
    assert Uno().wire(action) == wire
