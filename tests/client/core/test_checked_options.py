"""What may be chosen is what the games allow."""

import pytest

from parlour_client.core.options import checked
from parlour_games.game import BadOptions
from parlour_games.options import options_of
from parlour_games.registry import AnyGame, games


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_limits_are_those_of_the_game(game: AnyGame) -> None:
    for option in options_of(game):
        for value in (option.low - 1, option.high + 1) if option.low is not None and option.high is not None else ():
            with pytest.raises(BadOptions, match=option.name):
                checked(game, {option.name: value})


def test_what_follows_from_options() -> None:
    assert checked(games()["uno"], {"preset": "family", "stack2": False}).stack4
    with pytest.raises(BadOptions, match=r"^there is no|nonsense"):
        checked(games()["uno"], {"nonsense": 1})
