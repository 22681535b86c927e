"""Parameters in a bot's name, such as ``search(worlds=300)``, passed as keyword arguments."""

import ast
import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from parlour_bots.sdk import Bot, BotSpec, Function
from parlour_protocol.messages import Plain

_CALL = re.compile(r"(?P<what>[^()]+)\((?P<given>.*)\)\s*", re.DOTALL)
_GIVEN = re.compile(r"""\s*(\w+)\s*=\s*("[^"]*"|'[^']*'|[^,"'=]+?)\s*(?:,|$)""")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "none": None, "None": None}


class BadParameters(ValueError):
    """The parameters cannot be parsed, or the bot does not accept them. The text says what is valid."""


def split(what: str) -> tuple[str, Plain]:
    """Split the name of a bot from its parameters: ints, floats, bools, None or strings. Raises BadParameters."""
    call = _CALL.fullmatch(what)
    if call is None:
        return what, {}
    given: Plain = {}
    rest = call["given"].strip()
    while rest:
        found = _GIVEN.match(rest)
        if found is None:
            raise BadParameters(f"write parameters as NAME=VALUE, like search(worlds=300,turns=9), not {rest!r}")
        if found[1] in given:
            raise BadParameters(f"{found[1]} is given twice")
        given[found[1]] = _value(found[2])
        rest = rest[found.end() :].strip()
    return call["what"].strip(), given


def add_parameters(what: str, **more: Any) -> str:
    """Return the name of a bot with parameters added."""
    name, given = split(what)
    return f"{name}({','.join(f'{key}={value!r}' for key, value in {**given, **more}.items())})"


def parameter_names(spec: BotSpec) -> list[str]:
    """Return the names of the parameters that a bot accepts."""
    return [each.name for each in _parameters(spec).values()]


def with_parameters(spec: BotSpec, given: Plain) -> BotSpec:
    """Return the bot with these parameters, which its name then shows. Raises BadParameters."""
    known = parameter_names(spec)
    if unknown := next((name for name in given if name not in known), None):
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise BadParameters(f"{spec.name} has no parameter {unknown}: {has}")
    make = _factory(spec, given)
    try:
        make()
    except (TypeError, ValueError) as error:
        raise BadParameters(str(error)) from None
    shown = ",".join(f"{name}={value}" for name, value in given.items())
    return attrs.evolve(spec, name=f"{spec.name}({shown})", make=make)


def _factory(spec: BotSpec, given: Plain) -> Callable[[], Bot]:
    if _makes_by_class(spec):
        return partial(spec.make, **given)
    function = partial(_play(spec), **given)
    return lambda: Function(function)


def _parameters(spec: BotSpec) -> dict[str, inspect.Parameter]:
    """Return the parameters of a bot's class, or those of its function after the turn."""
    made = _makes_by_class(spec)
    called: Any = spec.make if made else _play(spec)
    try:
        every = list(inspect.signature(called).parameters.items())
    except (TypeError, ValueError):  # not callable, or without a signature
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: each for name, each in every[not made :] if each.kind in named}


def _makes_by_class(spec: BotSpec) -> bool:
    """Return whether a class makes the bots, perhaps with parameters, instead of a function or an object."""
    made = spec.make.func if isinstance(spec.make, partial) else spec.make
    return isinstance(made, type) and made is not Function


def _play(spec: BotSpec) -> Any:
    """Return the bot's function; None for an object, which takes no parameters."""
    made = spec.make()
    return made.play if isinstance(made, Function) else None


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text  # a bare word
    return value if isinstance(value, int | float | str) else text
