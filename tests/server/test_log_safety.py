"""Exceptions as the log tells them."""

import pytest

from parlour_server.effects import place


def test_place_is_the_innermost_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        _fail()
    line = _fail.__code__.co_firstlineno + 1
    assert place(caught.value) == f"test_log_safety.py:{line}"


def _fail() -> float:
    return 1 / 0


def test_error_that_was_never_raised_has_no_place() -> None:
    assert place(ValueError("secret")) == ""
