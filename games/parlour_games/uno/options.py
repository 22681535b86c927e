"""The options of an UNO match. Every default together is the preset ``official``."""

from collections.abc import Callable
from typing import Any

import attrs

from parlour_games.game import BadOptions

SCORINGS = ("race", "lowest", "elimination", "single")
MIN_SEATS, MAX_SEATS = 2, 10

Validator = Callable[[Any, "attrs.Attribute[Any]", Any], None]


def _one_of(*allowed: str) -> Validator:
    def check(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        if value not in allowed:
            raise BadOptions(f"{field.name} must be one of {', '.join(allowed)}, not {value!r}")

    return check


def _between(low: int, high: int) -> Validator:
    def check(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        if type(value) is not int or not low <= value <= high:
            raise BadOptions(f"{field.name} must be a whole number from {low} to {high}, not {value!r}")

    return check


def _switch(_: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
    if type(value) is not bool:
        raise BadOptions(f"{field.name} must be true or false, not {value!r}")


@attrs.frozen(kw_only=True)
class Options:
    """How a match is played. Raises BadOptions for a value out of range."""

    scoring: str = attrs.field(default="race", validator=_one_of(*SCORINGS))
    """``race``: the winner of a round gets the points in all other hands, first to ``target`` wins. ``lowest``: all
    keep the points they are caught with, when one reaches ``target`` the lowest total wins. ``elimination``: the same
    points, who reaches ``target`` is out, the last one in wins. ``single``: one round, counted as in a race."""
    target: int = attrs.field(default=500, validator=_between(1, 10_000))
    """Points; what they decide is said by ``scoring``."""
    breath: int = attrs.field(default=750, validator=_between(0, 5_000))
    """Milliseconds in which nobody has a turn after a seat came to stand at one card without a call. 0: none."""
    pause: int = attrs.field(default=5_000, validator=_between(0, 60_000))
    """Milliseconds between rounds. 0: the next round is dealt at once."""
    call_penalty: int = attrs.field(default=2, validator=_between(0, 4))
    """Cards drawn by a seat that is caught at one card without a call."""
    no_bluff: bool = attrs.field(default=False, validator=_switch)
    """A Wild Draw Four that breaks its condition cannot be played, so that there is nothing to challenge."""
    strict_wild4: bool = attrs.field(default=False, validator=_switch)
    """A Wild Draw Four asks that no other card in the hand can be played, not only none of the current colour."""
    first_card_number_only: bool = attrs.field(default=False, validator=_switch)
    """A round begins with a number: any other first card goes back into the deck."""
