"""Turn clocks: each seat has a bank of time that each obligation tops up.

Opening an obligation adds ``add`` to the seat's bank, up to ``cap``; the time until the answer arrives is taken from
it. A clock is overrun ``LAG`` ms after it reaches zero, which allows for the network. The allowance is shared by all
obligations until the bank is topped up again; a fresh one for each would let a player with an empty bank go on without
end by answers that do not advance the game. All clocks are frozen while the room waits for a computation. All times
are room time in integer milliseconds.
"""

import attrs

from parlour_protocol.messages import Clock

LAG = 500
"""Milliseconds after zero until the clock counts as overrun."""
RESTORED = 10_000
"""Milliseconds that a running clock has at least after a restart, or after its seat has changed hands."""


RETURNED = 30_000
"""Milliseconds that an owner who takes a seat back has at least, if the bank held as much when the match began."""
DAYS = 3_600_000
"""Milliseconds that each decision adds in a match over days: then players are not expected to stay connected."""


def over_days(clock: Clock | None) -> bool:
    """Return whether matches with ``clock`` are played over days."""
    return clock is not None and min(clock["add"], clock.get("cap", clock["add"])) >= DAYS


@attrs.define
class Clocks:
    """The banks of all seats and the clocks that run. ``add`` None: the match is played without clocks."""

    add: int | None
    banks: list[int]
    running: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """By seat: when its clock began to run, and how much it had then."""
    frozen_at: int | None = None
    """When all clocks were frozen; None: they run."""
    cap: int | None = None
    """The most that topping up can fill a bank to; None: no limit."""
    lag_used: dict[int, int] = attrs.field(factory=dict)
    """By seat: how much of ``LAG`` is used since its bank was last topped up."""

    def start(self, seat: int, at: int, *, topped_up: bool = True) -> None:
        """Start the clock of ``seat`` for a new obligation."""
        if self.add is not None:
            if topped_up:
                self.lag_used.pop(seat, None)
            # A bank above the cap (the host added time) is not cut back: it only gets nothing more.
            full = self.banks[seat] + (self.add if topped_up else 0)
            self.banks[seat] = full if self.cap is None else min(full, max(self.cap, self.banks[seat]))
            self.running[seat] = (self._time(at), self.banks[seat])

    def stop(self, seat: int, at: int) -> None:
        """Stop the clock of ``seat`` and take the time used from its bank."""
        if seat in self.running:
            since, had = self.running.pop(seat)
            left = had - (self._time(at) - since)
            if left < 0:
                self.lag_used[seat] = min(LAG, self.lag_used.get(seat, 0) - left)
                left = 0
            self.banks[seat] = left

    def restore(self, seat: int, at: int) -> None:
        """Restart a running clock with what it had when it began, at least ``RESTORED``."""
        if seat in self.running:
            had = max(self.running[seat][1], RESTORED)
            self.banks[seat] = had
            self.lag_used.pop(seat, None)
            self.running[seat] = (self._time(at), had)

    def refill(self, seat: int, least: int) -> None:
        """Fill the bank of ``seat``, whose clock stands, up to ``least``."""
        self.banks[seat] = max(self.banks[seat], RESTORED, least)

    def freeze(self, at: int) -> None:
        """Freeze all clocks."""
        if self.frozen_at is None:
            self.frozen_at = at

    def unfreeze(self, at: int) -> None:
        """Let all clocks run again; none of them has lost the time in between."""
        if self.frozen_at is not None:
            frozen, self.frozen_at = at - self.frozen_at, None
            self.running = {seat: (since + frozen, had) for seat, (since, had) in self.running.items()}

    def add_time(self, seat: int, ms: int) -> None:
        """Add ``ms`` to the bank of ``seat``."""
        self.banks[seat] += ms
        if seat in self.running:
            since, had = self.running[seat]
            self.running[seat] = (since, had + ms)

    def left(self, seat: int, now: int) -> int | None:
        """Return the time left on the running clock of ``seat``."""
        if seat not in self.running:
            return None
        since, had = self.running[seat]
        return max(0, had - (self._time(now) - since))

    def overrun_at(self, seat: int) -> int | None:
        """Return when the running clock of ``seat`` is overrun."""
        if seat not in self.running or self.frozen_at is not None:
            return None
        since, had = self.running[seat]
        return since + had + LAG - self.lag_used.get(seat, 0)

    def shown(self, now: int) -> dict[str, int]:
        """Return the time left on each running clock, as everybody sees it."""
        if not self.running:
            return {}
        time = self._time(now)
        return {str(seat): max(0, had - (time - since)) for seat, (since, had) in self.running.items()}

    def _time(self, now: int) -> int:
        return now if self.frozen_at is None else self.frozen_at
