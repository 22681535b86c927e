"""Motion on the screens: how long things take, and whether they move at all."""

from textual.widget import Widget

FLIGHT = 0.2
"""Seconds that a card travels."""
FLASH = 0.35
"""Seconds for which the next player is highlighted."""
CONFETTI = 0.1
"""Seconds between the pictures of a celebration."""


def moves(widget: Widget) -> bool:
    """Return whether things may move on the screen of ``widget``."""
    return widget.is_mounted and widget.app.animation_level != "none"
