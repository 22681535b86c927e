"""How seats change hands: the queue of spectators at a full table, and handing over one's own seat.

Both have agreed then. What a seat has seen of a match stays with it: who has had another seat in the match does not get
this one before the end.
"""

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Handover, Ok
from parlour_protocol.messages import Queue as Wait
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import SeatOwned
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.records import Handed
from parlour_server.rooms.seating import KINDS, Seating

LONGEST = 16
"""The number of spectators who may wait."""


class SeatQueue:
    """Spectators in the order in which they get the seats that become free. It is not stored."""

    def __init__(self, core: RoomCore, seating: Seating) -> None:
        self._core = core
        self._audience = core.audience
        self._seating = seating

    def wait(self, now: int, person: Person, message: Wait) -> None:
        """Wait for a seat, or stop waiting."""
        queue = self._audience.queue
        if not message.wait:
            queue.pop(person.who, None)
        elif person.who not in queue:
            self._require_fit(person)
            self._seating.require_code(message.seat_code)
            queue[person.who] = person
        self._core.send(person.who, Ok(re=message.id, room=self._core.code))
        self._core.send_table(now)

    @property
    def moves(self) -> bool:
        """Whether a seat is free for the first who waits."""
        state = self._core.state
        free = self._core.match is None and None in state.seats
        return bool(self._audience.queue) and free

    def move(self, now: int) -> None:
        """Seat the first who waits."""
        who = next(iter(self._audience.queue))
        person = self._audience.queue.pop(who)
        try:
            self._seating.sit(now, person, None, None, "invited")
        except Denied:  # such as after too many changes of seats
            self._core.send_table(now)

    def _require_fit(self, person: Person) -> None:
        """Refuse those who cannot get a seat, or need not wait for one."""
        core, state = self._core, self._core.state
        if person.who not in self._audience.streams.watchers.people:
            raise Denied(
                "wrong_state", "you have a seat here; only spectators wait for one", room=core.code, why="seated"
            )
        if state.config.contest is not None or state.config.dealt_by:
            fixed = "seats change neither in contests nor in rooms with a chosen deal"
            raise Denied("wrong_state", fixed, room=core.code, why="fixed")
        self._seating.require_kind(person)
        if core.match is None and None in state.seats:
            raise Denied("wrong_state", "a seat is free", room=core.code, why="free", hint="`join` as a player")
        if len(self._audience.queue) >= LONGEST:
            raise Denied("too_much", f"{LONGEST} spectators wait for a seat already", room=core.code)


REQUESTS = 16
"""The number of spectators who may ask for a seat at the same time."""


class Handovers:
    """The requests of spectators for seats, and their outcomes."""

    def __init__(self, core: RoomCore, readiness: Readiness) -> None:
        self._core = core
        self._state = core.state
        self._audience = core.audience
        self._readiness = readiness

    def handover(self, now: int, person: Person, message: Handover) -> None:
        """Ask for a seat, give one's own to a person who has asked, or take back and decline requests."""
        if message.to is not None:
            self._give(now, person, message)
            return
        if message.seat is not None:
            self._ask(person, message.seat)
        else:
            requests = self._audience.requests
            for who in [who for who, (_, owner) in requests.items() if person.who in (who, owner)]:
                del requests[who]
        self._core.send(person.who, Ok(re=message.id, room=self._core.code))
        self._core.send_table(now)

    def _ask(self, person: Person, number: int) -> None:
        state, audience = self._state, self._audience
        if person.who not in audience.streams.watchers.people:
            seated = "you have a seat here; only spectators ask for one"
            raise Denied("wrong_state", seated, room=self._core.code, why="seated")
        self._require_fit(person, number)
        seat = state.seats[number] if 0 <= number < len(state.seats) else None
        if seat is None or seat.who is None:
            raise Denied("no_such_name", f"seat {number} has no owner who could give it", room=self._core.code)
        if len(audience.requests) >= REQUESTS and person.who not in audience.requests:
            raise Denied("too_much", f"{REQUESTS} spectators have asked for seats already", room=self._core.code)
        audience.requests[person.who] = person, seat.who

    def _give(self, now: int, owner: Person, message: Handover) -> None:
        core, audience = self._core, self._audience
        number = core.require_seat(self._state.seats.of(owner.who))
        if core.match is None:
            core.require_state("sit")
        heir = self._asked(owner, message.to or "")
        self._require_fit(heir, number)
        core.require_uncounted("give your seat")
        core.require_allowance(now)
        core.give_seat(Handed(now, number, heir.who, heir.name, heir.kind))
        core.emit(SeatOwned(owner.who, False), SeatOwned(heir.who, True))
        self._readiness.forget(owner.who)
        self._readiness.show_commit(heir.who, now)
        audience.absent.pop(number, None)
        audience.requests = {who: asked for who, asked in audience.requests.items() if asked[1] != owner.who}
        audience.streams.renew(number)
        audience.listen(heir, audience.streams.owners[number])
        audience.listen(owner, audience.streams.watchers)
        core.send(owner.who, Ok(re=message.id, room=core.code))
        core.emit(*audience.joined(heir, now, why="sync", re=None), *audience.joined(owner, now, why="sync", re=None))
        core.send_table(now)
        self._readiness.proceed(now)

    def _asked(self, owner: Person, name: str) -> Person:
        """Return the spectator of this name who has asked ``owner`` for its seat."""
        for person, asked in self._audience.requests.values():
            if asked == owner.who and person.name.lower() == name.lower():
                return person
        hint = "they ask for it with `handover` and your `seat`; `requests` of `table` has their names"
        raise Denied("no_such_name", f"{name!a} has not asked for your seat", room=self._core.code, hint=hint)

    def _require_fit(self, person: Person, number: int) -> None:
        """Refuse a handover of seat ``number`` to ``person`` that the rules of the room forbid."""
        state, config, match = self._state, self._state.config, self._core.match
        if config.contest is not None or state.config.dealt_by:
            fixed = "seats change hands neither in contests nor in rooms with a chosen deal"
            raise Denied("wrong_state", fixed, room=config.code, why="fixed")
        if not config.watch:
            raise Denied("no_watching", "no one can watch here after giving up a seat", room=config.code)
        if person.kind not in KINDS[config.kinds]:
            raise Denied("wrong_kind", f"this room is for {config.kinds} only", room=config.code)
        if match is None:
            return
        if len(match.begun.players) == 1:
            alone = "who plays alone plays to the end"
            raise Denied("wrong_state", alone, room=config.code, why="fixed", hint="wait for the end of the match")
        if state.saw.get(person.who, number) != number:
            seen = f"{person.name} has seen what seat {state.saw[person.who]} sees in this match"
            raise Denied("wrong_state", seen, room=config.code, why="seen", hint="wait for the end of the match")
