"""A room as the lobby sees it: every request to it, and every question about it.

Each verb gets ``now``, room time in milliseconds. What the room wants done is collected as effects, which ``take``
returns. A verb that is refused raises Refusal and changes nothing.
"""

from collections.abc import Generator, Sequence

from parlour_games.fair import Fair
from parlour_games.game import Job
from parlour_games.registry import AnyGame
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Act, Chat, Handover, Id, Kind, Manage, Ok, Plain, Ready, Role, ServerMessage
from parlour_protocol.messages import Queue as Wait
from parlour_server.rooms import records
from parlour_server.rooms.audience import NO_RATINGS, Person, Ratings
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import RoomEffect
from parlour_server.rooms.handovers import Handovers, SeatQueue
from parlour_server.rooms.match import Match, Randomness
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.records import Changed, Hosted, Owned, RoomOpened, Ruled
from parlour_server.rooms.restore import fold_log
from parlour_server.rooms.seating import Seating
from parlour_server.rooms.state import State, TakenSeat
from parlour_server.rooms.timers import Timers


class Room:
    """One room."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self._core = RoomCore(state, ratings)
        self._readiness = Readiness(self._core)
        self._seating = Seating(self._core, self._readiness)
        self._handovers = Handovers(self._core, self._readiness)
        self._queue = SeatQueue(self._core, self._seating)
        self._timers = Timers(self._core, self._seating, self._readiness, self._queue)
        self.state = state
        self.code = state.config.code
        self.audience = self._core.audience
        self._only_moved = False
        """Whether the last request, whose effects have not been taken yet, was a move."""

    # --- questions ---------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match under way."""
        return self._core.match

    @property
    def passed_on(self) -> int:
        """The number of records that have been passed on to be stored."""
        return self._core.passed_on

    def awaits(self, who: str, rid: int) -> bool:
        """Return whether decision ``rid`` of ``who`` is open and ``who`` has no act held back."""
        return self._core.awaits(who, rid)

    def wants_bot(self, bot: str) -> int | None:
        """Return a seat that the default action plays and that the house bot ``bot`` could take over."""
        return self._seating.wants_bot(bot)

    def unattended(self, seat: TakenSeat) -> bool:
        """Return whether the default action plays ``seat`` because no stand-in is connected."""
        return self._seating.unattended(seat)

    def require_host(self, person: Person) -> None:
        """Refuse everybody but the host."""
        self._core.require_host(person)

    def require_not_banned(self, person: Person) -> None:
        """Refuse those whom the host has banned."""
        self._seating.require_not_banned(person)

    # --- opening and loading -----------------------------------------------------------------------------

    def open(self) -> None:
        """Record that the room was opened: the first line of its log."""
        self._core.record(self.state.config)

    def resume(self, now: int, epoch: int) -> None:
        """Continue a loaded room: restart its clocks, and ask again for the computation that its game waits for.

        Everyone is absent from now on, or since the recorded time.
        """
        self._core.record(Owned(now, epoch))
        owned = (number for number, seat in self.state.taken() if seat.who)
        self.audience.absent = {number: self.state.away.get(number, now) for number in owned}
        if self.match and isinstance(self.match.pending, Job):
            self._core.publish(now, [])

    # --- people ------------------------------------------------------------------------------------------

    def join(
        self,
        now: int,
        person: Person,
        role: Role,
        re: Id | None,
        style: str | None = None,
        seat_code: str | None = None,
    ) -> None:
        """Let ``person`` in, as a player or to watch. A person who is in already gets the room again.

        ``style``: how a bot plays. ``seat_code``: the code for the seats that the person gave.
        """
        self._seating.join(now, person, role, re, style, seat_code)

    def sit(
        self, now: int, person: Person, wanted: int | None, re: Id | None, why: str | None, style: str | None = None
    ) -> int:
        """Give ``person`` the wanted or the first free seat and return its number. Call ``proceed`` afterwards.

        ``why`` is the reason in ``joined``; None: the person has still to connect to this node. ``style``: how a bot is
        to play.
        """
        return self._seating.sit(now, person, wanted, re, why, style)

    def leave(self, now: int, who: str, re: Id | None, why: str = "left") -> None:
        """Let ``who`` go for good: in a match a stand-in plays on, or the game goes on without the seat."""
        self._seating.leave(now, who, re, why)

    def attach(self, now: int, person: Person, seen: tuple[int, int] | None) -> None:
        """Connect ``person`` again. ``seen`` is the (epoch, seq) up to which it has followed the room."""
        self._seating.attach(now, person, seen)

    def detach(self, now: int, who: str) -> None:
        """Note that ``who`` has lost its connection; its seat is kept."""
        self._seating.detach(now, who)

    def stand_in(self, now: int, number: int, bot: Person | None = None) -> None:
        """Let a house bot, or for want of one the default action, play seat ``number``."""
        self._seating.stand_in(now, number, bot)

    def send(self, who: str, message: ServerMessage) -> None:
        """Send ``message`` to one person."""
        self._core.send(who, message)

    # --- requests ----------------------------------------------------------------------------------------

    def act(self, now: int, who: str, message: Act) -> None:
        """Answer a decision; a repeated answer gets the recorded one back."""
        self._core.act(now, who, message)
        self._only_moved = True
        if self.state.state == "pause" and self.audience.hurried:
            self._readiness.proceed(now)
            self._only_moved = False

    def ready(self, now: int, person: Person, message: Ready) -> None:
        """Set whether ``person`` is ready: for a match, to end a pause, or to play its own seat again."""
        self._readiness.ready(now, person, message)

    def start(self, now: int, person: Person, re: Id | None) -> None:
        """Begin a match, or end a pause, because the host says so."""
        self._readiness.start(now, person, re)

    def proceed(self, now: int) -> None:
        """Begin a match, or end a pause, if the seated players are ready for it."""
        self._readiness.proceed(now)

    def chat(self, now: int, person: Person, message: Chat) -> None:
        """Send a line of chat to everybody."""
        if person.who in self.state.muted:
            raise Denied("muted", "the host has muted you in this room", room=self.code)
        self._core.active_at = now
        self._core.send(person.who, Ok(re=message.id, room=self.code))
        self._core.emit(*self.audience.chat_line(person, message.text, now))

    def announce(self, now: int, name: str, text: str) -> None:
        """Send everybody a line of chat under the name of a contest. It does not keep the room from expiring."""
        self._core.emit(*self.audience.chat_line(Person("", name, "bot"), text, now))

    def manage(self, now: int, person: Person, message: Manage) -> None:
        """Kick, ban, mute or unmute a person, pass the host's role, or add time to a clock, for the host."""
        core, do = self._core, message.do
        core.require_host(person)
        who = self._named(message.name)
        if who == person.who and do in ("kick", "ban", "mute"):
            raise Denied("no_such_name", f"you cannot {do} yourself", room=self.code)
        if do == "host" and person.kind == "human" and self._kind(who) == "bot":
            told = f"{message.name} is a bot, which a person cannot make the host"
            said = {"phrase": "host", "fields": {"name": message.name}}
            raise Denied("wrong_kind", told, room=self.code, hint="make a person the host, or `leave`", **said)
        if do in ("kick", "ban") and self.state.deciding(who) is not None:
            core.require_uncounted(f"{do} its players")
        if do == "addtime" and core.match is not None and core.match.unrated != "alone":  # then nobody else is timed
            core.require_uncounted("add time")
        if do != "kick":
            core.require_allowance(now)
        core.send(person.who, Ok(re=message.id, room=self.code))
        if do == "host":
            core.record(Hosted(now, who))
        elif do != "kick":
            core.record(Ruled(now, do, who))
        if do == "addtime":
            core.publish_added_time(now, who)
        if do in ("kick", "ban"):
            self._seating.leave(now, who, None, why="kicked" if do == "kick" else "banned")
        else:
            core.send_table(now)

    def configure(self, now: int, person: Person, changed: Changed, re: Id | None) -> None:
        """Change options, seats and clock for the next match, for the host. The people get ready again."""
        core, state = self._core, self.state
        core.require_host(person)
        core.require_state("configure")
        if state.dealt_by:
            fixed = "the rules of this room are fixed; create another room"
            raise Denied("wrong_state", fixed, room=self.code, why="fixed")
        beyond = [seat.name for number, seat in state.taken() if number >= changed.seats]
        if beyond:
            stay = f"seats: {' and '.join(beyond)} would lose theirs; let them leave, or `kick` them first"
            said = {"phrase": "seated", "fields": {"names": ", ".join(beyond)}}
            raise Denied("bad_options", stay, room=self.code, **said)
        core.require_allowance(now)
        core.record(changed)
        self.audience.streams.resize(changed.seats)
        core.send(person.who, Ok(re=re, room=self.code))
        core.send_table(now)

    def handover(self, now: int, person: Person, message: Handover) -> None:
        """Ask for a seat as a spectator, or give one's own to a person who has asked."""
        self._handovers.handover(now, person, message)

    def hurry(self, now: int, person: Person, re: Id | None) -> None:
        """Let bots play without pauses until the end of the match, as far as ``person`` is concerned."""
        self._readiness.hurry(now, person, re)

    def wait(self, now: int, person: Person, message: Wait) -> None:
        """Let a spectator wait for a seat, or wait no more."""
        self._queue.wait(now, person, message)

    # --- time, computations, the end ---------------------------------------------------------------------

    def wake(self, now: int) -> None:
        """Do everything that is due, in the order in which it fell due."""
        self._timers.wake(now)

    def settle(self, now: int, job: Job, result: Plain) -> None:
        """Record the result of a computation, unless the match has gone on without it."""
        self._core.settle(now, job, result)

    def abort(self, now: int, why: str) -> None:
        """End a match under way without a winner and reveal its secret."""
        self._core.abort(now, why)

    def close(self, now: int, why: str) -> None:
        """Close the room, and abort a match under way."""
        self._core.close(now, why)

    def take(self, now: int) -> list[RoomEffect]:
        """Return the effects since the last call; the last may be the next wake-up."""
        self._timers.arm(now, only_moved=self._only_moved)
        self._only_moved = False
        return self._core.drain()

    def _named(self, name: str) -> str:
        people = {person.name.lower(): who for who, person in self.audience.here.items()}
        people |= {seat.name.lower(): seat.who for _, seat in self.state.taken() if seat.who}
        if name.lower() not in people:
            raise Denied("no_such_name", f"{name!a} is not in this room", room=self.code)
        return people[name.lower()]

    def _kind(self, who: str) -> Kind:
        """Return the kind of a person who is here or has a seat."""
        if who in self.audience.here:
            return self.audience.here[who].kind
        return next(seat.kind for _, seat in self.state.taken() if seat.who == who)


def restoring(
    lines: Sequence[str], game: AnyGame, randomness: Randomness = Fair, ratings: Ratings = NO_RATINGS
) -> Generator[None, None, Room]:
    """Return the room that the lines of a log amount to, after as many steps as that takes.

    No one is connected; timers and jobs are still due.
    """
    opened = records.parse(lines[0])
    assert isinstance(opened, RoomOpened)
    state = State(opened, game, randomness)
    yield from fold_log(state, lines)
    return Room(state, ratings)


def finished(steps: Generator[None, None, Room]) -> Room:
    """Take all steps of ``restoring``, and return the room."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            room: Room = end.value
            return room


def replay(lines: Sequence[str], game: AnyGame) -> Room:
    """Return the room that the lines of a log amount to."""
    return finished(restoring(lines, game))
