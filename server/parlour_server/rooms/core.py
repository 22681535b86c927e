"""The base of a room: its state, its log, and the people connected to it.

No I/O and no clock. Every call gets ``now``, room time in milliseconds, and leaves effects in the order in which they
are to be carried out (``drain``). A decision becomes a record first and changes the room only when the record is
folded into the state, so that folding the same records gives the same room. A refusal is raised before anything
changes. Playing, seating, readiness and timers build on this class.
"""

from typing import Any

from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.messages import ServerMessage
from parlour_server import persistence
from parlour_server.rooms import effects, records
from parlour_server.rooms.audience import NO_RATINGS, Audience, Person, Ratings
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import RoomEffect
from parlour_server.rooms.match import Match
from parlour_server.rooms.records import Absent, Control, Handed, Record
from parlour_server.rooms.state import State

ALLOWED: dict[str, tuple[str, ...]] = {
    "sit": ("waiting", "finished"),
    "start": ("waiting", "pause", "finished"),
    "configure": ("waiting", "finished"),
    "ready": ("waiting", "playing", "pause", "finished"),
    "hurry": ("playing", "pause"),
    "nonce": ("waiting", "finished"),
}
"""The states of the room in which a verb may be used. A verb that is not listed may be used in all."""


class RoomCore:
    """The state of a room, its log, and what is sent: the base of its other parts."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self.state = state
        self.code = state.config.code
        self.audience = Audience(state, ratings)
        self.active_at = state.at
        """The time of the last act of a person or bot here; chat counts."""
        self._out: list[RoomEffect] = []
        self._announced = state.state
        """The state of the room in the last ``SeatsChanged``."""

    @property
    def match(self) -> Match | None:
        """The match under way."""
        match = self.state.match
        return match if match and not match.ended else None

    @property
    def passed_on(self) -> int:
        """The number of records that have been passed on to be stored."""
        waiting = (effect.n for effect in self._out if isinstance(effect, persistence.Append))
        return next(waiting, self.state.n)

    # --- effects and records -----------------------------------------------------------------------------

    def drain(self) -> list[RoomEffect]:
        """Return the effects since the last call."""
        out, self._out = self._out, []
        return out

    def emit(self, *wanted: RoomEffect) -> None:
        """Add effects."""
        self._out.extend(wanted)

    def send(self, who: str, message: ServerMessage) -> None:
        """Send ``message`` to one person."""
        self._out.append(effects.Send((who,), message))

    def send_table(self, now: int) -> None:
        """Send everybody the room as it is now, apart from the game."""
        self._announced = self.state.state
        self._out += self.audience.seats_changed(now)

    def send_new_state(self, now: int) -> None:
        """Send everybody the room if its state is another one than they know."""
        if self.state.state != self._announced:
            self.send_table(now)

    def send_delayed(self, now: int) -> None:
        """Send spectators what was held back for them until now."""
        self._out += self.audience.delay.take(now)

    def record(self, record: Record, answer: tuple[OpenDecision, Any] | None = None) -> list[Any]:
        """Fold ``record`` into the state and append it to the log; return the game's events.

        ``answer``: see ``State.fold``. Raises IllegalAction with nothing changed.
        """
        n = self.state.n
        line = records.line(record, n)
        events = self.state.fold(record, line, answer)
        self._out.append(persistence.Append(self.code, self.state.epoch, n, line))
        if type(record) is not Absent:
            self.active_at = record.at
        return events

    # --- hands -------------------------------------------------------------------------------------------

    def hand_over(self, now: int, number: int, by: str, standin: str | None) -> None:
        """Let ``by`` ("owner" or "standin") play seat ``number`` from now on."""
        seat = self.state.seats.at(number)
        before, owned = seat.standin, seat.by == "owner"
        self.record(Control(now, number, by, standin))
        if owned and by == "standin":
            self._out += self.audience.release(number, now)
        if before is not None and before != standin:
            self._out += self.audience.dismiss(number, now)

    def give_seat(self, handed: Handed) -> None:
        """Give a seat another owner, who plays it from now on."""
        before = self.state.seats.at(handed.seat)
        self.record(handed)
        if before.standin is not None:
            self._out += self.audience.dismiss(handed.seat, handed.at)

    # --- refusals ------------------------------------------------------------------------------------------

    def require_state(self, verb: str) -> None:
        """Refuse ``verb`` unless the state of the room allows it."""
        if self.state.state not in ALLOWED[verb]:
            states = " or ".join(ALLOWED[verb])
            wrong = f"the room is {self.state.state}; it must be {states}"
            raise Denied("wrong_state", wrong, room=self.code, why=self.state.state)

    def require_seat(self, number: int | None) -> int:
        """Return the seat number that was found for a person; refuse a person without one."""
        if number is None:
            raise Denied("not_seated", "you are watching this room; only seated players may do that", room=self.code)
        return number

    def require_host(self, person: Person) -> None:
        """Refuse everybody but the host."""
        if person.who != self.state.host:
            host = self.audience.name_of(self.state.host)
            who = f"the host is {host}" if host else "this room has no host"
            raise Denied("not_host", f"only the host may do that; {who}", room=self.code)

    def require_allowance(self, now: int) -> None:
        """Refuse to change seats, host or readiness if too much of the log is about that already."""
        wait = self.state.housekeeping.wait(now)
        if wait > 0:
            changes = "seats, host and readiness have changed too often since the last match began"
            raise NotNow("too_much", f"{changes}; start a match, or wait", wait)

    def require_uncounted(self, change: str) -> None:
        """Refuse to ``change`` who plays in a match that counts, or for how long: a loser could avoid the loss."""
        if self.match is not None and self.match.counts:
            hint = "you can `mute` people now; a casual room, created with `rated` false, allows this during a match"
            raise Denied(
                "wrong_state", f"this match counts: {change} when it is over", room=self.code, why="rated", hint=hint
            )
