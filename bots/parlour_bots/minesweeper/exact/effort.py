"""Effort: what reading a supposed position costs, in readings of an ordinary one."""

from parlour_games.minesweeper.inference import Odds

WORK = 2_000
"""A position that takes this much work costs one more."""


def readings(odds: Odds) -> int:
    """Return how many ordinary readings this one was worth; the same whether or not parts of it were remembered."""
    return 1 + odds.work // WORK
