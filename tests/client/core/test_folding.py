"""Lines wrapped to the width of a terminal."""

import io
import re

import pytest

from parlour_client.core.printing import folded, marked_for

TEXT = "parlour: " + "there is no verb with this name " * 8


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
