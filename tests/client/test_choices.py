"""What may be chosen is what the games allow."""

import pytest

from parlour_client.core.options import checked
from parlour_games.choices import options_of
from parlour_games.game import BadOptions
from parlour_games.registry import games


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_limits_are_those_of_the_game(game: object) -> None:
    for option in options_of(game):  # type: ignore[arg-type]
        if not option.allowed:
            for value in (option.low - 1, option.high + 1):
                with pytest.raises(BadOptions, match=option.name):
                    checked(game, {option.name: value})  # type: ignore[arg-type]


def test_what_follows_from_options() -> None:
    assert checked(games()["uno"], {"preset": "family", "stack2": False}).stack4
    with pytest.raises(BadOptions, match=r"^there is no|nonsense"):
        checked(games()["uno"], {"nonsense": 1})
