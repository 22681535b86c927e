"""Options refuse invalid values and say what is allowed."""

from typing import Any

import pytest

from parlour_games.game import BadOptions
from parlour_games.uno.options import Options


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("scoring", "golf", "one of race, lowest, elimination, single, not 'golf'"),
        ("target", 0, "from 1 to 10000, not 0"),
        ("target", 10_001, "from 1 to 10000"),
        ("breath", -1, "from 0 to 5000"),
        ("breath", 5001, "from 0 to 5000"),
        ("pause", 60_001, "from 0 to 60000"),
        ("call_penalty", 5, "from 0 to 4"),
        ("no_bluff", 1, "true or false, not 1"),
        ("first_card_number_only", None, "true or false"),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_allowed(field: str, value: Any, allowed: str) -> None:
    with pytest.raises(BadOptions, match=f"{field} must be .*{allowed}"):
        Options(**{field: value})


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("scoring", ["race", "lowest", "elimination", "single"]),
        ("target", [1, 10_000]),
        ("breath", [0, 5_000]),
        ("pause", [0, 60_000]),
        ("call_penalty", [0, 4]),
    ],
)
def test_the_ends_of_each_range_are_allowed(field: str, values: list[Any]) -> None:
    for value in values:
        assert getattr(Options(**{field: value}), field) == value
