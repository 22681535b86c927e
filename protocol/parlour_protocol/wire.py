"""Convert plain data to messages and back, strictly: ``"12"``, ``12.0`` and ``True`` are not 12.

``client_message`` and ``server_message`` read what a codec has decoded and ignore unknown fields, which a newer
version may send. ``strict`` reads a game's actions and options and refuses unknown fields. Refusals of what clients
send name each wrong field; for what servers send, which no person writes, the first one that msgspec finds is enough.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from cattrs import Converter, transform_error
from msgspec import ValidationError, convert, to_builtins

from parlour_protocol.converter import fields, plain_map, request_id, shared_converter
from parlour_protocol.errors import BadMessage, Refusal
from parlour_protocol.messages import ClientMessage, Id, Plain, Request, Sent, ServerMessage, messages

T = TypeVar("T")

MAX_ERRORS = 3
"""The number of errors that a refusal names."""
MAX_PATH = 100
"""The longest path of an error, in characters; keys in it may have any length."""

_PYTHON_NAME = re.compile(r"_(?=[.\[]|$)")


def strict(cls: type[T]) -> Callable[[Any], T]:
    """Return a function that reads an attrs class from a plain map. It raises BadMessage, also for unknown fields."""
    key: Any = cls
    return _reader(key)


@cache
def _reader(cls: Any) -> Callable[[Any], Any]:
    quick, slow = shared_converter(exact=True, detailed=False), shared_converter(exact=True, detailed=True)
    structure = quick.get_structure_hook(cls)

    def read(value: Any) -> Any:
        try:
            return structure(plain_map(value), cls)
        except Exception as error:
            return _explain(slow, value, cls, error)

    return read


def _explain(converter: Converter, value: Any, cls: Any, first: Exception) -> Any:
    """Read ``value`` again, slowly, for an error that names the fields. It is caused by ``first`` if that is all."""
    try:
        return converter.structure(plain_map(value), cls)
    except Exception as error:
        wrong = _faults(error, _tag(cls))
        raise BadMessage(_listed(wrong)) from (first if len(wrong) == 1 else None)


def _faults(error: Exception, path: str) -> list[str]:
    """Return what is wrong, in a sentence for each fault."""
    return [_sentence(*each.rsplit(" @ ", 1)) for each in transform_error(error, path, _describe)]


def _listed(wrong: list[str]) -> str:
    more = f"; and {len(wrong) - MAX_ERRORS} more" if len(wrong) > MAX_ERRORS else ""
    return "; ".join(wrong[:MAX_ERRORS]) + more


def _sentence(words: str, path: str) -> str:
    path = _PYTHON_NAME.sub("", path)
    path = path if len(path) <= MAX_PATH else path[:MAX_PATH] + "…"
    return path + (words if words[0] == ":" else f" {words}")


def _describe(error: BaseException, _: type | None) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    forbidden = getattr(error, "extra_fields", None)
    if forbidden:
        known = ", ".join(field.wire for field in fields(error.cl)) or "none"  # type: ignore[attr-defined]
        return (
            "has no field "
            + ", ".join(f"{name[:32]!a}" for name in sorted(forbidden)[:MAX_ERRORS])
            + f"; it has {known}"
        )
    text = str(error.args[0] if error.args else error)
    return text if text.startswith("must") else f": {text}"


def _tag(cls: Any) -> str:
    return str(getattr(cls, "t", None) or getattr(cls, "do", None) or cls.__name__.lower())


def structured(value: Any, kind: Any) -> Any:
    """Return the Struct of type ``kind`` in a plain map. Raises BadMessage."""
    try:
        return convert(value, kind)
    except ValidationError as error:
        raise BadMessage(_shortened(error)) from None


def _shortened(error: ValidationError) -> str:
    """Return the text of ``error`` without what could be long or not printable."""
    what, at, where = str(error).rpartition(" - at ")  # what may quote a value
    return ascii(what)[1:-1][:MAX_PATH] + at + where


def tagged(classes: Iterable[type], tag: str) -> dict[str, Any]:
    """Return ``classes`` by the value of their class variable ``tag``."""
    return {getattr(cls, tag): cls for cls in classes}


CLIENT_MESSAGES = messages(Request)
SERVER_MESSAGES = messages(Sent)
ABILITIES = sorted(ability for cls in CLIENT_MESSAGES.values() for ability in cls.abilities)
"""What ``can`` of ``welcome`` lists besides games, if the server can do all."""


def request_type(value: Plain) -> type[Request[Any]] | None:
    """Return the type of the request that may be in ``value``, which is not read further; None: it is unknown."""
    tag = value.get("t")
    return CLIENT_MESSAGES.get(tag) if type(tag) is str else None


def client_message(value: Plain) -> ClientMessage:
    """Return the client message in ``value``. Raises BadMessage, or Refusal ``unknown_type``."""
    tag = value.get("t")
    if type(tag) is not str:
        raise BadMessage("t must be the type of the message, a string")
    cls = CLIENT_MESSAGES.get(tag)
    if cls is None:
        raise Refusal("unknown_type", f"unknown message type {tag[:32]!a}")
    try:
        message: ClientMessage = convert(value, cls)
    except ValidationError as error:
        raise BadMessage(_listed(_wrong(value, cls)) or _shortened(error)) from None
    return message


def _wrong(value: Plain, cls: Any) -> list[str]:
    """Return what is wrong with a client message, in a sentence for each fault."""
    converter = shared_converter(exact=False, detailed=True)
    found: list[str] = []
    for field in fields(cls):
        path = f"{cls.t}.{field.wire}"
        if field.wire not in value:
            found += [f"{path} is missing"] if field.required else []
            continue
        try:
            converter.structure(value[field.wire], field.type)
        except Exception as error:
            found += _faults(error, path)
    return found


def server_message(value: Plain) -> ServerMessage | None:
    """Return the server message in ``value``, or None if its type is unknown. Raises BadMessage."""
    tag = value.get("t")
    if type(tag) is not str:
        raise BadMessage("t must be the type of the message, a string")
    cls = SERVER_MESSAGES.get(tag)
    return structured(value, cls) if cls else None


def id_of(value: Plain) -> Id | None:
    """Return the ``id`` of a message that may be malformed otherwise, or None if it has no valid one."""
    try:
        return request_id(value["id"])
    except (KeyError, TypeError, ValueError):
        return None


def plain(message: ClientMessage | ServerMessage) -> Plain:
    """Return ``message`` as plain data, tag first, without fields at their defaults."""
    defaults = _defaults(type(message))
    found: Plain = to_builtins(message)
    return {name: value for name, value in found.items() if name not in defaults or value != defaults[name]}


@cache
def _defaults(cls: type) -> Plain:
    """Return the defaults of a message by their names on the wire."""
    return {field.wire: field.default for field in fields(cls) if not field.required}
