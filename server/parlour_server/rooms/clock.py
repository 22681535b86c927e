"""Time to think: a bank for each seat, topped up by each obligation.

Opening an obligation adds ``add`` to the seat's bank, which never holds more than ``cap``; the time until the answer
arrives is taken from it. A clock is overrun ``LAG`` ms after it has come to zero, for the way of the answer: once for
all obligations until the bank is topped up again, or answers that lead nowhere would go on for ever. While the room
waits for a computation all clocks stand. All times are room time in integer milliseconds.
"""

import attrs

LAG = 500
"""Milliseconds after zero until the clock counts as overrun."""
RESTORED = 10_000
"""The least an owner finds on the clock of an open decision after a restart or after coming back."""


@attrs.define
class Clocks:
    """The banks of all seats, and since when whose clock runs. ``add`` None: no clocks, only the record of time."""

    add: int | None
    banks: list[int]
    running: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """Seat → (when it began to run, what it had then)."""
    standing: int | None = None
    """Since when all clocks stand."""
    cap: int | None = None
    """The most that a bank can be; None: any."""
    late: dict[int, int] = attrs.field(factory=dict)
    """Seat → how much of ``LAG`` it has used since its bank was last topped up."""

    def start(self, seat: int, at: int, *, topped_up: bool = True) -> None:
        """Let the clock of ``seat`` run for a new obligation."""
        if self.add is not None:
            if topped_up:
                self.late.pop(seat, None)
            full = self.banks[seat] + (self.add if topped_up else 0)
            self.banks[seat] = full if self.cap is None else min(full, max(self.cap, self.banks[seat]))
            self.running[seat] = (self._time(at), self.banks[seat])

    def stop(self, seat: int, at: int) -> None:
        """Stop it and take the time used from its bank."""
        if seat in self.running:
            since, had = self.running.pop(seat)
            left = had - (self._time(at) - since)
            self.banks[seat] = max(0, left)
            if left < 0:
                self.late[seat] = min(LAG, self.late.get(seat, 0) - left)

    def restore(self, seat: int, at: int) -> None:
        """Give a running clock what it had when it began, and a fair chance."""
        if seat in self.running:
            had = max(self.running[seat][1], RESTORED)
            self.banks[seat] = had
            self.late.pop(seat, None)
            self.running[seat] = (self._time(at), had)

    def stand(self, at: int) -> None:
        """Let all clocks stand."""
        if self.standing is None:
            self.standing = at

    def go(self, at: int) -> None:
        """Let them go on."""
        if self.standing is not None:
            stood, self.standing = at - self.standing, None
            self.running = {seat: (since + stood, had) for seat, (since, had) in self.running.items()}

    def give(self, seat: int, ms: int) -> None:
        """Add ``ms`` to the bank of ``seat``."""
        self.banks[seat] += ms
        if seat in self.running:
            since, had = self.running[seat]
            self.running[seat] = (since, had + ms)

    def left(self, seat: int, now: int) -> int | None:
        """Return what ``seat`` has left of its running clock."""
        if seat not in self.running:
            return None
        since, had = self.running[seat]
        return max(0, had - (self._time(now) - since))

    def overrun_at(self, seat: int) -> int | None:
        """Return when the running clock of ``seat`` counts as overrun."""
        if seat not in self.running or self.standing is not None:
            return None
        since, had = self.running[seat]
        return since + had + LAG - self.late.get(seat, 0)

    def shown(self, now: int) -> dict[str, int]:
        """Return the running clocks as everybody sees them."""
        time = self._time(now)
        return {str(seat): max(0, had - (time - since)) for seat, (since, had) in self.running.items()}

    def _time(self, now: int) -> int:
        return now if self.standing is None else self.standing
