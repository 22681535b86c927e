"""House rules by name: what a table plays when it only says ``preset``. Options that are given come first.

``official`` is the sheet in the box. ``family`` is what many families take for it: penalties are passed on, 7 and 0
move hands, and who cannot play, and only who cannot, draws until it can. (Drawing until one can, at will, makes rounds
of thousands of moves between players that draw for no reason.) ``chaos`` is every house rule that adds something.
"""

from parlour_games.game import BadOptions, Plain

PRESETS: dict[str, Plain] = {
    "official": {},
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
"""What each preset switches on; all other rules are off."""


def preset(name: str) -> Plain:
    """Return the options that make up the preset, a new map. Raises BadOptions for an unknown name."""
    if name not in PRESETS:
        raise BadOptions(f"preset must be one of {', '.join(PRESETS)}, not {name!r}")
    return {**PRESETS[name]}
