import json
import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_client.core.errors import Usage
from parlour_client.core.options import checked, clock_of, options_of, repeated, rules_in, rules_of
from parlour_client.core.phrases import not_playable, phrases
from parlour_client.text.base import add_words
from parlour_games.game import BadOptions
from parlour_games.options import Between, OneOf, option
from parlour_games.registry import games
from parlour_protocol.messages import Plain


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {}),
        (["level=expert", "lives=3"], {"level": "expert", "lives": 3}),
        (["no-guess=true", "hints = Off"], {"no_guess": True, "hints": False}),
        (["width=-1"], {"width": -1}),
        (["a=b=c"], {"a": "b=c"}),
        (["n=" + "9" * 30], {"n": "9" * 30}),
        (["n=٣"], {"n": "٣"}),
    ],
)
def test_options(words: list[str], options: Plain) -> None:
    found = options_of(words)
    assert found == options
    assert [type(value) for value in found.values()] == [type(value) for value in options.values()]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["level"], "options are written NAME=VALUE, for example level=expert, not 'level'"),
        (["level="], "not 'level='"),
        (["=3"], "not '=3'"),
        (["no_guess=yes", "no-guess=no"], "no_guess is given twice"),
    ],
)
def test_what_is_no_option(words: list[str], told: str) -> None:
    with pytest.raises(Usage, match=re.escape(told)):
        options_of(words)


@given(st.lists(st.text(max_size=20)))
def test_anything_else_is_a_usage_error(words: list[str]) -> None:
    try:
        found = options_of(words)
    except Usage:
        return
    assert len(found) == len(words)


def test_rules_are_a_preset_of_the_game_or_those_of_a_house_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "family"\nstack2 = false\ntarget = 300\n')
    assert rules_in(file) == rules_of(str(file), "uno") == {"preset": "family", "stack2": False, "target": 300}
    assert rules_of("family", "uno") == {"preset": "family"}
    for said, game, known in (("famly", "uno", "family"), ("family", "minesweeper", "none"), ("x", "chess", "none")):
        with pytest.raises(Usage, match=known):
            rules_of(said, game)


@pytest.mark.parametrize(("text", "words"), [(b"stack2 = maybe", "is not TOML"), (b"\xff\xfe", "is not a text file")])
def test_a_file_that_is_no_toml_is_told(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(text)
    with pytest.raises(Usage, match=words):
        rules_in(file)
    with pytest.raises(Usage, match="cannot be read"):
        rules_in(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("10+1", {"bank": 10_000, "add": 1_000}),
        ("5", {"bank": 5_000, "add": 0}),
        ("2.5 + 0.25", {"bank": 2_500, "add": 250}),
        ("1d/turn", {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}),
        ("2h + 30min", {"bank": 7_200_000, "add": 1_800_000}),
    ],
)
def test_a_clock_is_given_in_seconds_or_with_units(text: str, clock: Plain) -> None:
    assert clock_of(text) == clock


def test_value_of_an_option_that_is_a_text_stays_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    @attrs.frozen
    class Wishes:
        best_of: str = option("3", OneOf(("1", "3", "true")), "The rounds.")
        target: int = option(5, Between(1, 9), "The points.")

    game = type("Game", (), {"Options": Wishes})()
    monkeypatch.setattr("parlour_client.core.options.games", lambda: {"rps": game})
    assert options_of(["best_of=3", "target=3"], "rps") == {"best_of": "3", "target": 3}
    assert options_of(["best-of=true"], "rps") == {"best_of": "true"}
    assert options_of(["best_of=3"], "elsewhere") == {"best_of": 3}


def test_what_follows_from_options() -> None:
    assert checked(games()["uno"], {"preset": "family", "stack2": False}).stack4
    with pytest.raises(BadOptions, match=r"^there is no|nonsense"):
        checked(games()["uno"], {"nonsense": 1})


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
def test_what_cannot_be_played_is_told_in_the_language(game: str, options: Plain, phrase: str, fields: Plain) -> None:
    with pytest.raises(BadOptions) as refusal:
        checked(games()[game], options)
    error = refusal.value
    assert (error.phrase, {**error.fields, **fields}) == (phrase, error.fields)
    add_words(game)
    assert not_playable(error, game) == str(error)
    phrases.use("de")
    assert not_playable(error, game) != str(error)


@attrs.frozen(kw_only=True)
class Budgets:
    least: int = option(20, Between(0, 100), "The smallest budget.")
    most: int = option(30, Between(0, 100), "The largest budget.")

    def __attrs_post_init__(self) -> None:
        if self.least > self.most:
            raise BadOptions("least is above most", "budgets")


@pytest.mark.parametrize(
    ("options", "told"),
    [({"least": 50}, "least is above most"), ({"most": 101}, "most must be a whole number from 0 to 100, not 101")],
)
def test_refusal_names_no_class(options: Plain, told: str) -> None:
    game: Any = type("Auction", (), {"Options": Budgets})
    with pytest.raises(BadOptions) as refusal:
        checked(game, options)
    assert not_playable(refusal.value, "auction").lower() == told


BEGUN: Plain = {"game": "minesweeper", "players": [{}], "secret": "5e", "context": "K7QD/1", "nonces": [""]}


@pytest.mark.parametrize(
    ("more", "acts", "cell"),
    [
        ({}, [{"do": "flag", "cells": [[8, 8]]}, {"do": "open", "cells": [[2, 1], [0, 0]]}], 11),
        ({}, [{"do": "seq", "moves": [["flag", 0, 0], ["open", 3, 0], ["open", 5, 5]]}], 3),
        ({}, [{"do": "resign"}], None),
        ({"first_cell": 40}, [{"do": "open", "cells": [[2, 1]]}], 40),
    ],
)
def test_a_board_once_more_begins_with_its_first_cell(more: Plain, acts: list[Any], cell: int | None) -> None:
    begun = {**BEGUN, "options": {"mode": "solo", "level": "beginner", **more}}
    create = repeated([json.dumps(record) for record in (begun, *({"r": "act", "act": act} for act in acts))])
    assert create.options is not None
    assert create.options.get("first_cell") == cell
    assert create.deal == {"secret": "5e", "context": "K7QD/1", "nonces": [""]}
