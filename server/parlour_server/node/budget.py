"""Budgets: how much work each owner may cause, on the event loop and outside it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from math import inf
from weakref import WeakValueDictionary

import attrs

CREDIT, SHARE = 0.25, 0.3
"""Seconds of this process that an address may use at first, and its share of the time while others are served, too."""
COMPUTING_CREDIT, COMPUTING_SHARE = 3.0, 0.15
"""Seconds of computations that an address may cause before it gets only its share of a core, if others are served."""
MOST = CREDIT + SHARE
"""The largest debt in seconds: no one waits longer than a second for its turn."""
ALONE = 2.0
"""Seconds without work for others after which an address may use all of the time."""
SHORTEST = 0.005
"""Seconds of the shortest wait, for timers are not exact."""
TURN, TURN_ALONE = 0.002, 0.05
"""Seconds that an address may use in one turn of the event loop: while others are served, and alone."""
NOTABLE = 0.0005
"""Seconds of an address from which they are charged at the end of a turn; fewer count for the next one, too.

So most moves need no further turn of the event loop.
"""
WAITING = 0.0001
"""Seconds of CPU that it costs to let a connection wait for its turn."""
_NO_DEBT = 0.0, 0.0


@attrs.define(eq=False)
class Budget:
    """Seconds of work: ``credit`` at first, and ``share`` of the time in the long run. All times are in seconds."""

    credit: float
    share: float
    most: float = inf
    """The largest debt."""
    _debts: dict[str, tuple[float, float]] = attrs.field(factory=dict, init=False)
    """The debts of each owner, with their times; the oldest first."""

    def owes(self, owner: str) -> bool:
        """Whether ``owner`` may have to wait: it has caused more than its credit lately."""
        return self._debts.get(owner, _NO_DEBT)[0] > self.credit

    def wait(self, owner: str, now: float) -> float:
        """Return after how many seconds ``owner`` may cause more work."""
        return max(0.0, self._owed(owner, now) - self.credit) / self.share

    def charge(self, owner: str, seconds: float, now: float) -> None:
        """Charge work that ``owner`` has caused."""
        owed = min(self._owed(owner, now) + seconds, self.most)
        self._debts.pop(owner, None)
        self._debts[owner] = owed, now
        while self._debts and not self._owed(first := next(iter(self._debts)), now):
            del self._debts[first]

    def _owed(self, owner: str, now: float) -> float:
        owed, at = self._debts.get(owner, _NO_DEBT)
        return max(0.0, owed - (now - at) * self.share)


class Computing:
    """Charges computations in other processes to the addresses that cause them, and lets them wait for their turns.

    Each has a credit, then a share of a core, while others are served.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        is_alone: Callable[[str], bool] = lambda owner: False,
    ) -> None:
        """``is_alone``: whether only this owner is served. It is then not charged."""
        self.clock = clock
        self._sleep = sleep
        self._is_alone = is_alone
        self._budget = Budget(COMPUTING_CREDIT, COMPUTING_SHARE)

    async def turn(self, owner: str) -> None:
        """Wait until ``owner`` may compute."""
        while (wait := self._budget.wait(owner, self.clock())) and not self._is_alone(owner):
            await self._sleep(min(wait, ALONE))

    def charge(self, owner: str, seconds: float) -> None:
        """Charge what ``owner`` has computed."""
        if not self._is_alone(owner):
            self._budget.charge(owner, seconds, self.clock())


class Meter:
    """Charges the time of this process to the addresses that cause it. One that has used up its budget takes turns.

    Nor may an address use its credit in one go: each turn of the event loop gives it a few milliseconds.
    Time is that of the clock, not of the CPU: on a busy machine the event loop has less to share.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        held: Callable[[float], object] = lambda _: None,
    ) -> None:
        """``held`` counts the seconds for which addresses that have used up their budgets wait."""
        self.owner: str | None = None
        """Who is charged now; None: the server itself."""
        self._clock = clock
        self._sleep = sleep
        self._held = held
        self._since = clock()
        self._budget = Budget(CREDIT, SHARE, MOST)
        self._last, self._other = ("", -inf), ("", -inf)
        """Who was charged last, and the last one before it, with the times."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """The queues of the addresses that wait."""
        self._used: dict[str, float] = {}
        """The seconds that each address has used in this turn of the event loop, which are charged at its end."""
        self._ending = False
        """Whether the end of this turn is scheduled."""

    def switch(self, owner: str | None) -> str | None:
        """Charge ``owner`` from now on. Return who was charged until now."""
        now, before = self._clock(), self.owner
        if before is not None:
            self.spend(before, now - self._since)
        self.owner, self._since = owner, now
        return before

    def spend(self, owner: str, seconds: float) -> None:
        """Charge work on the event loop."""
        self._seen(owner)
        used = self._used[owner] = self._used.get(owner, 0.0) + seconds
        if used >= NOTABLE and not self._ending:
            self._ending = True
            asyncio.get_running_loop().call_soon(self._end_turn)

    def charge(self, owner: str, seconds: float) -> None:
        """Charge work outside the event loop, such as reading from the store."""
        self._budget.charge(owner, seconds, self._seen(owner))

    def _seen(self, owner: str) -> float:
        """Note that ``owner`` causes work. Return the time."""
        now = self._clock()
        if owner != self._last[0]:
            self._other = self._last
        self._last = owner, now
        return now

    def _end_turn(self) -> None:
        now, self._ending = self._clock(), False
        for owner, seconds in self._used.items():
            self._budget.charge(owner, seconds, now)
        self._used.clear()

    def is_alone(self, owner: str) -> bool:
        """Whether no other address has caused work lately."""
        others = self._other[1] if owner == self._last[0] else self._last[1]
        return self._clock() - others >= ALONE

    def holds(self, owner: str | None, *, in_turn: bool = False) -> bool:
        """Whether what is done next for ``owner`` has to wait for a ``turn``; ``in_turn``: another one after this."""
        if owner is None:
            return False
        return (owner in self._turns and not in_turn) or self._wait(owner) is not None

    async def turn(self, owner: str) -> None:
        """Wait in the queue of ``owner``, so that its connections go on one at a time, each for a few milliseconds."""
        async with self._turns.setdefault(owner, asyncio.Lock()):
            while (wait := self._wait(owner)) is not None:
                self._held(wait)
                await self._sleep(wait)
            self.spend(owner, WAITING)

    def _wait(self, owner: str) -> float | None:
        """Return after how many seconds ``owner`` goes on, 0 for the next turn of the event loop; None: now."""
        used = self._used.get(owner, 0.0)
        if used < TURN and not self._budget.owes(owner):
            return None
        alone = self.is_alone(owner)
        wait = 0.0 if alone else self._budget.wait(owner, self._clock())
        if wait >= SHORTEST:
            return wait
        return 0.0 if used >= (TURN_ALONE if alone else TURN) else None
