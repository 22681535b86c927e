import inspect

import pytest

from parlour_client import uno_lines
from parlour_client.faults import WrongProtocol
from parlour_client.lines import Lines, lines_for


def test_games_are_found_by_name() -> None:
    assert lines_for("uno") is uno_lines


def test_a_game_that_cannot_be_shown() -> None:
    with pytest.raises(WrongProtocol, match="cannot show 'chess', only uno"):
        lines_for("chess")


@pytest.mark.parametrize("name", [name for name in vars(Lines) if not name.startswith("_") and name != "HELP"])
def test_each_function_of_a_game_has_the_parameters_that_are_called_for(name: str) -> None:
    wanted = list(inspect.signature(getattr(Lines, name)).parameters)[1:]
    assert list(inspect.signature(getattr(uno_lines, name)).parameters) == wanted
