"""What the page offers about a room is what the games and the server say."""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from parlour_games.game import Game
from parlour_games.options import options_of
from parlour_games.registry import games
from parlour_server.transport.pages import offered


def told(games: Mapping[str, Any] = games()) -> Any:
    """Return what the module says of the games."""
    first, *_ = offered(games).decode().splitlines()
    return json.loads(first.removeprefix("export const GAMES = ").removesuffix(";"))


def option(game: str, name: str) -> Any:
    [found] = [each for each in told()[game]["options"] if each["name"] == name]
    return found


def test_every_option_is_offered_with_its_limits_and_what_is_usual() -> None:
    for name, game in games().items():
        for option, offer in zip(options_of(game), told()[name]["options"], strict=True):
            assert (offer["name"], offer["means"], offer["usual"]) == (option.name, option.help, option.default)
            limits = (tuple(offer.get("allowed", ())), offer.get("low"), offer.get("high"))
            assert limits == (option.choices, option.low, option.high)


def test_what_follows_from_a_choice_is_told_with_it() -> None:
    then = option("uno", "preset")["then"]
    assert then.keys() == {"family", "chaos"}
    assert then["chaos"]["false_call_penalty"] == 2
    assert then["family"] == {
        **dict.fromkeys(("stack2", "stack4", "seven_zero", "draw_until", "force_play"), True),
        "first_card_number_only": True,
    }
    assert option("uno", "scoring")["then"] == {}


def test_seats_are_those_of_the_mode() -> None:
    assert told()["uno"]["seats"] == [2, 4, 10]
    assert told()["minesweeper"]["seats"] == [1, 1, 1]
    modes = option("minesweeper", "mode")["then"]
    assert modes == {"race": {"seats": [2, 4, 10]}, "coop": {"seats": [2, 4, 10]}, "duel": {"seats": [2, 2, 2]}}


@attrs.frozen(kw_only=True)
class DiceOptions:
    """Options of a game that knows nothing of ``parlour_games.options``."""

    sides: int = attrs.field(default=6, validator=[attrs.validators.ge(2), attrs.validators.le(20)])
    variant: str = attrs.field(default="pig", validator=attrs.validators.in_(["pig", "hog"]))
    open: bool = attrs.field(default=True, validator=attrs.validators.instance_of(bool))
    names: tuple[str, ...] = ()


def test_a_foreign_validator_shows_a_field_without_limits() -> None:
    dice: Any = type("Dice", (Game,), {"min_seats": 1, "max_seats": 3, "Options": DiceOptions})
    dice.__abstractmethods__ = frozenset()
    assert told({"dice": dice()})["dice"]["options"] == [
        {"name": "sides", "means": "", "usual": 6},
        {"name": "variant", "means": "", "usual": "pig"},
        {"name": "open", "means": "", "usual": True, "allowed": [False, True], "then": {}},
    ]
