"""A strict cattrs converter, which coerces nothing: ``"12"``, ``12.0`` and ``True`` are not 12.

It reads attrs classes, typed dictionaries, lists, tuples (lists on the wire), literals of strings, integers,
booleans, strings and plain maps, and checks annotated limits. A field ``as_`` is ``as`` on the wire. The converter
raises TypeError and ValueError with a text that begins with "must", and KeyError for a missing field.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from operator import eq
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

import attrs
from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory, list_structure_factory, mapping_structure_factory
from cattrs.gen import make_dict_structure_fn, override
from cattrs.gen.typeddicts import make_dict_structure_fn as make_row_structure_fn
from msgspec import NODEFAULT, Meta, Struct, structs

from parlour_protocol.messages import ID_LIMIT, INT_LIMIT, Id, Integer, Plain


@attrs.frozen
class Field:
    """A field: its names in Python and on the wire, its type, default and limits.

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
                each.name, each.encode_name, hints[each.name], each.required, _known(each), meta=_meta(hints[each.name])
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
    """Return the limits of a type, or of one in a union, but not those of all ids and integers."""
    limited = (each for each in (hint, *get_args(hint)) if get_origin(each) is Annotated)
    return next((get_args(each)[1] for each in limited if each not in (Integer, *get_args(Id))), None)


def _made(default: Any) -> Any:
    if not isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class to all but the type checker
        return default
    return attrs.NOTHING if default.takes_self else default.factory()


_SURROGATE = re.compile("[\ud800-\udfff]")


def integer(value: Any, _: Any = None) -> int:
    """Return ``value`` if it is an integer within INT_LIMIT."""
    if type(value) is not int:
        raise TypeError("must be an integer")
    if not -INT_LIMIT < value < INT_LIMIT:
        raise ValueError("must be an integer between -2^53 and 2^53")
    return value


def boolean(value: Any, _: Any = None) -> bool:
    """Return ``value`` if it is true or false."""
    if type(value) is not bool:
        raise TypeError("must be true or false")
    return value


def string(value: Any, _: Any = None) -> str:
    """Return ``value`` if it is a string without lone surrogates, which UTF-8 cannot encode."""
    if type(value) is not str:
        raise TypeError("must be a string")
    if not value.isascii() and _SURROGATE.search(value):
        raise ValueError("must not contain lone surrogates")
    return value


def plain_map(value: Any, _: Any = None) -> Plain:
    """Return ``value`` if it is a map."""
    if type(value) is not dict:
        raise TypeError("must be a map")
    return value


def request_id(value: Any, _: Any = None) -> Id:
    """Return ``value`` if it is a valid ``id`` of a message."""
    if type(value) is int:
        return integer(value)
    if type(value) is not str:
        raise TypeError("must be a string or an integer")
    if len(value) > ID_LIMIT:
        raise ValueError(f"must be at most {ID_LIMIT} characters")
    return string(value)


def _act(value: Any, _: Any = None) -> int | Plain:
    if type(value) not in (int, dict):
        raise TypeError("must be an integer (an index into legal) or a map (an action)")
    return integer(value) if type(value) is int else plain_map(value)


def _literal(value: Any, cls: Any) -> Any:
    allowed = get_args(cls)
    if type(value) is not str or value not in allowed:
        raise ValueError("must be one of " + ", ".join(allowed))
    return value


def _or_none(hook: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda value, _: None if value is None else hook(value)


def _is_literal(cls: Any) -> bool:
    return bool(get_args(cls)) and all(isinstance(arg, str) for arg in get_args(cls))


def _is_map(cls: Any) -> bool:
    return get_origin(cls) is dict


def _is_limited(cls: Any) -> bool:
    return get_origin(cls) is Annotated


def _is_tuple(cls: Any) -> bool:
    return get_origin(cls) is tuple


def _is_many(cls: Any) -> bool:
    return get_origin(cls) is list or (_is_tuple(cls) and get_args(cls)[-1] is ...)


def _many(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    make = list_structure_factory if get_origin(cls) is list else homogenous_tuple_structure_factory
    items: Any = make(cls, converter)

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise TypeError("must be a list")
        return items(value, cls)

    return structure


def _tuple(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    types = get_args(cls)
    hooks = [converter.get_structure_hook(each) for each in types]

    def structure(value: Any, _: Any) -> Any:
        if type(value) is not list or len(value) != len(types):
            raise ValueError(f"must be a list of {len(types)}")
        return tuple(hook(item, each) for hook, item, each in zip(hooks, value, types, strict=True))

    return structure


def _mapping(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    items: Any = mapping_structure_factory(cls, converter)
    return lambda value, _: items(plain_map(value), cls)


def _limited(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    kind, *notes = get_args(cls)
    hook, limits = converter.get_structure_hook(kind), [note for note in notes if isinstance(note, Meta)]

    def structure(value: Any, _: Any) -> Any:
        found = hook(value, kind)
        for meta in limits:
            if beyond := _beyond(found, meta):
                raise ValueError(beyond)
        return found

    return structure


def _beyond(value: Any, meta: Meta) -> str:
    """Return what a value that is outside its limits must be."""
    if meta.pattern is not None and not re.fullmatch(meta.pattern, value):
        return f"must be {meta.description}"
    if meta.max_length is not None and len(value) > meta.max_length:
        return f"must be at most {meta.max_length} {'characters' if type(value) is str else 'entries'}"
    if meta.ge is not None and meta.le is not None and not meta.ge <= value <= meta.le:
        return f"must be from {meta.ge} to {meta.le}"
    return ""


def _row(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    fill, known = make_row_structure_fn(cls, converter), tuple(cls.__annotations__)

    def structure(value: Any, _: Any) -> Plain:
        filled = fill(plain_map(value), cls)
        return {name: filled[name] for name in known if name in filled}

    return structure


def _attrs(cls: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    names: dict[str, Any] = {field.name: override(rename=wire_name(field.name)) for field in attrs.fields(cls)}
    return make_dict_structure_fn(cls, converter, **names)


@cache
def shared_converter(*, exact: bool, detailed: bool) -> Converter:
    """Return the converter that refuses unknown fields, if ``exact``, and collects every error, if ``detailed``."""
    converter = Converter(forbid_extra_keys=exact, detailed_validation=detailed)
    for predicate, factory in (
        (attrs.has, _attrs),
        (is_typeddict, _row),
        (_is_limited, _limited),
        (_is_tuple, _tuple),
        (_is_many, _many),
        (_is_map, _mapping),
    ):
        converter.register_structure_hook_factory(predicate)(factory)
    converter.register_structure_hook_func(_is_literal, _literal)
    for union, hook in ((Id, request_id), (Integer | Plain, _act), (Plain, plain_map)):
        converter.register_structure_hook_func(partial(eq, union), hook)
        converter.register_structure_hook_func(partial(eq, union | None), _or_none(hook))
    converter.register_structure_hook(int, integer)
    converter.register_structure_hook(bool, boolean)
    converter.register_structure_hook(str, string)
    return converter
