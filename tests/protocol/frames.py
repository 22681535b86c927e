"""Hypothesis strategies for frames, derived from the annotations of the message classes."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from hypothesis import strategies as st
from msgspec import Meta

from parlour_protocol.converter import fields
from parlour_protocol.messages import ID_LIMIT, INT_LIMIT, Id, Plain
from parlour_protocol.wire import CLIENT_MESSAGES, SERVER_MESSAGES, client_message, server_message

Frames = st.SearchStrategy[Plain]

INTEGERS = st.integers(1 - INT_LIMIT, INT_LIMIT - 1)
TEXTS = st.text(max_size=12)
LEAVES = st.none() | st.booleans() | INTEGERS | TEXTS
PLAIN: Frames = st.dictionaries(
    TEXTS,
    st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)),
    max_size=4,
)
"""Maps of plain data, nested less deeply than the limit."""


def values(hint: Any) -> st.SearchStrategy[Any]:
    simple: list[tuple[Any, st.SearchStrategy[Any]]] = [
        (Id, st.text(max_size=ID_LIMIT) | INTEGERS),
        (Plain, PLAIN),
        (int, INTEGERS),
        (str, TEXTS),
        (bool, st.booleans()),
        (NoneType, st.none()),
    ]
    for kind, strategy in simple:
        if kind == hint:
            return strategy
    return rows(hint) if is_typeddict(hint) else generic(get_origin(hint), get_args(hint))


def generic(origin: Any, args: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if origin is Annotated:
        return within(args[1], args[0])
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, UnionType):
        return st.one_of(*(values(each) for each in args))
    if origin is list:
        return st.lists(values(args[0]), max_size=3)
    assert origin is dict
    return st.dictionaries(TEXTS, values(args[1]), max_size=3)


def within(meta: Meta, hint: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for values within annotated limits. Texts and lists are shorter than they allow."""
    if meta.pattern is not None:
        return st.from_regex(meta.pattern, fullmatch=True)
    if meta.ge is not None and meta.le is not None:
        return st.integers(int(meta.ge), int(meta.le))
    return values(hint)


def rows(hint: Any) -> Frames:
    made = {name: values(each) for name, each in get_type_hints(hint).items()}
    required = {name: made.pop(name) for name in hint.__required_keys__}
    return st.fixed_dictionaries(required, optional=made)


def frames(cls: Any) -> Frames:
    """Return a strategy for frames of one message class, with any subset of its optional fields."""
    made = {f.wire: values(f.type) for f in fields(cls)}
    required = {"t": st.just(cls.t)} | {f.wire: made.pop(f.wire) for f in fields(cls) if f.required}
    return st.fixed_dictionaries(required, optional=made)


CLIENT_CLASSES: tuple[Any, ...] = tuple(CLIENT_MESSAGES.values())
SERVER_CLASSES: tuple[Any, ...] = tuple(SERVER_MESSAGES.values())
CLIENT_FRAMES: Frames = st.one_of(*map(frames, CLIENT_CLASSES))
SERVER_FRAMES: Frames = st.one_of(*map(frames, SERVER_CLASSES))
READ: st.SearchStrategy[tuple[Any, Plain]] = st.one_of(
    st.tuples(st.just(client_message), CLIENT_FRAMES), st.tuples(st.just(server_message), SERVER_FRAMES)
)
