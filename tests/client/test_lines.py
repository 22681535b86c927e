import inspect
from types import ModuleType

import pytest

from parlour_client import mines_lines, uno_lines
from parlour_client.faults import WrongProtocol
from parlour_client.lines import Lines, lines_for


def test_games_are_found_by_name() -> None:
    assert lines_for("uno") is uno_lines
    assert lines_for("minesweeper") is mines_lines


def test_a_game_that_cannot_be_shown() -> None:
    with pytest.raises(WrongProtocol, match="cannot show 'chess', only uno, minesweeper"):
        lines_for("chess")


@pytest.mark.parametrize("words", [uno_lines, mines_lines], ids=lambda words: str(words.__name__))
@pytest.mark.parametrize("name", [name for name in vars(Lines) if not name.startswith("_") and name != "HELP"])
def test_each_function_of_a_game_has_the_parameters_that_are_called_for(name: str, words: ModuleType) -> None:
    wanted = list(inspect.signature(getattr(Lines, name)).parameters)[1:]
    assert list(inspect.signature(getattr(words, name)).parameters) == wanted
