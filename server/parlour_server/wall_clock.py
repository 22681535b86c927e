"""When to trust the clock of the machine with removing old data, and with how much of it.

A machine may start with a wrong clock that is set some time later.
"""

import attrs

SETTLES = 3_600_000
"""Milliseconds after a start before anything is removed because of its date."""
JUMP = 300_000
"""Milliseconds by which the clock may be set meanwhile without being distrusted."""
SHARE = 50
"""The first round may remove at most one of this many."""


@attrs.define(eq=False)
class Rounds:
    """Rounds of removing what is old: each may remove a share of all, and twice as much while that is not enough.

    By a wrong clock everything is old. It is found out before much is lost.
    """

    left: int = 1
    """How many this round may still remove. The owner counts."""
    _times: int = 1

    def begin(self, count: int) -> None:
        """Begin the next round, which may remove a share of ``count``, and at least one."""
        self._times = max(1, self._times // 2) if self.left else 2 * self._times
        self.left = max(1, count // SHARE) * self._times
