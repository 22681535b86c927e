import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_client.core.printing import clean, clean_all, duration, folded, marked_for, time_left
from parlour_protocol.names import MARKS, width

TEXT = "parlour: " + "there is no verb with this name " * 8


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


@pytest.mark.parametrize(
    ("ms", "left", "set_to"),
    [
        (2_500, "3 s", "2.5 s"), (3_599_000, "3599 s", "3599 s"), (3_600_000, "1 h", "1 h"),
        (12_060_000, "3 h 21 min", "3 h 21 min"), (86_400_000, "1 d", "1 d"), (93_600_000, "1 d 2 h", "1 d 2 h"),
    ],
)  # fmt: skip
def test_times_have_two_units_from_an_hour_on(ms: int, left: str, set_to: str) -> None:
    assert (time_left(ms), duration(ms)) == (left, set_to)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_mark_is_coloured_and_does_not_change_where_lines_break() -> None:
    told = marked_for(Terminal(), TEXT, "parlour:")
    assert told.startswith("\x1b[")
    assert re.sub(r"\x1b\[[\d;]*m", "", told) == folded(TEXT, 40)
    assert all(len(line) <= 40 for line in folded(TEXT, 40).split("\n"))


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_terminal_may_want_no_colours(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert marked_for(Terminal(), TEXT, "parlour:") == folded(TEXT, 40)


def test_what_is_not_a_terminal_gets_the_text_as_it_is() -> None:
    assert marked_for(io.StringIO(), TEXT, "parlour:") == TEXT
