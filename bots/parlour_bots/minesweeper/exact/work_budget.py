"""Effort: what looking ahead costs, counted so that the same position costs the same on every machine."""

import attrs

from parlour_games.minesweeper.inference import Odds

WORK = 2_000
"""A position that takes this much work costs one more."""


def readings(odds: Odds) -> int:
    """Return what reading a supposed position costs, in readings of an ordinary one.

    It is the same whether or not parts of it were remembered.
    """
    return 1 + odds.work // WORK


class OutOfWork(Exception):
    """A search has taken all the work that it was allowed."""


@attrs.define
class Budget:
    """The work that a search may still do."""

    left: int

    def take(self, work: int) -> None:
        """Take that much of it. Raises OutOfWork if so much was not left."""
        self.left -= work
        if self.left < 0:
            raise OutOfWork
