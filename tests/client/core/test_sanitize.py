import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_client.core.printing import clean, clean_all
from parlour_protocol.names import MARKS, width


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b]0;owned\x07", "�]0;owned�"),
        ("\x1b[2J\x1b[H", "�[2J�[H"),
        ("a\r\nb\tc\x00", "a�b�c�"),
        ("\x9b31m", "�31m"),
        ("abc\u202edcba", "abc�dcba"),
        ("\u2066x\u2069", "�x�"),
        ("zero\u200bwidth\u200djoiner\ufeff", "zero�width�joiner�"),
        ("line\u2028paragraph\u2029nbsp\u00a0", "line paragraph nbsp "),
        ("lone\ud800surrogate", "lone�surrogate"),
        ("private\ue000use", "private�use"),
        ("tag\U000e0041", "tag�"),
    ],
)
def test_hostile_text_becomes_harmless(hostile: str, harmless: str) -> None:
    assert clean(hostile) == harmless


@pytest.mark.parametrize("text", ["", "maria", "José", "Ø\u030a", "日本", "שלום", "e\u0301e\u0301", "ünï"])
def test_letters_are_left_as_they_are(text: str) -> None:
    assert clean(text) == text


def test_floods_of_accents_are_thinned() -> None:
    assert clean("Z" + "\u0334\u0335" * 500 + "a") == "Z" + "\u0334\u0335" + "a"
    assert clean("\u20dd" * 9) == "\u20dd" * MARKS


def test_long_text_is_cut() -> None:
    assert clean("x" * 10, 10) == "x" * 10
    assert clean("x" * 11, 10) == "x" * 9 + "…"
    assert clean("ü" * 11, 10) == "ü" * 9 + "…"
    assert clean("李" * 5, 10) == "李" * 5
    assert clean("李" * 6, 10) == "李" * 4 + "…"


@given(st.text(st.characters(codec=None), max_size=300))
def test_nothing_that_could_move_a_cursor_is_left(text: str) -> None:
    shown = clean(text, 100)
    assert width(shown) <= 100
    assert not [
        char for char in shown if unicodedata.category(char)[0] == "C" or unicodedata.category(char) in ("Zl", "Zp")
    ]
    shown.encode()
    assert clean(shown, 100) == shown


def test_plain_data_is_cleaned_throughout() -> None:
    assert clean_all({"a\x1b": ["\x07", 1, None, {"b": "\x00"}]}) == {"a�": ["�", 1, None, {"b": "�"}]}
