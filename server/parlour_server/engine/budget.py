"""Budget: how much work beside the event loop each owner may cause."""

from itertools import takewhile

import attrs


@attrs.define(eq=False)
class Budget:
    """Seconds of work: ``credit`` at first, and ``share`` of the time in the long run. All times are in seconds."""

    credit: float
    share: float = 0.05
    _debts: dict[str, tuple[float, float]] = attrs.field(factory=dict, init=False)
    """The debts of each owner, with their times; the oldest first."""

    def wait(self, owner: str, now: float) -> float:
        """Return after how many seconds ``owner`` may cause more work."""
        return max(0.0, self._owed(owner, now) - self.credit) / self.share

    def charge(self, owner: str, seconds: float, now: float) -> None:
        """Charge work that ``owner`` has caused."""
        owed = self._owed(owner, now) + seconds
        self._debts.pop(owner, None)
        self._debts[owner] = owed, now
        for paid in takewhile(lambda each: not self._owed(each, now), [*self._debts]):
            del self._debts[paid]

    def _owed(self, owner: str, now: float) -> float:
        owed, at = self._debts.get(owner, (0.0, now))
        return max(0.0, owed - (now - at) * self.share)
