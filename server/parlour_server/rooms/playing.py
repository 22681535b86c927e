"""The steps of a match: acts, time-outs, timers, computations and the end; and the messages that each step sends."""

from collections.abc import Sequence
from typing import Any

from parlour_games import chain
from parlour_games.game import IllegalAction, Job, Timer
from parlour_protocol.errors import Denied, Illegal, NotNow, ProtocolViolation, Refusal, StaleAnswer
from parlour_protocol.messages import Act, Answer, Left, Ok, Plain
from parlour_server import persistence
from parlour_server.rooms import effects, records
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.decisions import OpenDecision, Past
from parlour_server.rooms.match import Match
from parlour_server.rooms.records import Acted, Begun, Closed, JobDone, MatchOver, TimedOut, TimerFired
from parlour_server.rooms.state import MORE_TIME


class Playing:
    """The steps of the matches in a room."""

    def __init__(self, core: RoomCore) -> None:
        self._core = core
        self._code = core.code
        self._state = core.state
        self._audience = core.audience
        self._job: Job | None = None
        """The computation that was asked for last."""
        self._held: list[tuple[str, Act]] = []
        """Acts that wait for a computation, in the order of their arrival."""

    def begin(self, begun: Begun) -> list[Any]:
        """Begin a match; return the game's events, which the caller publishes."""
        events = self._core.record(begun)
        self._note()
        return events

    def asked(self, who: str, rid: int) -> OpenDecision | None:
        """Return decision ``rid`` of ``who`` if it is open and ``who`` has no act held back."""
        number, match = self._state.seats.deciding(who), self._state.match
        if number is None or match is None or (self._held and who in [holder for holder, _ in self._held]):
            return None
        return match.book.numbered.get((number, rid))

    def act(self, now: int, who: str, message: Act, decision: OpenDecision | None = None) -> None:
        """Answer ``decision``, as ``asked`` has found it; None: it is looked for.

        A repeated answer gets the recorded one back.
        """
        if decision is None:
            self._answer_by_rid(now, who, message)
        else:
            self._answer(now, who, message, decision)

    def time_out(self, now: int, decision: OpenDecision) -> None:
        """Answer ``decision`` with the game's default action."""
        timed_out: Plain = {"e": "timeout", "seat": decision.seat}
        match = self._core.match
        assert match is not None
        events = self._core.record(TimedOut(now, decision.seat, decision.rid))
        if self._state.config.standin:
            timed_out["standin"] = match.patience(decision.seat)
        self.publish(now, events, [timed_out])

    def fire_timer(self, now: int) -> None:
        """Fire the game's timer, which has run out or is ended early."""
        match = self._core.match
        assert match is not None
        assert isinstance(match.pending, Timer)
        self.publish(now, self._core.record(TimerFired(now, match.pending.name)))

    def settle(self, now: int, job: Job, result: Plain) -> None:
        """Record the result of a computation, unless the match has gone on without it."""
        match = self._core.match
        if match is None or match.pending != job:
            return
        self._job = None
        self.publish(now, self._core.record(JobDone(now, job.name, result)))
        self._answer_held(now)

    def publish(
        self, now: int, events: list[Any], room_events: Sequence[Plain] = (), ok: tuple[str, Answer] | None = None
    ) -> None:
        """Send each view what the last step of the match changed; end the match if that step decided it.

        ``room_events`` are shown before the game's ``events``. ``ok`` is a person and the answer to its request.
        """
        match = self._state.match
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
            self._core.emit(effects.Compute(self._code, match.pending.name, match.pending.args))

    def publish_added_time(self, now: int, who: str) -> None:
        """Send everybody the clock of ``who`` after the host has added time to it."""
        number, match = self._state.seats.of(who), self._core.match
        if number is not None and match is not None and match.clocks.add is not None:
            self.publish(now, [], [{"e": "addtime", "seat": number, "ms": MORE_TIME}])

    # --- ends ------------------------------------------------------------------------------------------------

    def abort(self, now: int, why: str) -> None:
        """End a match under way without a winner and reveal its secret."""
        match = self._core.match
        if match is not None:
            seats = len(match.begun.players)
            self._end(MatchOver(now, [1] * seats, [0] * seats, why, match.fingerprint()), rated=False)
            self._send_step(now, match, [], (), None)

    def abandon(self, now: int, why: str) -> None:
        """Close the room; if the server keeps it open, only abort its match."""
        if self._state.config.kept:
            self.abort(now, why)
        else:
            self.close(now, why)

    def close(self, now: int, why: str) -> None:
        """Close the room, and abort a match under way."""
        self.abort(now, why)
        self._core.record(Closed(now, why))
        for who in list(self._audience.here):
            self._core.send(who, Left(self._code, "expired" if why == "expired" else "aborted"))
        self._core.emit(*(effects.SeatOwned(who, False) for who in self._state.seats.owners()), effects.RoomClosed())

    # --- details -----------------------------------------------------------------------------------------------

    def _answer_by_rid(self, now: int, who: str, message: Act) -> None:
        number = self._core.require_seat(self._state.seats.deciding(who))
        match = self._state.match
        decision = match.book.find(number, message.rid) if match else None
        if isinstance(decision, OpenDecision):
            self._answer(now, who, message, decision)
        elif isinstance(decision, Past) and decision.why is None:
            self._core.send(who, Ok(re=message.id, room=self._code, rid=message.rid, act=decision.act))
        else:
            self._refuse_late(message.rid, decision, number)

    def _answer(self, now: int, who: str, message: Act, decision: OpenDecision) -> None:
        match = self._state.match
        assert match is not None
        if self._state.seats.at(decision.seat).player != who:
            taken = "a stand-in plays for you; send `ready` to take your seat back"
            raise StaleAnswer("stale", taken, room=self._code, why="control")
        if type(match.pending) is Job:
            self._held.append((who, message))
            return
        try:
            action, act = self._action(match, decision, message.act)
            record = Acted(now, decision.seat, decision.rid, act, message.why)
            self._require_progress(match, decision, record, action)
            events = self._core.record(record, (decision, action))
        except (IllegalAction, ProtocolViolation) as error:
            said = {"phrase": error.phrase, "fields": error.fields} if isinstance(error, IllegalAction) else {}
            raise Illegal(
                str(error),
                **(said if said.get("phrase") else {}),
                room=self._code,
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
        if self._state.n - self._state.first_line >= records.LONGEST:
            full = f"this match has reached {records.LONGEST} records, the most for a match"
            raise Denied("too_much", full, hint="leave, and create another room")
        wait = match.allowances[decision.seat].wait(record.at)
        if wait <= 0:
            return
        if records.size(records.line(record, self._state.n)) > records.ORDINARY:
            short = f"send only acts of up to {records.ORDINARY} bytes now"
            raise NotNow("too_much", f"too many long acts or notes: {short}", wait)
        if not match.would_advance(decision, action):
            raise NotNow("too_much", "too many acts that do not advance the match: send only acts that do", wait)

    def _answer_held(self, now: int) -> None:
        """Carry out the acts that were held back. One that has become wrong meanwhile is refused without a strike."""
        held, self._held = self._held, []
        for who, message in held:
            try:
                self.act(now, who, message)
            except Refusal as refusal:
                self._core.send(who, refusal.message(re=message.id, room=self._code, rid=message.rid))

    def _send_step(
        self, now: int, match: Match, events: list[Any], room_events: Sequence[Plain], ok: tuple[str, Answer] | None
    ) -> None:
        """Send what a step of the match changed; after the last one, dismiss stand-ins and refuse held acts."""
        self._core.emit(*self._audience.publish(events, now, list(room_events), ok))
        if match.ended:
            for number in list(self._audience.streams.standins):
                self._core.emit(*self._audience.dismiss(number, now))
            self._answer_held(now)
        self._core.send_new_state(now)

    def _action(self, match: Match, decision: OpenDecision, act: int | Plain) -> tuple[Any, Plain]:
        """Return the action that an act stands for, and the same as plain data.

        Raises IllegalAction and ProtocolViolation.
        """
        if isinstance(act, int):
            return decision.indexed(match.game, match.state, act)
        action = self._state.action(act)
        return action, match.game.wire(action)

    def _refuse_late(self, rid: int, past: OpenDecision | Past | None, number: int) -> None:
        if isinstance(past, Past):
            words = {"clock": "its time was up", "overtaken": "others were faster", "control": "the seat changed hands"}
            why = str(past.why)
            closed = f"decision {rid} is closed: {words[why]}"
            raise StaleAnswer("stale", closed, room=self._code, rid=rid, why=why, act=past.act)
        if 0 < rid < self._state.next_rid(number):
            raise StaleAnswer("stale", f"decision {rid} was closed long ago", room=self._code, rid=rid, why="overtaken")
        raise StaleAnswer("no_such_rid", f"you have had no decision {rid} in this room", room=self._code, rid=rid)

    def _end(self, ended: MatchOver, *, rated: bool) -> None:
        match = self._core.match
        assert match is not None
        seats = [seat for _, seat in self._state.seats.taken()]
        styles = [seat.style for seat in seats]
        first, last = self._state.first_line, self._state.n
        self._core.record(ended)
        self._job = None
        self._audience.hurried.clear()
        rated = rated and bool(seats) and match.counts
        results = zip(match.begun.players, ended.ranks, ended.scores, styles, strict=True)
        rows = tuple(
            persistence.MatchRow(number, player.who, player.name, player.kind, rank, score, style, player.house)
            for number, (player, rank, score, style) in enumerate(results)
        )
        digest, game = match.chain.hex(), match.begun.game
        self._core.emit(persistence.MatchFinished(digest, game, first, last, rated, rows, match.best_time()))
        played = {player.who for player in match.begun.players}
        for seat in seats:
            if seat.kind == "human" and seat.who in played and seat.who not in self._audience.here:
                self._core.emit(persistence.SaveMissed(seat.who, digest))
        self._note()

    def _note(self) -> None:
        """Ask to store that a match has begun, or its result: on the board of the day, and in the public chain.

        Rematches on the board of the day are practice. A chosen deal is not in the chain.
        """
        config, match = self._state.config, self._state.match
        assert match is not None
        begun = match.begun
        if config.daily is not None and begun.match == 1:
            board, player = begun.context.rpartition("/")[2], begun.players[0]
            row = (config.daily, board, self._code, player.who, player.name, player.kind)
            if match.ended is None:
                self._core.emit(persistence.SaveDaily(*row))
            elif (result := match.daily_result(board)) is not None:
                self._core.emit(persistence.SaveDaily(*row, *result))
        if begun.deal is None:
            over = chain.over(match.chain.hex()) if match.ended else None
            self._core.emit(persistence.SaveLink(chain.match_id(begun.commit, begun.context, begun.nonces), over))
