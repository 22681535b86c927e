"""A room: what its players ask of it, decided; and what follows from that, as effects.

No I/O and no clock. Every call gets ``now``, room time in milliseconds, and leaves effects in the order in
which they are to be carried out (``take``). Whatever is decided becomes a record first and changes the
room only by being folded, so that ``replay`` of the same records is the same room. Refusals are raised with
nothing changed. Who sits and who listens is in ``seating``, how a match begins in ``beginning``, what time brings in
``agenda``.
"""

from collections.abc import Sequence
from typing import Any

from parlour_games.fair import Fair
from parlour_games.game import IllegalAction, Job, Timer
from parlour_games.registry import AnyGame
from parlour_protocol.errors import Broken, Denied, Illegal, Late, Refusal
from parlour_protocol.messages import Act, Answer, Left, Ok, Plain, ServerMessage
from parlour_server import persistence
from parlour_server.rooms import effects, records
from parlour_server.rooms.audience import NO_RATINGS, Audience, Person, Ratings
from parlour_server.rooms.decisions import Open, Past
from parlour_server.rooms.effects import RoomEffect
from parlour_server.rooms.match import Match, Randomness
from parlour_server.rooms.records import (
    Acted,
    Closed,
    Control,
    Ended,
    JobDone,
    Opened,
    Owned,
    Record,
    TimedOut,
    TimerFired,
)
from parlour_server.rooms.restore import recall
from parlour_server.rooms.state import Seat, State

ALLOWED: dict[str, tuple[str, ...]] = {
    "sit": ("waiting", "finished"),
    "start": ("waiting", "pause", "finished"),
    "ready": ("waiting", "playing", "pause", "finished"),
}
"""In which states of the room a verb may be used. Verbs that are not named may be used in all."""


class Room:
    """One room."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self.state = state
        self.audience = Audience(state, ratings)
        self.seen_commit: dict[str, int] = {}
        """Since when each seated identity has seen the commitment of the match to come."""
        self.empty_since: int | None = state.at
        self.active_at = state.at
        self._out: list[RoomEffect] = []
        self._armed: int | None = None
        self._told_state = state.state
        self._job: Job | None = None
        self._held: list[tuple[Person, Act]] = []
        """Acts that wait for a computation, in the order of their arrival."""

    @property
    def code(self) -> str:
        """The room's code."""
        return self.state.config.code

    @property
    def match(self) -> Match | None:
        """The match under way."""
        match = self.state.match
        return match if match and not match.ended else None

    # --- what everything else is made of ---------------------------------------------------------------

    def take(self, wake_at: int | None) -> list[RoomEffect]:
        """Return what is to be done, and forget it. ``wake_at`` is when time next brings something."""
        if wake_at is not None and (self._armed is None or wake_at < self._armed):
            self._armed = wake_at
            self._out.append(effects.WakeAt(wake_at))
        out, self._out = self._out, []
        return out

    def woken(self) -> None:
        """The wake-up that was asked for has come."""
        self._armed = None

    def ask(self, *wanted: RoomEffect) -> None:
        """Want something done."""
        self._out.extend(wanted)

    def send(self, who: str, message: ServerMessage) -> None:
        """Tell one person."""
        self._out.append(effects.Send((who,), message))

    def record(self, record: Record) -> list[Any]:
        """Let ``record`` be so. Returns the game's events. Raises IllegalAction with nothing changed."""
        n = self.state.n
        line = records.line(record, n)
        events = self.state.fold(record, line)
        self._out.append(persistence.Append(self.code, self.state.epoch, n, line))
        self.active_at = record.at
        return events

    def allow(self, verb: str) -> None:
        """Refuse ``verb`` in states of the room that do not allow it."""
        if self.state.state not in ALLOWED[verb]:
            states = " or ".join(ALLOWED[verb])
            raise Denied("wrong_state", f"the room is {self.state.state}, it has to be {states}", room=self.code)

    def tell_table(self, now: int) -> None:
        """Tell everybody that the table has changed."""
        self._told_state = self.state.state
        self._out += self.audience.tell_table(now)

    # --- a match -----------------------------------------------------------------------------------------

    def unattended(self, seat: Seat) -> bool:
        """Whether the default action plays ``seat``, for want of a connected stand-in."""
        return seat.by == "standin" and seat.standin not in self.audience.here

    def awaits(self, who: str, rid: int) -> bool:
        """Whether decision ``rid`` of ``who`` is open, with no act waiting for a computation under it."""
        number, match = self.state.deciding(who), self.match
        decision = match.book.find(number, rid) if match and number is not None else None
        return isinstance(decision, Open) and all(person.who != who for person, _ in self._held)

    def act(self, now: int, person: Person, message: Act) -> None:
        """Answer a decision; an answered one is answered again with what was recorded."""
        number = self.own_seat(self.state.deciding(person.who))
        match = self.state.match
        decision = match.book.find(number, message.rid) if match else None
        if isinstance(decision, Open) and match is not None:
            self._answer(now, person, message, match, decision)
        elif isinstance(decision, Past) and decision.why is None:
            self.send(person.who, Ok(re=message.id, room=self.code, rid=message.rid, act=decision.act))
        else:
            self._too_late(message.rid, decision, number)

    def time_out(self, now: int, decision: Open) -> None:
        """Answer ``decision`` by default."""
        told: list[Plain] = [{"e": "timeout", "seat": decision.seat}]
        self.publish(now, self.record(TimedOut(now, decision.seat, decision.rid)), told)

    def fire_timer(self, now: int) -> None:
        """The game's timer has run out, or is ended early."""
        assert self.match is not None
        assert isinstance(self.match.pending, Timer)
        self.publish(now, self.record(TimerFired(now, self.match.pending.name)))

    def settle(self, now: int, job: Job, result: Plain) -> None:
        """A computation has come to its result, which may be wanted no more."""
        if self.match is None or self.match.pending != job:
            return
        self._job = None
        self.publish(now, self.record(JobDone(now, job.name, result)))
        self._answer_held(now)

    def publish(
        self, now: int, events: list[Any], told: Sequence[Plain] = (), ok: tuple[str, Answer] | None = None
    ) -> None:
        """Tell what a step of the match changed, its end included, and ask for what the game waits for."""
        match = self.match
        assert match is not None
        outcome = match.game.outcome(match.state)
        if outcome is not None:
            ranks, scores = list(outcome.ranks), list(outcome.scores)
            ended = Ended(now, ranks, scores, outcome.why, match.fingerprint(), outcome.stats)
            self._end(ended, rated=outcome.rated)
        self._tell(now, match, events, told, ok)
        if isinstance(match.pending, Job) and match.pending != self._job:
            self._job = match.pending
            self.ask(effects.Compute(self.code, match.pending.name, match.pending.args))

    def hand_over(self, now: int, number: int, by: str, standin: str | None) -> None:
        """Let ``by`` ("owner" or "standin") play seat ``number`` from now on."""
        seat = self.state.seats[number]
        assert seat is not None
        before, owned = seat.standin, seat.by == "owner"
        self.record(Control(now, number, by, standin))
        if owned and by == "standin":
            self._out += self.audience.release(number, now)
        if before is not None and before != standin:
            self._dismiss(number)

    def abort(self, now: int, why: str) -> None:
        """End a match under way without a winner; its secret is shown."""
        match = self.match
        if match is not None:
            seats = len(match.begun.players)
            self._end(Ended(now, [1] * seats, [0] * seats, why, match.fingerprint()), rated=False)
            self._tell(now, match, [], (), None)

    def desert(self, now: int, why: str) -> None:
        """Nobody is left: close the room. Of one that the server keeps only the match ends."""
        if self.state.config.kept:
            self.abort(now, why)
        else:
            self.close(now, why)

    def close(self, now: int, why: str) -> None:
        """Close the room, and abort a match under way."""
        self.abort(now, why)
        self.record(Closed(now, why))
        for who in list(self.audience.here):
            self.send(who, Left(self.code, "expired" if why == "expired" else "aborted"))
        self.ask(
            *(effects.SeatOwned(seat.who, False) for _, seat in self.state.taken() if seat.who), effects.RoomClosed()
        )

    # --- who may -------------------------------------------------------------------------------------------

    def own_seat(self, number: int | None) -> int:
        """Return the seat that somebody was found to have. Refuses those who have none."""
        if number is None:
            raise Denied("not_seated", "you watch this room; only seated players may do that", room=self.code)
        return number

    def only_host(self, person: Person) -> None:
        """Refuse everybody else."""
        if person.who != self.state.host:
            host = self.audience.name_of(self.state.host) or "nobody"
            raise Denied("not_host", f"only the host may do that; the host is {host}", room=self.code)

    # --- how -------------------------------------------------------------------------------------------------

    def _answer(self, now: int, person: Person, message: Act, match: Match, decision: Open) -> None:
        if self.state.seats[decision.seat].player != person.who:  # type: ignore[union-attr]
            raise Late("stale", "a stand-in plays your seat; send ready to take it back", room=self.code, why="control")
        if isinstance(match.pending, Job):
            self._held.append((person, message))
            return
        try:
            action = self._action(match, decision, message.act)
            act = match.game.wire(action)
            self.state.understood = act, action
            events = self.record(Acted(now, decision.seat, decision.rid, act, message.why))
        except (IllegalAction, Broken) as error:
            raise Illegal(
                str(error),
                room=self.code,
                rid=decision.rid,
                legal=decision.wire(match.game, match.state) if match.game.listed else None,
                left=match.clocks.left(decision.seat, now) if decision.must else None,
            ) from None
        answer: Answer = {"rid": decision.rid, "act": act}
        if message.id is not None:
            answer["re"] = message.id
        self.publish(now, events, ok=(person.who, answer))

    def _answer_held(self, now: int) -> None:
        """Do what has waited. What has become wrong meanwhile is no breach of the protocol: it gives no strike."""
        held, self._held = self._held, []
        for person, message in held:
            try:
                self.act(now, person, message)
            except Refusal as refusal:
                self.send(person.who, refusal.message(re=message.id, room=self.code, rid=message.rid))

    def _tell(
        self, now: int, match: Match, events: list[Any], told: Sequence[Plain], ok: tuple[str, Answer] | None
    ) -> None:
        """Tell what a step of the match changed; when it was the last, nothing waits for the match any more."""
        self._out += self.audience.publish(events, now, list(told), ok)
        if match.ended:
            for number in list(self.audience.streams.standins):
                self._dismiss(number)
            self._answer_held(now)
        if self.state.state != self._told_state:
            self.tell_table(now)

    def _action(self, match: Match, decision: Open, act: int | Plain) -> Any:
        if isinstance(act, int):
            return decision.indexed(match.game, match.state, act)
        return self.state.action(act)

    def _too_late(self, rid: int, past: Open | Past | None, number: int) -> None:
        if isinstance(past, Past):
            words = {"clock": "its time was up", "overtaken": "others were faster", "control": "the seat changed hands"}
            why = str(past.why)
            raise Late(
                "stale", f"decision {rid} is closed: {words[why]}", room=self.code, rid=rid, why=why, act=past.act
            )
        if 0 < rid < self.state.rids[number]:
            raise Late("stale", f"decision {rid} belongs to an earlier match", room=self.code, rid=rid, why="overtaken")
        raise Late("no_such_rid", f"you were never given a decision {rid} here", room=self.code, rid=rid)

    def _end(self, ended: Ended, *, rated: bool) -> None:
        match = self.match
        assert match is not None
        seats = [seat for _, seat in self.state.taken()]
        first, last = self.state.first_line, self.state.n
        self.record(ended)
        self._job = None
        self.seen_commit = dict.fromkeys(self.seen_commit, ended.at)
        rows = tuple(
            persistence.MatchRow(
                number, player.who, player.name, player.kind, ended.ranks[number], ended.scores[number]
            )
            for number, player in enumerate(match.begun.players)
        )
        self.ask(
            persistence.MatchFinished(match.chain.hex(), match.begun.game, first, last, rated and bool(seats), rows)
        )

    def _dismiss(self, number: int) -> None:
        """The stand-in of seat ``number`` goes."""
        stream = self.audience.streams.standins.pop(number, None)
        for who in stream.people if stream else ():
            self.audience.here.pop(who, None)
            self.send(who, Left(self.code, "replaced"))


def replay(lines: Sequence[str], game: AnyGame, randomness: Randomness = Fair, ratings: Ratings = NO_RATINGS) -> Room:
    """Return the room that its log amounts to. Nobody is connected; timers and jobs are still due."""
    opened = records.parse(lines[0])
    assert isinstance(opened, Opened)
    state = State(opened, game, randomness)
    recall(state, lines)
    return Room(state, ratings)


def own(room: Room, now: int, epoch: int) -> None:
    """Let a loaded room go on under a node: clocks begin again, what the game waits for is asked for again."""
    room.record(Owned(now, epoch))
    room.audience.absent = {number: now for number, seat in room.state.taken() if seat.who}
    match = room.match
    if match and isinstance(match.pending, Job):
        room.publish(now, [])
