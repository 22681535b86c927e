"""The strict converter: every kind of field, without coercion."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict

import attrs
import pytest
from cattrs import ForbiddenExtraKeysError
from msgspec import Meta

from parlour_protocol.converter import boolean, integer, plain_map, request_id, shared_converter, string
from parlour_protocol.messages import INT_LIMIT


class Point(TypedDict):
    x: int
    note: NotRequired[str]


@attrs.frozen
class Open:
    do: ClassVar[str] = "open"
    cells: tuple[tuple[int, int], ...]
    moves: tuple[tuple[str, int], ...] = ()
    as_: Literal["a", "b"] = "a"
    point: Point | None = None
    by_seat: dict[str, int] | None = None
    note: Annotated[str, "what people read", Meta(max_length=3)] = ""


exact = shared_converter(exact=True, detailed=False)
tolerant = shared_converter(exact=False, detailed=False)


@pytest.mark.parametrize(
    ("read", "values", "told"),
    [
        (integer, ["12", 12.0, 12.7, True, None, b"12", [12], {"12": 12}, float("nan")], "must be an integer"),
        (integer, [INT_LIMIT, -INT_LIMIT, 2**64, -(10**4000)], "between"),
        (boolean, [0, 1, "true", None, []], "must be true or false"),
        (string, [1, b"a", None, ["a"], True], "must be a string"),
        (string, ["\ud800", "a\udfff", "é\udc80é"], "surrogates"),
        (plain_map, [[], (), "a", 1, None], "must be a map"),
        (request_id, [True, None, 1.0, "x" * 65, INT_LIMIT, [], "\ud800"], "must"),
    ],
)
def test_values_are_refused_without_coercion(read: Callable[[Any], Any], values: list[Any], told: str) -> None:
    for value in values:
        with pytest.raises((TypeError, ValueError), match=told):
            read(value)


def test_a_whole_class() -> None:
    value = {
        "cells": [[1, 2], [3, 4]],
        "moves": [["flag", 1]],
        "as": "b",
        "point": {"x": 1, "note": "n"},
        "by_seat": {"0": 1},
        "note": "abc",
    }
    point: Point = {"x": 1, "note": "n"}
    expected = Open(((1, 2), (3, 4)), (("flag", 1),), "b", point, {"0": 1}, "abc")
    assert exact.structure(value, Open) == expected
    assert hash(exact.structure({"cells": [[1, 2]]}, Open)) == hash(Open(((1, 2),)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"cells": b"ab"},
        {"cells": ((1, 2),)},
        {"cells": [(1, 2)]},
        {"cells": {"a": 1}},
        {"cells": "ab"},
        {"cells": [[1, "2"]]},
        {"cells": [], "moves": [[1, 1]]},
        {"cells": [], "as": "c"},
        {"cells": [], "as": ["a"]},
        {"cells": [], "as": None},
        {"cells": [], "as_": "a"},
        {"cells": [], "point": []},
        {"cells": [], "point": {}},
        {"cells": [], "point": {"x": 1, "note": None}},
        {"cells": [], "point": {"x": 1, "y": 1}},
        {"cells": [], "by_seat": []},
        {"cells": [], "by_seat": {"0": "1"}},
        {"cells": [], "by_seat": {0: 1}},
        {"cells": [], "new": 1},
        {"cells": [], "by_seat": [["0", 1]]},
        {"cells": [], "note": "long"},
        {},
    ],
    ids=str,
)
def test_what_an_exact_class_refuses(wrong: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, ForbiddenExtraKeysError)):
        exact.structure(wrong, Open)


@pytest.mark.parametrize("cell", [[1], [1, 2, 3], [], {"0": 1}, "12"], ids=repr)
def test_a_tuple_has_its_length(cell: Any) -> None:
    with pytest.raises(ValueError, match="must be a list of 2"):
        exact.structure({"cells": [cell]}, Open)


def test_a_tolerant_reader_drops_what_it_does_not_know() -> None:
    read = tolerant.structure({"cells": [], "new": 1, "point": {"x": 1, "z": [1.5]}}, Open)
    assert read == Open((), point={"x": 1})
