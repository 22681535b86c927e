"""The fields of classes that are read from plain data, whether attrs or msgspec declares them."""

from typing import Any, get_args, get_type_hints

import attrs
from msgspec import NODEFAULT, Struct, structs

from parlour_protocol.types import SECRET_LIMIT, Secret
from parlour_protocol.validators import MaxLength


@attrs.frozen
class Field:
    """A field: its name in Python and on the wire, its type, and what it may be.

    ``default`` is ``attrs.NOTHING`` if the field is required, or if its default depends on other fields.
    """

    name: str
    wire: str
    type: Any
    required: bool
    default: Any
    validator: Any = None


def is_class(hint: Any) -> bool:
    """Return whether ``hint`` is a class with fields."""
    return attrs.has(hint) or (isinstance(hint, type) and issubclass(hint, Struct))


def fields(cls: Any) -> list[Field]:
    """Return the fields of ``cls``, in order."""
    hints = get_type_hints(cls, include_extras=True)
    if issubclass(cls, Struct):
        return [
            Field(
                each.name,
                each.encode_name,
                hints[each.name],
                each.required,
                _known(each.default),
                _limit(hints[each.name]),
            )
            for each in structs.fields(cls)
        ]
    return [
        Field(
            each.name,
            wire_name(each.name),
            hints[each.name],
            each.default is attrs.NOTHING,
            _made(each.default),
            each.validator,
        )
        for each in attrs.fields(cls)
    ]


def wire_name(field: str) -> str:
    """Return the wire name of an attrs field: ``as`` for ``as_``."""
    return field.rstrip("_")


def _known(default: Any) -> Any:
    return attrs.NOTHING if default is NODEFAULT else default


def _limit(hint: Any) -> MaxLength | None:
    return MaxLength(SECRET_LIMIT) if Secret in (hint, *get_args(hint)) else None


def _made(default: Any) -> Any:
    if not isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class to all but the type checker
        return default
    return attrs.NOTHING if default.takes_self else default.factory()
