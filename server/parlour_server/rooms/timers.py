"""The effects of time on a room: clocks run out, timers fire, stand-ins take over, idle rooms close."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeAlias

from parlour_games.game import Job, Timer
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import Notify, WakeAt
from parlour_server.rooms.match import Match
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.records import Absent
from parlour_server.rooms.seating import Seating, SeatQueue
from parlour_server.rooms.state import PAUSE

GONE = 30_000
"""Milliseconds in which a bot of a contest can come back; after that it forfeits the matches that wait for it."""
STANDIN_DELAY = 1_000
"""Milliseconds before the default action answers for a player."""
EMPTY = 180_000
"""Milliseconds in which no one but house bots is connected until a room expires; none if it was for one, who left."""
IDLE = 600_000
"""Milliseconds in which nothing happens until a room expires."""
IDLE_UNTIMED = 10_800_000
"""The same in a match without clocks that a person plays."""
OPEN_OVER_DAYS = 86_400_000
"""``EMPTY`` and ``IDLE`` of a room whose matches are played over days, while none is played."""
IDLE_OVER_DAYS = 2_592_000_000
"""``IDLE`` of such a match, longer than any turn; it may be empty for as long."""
AWAY = 15_000
"""Milliseconds without a connection in which a turn may begin, or go on, until its player is notified."""
PARTS = 6
"""Parts of an allowed absence. When one is over, it is recorded: a room that is loaded again forgets at most one."""
LAPSES = 3
"""Time-outs in a contest's match after which it is forfeited."""
STALLED = 120_000
"""Milliseconds in which nothing happens until a contest's room expires."""
_AT: Callable[[Any], int] = itemgetter(0)

Due: TypeAlias = tuple[int, Callable[..., None], tuple[Any, ...]]
"""When something is due, the method to call then with ``now``, and its other arguments."""


class Timers:
    """Everything in a room that is due at some time, computed from its state whenever it is asked for."""

    def __init__(
        self, core: RoomCore, playing: Playing, seating: Seating, readiness: Readiness, queue: SeatQueue
    ) -> None:
        self._core = core
        self._playing = playing
        self._queue = queue
        self._seating = seating
        self._readiness = readiness
        self._armed: int | None = None
        """The wake-up that was asked for and has not come yet."""
        self._notified: dict[int, int] = {}
        """By seat: the decision of which its absent player was notified last."""

    def arm(self, now: int, *, only_moved: bool = False) -> None:
        """Ask to be woken when something is due next, unless an earlier wake-up is on its way.

        ``only_moved``: nothing but a move has happened since the last call, so that only what it asked is new.
        """
        if only_moved and self._armed is not None and not self._asks_before(self._armed):
            return
        due = self._next(now)
        # A wake-up that has become too early stays: it finds nothing to do and arms the next one. Moving it with every
        # step would cost the node a timer for each move.
        if due is not None and (self._armed is None or due[0] < self._armed):
            self._armed = due[0]
            self._core.emit(WakeAt(due[0]))

    def wake(self, now: int) -> None:
        """Do everything that is due, in the order in which it fell due."""
        self._armed = None
        self._readiness.proceed(now)  # it may have waited for nonces until now
        while (due := self._next(now)) is not None and due[0] <= now:
            _, do, args = due
            do(now, *args)

    def _next(self, now: int) -> Due | None:
        """Return what is due first."""
        core, audience, config = self._core, self._core.audience, self._core.state.config
        if core.state.state == "closed":
            return None
        match = core.match
        agenda: list[Due] = []
        if (due := audience.delay.due) is not None:
            agenda.append((due, core.send_delayed, ()))
        if not config.kept or match is not None:
            agenda.append((self._last_event() + self._patience(), self._playing.abandon, ("expired",)))
            if audience.empty_since is not None and not self._awaits_owners():
                left = config.seats == 1 and config.contest is None and not core.state.seats.taken()
                agenda.append((audience.empty_since + (0 if left else EMPTY), self._playing.abandon, ("expired",)))
        agenda += [(at, self._readiness.proceed, ()) for at in self._readiness.deadlines(now)]
        if match is not None:
            agenda += self._of_match(match, now)
            if audience.absent:
                agenda += self._of_absent()
                agenda += filter(None, map(self._of_absent_player, match.book.obligations()))
        else:
            if self._queue.moves:
                agenda.append((now, self._queue.move, ()))
            if config.contest is None and self._seating.deserted:
                agenda.append((now, self._seating.dismiss_house_bots, ()))
            kept = audience.allowed_absence()
            assert kept is not None
            for number in audience.absent:
                agenda += self._of_absence(number, kept, self._seating.evict)
        return min(agenda, key=_AT, default=None)

    def _last_event(self) -> int:
        """Return when something has happened last, or will: a match goes on as long as a clock runs, however long.

        Otherwise a player with much time could let a match expire that it is losing.
        """
        match, config = self._core.match, self._core.state.config
        if match is None or config.contest is not None:
            return self._core.active_at
        return max([self._core.active_at, *filter(None, map(match.clocks.overrun_at, match.clocks.running))])

    def _patience(self) -> int:
        """Return for how many ms nothing may happen until the room expires."""
        if self._awaits_owners():
            return OPEN_OVER_DAYS if self._core.match is None else IDLE_OVER_DAYS
        if self._core.state.config.contest is not None:
            return STALLED
        return IDLE_UNTIMED if self._takes_its_time() else IDLE

    def _takes_its_time(self) -> bool:
        """Return whether a match without clocks is under way in which a person has a seat."""
        match = self._core.match
        return (
            match is not None
            and match.begun.clock is None
            and any(seat.kind == "human" for _, seat in self._core.state.seats.taken())
        )

    def _awaits_owners(self) -> bool:
        """Return whether matches are played over days and anyone but a house bot plays its own seat."""
        state, bots = self._core.state, self._core.audience.house_bots()
        if not state.over_days:
            return False
        return any(seat.by == "owner" and seat.who not in (None, *bots) for _, seat in state.seats.taken())

    def _asks_before(self, at: int) -> bool:
        """Return whether the last step of the match brought what may be due before ``at``."""
        match, delayed = self._core.match, self._core.audience.delay.due
        if match is None or match.pending is not None or (delayed is not None and delayed < at):
            return True
        if self._core.audience.absent:
            return True
        for decision in match.asked.values():
            due = self._of_decision(match, decision)
            if due is not None and due[0] < at:
                return True
        return False

    def _of_match(self, match: Match, now: int) -> list[Due]:
        """Return what the game waits for: its timer, and the decisions that seats must make."""
        agenda: list[Due] = []
        pending = match.pending
        if type(pending) is Job:  # all clocks are frozen
            return agenda
        if type(pending) is Timer:
            skipped = pending.name == PAUSE and not self._readiness.present(now)
            agenda.append((match.pending_since + (0 if skipped else pending.ms), self._playing.fire_timer, ()))
        required = (each for each in match.book.open.values() if each.must)
        agenda += filter(None, (self._of_decision(match, each) for each in required))
        return agenda

    def _of_decision(self, match: Match, decision: OpenDecision) -> Due | None:
        """Return what becomes of a decision that a seat must make but does not."""
        core, number = self._core, decision.seat
        # A bot that crashed in a contest is late once, when it comes back, not with every turn.
        if core.state.config.contest is not None and number in core.audience.absent:
            return None
        seat, overrun = core.state.seats[number], match.clocks.overrun_at(number)
        if seat is not None and self._seating.unattended(seat):
            return decision.opened + STANDIN_DELAY, self._playing.time_out, (decision,)
        return None if overrun is None else (overrun, self._overrun, (number,))

    def _of_absent(self) -> list[Due]:
        """Return what becomes of the seats of absent owners during a match.

        In a contest an absent player forfeits, unless all are absent: then the room expires in the end.
        """
        state, absent = self._core.state, self._core.audience.absent
        agenda: list[Due] = []
        if state.config.contest is not None:
            owners = [number for number, seat in state.seats.taken() if seat.who]
            gone = [number for number in owners if number in absent]
            if len(gone) < len(owners):
                agenda += [(absent[number] + GONE, self._forfeit, (number,)) for number in gone]
        held = self._core.audience.allowed_absence()
        if held is not None:
            for number in absent:
                seat = state.seats[number]
                if seat is not None and seat.by == "owner":
                    agenda += self._of_absence(number, held, self._seating.stand_in)
        return agenda

    def _of_absence(self, number: int, allowed: int, end: Callable[..., None]) -> list[Due]:
        """Return what becomes of a seat whose owner may be absent for ``allowed`` ms: ``end``, and records of it."""
        state, since = self._core.state, self._core.audience.absent[number]
        known = state.at if state.seats.away.get(number) == since else since
        return [
            (since + allowed, end, (number,)),
            (known + allowed // PARTS, self._record_absence, (number, since)),
        ]

    def _record_absence(self, now: int, number: int, since: int) -> None:
        self._core.record(Absent(now, number, since))

    def _of_absent_player(self, decision: OpenDecision) -> Due | None:
        """Return when the player of an open decision is notified, who is away and makes it as soon as they are back."""
        state, number = self._core.state, decision.seat
        since, seat = self._core.audience.absent.get(number), state.seats[number]
        if since is None or seat is None or seat.by != "owner" or state.config.contest is not None:
            return None
        if self._notified.get(number) == decision.rid:
            return None
        return max(since, decision.opened) + AWAY, self._notify, (number, decision.rid)

    def _notify(self, now: int, number: int, rid: int) -> None:
        core, seat = self._core, self._core.state.seats.at(number)
        assert core.match is not None
        assert seat.who is not None
        self._notified[number] = rid
        left = core.match.clocks.left(number, now)
        core.emit(Notify(core.code, core.match.begun.game, seat.who, seat.name, f"{number}/{rid}", left))

    def _overrun(self, now: int, number: int) -> None:
        core, match = self._core, self._core.match
        assert match is not None
        decision = match.book.obligation(number)
        assert decision is not None
        self._playing.time_out(now, decision)
        if core.match is not match:
            return
        if core.state.config.standin and match.patience(number) <= 0:
            self._seating.stand_in(now, number)
        elif match.lapses[number] >= LAPSES and core.state.config.contest is not None:
            self._forfeit(now, number)

    def _forfeit(self, now: int, number: int) -> None:
        seat = self._core.state.seats.at(number)
        assert seat.who is not None
        self._seating.leave(now, seat.who, None, why="forfeited")
