from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_client.core.errors import Usage
from parlour_client.core.options import clock_of, options_of, rules_in, rules_of
from parlour_client.core.printing import duration, time_left
from parlour_games.options import Between, OneOf, option
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
    with pytest.raises(Usage) as usage:
        options_of(words)
    assert told in str(usage.value)


@given(st.lists(st.text(max_size=20)))
def test_anything_else_is_a_usage_error(words: list[str]) -> None:
    try:
        found = options_of(words)
    except Usage:
        return
    assert len(found) == len(words)


def test_rules_of_a_house_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "family"\nstack2 = false\ntarget = 300\n')
    assert rules_in(file) == rules_of(str(file), "uno") == {"preset": "family", "stack2": False, "target": 300}


@pytest.mark.parametrize(("text", "words"), [(b"stack2 = maybe", "is not TOML"), (b"\xff\xfe", "is not a text file")])
def test_a_file_that_is_no_toml_is_told(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(text)
    with pytest.raises(Usage, match=words):
        rules_in(file)
    with pytest.raises(Usage, match="cannot be read"):
        rules_in(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "bank", "add"), [("10+1", 10_000, 1_000), ("5", 5_000, 0), ("2.5 + 0.25", 2_500, 250)]
)
def test_a_clock_is_given_in_seconds(text: str, bank: int, add: int) -> None:
    assert clock_of(text) == {"bank": bank, "add": add}


def test_a_clock_may_give_each_turn_the_same_time() -> None:
    assert clock_of("1d/turn") == {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}
    assert clock_of("2h + 30min") == {"bank": 7_200_000, "add": 1_800_000}


@pytest.mark.parametrize(
    ("ms", "left", "set_to"),
    [
        (2_500, "3 s", "2.5 s"), (3_599_000, "3599 s", "3599 s"), (3_600_000, "1 h", "1 h"),
        (12_060_000, "3 h 21 min", "3 h 21 min"), (86_400_000, "1 d", "1 d"), (93_600_000, "1 d 2 h", "1 d 2 h"),
    ],
)  # fmt: skip
def test_times_have_two_units_from_an_hour_on(ms: int, left: str, set_to: str) -> None:
    assert (time_left(ms), duration(ms)) == (left, set_to)


def test_rules_are_a_preset_of_the_game_or_a_file() -> None:
    assert rules_of("family", "uno") == {"preset": "family"}
    for said, game, known in (("famly", "uno", "family"), ("family", "minesweeper", "none"), ("x", "chess", "none")):
        with pytest.raises(Usage, match=known):
            rules_of(said, game)


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
