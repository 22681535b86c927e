import os
import sys
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from parlour_client.cli import local_checks
from parlour_client.cli.local_checks import Finding
from parlour_protocol.installation import install_hint

Monkey = pytest.MonkeyPatch


class _System:
    """``sys`` with standard output on a terminal."""

    def __init__(self, encoding: str) -> None:
        self.stdout = SimpleNamespace(isatty=lambda: True, encoding=encoding)


@pytest.fixture
def screen(monkeypatch: Monkey) -> Monkey:
    """A good terminal."""
    monkeypatch.setattr(local_checks, "sys", _System("utf-8"))
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((120, 40)))
    for name, value in (("TERM", "xterm-256color"), ("COLORTERM", "truecolor")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return monkeypatch


def test_python_is_told_with_our_version(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(local_checks, "find_spec", lambda _: "there")
    found = local_checks.python()
    assert found.status == "ok"
    assert "Python 3." in found.says
    assert "parlour 0." in found.says


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop there")
def test_missing_uvloop_is_worth_a_word(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(local_checks, "find_spec", lambda _: None)
    assert (local_checks.python().status, install_hint("uvloop") in local_checks.python().next) == ("warn", True)


def test_good_terminal(screen: Monkey) -> None:
    assert local_checks.terminal() == Finding("terminal", "ok", "120x40, all colours, UTF-8")
    screen.setenv("COLORTERM", "")
    assert "256 colours" in local_checks.terminal().says
    screen.setenv("TERM", "vt100")
    assert "few colours" in local_checks.terminal().says
    screen.setenv("NO_COLOR", "1")
    assert "no colours" in local_checks.terminal().says


@pytest.mark.parametrize(
    ("size", "status"), [((80, 24), "ok"), ((79, 24), "warn"), ((60, 20), "warn"), ((60, 19), "fail")]
)
def test_small_terminal(screen: Monkey, size: tuple[int, int], status: str) -> None:
    screen.setattr("shutil.get_terminal_size", lambda: os.terminal_size(size))
    assert local_checks.terminal().status == status


def test_smallest_size_is_that_of_the_screens() -> None:
    from parlour_client.tui.screens.base import LEAST

    assert local_checks.SMALL == LEAST


def test_terminal_without_unicode(screen: Monkey) -> None:
    screen.setattr(local_checks, "sys", _System("ANSI_X3.4-1968"))
    assert (local_checks.terminal().status, "PARLOUR_LOOK=ascii" in local_checks.terminal().next) == ("warn", True)


def test_pipe_is_no_terminal_and_that_is_fine(screen: Monkey) -> None:
    screen.setenv("TERM", "dumb")
    assert local_checks.terminal().status == "ok"
    assert "line mode" in local_checks.terminal().says


@pytest.mark.parametrize(("year", "status"), [(1970, "fail"), (2027, "ok")])
def test_clock(year: int, status: str) -> None:
    assert local_checks.clock(datetime(year, 2, 3, tzinfo=UTC)).status == status
