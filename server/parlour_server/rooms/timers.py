"""What time brings to a room: clocks run out, timers fire, stand-ins take over, idle rooms close."""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypeAlias

from parlour_games.game import Job, Timer
from parlour_server.rooms.audience import HELD, KEPT
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import WakeAt
from parlour_server.rooms.match import Match
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.seating import Seating
from parlour_server.rooms.state import PAUSE

GONE = 30_000
"""Milliseconds in which a bot of a contest can come back; after that it forfeits the matches that wait for it."""
STANDIN_DELAY = 1_000
"""Milliseconds before the default action answers for a player."""
EMPTY = 180_000
"""Milliseconds in which no one but house bots is connected until a room expires."""
IDLE = 600_000
"""Milliseconds in which nothing happens until a room expires."""
PATIENCE = 2
"""Time-outs in a row after which a stand-in plays."""
LAPSES = 3
"""Time-outs in a contest's match after which it is forfeited."""
STALLED = 120_000
"""Milliseconds in which nothing happens until a contest's room expires."""
_AT: Callable[[Any], int] = itemgetter(0)

Due: TypeAlias = tuple[int, Callable[..., None], tuple[Any, ...]]
"""When something is due, the method to call then with ``now``, and its other arguments."""


class Timers:
    """Everything in a room that is due at some time, computed from its state whenever it is asked for."""

    def __init__(self, core: RoomCore, seating: Seating, readiness: Readiness) -> None:
        self._core = core
        self._seating = seating
        self._readiness = readiness
        self._armed: int | None = None
        """The wake-up that was asked for and has not come yet."""

    def arm(self, now: int) -> None:
        """Ask to be woken when something is due next, unless an earlier wake-up is on its way."""
        at = None if self._core.state.state == "closed" else min(map(_AT, self._agenda(now)), default=None)
        # A wake-up that has become too early stays: it finds nothing to do and arms the next one. Moving it with every
        # step would cost the node a timer for each move.
        if at is not None and (self._armed is None or at < self._armed):
            self._armed = at
            self._core.emit(WakeAt(at))

    def wake(self, now: int) -> None:
        """Do everything that is due, in the order in which it fell due."""
        self._armed = None
        self._readiness.proceed(now)  # it may have waited for nonces until now
        while self._core.state.state != "closed":
            due = min(self._agenda(now), key=_AT, default=None)
            if due is None or due[0] > now:
                return
            _, do, args = due
            do(now, *args)

    def _agenda(self, now: int) -> Iterator[Due]:
        core, audience, config = self._core, self._core.audience, self._core.state.config
        match = core.match
        if not config.kept or match is not None:
            yield core.active_at + (IDLE if config.contest is None else STALLED), core.abandon, ("expired",)
            if audience.empty_since is not None:
                yield audience.empty_since + EMPTY, core.abandon, ("expired",)
        for due in self._readiness.deadlines(now):
            yield due, self._readiness.proceed, ()
        if match is not None:
            yield from self._of_match(match)
        else:
            if config.contest is None and self._seating.deserted:
                yield now, self._seating.dismiss_house_bots, ()
            yield from ((since + KEPT, self._seating.evict, (number,)) for number, since in audience.absent.items())

    def _of_match(self, match: Match) -> Iterator[Due]:
        config, absent = self._core.state.config, self._core.audience.absent
        if isinstance(match.pending, Timer):
            skipped = match.pending.name == PAUSE and not self._readiness.present()
            yield match.pending_since + (0 if skipped else match.pending.ms), self._core.fire_timer, ()
        if not isinstance(match.pending, Job):
            yield from self._of_decisions(match)
        if config.contest is not None:
            yield from self._forfeits()
        if config.standin:
            for number, since in absent.items():
                seat = self._core.state.seats[number]
                if seat is not None and seat.by == "owner":
                    yield since + HELD, self._seating.stand_in, (number,)

    def _forfeits(self) -> Iterator[Due]:
        """In a contest an absent player forfeits, unless all are absent: then the room expires in the end."""
        owners = [number for number, seat in self._core.state.taken() if seat.who]
        absent = self._core.audience.absent
        if any(number not in absent for number in owners):
            yield from ((absent[number] + GONE, self._forfeit, (number,)) for number in owners if number in absent)

    def _of_decisions(self, match: Match) -> Iterator[Due]:
        state = self._core.state
        excused = self._core.audience.absent if state.config.contest is not None else ()
        for decision in match.book.obligations():
            if decision.seat in excused:  # a bot that crashed is late once, when it comes back, not with every turn
                continue
            seat = state.seats[decision.seat]
            overrun = match.clocks.overrun_at(decision.seat)
            if seat is not None and self._seating.unattended(seat):
                yield decision.opened + STANDIN_DELAY, self._core.time_out, (decision,)
            elif overrun is not None:
                yield overrun, self._overrun, (decision.seat,)

    def _overrun(self, now: int, number: int) -> None:
        core, match = self._core, self._core.match
        assert match is not None
        decision = match.book.obligation(number)
        assert decision is not None
        core.time_out(now, decision)
        if core.match is not match:
            return
        if match.timeouts[number] >= PATIENCE and core.state.config.standin:
            self._seating.stand_in(now, number)
        elif match.lapses[number] >= LAPSES and core.state.config.contest is not None:
            self._forfeit(now, number)

    def _forfeit(self, now: int, number: int) -> None:
        seat = self._core.state.seats[number]
        assert seat is not None
        assert seat.who is not None
        self._seating.leave(now, seat.who, None, why="forfeited")
