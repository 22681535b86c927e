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


def errors(value: object, *, exact: bool = False) -> list[str]:
    """Return the transformed errors of ``value``, each with only the type of the exception as its text."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - an ExceptionGroup of a private class
        Converter(detailed_validation=True, forbid_extra_keys=exact).structure(value, Outer)
    return transform_error(caught.value, "outer", lambda error, _: type(error).__name__)


def test_an_error_is_its_text_then_an_at_sign_then_the_path_of_fields_and_indices() -> None:
    assert errors({"inner": {"size": "x"}, "sizes": [1, "y"]}) == [
        "ValueError @ outer.inner.size",
        "ValueError @ outer.sizes[1]",
    ]


def test_a_missing_field_is_a_key_error_at_its_own_path() -> None:
    assert errors({"inner": {}, "sizes": []}) == ["KeyError @ outer.inner.size"]


def test_unknown_fields_are_an_error_with_their_class_and_their_names() -> None:
    with pytest.raises(ForbiddenExtraKeysError) as caught:
        Converter(detailed_validation=False, forbid_extra_keys=True).structure({"size": 1, "more": 2}, Inner)
    assert caught.value.cl is Inner
    assert caught.value.extra_fields == {"more"}


def test_an_error_of_a_constructor_is_at_the_path_of_its_object() -> None:
    @attrs.frozen
    class Refused:
        size: int = attrs.field(validator=attrs.validators.ge(1))

    with pytest.raises(Exception) as caught:  # noqa: PT011 - an ExceptionGroup of a private class
        Converter(detailed_validation=True).structure({"size": 0}, Refused)
    assert transform_error(caught.value, "it", lambda error, _: type(error).__name__) == ["ValueError @ it"]
