"""Installed games are found by name, and each implements ``Game``."""

from pathlib import Path

import pytest
from tests.support.plugins import BROKEN_GAMES, TAKEN, install_broken

from parlour_games import registry
from parlour_games.registry import broken_games, games
from parlour_games.uno.plugin import Uno


def test_uno_is_found_and_loaded_once() -> None:
    assert isinstance(games()["uno"], Uno)
    assert games() is games()


def test_games_that_cannot_be_used_are_named_and_cost_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = games()
    monkeypatch.syspath_prepend(install_broken(tmp_path))
    monkeypatch.setattr(registry, "_installed", registry._installed.__wrapped__)
    assert games().keys() == usual.keys()
    assert broken_games().keys() == BROKEN_GAMES.keys() | TAKEN.keys()
    assert type(games()["uno"]) is Uno
    assert broken_games()["unimportable"] == "RuntimeError: not today"


def test_example_games_are_installed_for_tests_only(example_games: list[str]) -> None:
    assert example_games
    assert games().keys() == {"minesweeper", "uno", *example_games}
