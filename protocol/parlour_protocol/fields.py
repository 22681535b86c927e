"""The fields of classes that are read from plain data, whether attrs or msgspec declares them."""

from typing import Annotated, Any, get_args, get_origin, get_type_hints

import attrs
from msgspec import NODEFAULT, Meta, Struct, structs

from parlour_protocol.messages import Id, Integer


@attrs.frozen
class Field:
    """A field: its name in Python and on the wire, its type, and what it may be.

    ``default`` is ``attrs.NOTHING`` if the field is required, or if its default depends on other fields. Limits are in
    ``validator`` for attrs classes, in ``meta`` for Structs.
    """

    name: str
    wire: str
    type: Any
    required: bool
    default: Any
    validator: Any = None
    meta: Meta | None = None


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
                _known(each),
                meta=_meta(hints[each.name]),
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


def _known(each: structs.FieldInfo) -> Any:
    if each.default_factory is not NODEFAULT:
        return each.default_factory()
    return attrs.NOTHING if each.default is NODEFAULT else each.default


def _meta(hint: Any) -> Meta | None:
    """Return the limits of a type, or of one in a union. Those of all ids and integers go without saying."""
    limited = (each for each in (hint, *get_args(hint)) if get_origin(each) is Annotated)
    return next((get_args(each)[1] for each in limited if each not in (Integer, *get_args(Id))), None)


def _made(default: Any) -> Any:
    if not isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class to all but the type checker
        return default
    return attrs.NOTHING if default.takes_self else default.factory()
