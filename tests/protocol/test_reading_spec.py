"""The reader of SPEC.md's tables tells values of a type from others."""

from typing import Any

import pytest
from tests.protocol import spec


@pytest.mark.parametrize(
    ("written", "of_it", "not_of_it"),
    [
        ("int", [0, -3], [True, "0", None, 1.5]),
        ("str or null", ["", None], [0]),
        ("[int]", [[], [1, 2]], [[1, "2"], 1, [None]]),
        ("[x,y]", [[1, 2]], [[1], [1, 2, 3], [1, "2"], 1, []]),
        ("[[x,y]] ≤ 256", [[], [[1, 2]]], [[1, 2], [[1]], [[1, "2"]]]),
        ("[[verb,x,y]] ≤ 64", [[["open", 1, 2]]], [[[1, 1, 2]], [["open", 1]]]),
        ("[map]", [[{}]], [{}, [1]]),
    ],
)
def test_types(written: str, of_it: list[Any], not_of_it: list[Any]) -> None:
    assert all(spec.fits(value, written) for value in of_it)
    assert not any(spec.fits(value, written) for value in not_of_it)


def test_names_and_types_of_a_cell() -> None:
    cell = "seat: int, cards?: [int], at: [[x,y]] ≤ 256"
    assert spec.names(cell) == ({"seat", "at"}, {"cards"})
    assert spec.types(cell) == {"seat": "int", "cards": "[int]", "at": "[[x,y]] ≤ 256"}
    assert spec.names("") == (set(), set())
