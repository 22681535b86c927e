"""What may be chosen is what the games allow: every option, its limits, its meaning."""

import attrs
import pytest

from parlour_games.choices import options_of
from parlour_games.registry import AnyGame, games


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_every_option_is_there_with_its_limits_and_its_meaning(game: AnyGame) -> None:
    found = options_of(game)
    assert [option.name for option in found] == [field.name for field in attrs.fields(game.Options)]
    usual = game.Options()
    for option in found:
        value = getattr(usual, option.name)
        assert value in option.allowed if option.allowed else option.low <= value <= option.high
        assert len(option.means) > 10
        assert "`" not in option.means
