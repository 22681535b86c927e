"""Validators of options: attrs field validators that raise BadOptions, saying what is allowed."""

from collections.abc import Callable
from typing import Any

import attrs

from parlour_games.game import BadOptions

Validator = Callable[[Any, "attrs.Attribute[Any]", Any], None]


def one_of(*allowed: str) -> Validator:
    """Return the validator of a field that is one of ``allowed``."""

    def check(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        if value not in allowed:
            raise BadOptions(f"{field.name} must be one of {', '.join(allowed)}, not {value!r}")

    return check


def between(low: int, high: int) -> Validator:
    """Return the validator of a whole number from ``low`` to ``high``."""

    def check(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        if type(value) is not int or not low <= value <= high:
            raise BadOptions(f"{field.name} must be a whole number from {low} to {high}, not {value!r}")

    return check


def switch(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
    """Check a field that is true or false."""
    if type(value) is not bool:
        raise BadOptions(f"{field.name} must be true or false, not {value!r}")
