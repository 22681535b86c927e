"""The queue of spectators who wait for a seat at a full table."""

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Ok
from parlour_protocol.messages import Queue as Wait
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.seating import Seating

LONGEST = 16
"""The number of spectators who may wait."""


class Queue:
    """Spectators in the order in which they get the seats that become free. It is not stored."""

    def __init__(self, core: RoomCore, seating: Seating) -> None:
        self._core = core
        self._audience = core.audience
        self._seating = seating

    def wait(self, now: int, person: Person, message: Wait) -> None:
        """Wait for a seat, or wait no more."""
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
        if state.config.contest is not None or state.dealt_by:
            fixed = "seats change neither in contests nor in rooms with a chosen deal"
            raise Denied("wrong_state", fixed, room=core.code, why="fixed")
        self._seating.require_kind(person)
        if core.match is None and None in state.seats:
            raise Denied("wrong_state", "a seat is free", room=core.code, why="free", hint="`join` as a player")
        if len(self._audience.queue) >= LONGEST:
            raise Denied("too_much", f"{LONGEST} spectators wait for a seat already", room=core.code)
