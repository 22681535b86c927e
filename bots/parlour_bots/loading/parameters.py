"""Parameters of a bot in its name: ``search(worlds=300)``, handed over as keyword arguments."""

import ast
import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from parlour_bots.sdk import Bot, Entrant, Function
from parlour_protocol.messages import Plain

_CALL = re.compile(r"(?P<what>[^()]+)\((?P<given>.*)\)\s*", re.DOTALL)
_GIVEN = re.compile(r"""\s*(\w+)\s*=\s*("[^"]*"|'[^']*'|[^,"'=]+?)\s*(?:,|$)""")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "none": None, "None": None}


class BadParameters(ValueError):
    """The parameters cannot be read, or the bot does not take them. The text says what would do."""


def split(what: str) -> tuple[str, Plain]:
    """Return the name of a bot and its parameters: ints, floats, bools, None or strings. Raises BadParameters."""
    call = _CALL.fullmatch(what)
    if call is None:
        return what, {}
    given: Plain = {}
    rest = call["given"].strip()
    while rest:
        found = _GIVEN.match(rest)
        if found is None:
            raise BadParameters(f"parameters are NAME=VALUE, divided by commas: search(worlds=300), not {rest!r}")
        if found[1] in given:
            raise BadParameters(f"{found[1]} is given twice")
        given[found[1]] = _value(found[2])
        rest = rest[found.end() :].strip()
    return call["what"].strip(), given


def added(what: str, **more: Any) -> str:
    """Return the name of a bot with further parameters."""
    name, given = split(what)
    return f"{name}({','.join(f'{key}={value!r}' for key, value in {**given, **more}.items())})"


def taken(entrant: Entrant) -> list[str]:
    """Return the names of the parameters that a bot takes."""
    return [each.name for each in _parameters(entrant).values()]


def configured(entrant: Entrant, given: Plain) -> Entrant:
    """Return the bot with these parameters, under a name that tells them. Raises BadParameters."""
    known = taken(entrant)
    if unknown := next((name for name in given if name not in known), None):
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise BadParameters(f"{entrant.name} has no parameter {unknown}: {has}")
    make = _factory(entrant, given)
    try:
        make()
    except (TypeError, ValueError) as error:
        raise BadParameters(str(error)) from None
    told = ",".join(f"{name}={value}" for name, value in given.items())
    return attrs.evolve(entrant, name=f"{entrant.name}({told})", make=make)


def _factory(entrant: Entrant, given: Plain) -> Callable[[], Bot]:
    if isinstance(entrant.make, type):
        return partial(entrant.make, **given)
    function = partial(_play(entrant), **given)
    return lambda: Function(function)


def _parameters(entrant: Entrant) -> dict[str, inspect.Parameter]:
    """Return what a class takes, or a function besides the turn."""
    made = isinstance(entrant.make, type | partial)
    called: Any = entrant.make if made else _play(entrant)
    try:
        every = list(inspect.signature(called).parameters.items())
    except (TypeError, ValueError):  # nothing that is called, or that tells what it takes
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: each for name, each in every[not made :] if each.kind in named}


def _play(entrant: Entrant) -> Any:
    """Return the function that is the bot; None for an object, which has been made already."""
    made = entrant.make()
    return made.play if isinstance(made, Function) else None


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text  # a bare word
    return value if isinstance(value, int | float | str) else text
