"""What parlour_protocol.wire needs of cattrs beyond its reference: the form of paths, the fields of errors."""

import attrs
import pytest
from cattrs import Converter, transform_error
from cattrs.errors import ForbiddenExtraKeysError


@attrs.frozen
class Inner:
    size: int


@attrs.frozen
class Outer:
    inner: Inner
    sizes: list[int]


@attrs.frozen
class Refused:
    size: int = attrs.field(validator=attrs.validators.ge(1))


@pytest.mark.parametrize(
    ("cls", "value", "errors"),
    [
        (
            Outer,
            {"inner": {"size": "x"}, "sizes": [1, "y"]},
            ["ValueError @ it.inner.size", "ValueError @ it.sizes[1]"],
        ),
        (Outer, {"inner": {}, "sizes": []}, ["KeyError @ it.inner.size"]),
        (Refused, {"size": 0}, ["ValueError @ it"]),
    ],
    ids=["of fields and indices", "of a missing field", "of a constructor: that of its object"],
)
def test_an_error_is_its_text_then_an_at_sign_then_its_path(cls: type, value: object, errors: list[str]) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - an ExceptionGroup of a private class
        Converter(detailed_validation=True).structure(value, cls)
    assert transform_error(caught.value, "it", lambda error, _: type(error).__name__) == errors


def test_unknown_fields_are_an_error_with_their_class_and_their_names() -> None:
    with pytest.raises(ForbiddenExtraKeysError) as caught:
        Converter(detailed_validation=False, forbid_extra_keys=True).structure({"size": 1, "more": 2}, Inner)
    assert caught.value.cl is Inner
    assert caught.value.extra_fields == {"more"}
