import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.support.commands import printed

from parlour_bots.hosting import practice
from parlour_client import line_mode
from parlour_client.cli import frontend
from parlour_client.cli.main import main
from parlour_client.core.errors import Usage
from parlour_client.tui import app
from parlour_client.tui.screens.base import StartOptions


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was asked to show a room: screen or lines."""
    asked: list[str] = []

    def showing(how: str) -> Callable[..., Any]:
        async def play(*_: Any, **__: Any) -> int:
            asked.append(how)
            return 0

        return play

    monkeypatch.setattr(line_mode, "run_room", showing("lines"))
    monkeypatch.setattr(app, "run_room", showing("screen"))
    monkeypatch.setattr(frontend, "on_a_screen", lambda: True)
    return asked


@pytest.mark.parametrize("words", [["join", "K7QD"], ["watch", "K7QD"], ["create", "uno"]])
def test_a_room_is_drawn_on_a_terminal_unless_lines_are_asked_for(played: list[str], words: list[str]) -> None:
    assert main([*words, "--name", "maria"]) == 0
    assert main([*words, "--name", "maria", "--plain"]) == 0
    assert played == ["screen", "lines"]


def test_practice_is_drawn_too(played: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def practise(*_: Any, lines: bool, **__: Any) -> int:
        played.append("lines" if lines else "screen")
        return 0

    monkeypatch.setattr(practice, "practise", practise)
    monkeypatch.setattr(practice, "on_a_screen", lambda: True)
    assert main(["play", "minesweeper", "--name", "maria"]) == 0
    assert main(["play", "uno", "--name", "maria", "--plain"]) == 0
    assert played == ["screen", "lines"]


def test_parlour_alone_opens_the_start_screen(played: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    homes: list[StartOptions] = []

    async def start(home: StartOptions) -> int:
        homes.append(home)
        return 0

    monkeypatch.setattr(app, "start", start)
    monkeypatch.setenv("PARLOUR_NAME", "maria")
    assert main([]) == 0
    assert [home.name for home in homes] == ["maria"]
    assert homes[0].practice is not None
    with pytest.raises(Usage, match="'chess' cannot be played here"):  # what can be played at once is asked of the bots
        homes[0].practice("chess", {}, name="maria")


def test_without_a_terminal_there_is_no_start_screen() -> None:
    assert "Usage: parlour [VERB]" in printed()
    assert "the start screen needs a terminal" in printed("start", code=2)


def test_a_dumb_terminal_is_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert frontend.on_a_screen()
    monkeypatch.setenv("TERM", "dumb")
    assert not frontend.on_a_screen()


def test_without_the_extra_parlour_mcp_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("parlour_client.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(Usage, match="mcp<3"):
        frontend.mcp()
