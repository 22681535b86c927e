"""Work limits, counted so that a position costs the same on every machine."""

import attrs

from parlour_games.minesweeper.inference import Odds

WORK = 2_000
"""The work that costs one more reading."""


def readings(odds: Odds) -> int:
    """Return the cost of reading a position, where an ordinary one costs 1.

    Cached parts count in full.
    """
    return 1 + odds.work // WORK


class OutOfWork(Exception):
    """A search has exceeded its budget."""


@attrs.define
class WorkBudget:
    """The remaining work of a search."""

    left: int

    def take(self, work: int) -> None:
        """Use up ``work``. Raises OutOfWork if that was not left."""
        self.left -= work
        if self.left < 0:
            raise OutOfWork
