"""The base of a room: its state, the people connected to it, and the steps of a match.

No I/O and no clock. Every call gets ``now``, room time in milliseconds, and leaves effects in the order in which they
are to be carried out (``drain``). A decision becomes a record first and changes the room only when the record is
folded into the state, so that folding the same records gives the same room. A refusal is raised before anything
changes. Seating, readiness and timers build on this class; ``Room`` is what the lobby sees of all four.
"""

from collections.abc import Sequence
from typing import Any

from parlour_games import chain
from parlour_games.game import IllegalAction, Job, Timer
from parlour_protocol.errors import Denied, Illegal, NotNow, ProtocolViolation, Refusal, StaleAnswer
from parlour_protocol.messages import Act, Answer, Left, Ok, Plain, ServerMessage
from parlour_server import persistence
from parlour_server.rooms import effects, records
from parlour_server.rooms.audience import NO_RATINGS, Audience, Person, Ratings
from parlour_server.rooms.decisions import OpenDecision, Past
from parlour_server.rooms.effects import RoomEffect
from parlour_server.rooms.match import Match
from parlour_server.rooms.records import (
    Absent,
    Acted,
    Closed,
    Control,
    Handed,
    JobDone,
    MatchOver,
    Record,
    TimedOut,
    TimerFired,
)
from parlour_server.rooms.state import MORE_TIME, State

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
    """The state of a room, its log, and what is published: the base of its other parts."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self.state = state
        self.code = state.config.code
        self.audience = Audience(state, ratings)
        self.active_at = state.at
        """The time of the last act of a person or bot here; chat counts."""
        self._out: list[RoomEffect] = []
        self._announced = state.state
        """The state of the room in the last ``SeatsChanged``."""
        self._job: Job | None = None
        """The computation that was asked for last."""
        self._held: list[tuple[str, Act]] = []
        """Acts that wait for a computation, in the order of their arrival."""

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
            changes = "seats, host and readiness have changed too often here since the last match began"
            raise NotNow("too_much", f"{changes}; a new match, or time, allows more", wait)

    def require_uncounted(self, change: str) -> None:
        """Refuse to ``change`` who plays in a match that counts, or for how long: a loser could avoid the loss."""
        if self.match is not None and self.match.counts:
            hint = "`mute` people who disturb; in a casual room, created with `rated` false, it is possible at any time"
            raise Denied("wrong_state", f"this match counts: {change} after it", room=self.code, why="rated", hint=hint)

    # --- the steps of a match --------------------------------------------------------------------------------

    def awaits(self, who: str, rid: int) -> bool:
        """Return whether decision ``rid`` of ``who`` is open and ``who`` has no act held back."""
        number, match = self.state.deciding(who), self.state.match
        if number is None or match is None or (number, rid) not in match.book.numbered:
            return False
        return not self._held or who not in [holder for holder, _ in self._held]

    def act(self, now: int, who: str, message: Act) -> None:
        """Answer a decision; a repeated answer gets the recorded one back."""
        number = self.require_seat(self.state.deciding(who))
        match = self.state.match
        decision = match.book.find(number, message.rid) if match else None
        if type(decision) is OpenDecision and match is not None:
            self._answer(now, who, message, match, decision)
        elif isinstance(decision, Past) and decision.why is None:
            self.send(who, Ok(re=message.id, room=self.code, rid=message.rid, act=decision.act))
        else:
            self._refuse_late(message.rid, decision, number)

    def time_out(self, now: int, decision: OpenDecision) -> None:
        """Answer ``decision`` with the game's default action."""
        timed_out: Plain = {"e": "timeout", "seat": decision.seat}
        match = self.match
        assert match is not None
        events = self.record(TimedOut(now, decision.seat, decision.rid))
        if self.state.config.standin:
            timed_out["standin"] = match.patience(decision.seat)
        self.publish(now, events, [timed_out])

    def send_delayed(self, now: int) -> None:
        """Send spectators what was held back for them until now."""
        self._out += self.audience.delay.take(now)

    def fire_timer(self, now: int) -> None:
        """Fire the game's timer, which has run out or is ended early."""
        assert self.match is not None
        assert isinstance(self.match.pending, Timer)
        self.publish(now, self.record(TimerFired(now, self.match.pending.name)))

    def settle(self, now: int, job: Job, result: Plain) -> None:
        """Record the result of a computation, unless the match has gone on without it."""
        if self.match is None or self.match.pending != job:
            return
        self._job = None
        self.publish(now, self.record(JobDone(now, job.name, result)))
        self._answer_held(now)

    def publish(
        self, now: int, events: list[Any], room_events: Sequence[Plain] = (), ok: tuple[str, Answer] | None = None
    ) -> None:
        """Send each view what the last step of the match changed; end the match if that step decided it.

        ``room_events`` are shown before the game's ``events``. ``ok`` is a person and the answer to its request.
        """
        match = self.state.match
        assert match is not None
        # The end is recorded before anything is sent: the players get the last step and the result in one `over`, and
        # the digest in it covers the `over` record itself.
        outcome = match.game.outcome(match.state)
        if outcome is not None:
            ranks, scores = list(outcome.ranks), list(outcome.scores)
            ended = MatchOver(now, ranks, scores, outcome.why, match.fingerprint(), outcome.stats)
            self._end(ended, rated=outcome.rated)
        self._send_step(now, match, events, room_events, ok)
        # A game that waits for a computation lists the same job after every step meanwhile: ask for it only once.
        if type(match.pending) is Job and match.pending != self._job:
            self._job = match.pending
            self._out.append(effects.Compute(self.code, match.pending.name, match.pending.args))

    def publish_added_time(self, now: int, who: str) -> None:
        """Send everybody the clock of ``who`` after the host has added time to it."""
        number = self.state.seat_of(who)
        if number is not None and self.match is not None and self.match.clocks.add is not None:
            self.publish(now, [], [{"e": "addtime", "seat": number, "ms": MORE_TIME}])

    def note_daily(self, match: Match) -> None:
        """In a room for a match of the day, ask to store that the first match has begun, or its result.

        Rematches are practice.
        """
        config, board = self.state.config, self.state.daily_board
        if config.daily is None or match.begun.match > 1:
            return
        player = match.begun.players[0]
        row = (config.daily, board, self.code, player.who, player.name, player.kind)
        if match.ended is None:
            self.emit(persistence.SaveDaily(*row))
        elif (result := match.daily_result(board)) is not None:
            self.emit(persistence.SaveDaily(*row, *result))

    def add_link(self, match: Match) -> None:
        """Ask to add to the public chain that a match has begun or is over, unless its deal was chosen."""
        begun = match.begun
        if begun.deal is None:
            over = chain.over(match.chain.hex()) if match.ended else None
            self.emit(persistence.SaveLink(chain.match_id(begun.commit, begun.context, begun.nonces), over))

    def hand_over(self, now: int, number: int, by: str, standin: str | None) -> None:
        """Let ``by`` ("owner" or "standin") play seat ``number`` from now on."""
        seat = self.state.seats[number]
        assert seat is not None
        before, owned = seat.standin, seat.by == "owner"
        self.record(Control(now, number, by, standin))
        if owned and by == "standin":
            self._out += self.audience.release(number, now)
        if before is not None and before != standin:
            self._dismiss(number, now)

    def give_seat(self, handed: Handed) -> None:
        """Give a seat another owner, who plays it from now on."""
        before = self.state.seats[handed.seat]
        assert before is not None
        self.record(handed)
        if before.standin is not None:
            self._dismiss(handed.seat, handed.at)

    # --- ends ------------------------------------------------------------------------------------------------

    def abort(self, now: int, why: str) -> None:
        """End a match under way without a winner and reveal its secret."""
        match = self.match
        if match is not None:
            seats = len(match.begun.players)
            self._end(MatchOver(now, [1] * seats, [0] * seats, why, match.fingerprint()), rated=False)
            self._send_step(now, match, [], (), None)

    def abandon(self, now: int, why: str) -> None:
        """Close the room; if the server keeps it open, only abort its match."""
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
        self.emit(
            *(effects.SeatOwned(seat.who, False) for _, seat in self.state.taken() if seat.who), effects.RoomClosed()
        )

    # --- details -----------------------------------------------------------------------------------------------

    def _answer(self, now: int, who: str, message: Act, match: Match, decision: OpenDecision) -> None:
        if self.state.seats[decision.seat].player != who:  # type: ignore[union-attr]
            raise StaleAnswer(
                "stale", "a stand-in plays your seat; send `ready` to take it back", room=self.code, why="control"
            )
        if type(match.pending) is Job:
            self._held.append((who, message))
            return
        try:
            action, act = self._action(match, decision, message.act)
            record = Acted(now, decision.seat, decision.rid, act, message.why)
            self._require_progress(match, decision, record, action)
            events = self.record(record, (decision, action))
        except (IllegalAction, ProtocolViolation) as error:
            said = {"phrase": error.phrase, "fields": error.fields} if isinstance(error, IllegalAction) else {}
            raise Illegal(
                str(error),
                **(said if said.get("phrase") else {}),
                room=self.code,
                rid=decision.rid,
                legal=decision.wire(match.game, match.state) if match.game.listed else None,
                left=match.clocks.left(decision.seat, now) if decision.must else None,
            ) from None
        answer: Answer = {"rid": decision.rid, "act": act}
        if message.id is not None:
            answer["re"] = message.id
        self.publish(now, events, ok=(who, answer))

    def _require_progress(self, match: Match, decision: OpenDecision, record: Acted, action: Any) -> None:
        """Refuse an act that does not advance the match, or is long, after too many of them. Raises IllegalAction."""
        if self.state.n - self.state.first_line >= records.LONGEST:
            full = f"this match has {records.LONGEST} records and takes no more acts"
            raise Denied("too_much", full, hint="leave, and create another room")
        wait = match.allowances[decision.seat].wait(record.at)
        if wait <= 0:
            return
        if records.size(records.line(record, self.state.n)) > records.ORDINARY:
            short = f"only acts of up to {records.ORDINARY} bytes count now"
            raise NotNow("too_much", f"too many long acts or notes: {short}", wait)
        if not match.would_advance(decision, action):
            raise NotNow("too_much", "too many acts that do not advance the match: only those that do count now", wait)

    def _answer_held(self, now: int) -> None:
        """Carry out the acts that were held back. One that has become wrong meanwhile is refused without a strike."""
        held, self._held = self._held, []
        for who, message in held:
            try:
                self.act(now, who, message)
            except Refusal as refusal:
                self.send(who, refusal.message(re=message.id, room=self.code, rid=message.rid))

    def _send_step(
        self, now: int, match: Match, events: list[Any], room_events: Sequence[Plain], ok: tuple[str, Answer] | None
    ) -> None:
        """Send what a step of the match changed; after the last one, dismiss stand-ins and refuse held acts."""
        self._out += self.audience.publish(events, now, list(room_events), ok)
        if match.ended:
            for number in list(self.audience.streams.standins):
                self._dismiss(number, now)
            self._answer_held(now)
        if self.state.state != self._announced:
            self.send_table(now)

    def _action(self, match: Match, decision: OpenDecision, act: int | Plain) -> tuple[Any, Plain]:
        """Return the action that an act stands for, and the same as plain data.

        Raises IllegalAction and ProtocolViolation.
        """
        if isinstance(act, int):
            return decision.indexed(match.game, match.state, act)
        action = self.state.action(act)
        return action, match.game.wire(action)

    def _refuse_late(self, rid: int, past: OpenDecision | Past | None, number: int) -> None:
        if isinstance(past, Past):
            words = {"clock": "its time was up", "overtaken": "others were faster", "control": "the seat changed hands"}
            why = str(past.why)
            raise StaleAnswer(
                "stale", f"decision {rid} is closed: {words[why]}", room=self.code, rid=rid, why=why, act=past.act
            )
        if 0 < rid < self.state.next_rid(number):
            raise StaleAnswer("stale", f"decision {rid} was closed long ago", room=self.code, rid=rid, why="overtaken")
        raise StaleAnswer("no_such_rid", f"you were never given a decision {rid} here", room=self.code, rid=rid)

    def _end(self, ended: MatchOver, *, rated: bool) -> None:
        match = self.match
        assert match is not None
        seats = [seat for _, seat in self.state.taken()]
        styles = [seat.style for _, seat in self.state.taken()]
        first, last = self.state.first_line, self.state.n
        self.record(ended)
        self._job = None
        self.audience.hurried.clear()
        rated = rated and bool(seats) and match.counts
        rows = tuple(
            persistence.MatchRow(
                number,
                player.who,
                player.name,
                player.kind,
                ended.ranks[number],
                ended.scores[number],
                style,
                player.house,
            )
            for number, (player, style) in enumerate(zip(match.begun.players, styles, strict=True))
        )
        self.emit(
            persistence.MatchFinished(match.chain.hex(), match.begun.game, first, last, rated, rows, match.best_time())
        )
        played = {player.who for player in match.begun.players}
        for seat in seats:
            if seat.kind == "human" and seat.who in played and seat.who not in self.audience.here:
                self.emit(persistence.SaveMissed(seat.who, match.chain.hex()))
        self.note_daily(match)
        self.add_link(match)

    def _dismiss(self, number: int, now: int) -> None:
        """Let the stand-in of seat ``number`` go."""
        stream = self.audience.streams.standins.pop(number, None)
        for who in list(stream.people) if stream else ():
            self.audience.drop(who, now)
            self.send(who, Left(self.code, "replaced"))
