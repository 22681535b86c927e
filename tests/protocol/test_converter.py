"""The strict converter: every kind of field, without coercion."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict

import attrs
import pytest
from cattrs import ForbiddenExtraKeysError
from msgspec import Meta

from parlour_protocol.converter import (
    boolean,
    integer,
    plain_map,
    request_id,
    shared_converter,
    string,
    wire_name,
)
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


NOT_INTEGERS = ["12", 12.0, 12.7, True, None, b"12", [12], {"12": 12}, float("nan")]
exact = shared_converter(exact=True, detailed=False)
tolerant = shared_converter(exact=False, detailed=False)


@pytest.mark.parametrize("value", NOT_INTEGERS)
def test_not_integers(value: Any) -> None:
    with pytest.raises(TypeError, match="must be an integer"):
        integer(value)


@pytest.mark.parametrize("value", [INT_LIMIT - 1, 1 - INT_LIMIT, 0, -1])
def test_integers(value: int) -> None:
    assert integer(value) == value


@pytest.mark.parametrize("value", [INT_LIMIT, -INT_LIMIT, 2**64, -(10**4000)])
def test_integers_out_of_range(value: int) -> None:
    with pytest.raises(ValueError, match="between"):
        integer(value)


@pytest.mark.parametrize("value", [0, 1, "true", None, []])
def test_not_booleans(value: Any) -> None:
    with pytest.raises(TypeError, match="must be true or false"):
        boolean(value)


@pytest.mark.parametrize("value", [1, b"a", None, ["a"], True])
def test_not_strings(value: Any) -> None:
    with pytest.raises(TypeError, match="must be a string"):
        string(value)


@pytest.mark.parametrize("value", ["\ud800", "a\udfff", "é\udc80é"])
def test_lone_surrogates(value: str) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        string(value)


@pytest.mark.parametrize("value", ["", "a", "é", "😀", "\ue000", "\x00"])
def test_strings(value: str) -> None:
    assert string(value) == value


@pytest.mark.parametrize("value", [[], (), "a", 1, None])
def test_not_maps(value: Any) -> None:
    with pytest.raises(TypeError, match="must be a map"):
        plain_map(value)


@pytest.mark.parametrize("value", ["", "x" * 64, 0, INT_LIMIT - 1])
def test_ids(value: Any) -> None:
    assert request_id(value) == value


@pytest.mark.parametrize("value", [True, None, 1.0, "x" * 65, INT_LIMIT, [], "\ud800"])
def test_not_ids(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="must"):
        request_id(value)


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
        {"cells": [[1, 2, 3]]},
        {"cells": [[1]]},
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


def test_wire_names() -> None:
    assert [wire_name(name) for name in ("as_", "from_", "re", "retry_after")] == ["as", "from", "re", "retry_after"]
