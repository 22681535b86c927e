"""JSON Schema (2020-12) of every message, generated from the classes: types, limits, defaults, required fields.

``schema.json`` beside this module holds ``text()``. Regenerate it after a change of the messages with
``python -m parlour_protocol.schema > protocol/parlour_protocol/schema.json``. ``schema(games)`` adds the
options, actions and events of games. JSON Schema accepts 12.0 as an integer and cannot forbid lone surrogates
or duplicate keys; the codecs refuse all of these.
"""

import json
from collections.abc import Iterable
from functools import reduce
from inspect import cleandoc
from operator import or_
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Protocol,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs

from parlour_protocol.converter import Field, fields, is_class
from parlour_protocol.messages import ID_LIMIT, INT_LIMIT, Id, Integer, Plain, Request, Sent, messages
from parlour_protocol.standard_output import document

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INTEGER: Plain = {"type": "integer", "minimum": 1 - INT_LIMIT, "maximum": INT_LIMIT - 1}


class Vocabulary(Protocol):
    """What a game declares about its options, actions and events."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def Options(self) -> type:
        """The attrs class of its options."""

    @property
    def Actions(self) -> tuple[type, ...]:
        """The attrs classes of its actions, each with its tag ``do``."""

    @property
    def Events(self) -> tuple[type, ...]:
        """Classes with a tag ``e``. The game decides what viewers see of an event, so the schema has only the tags."""


def schema(games: Iterable[Vocabulary] = ()) -> Plain:
    """Return the schema of all messages, and of the options, actions and events of ``games``."""
    maker = _Maker()
    sides = {"client": maker.side("client", Request), "server": maker.side("server", Sent)}
    for game in games:
        maker.game(game)
    return {
        "$schema": _DIALECT,
        "title": "parlour, protocol version 1",
        "description": "Any message. Receivers ignore fields they do not know; actions and options are exact.",
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": {**sides, **maker.defs},
    }


def text(games: Iterable[Vocabulary] = ()) -> str:
    """Return the schema as the text of a file."""
    return json.dumps(schema(games), indent=2, ensure_ascii=False) + "\n"


@attrs.define
class _Maker:
    """Translates types to schemas and collects definitions by name."""

    defs: dict[str, Plain] = attrs.field(factory=lambda: {"integer": _INTEGER, "id": _ID})

    def side(self, name: str, base: Any) -> Plain:
        return {"oneOf": [self._define(f"{name}.{tag}", self._class(cls, "t")) for tag, cls in messages(base).items()]}

    def game(self, game: Vocabulary) -> None:
        actions = [self._define(f"{game.name}.action.{_tag(c, 'do')}", self._exact(c, "do")) for c in game.Actions]
        events = {"e": {"enum": [_tag(cls, "e") for cls in game.Events]}}
        self.defs[f"{game.name}.action"] = {"oneOf": actions}
        self.defs[f"{game.name}.event"] = {"type": "object", "properties": events, "required": ["e"]}
        self.defs[f"{game.name}.options"] = self._exact(game.Options)

    def _define(self, name: str, definition: Plain) -> Plain:
        self.defs[name] = definition
        return {"$ref": f"#/$defs/{name}"}

    def _exact(self, cls: type, tag: str | None = None) -> Plain:
        return {**self._class(cls, tag), "additionalProperties": False}

    def _class(self, cls: type, tag: str | None) -> Plain:
        found = fields(cls)
        properties: Plain = {tag: {"const": _tag(cls, tag)}} if tag else {}
        for field in found:
            properties[field.wire] = {**self._type(field.type), **_limits(field), **_default(field)}
        required = [field.wire for field in found if field.required]
        return _object(cls, properties, [tag, *required] if tag else required)

    def _row(self, cls: Any) -> Plain:
        hints = get_type_hints(cls, include_extras=True)
        required = [name for name in hints if name in cls.__required_keys__]
        return _object(cls, {name: self._type(hint) for name, hint in hints.items()}, required)

    def _type(self, hint: Any) -> Plain:
        simple = _simple(hint)
        if simple is not None:
            return simple
        if is_class(hint):
            return self._define(hint.__name__, self._class(hint, None))
        if is_typeddict(hint):
            return self._define(hint.__name__, self._row(hint))
        return self._generic(get_origin(hint), get_args(hint), hint)

    def _generic(self, origin: Any, args: tuple[Any, ...], hint: Any) -> Plain:
        if origin in (Union, UnionType):
            return {"anyOf": self._any_of(args)}
        if origin in (NotRequired, Annotated):
            return self._type(args[0])
        if origin is Literal:
            return {"enum": list(args)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self._type(args[1])}
        if origin is list or (origin is tuple and args[-1] is ...):
            return {"type": "array", "items": self._type(args[0])}
        if origin is tuple:
            items = [self._type(each) for each in args]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        raise TypeError(f"{hint} has no counterpart on the wire")

    def _any_of(self, args: tuple[Any, ...]) -> list[Plain]:
        if NoneType not in args:
            return [self._type(each) for each in args]
        rest = reduce(or_, (each for each in args if each is not NoneType))
        found = self._type(rest)
        return [*found.get("anyOf", [found]), {"type": "null"}]


_ID: Plain = {"anyOf": [{"type": "string", "maxLength": ID_LIMIT}, {"$ref": "#/$defs/integer"}]}


def _simple(hint: Any) -> Plain | None:
    if hint == Id:
        return {"$ref": "#/$defs/id"}
    if hint == Plain:
        return {"type": "object"}
    if hint is Any:
        return {}
    if hint in (int, Integer):
        return {"$ref": "#/$defs/integer"}
    names = {bool: "boolean", str: "string", NoneType: "null"}
    return {"type": names[hint]} if hint in names else None


def _tag(cls: type, tag: str) -> str:
    return str(getattr(cls, tag))


def _object(cls: type, properties: Plain, required: list[str]) -> Plain:
    words = {"description": cleandoc(cls.__doc__).split("\n\n")[0].replace("\n", " ")} if cls.__doc__ else {}
    return {**words, "type": "object", "properties": properties, "required": required}


def _default(field: Field) -> Plain:
    default = field.default
    return {} if default is attrs.NOTHING or default is None else {"default": default}


_KEYWORDS = {"low": "minimum", "ge": "minimum", "high": "maximum", "le": "maximum", "pattern": "pattern"}
"""The keyword for an attribute of a validator or of annotated limits."""


def _limits(field: Field) -> Plain:
    """Return the limits that a field declares in annotations or public attributes of its validator."""
    limits, length = field.meta or field.validator, "maxItems" if _has_list(field.type) else "maxLength"
    found: Plain = {}
    for name, keyword in {"max_length": length, **_KEYWORDS}.items():
        limit = getattr(limits, name, None)
        if isinstance(limit, int | str):
            found[keyword] = limit
    if field.type is str and isinstance(choices := getattr(limits, "choices", None), tuple):
        found["enum"] = list(choices)
    return found


def _has_list(hint: Any) -> bool:
    return get_origin(hint) is list or any(map(_has_list, get_args(hint)))


def main() -> None:
    """Write the schema of all messages to standard output."""
    document().write(text())


if __name__ == "__main__":
    main()
