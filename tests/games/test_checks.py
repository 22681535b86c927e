"""Validators of options say what is allowed."""

from typing import Any

import attrs
import pytest

from parlour_games.game import BadOptions
from parlour_games.options import between, one_of, switch


@attrs.frozen
class Wishes:
    taste: str = attrs.field(default="sweet", validator=one_of("sweet", "sour"))
    spoons: int = attrs.field(default=2, validator=between(-1, 3))
    hot: bool = attrs.field(default=False, validator=switch)


@pytest.mark.parametrize(
    "wish",
    [{}, {"taste": "sour"}, {"spoons": -1}, {"spoons": 3}, {"spoons": 0}, {"hot": True}],
)
def test_what_is_allowed_is_taken_as_it_is(wish: dict[str, Any]) -> None:
    assert attrs.asdict(Wishes(**wish)) == {"taste": "sweet", "spoons": 2, "hot": False, **wish}


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"taste": "salty"}, "taste must be one of sweet, sour, not 'salty'"),
        ({"taste": "SWEET"}, "taste must be one of sweet, sour, not 'SWEET'"),
        ({"taste": None}, "taste must be one of sweet, sour, not None"),
        ({"taste": ["sweet"]}, "taste must be one of sweet, sour, not ['sweet']"),
        ({"spoons": -2}, "spoons must be a whole number from -1 to 3, not -2"),
        ({"spoons": 4}, "spoons must be a whole number from -1 to 3, not 4"),
        ({"spoons": 2.0}, "spoons must be a whole number from -1 to 3, not 2.0"),
        ({"spoons": True}, "spoons must be a whole number from -1 to 3, not True"),
        ({"spoons": "2"}, "spoons must be a whole number from -1 to 3, not '2'"),
        ({"hot": 1}, "hot must be true or false, not 1"),
        ({"hot": "yes"}, "hot must be true or false, not 'yes'"),
        ({"hot": None}, "hot must be true or false, not None"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(BadOptions) as refused:
        Wishes(**wish)
    assert str(refused.value) == text
