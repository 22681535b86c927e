"""Actions and codes correspond one to one; actions on the wire."""

import pytest

from parlour_games.uno.actions import (
    BY_CODE,
    CODES,
    Action,
    Catch,
    Colour,
    Jump,
    Play,
    Resign,
)
from parlour_games.uno.plugin import Uno


def test_codes_and_actions_are_one_to_one() -> None:
    plays, swaps = 100 * 2 + 8 * 4 * 2, 8 * 10
    jumps = 100 * 2 + swaps
    assert len(BY_CODE) == len(CODES) == plays + swaps + jumps + 6 + 4 + 10
    assert all(CODES[action] == code for code, action in BY_CODE.items())


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
