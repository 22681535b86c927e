"""The running clocks of a room, extrapolated between messages."""

from collections.abc import Callable
from time import monotonic

from parlour_client.core.room import JoinedRoom


class Clocks:
    """The time that each seat has left. Messages without clocks do not reset them."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        self._now = now
        self._told: object = None
        self._asked: object = None
        self._ends: dict[int, float] = {}
        self._full: dict[int, float] = {}
        self._returns: dict[int, tuple[int, float]] = {}

    @property
    def running(self) -> bool:
        """Whether any clock runs."""
        return bool(self._ends or self._returns)

    def update(self, room: JoinedRoom) -> None:
        """Set the clocks of ``room``, and the time for which seats of absent players are reserved."""
        now = self._now()
        if room.clocks is not self._told:
            self._told = room.clocks
            self._ends = {int(seat): now + ms / 1000 for seat, ms in room.clocks.items()}
            self._full = {seat: max(self._full.get(seat, 0.0), end - now) for seat, end in self._ends.items()}
        if room.question is not self._asked:
            self._asked = room.question
            if room.question and room.question.left is not None and room.seat is not None:
                self._ends[room.seat] = now + room.question.left / 1000
        held = {row["seat"]: row["left"] for row in room.table["seats"] if row.get("left") is not None}
        for seat, left in held.items():
            if self._returns.get(seat, (None,))[0] != left:
                self._returns[seat] = left, now + left / 1000
        self._returns = {seat: self._returns[seat] for seat in held}

    def left(self, seat: int | None) -> int | None:
        """Return the milliseconds on the clock of ``seat``, None if it does not run."""
        if seat is None or seat not in self._ends:
            return None
        return max(0, round((self._ends[seat] - self._now()) * 1000))

    def share(self, seat: int) -> float:
        """Return the share of its clock that ``seat`` has left, relative to the maximum seen."""
        left, full = self.left(seat), self._full.get(seat)
        return min(1.0, left / 1000 / full) if left and full else 0.0

    def held(self, seat: int) -> int | None:
        """Return the milliseconds until a stand-in plays for ``seat``, None if its player is present."""
        if seat not in self._returns:
            return None
        return max(0, round((self._returns[seat][1] - self._now()) * 1000))
