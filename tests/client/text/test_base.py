import inspect
from types import ModuleType

import pytest

from parlour_client.text import any_game
from parlour_client.text.base import Lines, lines_for
from parlour_client.text.minesweeper import lines as minesweeper
from parlour_client.text.uno import lines as uno


def test_games_are_found_by_name() -> None:
    assert lines_for("uno") is uno
    assert lines_for("minesweeper") is minesweeper


def test_a_game_that_brings_no_lines_is_shown_like_any_game() -> None:
    assert lines_for("chess") is any_game


@pytest.mark.parametrize("words", [uno, minesweeper, any_game], ids=lambda words: str(words.__name__))
@pytest.mark.parametrize("name", [name for name in vars(Lines) if not name.startswith("_")])
def test_each_function_of_a_game_has_the_parameters_that_are_called_for(name: str, words: ModuleType) -> None:
    wanted = list(inspect.signature(getattr(Lines, name)).parameters)[1:]
    assert list(inspect.signature(getattr(words, name)).parameters) == wanted
