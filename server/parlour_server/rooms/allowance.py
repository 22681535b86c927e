"""Allowances: how much a room writes to its log without getting anywhere.

An allowance is spent by the lines of records and comes back with room time, so it follows from the log alone: a room
that is loaded again has left what it had.
"""

import attrs

MS_PER_BYTE = 10
"""Milliseconds of room time in which one byte of an allowance comes back."""
POINTLESS = 1 << 20
"""Bytes that a seat may spend in a match on acts that do not advance it: about 11,000 flags set one by one."""
ORDINARY = 256
"""Bytes of an act that are free if it advances the match. Long notes and long lists of moves are longer."""
HOUSEKEEPING = 128 << 10
"""Bytes that a room may spend between two matches on seats, hosts and readiness: over a thousand changes."""
LONGEST = 500_000
"""Records after which a match takes no more acts. Two random players of UNO need about 160,000 to 10,000 points."""


@attrs.define
class Allowance:
    """A number of bytes that may be spent. They come back, one in ``MS_PER_BYTE``."""

    size: int
    _back_at: int = 0
    """The room time at which all of it has come back."""

    def spend(self, at: int, count: int) -> None:
        """Spend ``count`` bytes, even if less is left: records are always folded."""
        self._back_at = max(self._back_at, at) + count * MS_PER_BYTE

    def wait(self, now: int) -> int:
        """Return the milliseconds until something may be spent; 0 or less: something is left."""
        return self._back_at - now - self.size * MS_PER_BYTE
