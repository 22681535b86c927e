"""``random``: the baseline player."""

from parlour_bots.sdk import Action, Turn


def play(turn: Turn) -> Action:
    """Plays a random legal action."""
    return turn.rng.choice(turn.legal)
