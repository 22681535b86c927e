"""Bots: the SDK to write one, the bundled ones, and the commands that run them."""

from parlour_bots.run import run
from parlour_bots.sdk import Bot, Turn

__all__ = ["Bot", "Turn", "run"]
