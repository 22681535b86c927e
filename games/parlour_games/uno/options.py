"""The options of an UNO match: how it is scored and timed, and by which house rules it is played.

Every default together is the preset ``official``. A house rule that is not given is what ``preset`` says of it, so
that ``{"preset": "family", "stack2": false}`` is the family's rules but for one. How the house rules go together is
told in ``house``.
"""

from typing import Any

import attrs

from parlour_games.game import Plain
from parlour_games.options import Validator, between, one_of, switch
from parlour_games.uno.presets import PRESETS

SCORINGS = ("race", "lowest", "elimination", "single")
MIN_SEATS, MAX_SEATS = 2, 10


def _rule(name: str, off: bool | int, validator: Validator) -> Any:
    """Return the field of a house rule: what the preset says of it, else ``off``."""

    def by_preset(options: "Options") -> Any:
        return PRESETS.get(options.preset, {}).get(name, off)

    return attrs.field(default=attrs.Factory(by_preset, takes_self=True), validator=validator)


@attrs.frozen(kw_only=True)
class Options:
    """How a match is played. Raises BadOptions for a value out of range."""

    preset: str = attrs.field(default="official", validator=one_of(*PRESETS))
    """What holds for the house rules that are not given."""
    scoring: str = attrs.field(default="race", validator=one_of(*SCORINGS))
    """``race``: the winner of a round gets the points in all other hands, first to ``target`` wins. ``lowest``: all
    keep the points they are caught with, when one reaches ``target`` the lowest total wins. ``elimination``: the same
    points, who reaches ``target`` is out, the last one in wins. ``single``: one round, counted as in a race."""
    target: int = attrs.field(default=500, validator=between(1, 10_000))
    """Points; what they decide is said by ``scoring``."""
    breath: int = attrs.field(default=750, validator=between(0, 5_000))
    """Milliseconds in which nobody has a turn after a seat came to stand at one card without a call, under ``jump_in``
    after every play. 0: none."""
    pause: int = attrs.field(default=5_000, validator=between(0, 60_000))
    """Milliseconds between rounds. 0: the next round is dealt at once."""
    call_penalty: int = _rule("call_penalty", 2, between(0, 4))
    """Cards drawn by a seat that is caught at one card without a call."""
    false_call_penalty: int = _rule("false_call_penalty", 0, between(0, 4))
    """Cards drawn by who catches a seat that has called, or is safe. 0: such a catch is not on offer."""
    stack2: bool = _rule("stack2", False, switch)
    """A Draw Two may be answered by a Draw Two: the next seat then owes both."""
    stack4: bool = _rule("stack4", False, switch)
    """A Wild Draw Four may be answered by a Wild Draw Four."""
    stack_cross: bool = _rule("stack_cross", False, switch)
    """A Draw Two may be answered by a Wild Draw Four, and that by a Draw Two of the colour named."""
    seven_zero: bool = _rule("seven_zero", False, switch)
    """Who lays a 7 swaps hands with a seat of its choice; a 0 passes every hand to the next seat."""
    jump_in: bool = _rule("jump_in", False, switch)
    """Whoever holds the same card as the one just laid may lay it out of turn."""
    draw_until: bool = _rule("draw_until", False, switch)
    """Who draws goes on until a card comes that can be played."""
    force_play: bool = _rule("force_play", False, switch)
    """Drawing, and keeping what was drawn, is allowed only to who cannot play."""
    multi_play: bool = _rule("multi_play", False, switch)
    """Several cards of one number may be laid together."""
    no_bluff: bool = _rule("no_bluff", False, switch)
    """A Wild Draw Four that breaks its condition cannot be played, so that there is nothing to challenge."""
    strict_wild4: bool = _rule("strict_wild4", False, switch)
    """A Wild Draw Four asks that no other card in the hand can be played, not only none of the current colour."""
    first_card_number_only: bool = _rule("first_card_number_only", False, switch)
    """A round begins with a number: any other first card goes back into the deck."""

    @property
    def house(self) -> bool:
        """Whether a rule is on that changes what may be done on a turn or out of it."""
        return any(getattr(self, name) for name in _HOUSE)

    def plain(self) -> Plain:
        """Return the options by which a match can differ, as plain data.

        Rules that are younger than the first matches are told only when they are on: the state of a match that knew
        nothing of them still hashes as it did.
        """
        named = attrs.asdict(self)
        return {name: named[name] for name in named if name != "preset" and (named[name] or name not in _HOUSE)}


_HOUSE = (
    *("stack2", "stack4", "stack_cross", "seven_zero", "jump_in", "draw_until", "force_play", "multi_play"),
    "false_call_penalty",
)
