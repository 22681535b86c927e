from typing import Any

import pytest

from parlour_client.core.phrases import phrases, say
from parlour_client.text.base import lines_for
from parlour_protocol.phrases import LANGUAGES


@pytest.mark.parametrize("mode", ["solo", "race", "coop", "duel"])
def test_flags_are_for_boards_that_are_cleared(mode: str) -> None:
    told = " ".join(lines_for("minesweeper").how_to("minesweeper", {"mode": mode, "lives": 1}))
    assert (say("minesweeper.manual.flags") in told) == (mode != "duel")


@pytest.mark.parametrize(
    ("options", "count"), [({}, 4), ({"no_bluff": True}, 4), ({"stack2": True, "jump_in": False}, 5)]
)
def test_house_rules_in_force_are_explained(options: dict[str, Any], count: int) -> None:
    assert len([*lines_for("uno").how_to("uno", options)]) == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_uno_say_what_a_wrong_catch_costs(language: str) -> None:
    phrases.use(language)
    free, none, four = (
        " ".join(lines_for("uno").how_to("uno", {"call_penalty": 3, **more}))
        for more in ({}, {"false_call_penalty": 0}, {"false_call_penalty": 4})
    )
    assert free == none
    assert "4" in four.replace("+4", "")


@pytest.mark.parametrize(
    ("game", "options", "count"),
    [
        ("uno", {"scoring": "race", "target": 500, "preset": "family", "stack2": True}, 2),
        ("uno", {"scoring": "race", "target": 500, "stack2": True, "false_call_penalty": 1}, 3),
        ("minesweeper", {"mode": "duel", "level": "beginner"}, 2),
        ("minesweeper", {"mode": "coop", "level": "custom", "width": 9, "height": 9, "mines": 9, "lives": 3}, 3),
        ("chess", {"level": 3, "fast": True}, 1),
    ],
)
def test_the_rules_in_short(game: str, options: dict[str, Any], count: int) -> None:
    assert len([*lines_for(game).in_short(game, options)]) == count
