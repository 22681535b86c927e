"""Options check themselves, and describe themselves to forms."""

from typing import Any

import attrs
import pytest

from parlour_games.game import BadOptions, Game
from parlour_games.minesweeper.options import Options as MinesOptions
from parlour_games.options import Between, OneOf, Option, Switch, differing, option, options_of
from parlour_games.registry import AnyGame, games, option_names
from parlour_games.uno.options import Options as UnoOptions


@attrs.frozen
class Wishes:
    taste: str = option("sweet", OneOf(("sweet", "sour")), "How it tastes.")
    spoons: int = option(2, Between(-1, 3), "Sugar.")
    hot: bool = option(False, Switch(), "Hot or cold.")


@attrs.frozen
class ForeignWishes:
    taste: str = attrs.field(default="sweet", validator=attrs.validators.in_(["sweet", "sour"]))
    spoons: int = attrs.field(default=2, validator=[attrs.validators.ge(-1), attrs.validators.le(3)])
    hot: bool = attrs.field(default=False, validator=attrs.validators.instance_of(bool), metadata={"help": "Hot."})
    guests: tuple[str, ...] = ()


def game_with(options: type) -> AnyGame:
    """Return a game with ``options`` and nothing else."""
    cls: Any = type("Tea", (Game,), {"Options": options})
    cls.__abstractmethods__ = frozenset()
    game: AnyGame = cls()
    return game


@pytest.mark.parametrize(
    "wish",
    [{}, {"taste": "sour"}, {"spoons": -1}, {"spoons": 3}, {"spoons": 0}, {"hot": True}],
)
def test_an_allowed_value_is_kept(wish: dict[str, Any]) -> None:
    assert attrs.asdict(Wishes(**wish)) == {"taste": "sweet", "spoons": 2, "hot": False, **wish}


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"taste": "salty"}, "taste must be one of sweet, sour, not 'salty'"),
        ({"taste": None}, "taste must be one of sweet, sour, not None"),
        ({"taste": ["sweet"]}, "taste must be one of sweet, sour, not ['sweet']"),
        ({"spoons": -2}, "spoons must be a whole number from -1 to 3, not -2"),
        ({"spoons": 4}, "spoons must be a whole number from -1 to 3, not 4"),
        ({"spoons": 2.0}, "spoons must be a whole number from -1 to 3, not 2.0"),
        ({"spoons": True}, "spoons must be a whole number from -1 to 3, not True"),
        ({"spoons": "2"}, "spoons must be a whole number from -1 to 3, not '2'"),
        ({"taste": "s" * 99}, f"taste must be one of sweet, sour, not '{'s' * 31}…"),
        ({"spoons": [1] * 99}, f"spoons must be a whole number from -1 to 3, not [{'1, ' * 10}1…"),
        ({"hot": {"a": [1] * 99}}, f"hot must be true or false, not {{'a': [{'1, ' * 8}1…"),
        ({"hot": 1}, "hot must be true or false, not 1"),
    ],
)
def test_any_other_value_is_refused_with_what_is_allowed(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(BadOptions) as refused:
        Wishes(**wish)
    assert str(refused.value) == text


def test_options_are_described_with_their_limits() -> None:
    assert options_of(game_with(Wishes)) == [
        Option("taste", "How it tastes.", "sweet", ("sweet", "sour")),
        Option("spoons", "Sugar.", 2, low=-1, high=3),
        Option("hot", "Hot or cold.", False, (False, True)),
    ]


def test_foreign_validators_are_described_without_limits_and_lists_are_left_out() -> None:
    assert options_of(game_with(ForeignWishes)) == [
        Option("taste", "", "sweet"),
        Option("spoons", "", 2),
        Option("hot", "Hot.", False, (False, True)),
    ]


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_every_option_of_our_games_has_help_and_limits_that_hold_its_default(game: AnyGame) -> None:
    found = options_of(game)
    assert [each.name for each in found] == [field.name for field in attrs.fields(game.Options)]
    for each in found:
        assert len(each.help) > 10
        if each.choices:
            assert each.default in each.choices
        else:
            assert each.low is not None
            assert each.high is not None
            assert each.low <= int(each.default) <= each.high


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (UnoOptions(), []),
        (UnoOptions(preset="family"), ["House rules: Family"]),
        (UnoOptions(preset="family", stack2=False), ["House rules: Family", "Draw two on draw two: no"]),
        (
            UnoOptions(target=200, stack2=True, breath=1_500),
            ["Points: 200", "Time to call UNO: 1.5 s", "Draw two on draw two"],
        ),
        (ForeignWishes(spoons=3, hot=True), ["spoons: 3", "hot"]),
        (MinesOptions(mode="race", level="expert"), ["Mode: Race", "Board: expert: 30×16, 99 mines"]),
    ],
)
def test_options_that_differ_from_the_usual_ones_in_words(options: object, words: list[str]) -> None:
    names = {key: words for game in games().values() for key, words in option_names(game).items()}
    assert differing(options, names) == words


@pytest.mark.parametrize("choices", [(1, 3, 5), (0, 1), ("one", None), (False, True)])
def test_choices_that_are_no_strings_are_refused_where_they_are_declared(choices: Any) -> None:
    with pytest.raises(TypeError, match="Between"):
        OneOf(choices)
