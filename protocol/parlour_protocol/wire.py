"""Convert plain data to messages and back, strictly: ``"12"``, ``12.0`` and ``True`` are not 12.

``client_message`` and ``server_message`` read frames and ignore unknown fields, which a newer version may
send. ``strict`` reads a game's actions and options and refuses unknown fields. Refusals of what clients send
name each wrong field; for what servers send, which no person writes, the first one that msgspec finds is enough.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar, get_args

import attrs
from cattrs import Converter, transform_error
from cattrs.fns import identity
from cattrs.gen import make_dict_unstructure_fn, override
from msgspec import Struct, ValidationError, convert, to_builtins

from parlour_protocol.converter import plain_map, request_id, shared_converter
from parlour_protocol.errors import BadMessage, Refusal
from parlour_protocol.fields import fields, wire_name
from parlour_protocol.messages import ClientMessage, Id, Plain, ServerMessage
from parlour_protocol.validators import OutOfLimits

T = TypeVar("T")

MAX_ERRORS = 3
"""The number of errors that a refusal names."""
MAX_PATH = 100
"""The longest path of an error, in characters; keys in it may have any length."""

_PYTHON_NAME = re.compile(r"_(?=[.\[]|$)")


@cache
def _reader(cls: Any, exact: bool) -> Callable[[Any], Any]:
    quick, slow = shared_converter(exact=exact, detailed=False), shared_converter(exact=exact, detailed=True)
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
        wrong = [_sentence(*each.rsplit(" @ ", 1)) for each in transform_error(error, _tag(cls), _describe)]
        more = f"; and {len(wrong) - MAX_ERRORS} more" if len(wrong) > MAX_ERRORS else ""
        raise BadMessage("; ".join(wrong[:MAX_ERRORS]) + more) from (first if len(wrong) == 1 else None)


def _sentence(words: str, path: str) -> str:
    path = _PYTHON_NAME.sub("", path)
    path = path if len(path) <= MAX_PATH else path[:MAX_PATH] + "…"
    return path + (words if words[0] in ".:" else f" {words}")


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
    if isinstance(error, OutOfLimits):
        return f".{error.field} {text}"
    return text if text.startswith("must") else f": {text}"


def _tag(cls: Any) -> str:
    return str(getattr(cls, "t", None) or getattr(cls, "do", None) or cls.__name__.lower())


def strict(cls: type[T]) -> Callable[[Any], T]:
    """Return a function that reads ``cls`` from a plain map. It raises BadMessage, also for unknown fields."""
    key: Any = cls
    return _reader(key, exact=True)


def structured(value: Any, kind: Any) -> Any:
    """Return the Struct of type ``kind`` in a plain map. Raises BadMessage."""
    try:
        return convert(value, kind)
    except ValidationError as error:
        what, at, where = str(error).rpartition(" - at ")  # what may quote a value
        raise BadMessage(ascii(what)[1:-1][:MAX_PATH] + at + where) from None


def tagged(classes: Iterable[type], tag: str) -> dict[str, Any]:
    """Return ``classes`` by the value of their class variable ``tag``."""
    return {getattr(cls, tag): cls for cls in classes}


CLIENT_MESSAGES: dict[str, Any] = tagged(get_args(ClientMessage), "t")
SERVER_MESSAGES: dict[str, Any] = tagged(get_args(ServerMessage), "t")


def client_message(value: Plain) -> ClientMessage:
    """Return the client message in ``value``. Raises BadMessage, or Refusal ``unknown_type``."""
    tag = value.get("t")
    if type(tag) is not str:
        raise BadMessage("t must be the type of the message, a string")
    cls = CLIENT_MESSAGES.get(tag)
    if cls is None:
        raise Refusal("unknown_type", f"unknown message type {tag[:32]!a}")
    return _reader(cls, exact=False)(value)  # type: ignore[no-any-return]


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


_outward = Converter()
_outward.register_unstructure_hook_func(lambda _: True, identity)


@cache
def _writer(cls: Any) -> Callable[[Any], Plain]:
    names = {field.name: wire_name(field.name) for field in attrs.fields(cls)}
    renamed: Any = {name: override(rename=wire) for name, wire in names.items() if wire != name}
    return make_dict_unstructure_fn(cls, _outward, _cattrs_omit_if_default=True, **renamed)


def plain(message: ClientMessage | ServerMessage) -> Plain:
    """Return ``message`` as plain data, tag first, without fields at their defaults."""
    if isinstance(message, Struct):
        return to_builtins(message)  # type: ignore[no-any-return]
    cls: Any = type(message)
    return {"t": message.t, **_writer(cls)(message)}
