"""Installed games are found by name, and each implements ``Game``."""

from pathlib import Path

import attrs
import pytest
from tests.support.plugins import BROKEN_GAMES, install_broken

from parlour_games import registry
from parlour_games.game import Game
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
    assert broken_games().keys() == BROKEN_GAMES.keys()
    assert broken_games()["unimportable"] == "RuntimeError: not today"


@pytest.mark.parametrize("name", sorted(games()))
def test_a_game_keeps_the_form_of_the_contract(name: str) -> None:
    game = games()[name]
    assert isinstance(game, Game)
    assert game.name == name
    assert 1 <= game.min_seats <= game.max_seats
    assert game.rules_version >= 1
    assert attrs.fields(type(game.Options()))
    for classes, tag in ((game.Actions, "do"), (game.Events, "e")):
        tags = [getattr(cls, tag) for cls in classes]
        assert all(attrs.has(cls) for cls in classes)
        assert len(set(tags)) == len(tags) > 0
