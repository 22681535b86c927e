"""How the games are played, in a few lines: every game that can be shown has them, and they fit its mode."""

import pytest

from parlour_client.text.base import GAMES
from parlour_client.tui.screens.rules import rules_of


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_few(game: str) -> None:
    found = rules_of(game, {})
    assert 3 <= len(found) <= 6
    assert all(len(words) <= 110 for _, words in found)


def test_a_game_that_is_not_known_has_none() -> None:
    assert rules_of("chess", {}) == []


@pytest.mark.parametrize(
    ("mode", "words"), [("solo", "a mine that you open is the end"), ("race", "first to clear"), ("duel", "most mines")]
)
def test_minesweeper_is_told_as_it_is_played(mode: str, words: str) -> None:
    told = " ".join(does for _, does in rules_of("minesweeper", {"mode": mode}))
    assert words in told
    assert ("is the end" in told) == (mode != "duel")  # in a duel mines are what one looks for


@pytest.mark.parametrize(
    ("scoring", "words"), [("race", "counts for you"), ("lowest", "fewest"), ("elimination", "out")]
)
def test_uno_is_told_as_it_is_counted(scoring: str, words: str) -> None:
    aim = rules_of("uno", {"scoring": scoring})[0][1]
    assert words in aim
    assert len(aim) <= 110
