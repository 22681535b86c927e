"""The options of an UNO match: scoring, timing, and house rules.

``preset`` decides every house rule that is not given: ``{"preset": "family", "stack2": false}`` plays the family rules
without stacking of Draw Twos. The default, ``official``, plays the rules in the box. ``house_rules`` says how house
rules combine.
"""

from typing import Any

import attrs

from parlour_games.game import Plain
from parlour_games.options import Between, OneOf, Switch, option

SCORINGS = ("race", "lowest", "elimination", "single")
MIN_SEATS, MAX_SEATS = 2, 10
PRESETS: dict[str, Plain] = {
    "official": {},
    # What many families play. Drawing goes with force_play: with draw_until alone, players who draw for no reason
    # make rounds of thousands of moves.
    "family": {
        "stack2": True,
        "stack4": True,
        "seven_zero": True,
        "draw_until": True,
        "force_play": True,
        "first_card_number_only": True,
    },
    "chaos": {
        "stack2": True,
        "stack4": True,
        "stack_cross": True,
        "seven_zero": True,
        "jump_in": True,
        "draw_until": True,
        "force_play": True,
        "multi_play": True,
        "false_call_penalty": 2,
    },
}
"""The house rules that each preset turns on. It turns all others off."""


def _rule(name: str, help: str, off: bool | int = False, most: int | None = None) -> Any:
    """Return the field of a house rule, a switch or a number up to ``most``: ``off`` unless its preset turns it on."""

    def by_preset(options: "Options") -> Any:
        return PRESETS.get(options.preset, {}).get(name, off)

    validator = Switch() if most is None else Between(0, most)
    return option(attrs.Factory(by_preset, takes_self=True), validator, help)


@attrs.frozen(kw_only=True)
class Options:
    """The options of a match. Raises BadOptions for a value out of range."""

    preset: str = option(
        "official",
        OneOf(tuple(PRESETS)),
        "official: the rules in the box. family: draw cards stack, 7 swaps hands, 0 moves them on, you draw until you"
        " can play. chaos: all house rules.",
    )
    scoring: str = option(
        "race",
        OneOf(SCORINGS),
        "race: a round's winner scores the other hands. lowest: all score their own hand, the fewest points win."
        " elimination: target points put a player out. single: one round.",
    )
    target: int = option(500, Between(1, 10_000), "The points that end the match, or put a player out: see scoring.")
    breath: int = option(
        750,
        Between(0, 5_000),
        "Reaction window: milliseconds without a turn after a player is down to one card uncalled; with jump_in, after"
        " every play. 0: none.",
        unit="ms",
    )
    pause: int = option(5_000, Between(0, 60_000), "Milliseconds between rounds. 0: no pause.", unit="ms")
    call_penalty: int = _rule("call_penalty", "Cards drawn by a player caught without a call.", 2, 4)
    false_call_penalty: int = _rule(
        "false_call_penalty", "Cards drawn for a wrong catch. 0: only a right catch is possible.", 0, 4
    )
    stack2: bool = _rule("stack2", "A Draw Two may be answered by a Draw Two: the next player then owes both.")
    stack4: bool = _rule("stack4", "A Wild Draw Four may be answered by a Wild Draw Four.")
    stack_cross: bool = _rule(
        "stack_cross", "A Draw Two may be answered by a Wild Draw Four, and that by a Draw Two of the named colour."
    )
    seven_zero: bool = _rule(
        "seven_zero", "A 7 swaps hands with a chosen player; a 0 passes all hands to the next seat."
    )
    jump_in: bool = _rule("jump_in", "The same card as the last one may be played out of turn.")
    draw_until: bool = _rule("draw_until", "Drawing continues until a playable card comes.")
    force_play: bool = _rule(
        "force_play", "A player who can play must play: not draw, and not keep a playable card just drawn."
    )
    multi_play: bool = _rule("multi_play", "Several cards of one number may be played together.")
    no_bluff: bool = _rule("no_bluff", "A Wild Draw Four cannot be a bluff, so nobody challenges it.")
    strict_wild4: bool = _rule("strict_wild4", "A Wild Draw Four needs a hand without any other playable card.")
    first_card_number_only: bool = _rule(
        "first_card_number_only", "A round starts with a number: other first cards go back."
    )

    @property
    def house(self) -> bool:
        """Whether a rule is on that changes which actions are possible."""
        return any(getattr(self, name) for name in _HOUSE)

    def plain(self) -> Plain:
        """Return the options for the hashed state of a match, as plain data.

        An option outside ``_ALWAYS`` appears only when it is on, so that matches that predate it keep their hashes.
        """
        named = attrs.asdict(self)
        return {name: named[name] for name in named if name in _ALWAYS or (name in _HOUSE and named[name])}


_ALWAYS = (
    *("scoring", "target", "breath", "pause", "call_penalty", "no_bluff", "strict_wild4", "first_card_number_only"),
)
_HOUSE = tuple(field.name for field in attrs.fields(Options) if field.name not in (*_ALWAYS, "preset"))
