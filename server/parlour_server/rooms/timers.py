"""What time brings to a room: clocks run out, timers fire, the absent are stood in for, the idle are closed."""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypeAlias

from parlour_games.game import Job, Timer
from parlour_server.contests.entrants import GONE
from parlour_server.rooms import readiness, seating
from parlour_server.rooms.audience import HELD, KEPT
from parlour_server.rooms.core import Room
from parlour_server.rooms.decisions import Open
from parlour_server.rooms.match import Match
from parlour_server.rooms.state import PAUSE

STANDIN_DELAY = 1_000
"""Milliseconds that the default action lets pass when it stands in for a player."""
EMPTY = 180_000
"""Milliseconds without anybody connected until a room expires."""
IDLE = 600_000
"""Milliseconds in which nothing happens until a room expires."""
PATIENCE = 2
"""Time-outs in a row after which a stand-in plays."""
LAPSES = 3
"""Time-outs in a contest's match after which it is forfeited."""
STALLED = 120_000
"""Milliseconds in which nothing happens until a contest's room expires."""
_AT: Callable[[Any], int] = itemgetter(0)

Due: TypeAlias = tuple[int, Callable[[Room, Any, int], None], Any]
"""When something is due, what is done then, and to what."""


def wake(room: Room, now: int) -> None:
    """Do all that is due, in the order in which it fell due."""
    room.woken()
    readiness.proceed(room, now)  # nonces may have been awaited until now
    while room.state.state != "closed":
        due = min(_agenda(room, now), key=_AT, default=None)
        if due is None or due[0] > now:
            return
        _, do, subject = due
        do(room, subject, now)


def next_wake(room: Room, now: int) -> int | None:
    """Return when something will be due next."""
    if room.state.state == "closed":
        return None
    return min(map(_AT, _agenda(room, now)), default=None)


def _agenda(room: Room, now: int) -> Iterator[Due]:
    if not room.state.config.kept or room.match is not None:
        yield room.active_at + (IDLE if room.state.config.contest is None else STALLED), _expire, None
        if room.empty_since is not None:
            yield room.empty_since + EMPTY, _expire, None
    for due in readiness.unsettled(room, now):
        yield due, _proceed, None
    if room.match is not None:
        yield from _match(room)
    elif room.audience.absent:
        yield from ((since + KEPT, _forget, number) for number, since in room.audience.absent.items())


def _match(room: Room) -> Iterator[Due]:
    match = room.match
    assert match is not None
    if isinstance(match.pending, Timer):
        nobody = match.pending.name == PAUSE and not readiness.present(room)
        yield match.pending_since + (0 if nobody else match.pending.ms), _fire, None
    if not isinstance(match.pending, Job):
        yield from _questions(room, match)
    if room.state.config.contest is not None:
        yield from _forfeits(room)
    if room.state.config.standin:
        for number, since in room.audience.absent.items():
            seat = room.state.seats[number]
            if seat is not None and seat.by == "owner":
                yield since + HELD, _stand_in, number


def _forfeits(room: Room) -> Iterator[Due]:
    """In a contest who stays away loses, unless all do: then the room expires in the end."""
    owners, absent = [number for number, seat in room.state.taken() if seat.who], room.audience.absent
    if any(number not in absent for number in owners):
        yield from ((absent[number] + GONE, _forfeit, number) for number in owners if number in absent)


def _questions(room: Room, match: Match) -> Iterator[Due]:
    waits = room.audience.absent if room.state.config.contest is not None else ()
    for decision in match.book.obligations():
        if decision.seat in waits:  # it is late when it comes back, once; a crash is not to cost every turn meanwhile
            continue
        seat = room.state.seats[decision.seat]
        overrun = match.clocks.overrun_at(decision.seat)
        if seat is not None and room.unattended(seat):
            yield decision.opened + STANDIN_DELAY, _default, decision
        elif overrun is not None:
            yield overrun, _overrun, decision.seat


def _expire(room: Room, _: None, now: int) -> None:
    room.desert(now, "expired")


def _proceed(room: Room, _: None, now: int) -> None:
    readiness.proceed(room, now)


def _fire(room: Room, _: None, now: int) -> None:
    room.fire_timer(now)


def _default(room: Room, decision: Open, now: int) -> None:
    room.time_out(now, decision)


def _overrun(room: Room, number: int, now: int) -> None:
    match = room.match
    assert match is not None
    decision = match.book.obligation(number)
    assert decision is not None
    room.time_out(now, decision)
    if room.match is match and match.timeouts[number] >= PATIENCE and room.state.config.standin:
        seating.stand_in(room, now, number)
    elif room.match is match and match.lapses[number] >= LAPSES and room.state.config.contest is not None:
        _forfeit(room, number, now)


def _forfeit(room: Room, number: int, now: int) -> None:
    seat = room.state.seats[number]
    assert seat is not None
    assert seat.who is not None
    seating.leave(room, now, seat.who, None, why="forfeited")


def _stand_in(room: Room, number: int, now: int) -> None:
    seating.stand_in(room, now, number)


def _forget(room: Room, number: int, now: int) -> None:
    seating.forget(room, now, number)
