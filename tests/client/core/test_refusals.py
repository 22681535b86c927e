"""Refusals in the language of the user."""

from typing import Any

import attrs
import pytest

from parlour_client.core.options import checked
from parlour_client.core.phrases import not_playable, phrases
from parlour_client.text.base import add_words
from parlour_games.game import BadOptions, Plain
from parlour_games.options import Between, option
from parlour_games.registry import games


@pytest.mark.parametrize(
    ("game", "options", "phrase", "fields"),
    [
        ("uno", {"scoring": "none"}, "one_of", {"name": "scoring", "value": "'none'"}),
        ("uno", {"target": -1}, "whole", {"name": "target", "value": "-1"}),
        ("minesweeper", {"mode": "duel", "no_guess": True}, "guess_duel", {}),
        ("minesweeper", {"mode": "race", "lives": 2}, "mode", {"name": "lives", "only": "coop", "mode": "race"}),
        ("minesweeper", {"first_cell": 999}, "first_cell", {"cells": 81, "value": 999}),
        ("minesweeper", {"mode": "race", "kind": True}, "kind_race", {}),
        ("minesweeper", {"mode": "duel", "kind": True}, "kind_duel", {}),
        ("minesweeper", {"no_guess": True, "kind": True}, "kind_guess", {}),
        ("minesweeper", {"width": 9}, "own_size", {"level": "beginner"}),
        ("minesweeper", {"level": "custom"}, "custom_size", {"low": 2, "high": 100}),
        ("minesweeper", {"level": "custom", "width": 9, "height": 9, "mines": 99}, "mines", {"width": 9, "value": 99}),
        ("minesweeper", {"mode": "duel", "level": "custom", "width": 9, "height": 9, "mines": 8}, "odd", {"value": 8}),
    ],
)
def test_options_that_cannot_be_played_are_told_in_the_language(
    game: str, options: Plain, phrase: str, fields: Plain
) -> None:
    with pytest.raises(BadOptions) as refusal:
        checked(games()[game], options)
    error = refusal.value
    assert (error.phrase, {**error.fields, **fields}) == (phrase, error.fields)
    add_words(game)
    assert not_playable(error, game) == str(error)
    phrases.use("de")
    try:
        assert not_playable(error, game) != str(error)
    finally:
        phrases.use("en")


@attrs.frozen(kw_only=True)
class Budgets:
    least: int = option(20, Between(0, 100), "The smallest budget.")
    most: int = option(30, Between(0, 100), "The largest budget.")

    def __attrs_post_init__(self) -> None:
        if self.least > self.most:
            raise BadOptions("least is above most", "budgets")


class Auction:
    Options = Budgets


@pytest.mark.parametrize(
    ("options", "told"),
    [({"least": 50}, "least is above most"), ({"most": 101}, "most must be a whole number from 0 to 100, not 101")],
)
def test_refusal_names_no_class(options: Plain, told: str) -> None:
    game: Any = Auction()
    with pytest.raises(BadOptions) as refusal:
        checked(game, options)
    assert not_playable(refusal.value, "auction").lower() == told
