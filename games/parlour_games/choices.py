"""What may be chosen about a match, read off the games' own Options classes: there is no second list of options.

An option is an attrs field; its validator knows what is allowed, the sentence below it in the source what it means.
"""

import ast
from collections.abc import Callable
from inspect import cleandoc, getclosurevars, getsource
from typing import Any

import attrs

from parlour_games.game import Game
from parlour_games.options import switch


@attrs.frozen
class Option:
    """One option. ``allowed``: its values, if it has a few; else it is a number from ``low`` to ``high``."""

    name: str
    means: str
    allowed: tuple[str | bool, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


def options_of(game: Game[Any, Any, Any, Any]) -> list[Option]:
    """Return the options of ``game``, in its order. Raises TypeError for one whose limits cannot be read."""
    fields: Any = attrs.fields(game.Options)
    means = _sentences(game.Options)
    return [_option(field.name, means.get(field.name, ""), field.validator) for field in fields]


def _option(name: str, means: str, validator: Callable[..., None]) -> Option:
    if validator is switch:
        return Option(name, means, (False, True))
    match dict(getclosurevars(validator).nonlocals):
        case {"allowed": tuple(allowed)}:
            return Option(name, means, allowed)
        case {"low": int(low), "high": int(high)}:
            return Option(name, means, low=low, high=high)
    raise TypeError(f"the limits of option {name} cannot be read off its validator")


def _sentences(cls: type) -> dict[str, str]:
    """Return the string below each field in the source of ``cls``; none where there is no source."""
    try:
        [found] = ast.parse(cleandoc(getsource(cls))).body
    except (OSError, TypeError):
        return {}
    told: dict[str, str] = {}
    name = ""
    for node in found.body if isinstance(found, ast.ClassDef) else ():
        match node:
            case ast.AnnAssign(target=ast.Name(id=str(name))):
                pass
            case ast.Expr(value=ast.Constant(value=str(text))) if name:
                told[name] = " ".join(text.replace("``", "").split())
    return told
