"""The notation of the conversations: parsing and matching."""

from pathlib import Path
from typing import Any

import pytest
from tests.conversations.notation import ANYTHING, NOTHING, Mismatch, Variable, filled, match, read

from parlour_games.uno.cards import CARDS_BY_FACE


def message(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "talk.txt"
    path.write_text(f"rules: one-answer\n{text}", encoding="utf-8")
    [line] = read(path).lines
    return line.message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3", -3), ("true", True), ("null", None), ("word", "word"), ("two-words", "two-words"), ('"0"', "0"),
        (r'"say \"hi\""', 'say "hi"'), ("[]", []), ("[1, a, [2]]", [1, "a", [2]]), ("{}", {}), ("*", ANYTHING),
        ("-", NOTHING),
        ("{do: play, card: 5, more: {a: [1]}}", {"do": "play", "card": 5, "more": {"a": [1]}}), ("$x", Variable("x")),
        ("#r5", CARDS_BY_FACE["r5"][0]), ("#r5'", CARDS_BY_FACE["r5"][1]), ("#w+4", CARDS_BY_FACE["w+4"][0]),
    ],
)  # fmt: skip
def test_every_kind_of_value_is_read(tmp_path: Path, text: str, value: Any) -> None:
    assert message(tmp_path, f"anna > act x={text} y=1") == {"t": "act", "x": value, "y": 1}


@pytest.mark.parametrize(
    "line", ["anna", "anna says hello", "anna > hello name", "anna > hello = x", "anna > hello x=%"]
)
def test_what_is_not_in_this_notation_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        message(tmp_path, line)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("turn", {"t": "update"}),
        ("turn rid=1", {"t": "turn", "rid": 2}),
        ("turn rid=1", {"t": "turn", "rid": True}),
        ("turn rid=1", {"t": "turn"}),
        ("turn ok=*", {"t": "turn"}),
        ("turn ok=-", {"t": "turn", "ok": None}),
        ("turn legal=[1, 2]", {"t": "turn", "legal": [1, 2, 3]}),
        ("turn legal=[1, 2, ...]", {"t": "turn", "legal": [1]}),
        ("turn legal=[1, 2]", {"t": "turn", "legal": [2, 1]}),
        ("turn view={top: 3}", {"t": "turn", "view": {"top": 4}}),
        ("turn view={top: 3}", {"t": "turn", "view": None}),
        ("turn x=$a y=$a", {"t": "turn", "x": 1, "y": 2}),
        ("turn x=$known", {"t": "turn", "x": 8}),
    ],
)
def test_what_is_not(tmp_path: Path, expected: str, found: dict[str, Any]) -> None:
    with pytest.raises(Mismatch):
        match(message(tmp_path, f"anna < {expected}"), found, {"known": 7})


def test_what_is_said_holds_what_was_learnt(tmp_path: Path) -> None:
    said = message(tmp_path, "anna > act room=$room act={card: $card, more: [$room]}")
    known = {"room": "K7QD", "card": 5}
    assert filled(said, known) == {"t": "act", "room": "K7QD", "act": {"card": 5, "more": ["K7QD"]}}
    with pytest.raises(KeyError):
        filled(said, {})
