"""The player by whom all others are measured: any legal action, each as likely as the next."""

from parlour_bots.sdk import Action, Turn


def play(turn: Turn) -> Action:
    """Takes any legal action, each as likely."""
    return turn.rng.choice(turn.legal)
