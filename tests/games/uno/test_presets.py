"""Presets of house rules, and options that override them."""

from typing import Any

import attrs
import pytest

from parlour_games.game import BadOptions
from parlour_games.uno.options import PRESETS, Options
from parlour_protocol.errors import BadMessage
from parlour_protocol.wire import strict


def test_official_switches_nothing_on() -> None:
    assert Options(preset="official") == Options()
    assert not Options().house


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_options_it_is_made_of(name: str) -> None:
    told = attrs.asdict(Options(preset=name))
    assert told == {**attrs.asdict(Options()), "preset": name, **PRESETS[name]}
    assert Options(**PRESETS[name]).house == (name != "official")


@pytest.mark.parametrize("name", PRESETS)
def test_given_options_override_the_preset(name: str) -> None:
    for rule in attrs.asdict(Options()).keys() & PRESETS["chaos"].keys():
        value: Any = 0 if rule == "false_call_penalty" else False
        assert getattr(Options(preset=name, **{rule: value}), rule) == value


def test_over_the_wire_a_preset_is_resolved_and_reads_back_as_it_was_resolved() -> None:
    options = strict(Options)({"preset": "family", "stack2": False, "target": 200})
    told = attrs.asdict(options)
    assert (told["preset"], told["stack2"], told["stack4"], told["target"]) == ("family", False, True, 200)
    assert strict(Options)(told) == options


def test_a_match_keeps_its_rules_if_a_preset_is_changed_later(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(preset="family")
    told = attrs.asdict(options)
    monkeypatch.setitem(PRESETS, "family", {})
    assert strict(Options)(told) == options
    assert Options(preset="family") != options


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOptions, match="preset must be one of official, family, chaos, not 'golf'"):
        Options(preset="golf")
    with pytest.raises(BadMessage, match="preset must be a string"):
        strict(Options)({"preset": ["family"]})
