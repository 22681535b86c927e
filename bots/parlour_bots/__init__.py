"""Players that are programs: the SDK to write one, the bundled ones, and the verbs that need bots at a table."""

from parlour_bots.sdk import Bot, Turn, run

__all__ = ["Bot", "Turn", "run"]
