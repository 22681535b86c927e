"""A room as the fold of its records. Nothing is decided here: folding only applies what was recorded.

::

    waiting ──begun──▶ playing ◀──▶ pause        playing and pause follow the game's own timer
                          │           │
                         over        over
                          ▼           ▼
                       finished ──begun──▶ playing (a rematch)             any ──closed──▶ closed
"""

from collections import Counter
from collections.abc import Callable
from hmac import digest as hmac
from typing import Any

import attrs
from msgspec import structs

from parlour_games.fair import Fair, commitment
from parlour_games.game import Done, Fired, IllegalAction, Timer
from parlour_games.options import differing
from parlour_games.registry import AnyGame, option_names
from parlour_protocol.messages import Plain, RoomState
from parlour_protocol.wire import strict, tagged
from parlour_server.rooms import records
from parlour_server.rooms.clock import over_days
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.match import Match, Randomness
from parlour_server.rooms.records import (
    HOUSEKEEPING,
    ROOM_VERSION,
    Absent,
    Acted,
    Allowance,
    Begun,
    Changed,
    Closed,
    Control,
    Handed,
    Hosted,
    JobDone,
    MatchOver,
    Owned,
    Readied,
    Record,
    RoomOpened,
    Ruled,
    Sealed,
    Taken,
    TimedOut,
    TimerFired,
    Vacated,
)
from parlour_server.rooms.seats import RoomSeats, TakenSeat

ABORTED = ("aborted", "expired")
"""Why a match may end without a result of its game."""
PAUSE = "pause"
"""The name of a game's timer between rounds, which the players may end early."""
MORE_TIME = 60_000
"""Milliseconds that ``addtime`` adds to a clock."""


def match_secret(master: bytes, match: int) -> bytes:
    """Return the secret S of match number ``match``: HMAC-SHA-256(master, "parlour-room/1" ‖ u32be(match))."""
    return hmac(master, b"parlour-room/1" + match.to_bytes(4, "big"), "sha256")


class UnknownVersion(Exception):
    """A record is of a version of rooms, or of the rules of its game, that this server does not know."""


class State:
    """The state of a room: what its records amount to."""

    def __init__(self, opened: RoomOpened, game: AnyGame, randomness: Randomness = Fair) -> None:
        self.game = game
        self._configure(opened)
        self.state: RoomState = "waiting"
        self.seats = RoomSeats(opened.seats)
        self.host: str | None = None
        self.match: Match | None = None
        self.matches = 0
        self.wins: Counter[str] = Counter()
        """First ranks of each identity in the matches of this room that were played to their end."""
        self._players: list[str] = []
        self.saw: dict[str, int] = {}
        """The seat of each identity that has had one in the last match: it has seen what that seat sees."""
        self.rids = [1] * opened.seats
        self.muted: set[str] = set()
        self.banned: set[str] = set()
        self.epoch = 1
        self.at = opened.at
        self.n = 0
        self.takeovers = 0
        """How often the room was loaded: each time adds a record, though nothing happens in the room."""
        self.first_line = 0
        self.changed = False
        """Whether the host has changed options, seats or clock."""
        self.commit = commitment(self.secret(1))
        self.housekeeping = Allowance(HOUSEKEEPING)
        """What is left for changes of seats, host and readiness until the next match begins."""
        self._randomness = randomness
        self._actions = tagged(game.sent(), "do")

    @property
    def context(self) -> str:
        """The context of the next match, which its randomness depends on besides the secret and the nonces."""
        deal = self.config.deal
        return deal["context"] if deal else f"{self.config.code}/{self.matches + 1}"

    @property
    def over_days(self) -> bool:
        """Whether matches take so long that players come and go between their turns."""
        return self.config.contest is None and over_days(self.config.clock)

    def fold(self, record: Record, line: str, answer: tuple[OpenDecision, Any] | None = None) -> list[Any]:
        """Apply ``record``, written as ``line``; return the game's events. Raises IllegalAction, nothing changed.

        ``answer``: the decision and the game's action in an ``Acted``, if they have been found already.
        """
        if self.match is not None:
            self.match.begin_step()
        if type(record) is Acted:
            events: list[Any] | None = self._acted(record, line, answer)
        else:
            events = _FOLDS[type(record)](self, record)
            if type(record) in _HOUSEKEEPING:
                self.housekeeping.spend(record.at, records.size(line))
        match = self.match
        if match is not None and match.ended in (None, record):
            match.chain = records.link(match.chain, line)
            self._follow_pause(match)
        self.at = record.at
        self.n += 1
        return events or []

    def fold_lasting(self, record: Record) -> None:
        """Apply what lasts of ``record`` once its match is over. The match itself is not replayed."""
        if not isinstance(record, _TRANSIENT):
            _LASTING.get(type(record), _FOLDS[type(record)])(self, record)
        self.n += 1

    def secret(self, match: int) -> bytes:
        """Return the secret S of match number ``match``. In a room with a ``deal`` it is that of the deal."""
        if self.config.deal:
            return bytes.fromhex(self.config.deal["secret"])
        return match_secret(bytes.fromhex(self.config.master), match)

    @property
    def steps(self) -> int:
        """Return the number of records without those of takeovers: it stays the same when the room is loaded again."""
        return self.n - self.takeovers

    @property
    def min_players(self) -> int:
        """The number of players that a match needs."""
        return self.game.seats(self.options)[0]

    def next_rid(self, seat: int) -> int:
        """Return the number that the next decision of ``seat`` gets."""
        if self.match is None or seat >= len(self.match.book.next_rid):
            return self.rids[seat]
        return max(self.rids[seat], self.match.book.next_rid[seat])

    def action(self, act: Plain) -> Any:
        """Return the game's action in ``act``. Raises BadMessage or IllegalAction."""
        tag = act.get("do")
        cls = self._actions.get(tag) if isinstance(tag, str) else None
        if cls is None:
            given = f"no action {tag[:32]!a} here" if isinstance(tag, str) else "`do` is missing or not a string"
            raise IllegalAction(f"{given}; it must be one of " + ", ".join(sorted(self.game.verbs(self.options))))
        return strict(cls)({name: value for name, value in act.items() if name != "do"})

    def _configure(self, config: RoomOpened) -> None:
        """Use the options, seats and clock of ``config`` from now on."""
        self.config = config
        self.options: Any = strict(self.game.Options)(config.options)
        self.shown_options: Plain = attrs.asdict(self.options)
        self.rules = differing(self.options, option_names(self.game))
        """The options that differ from the usual ones, in words."""

    # --- one method a record -----------------------------------------------------------------------

    def _opened(self, record: RoomOpened) -> None:
        if record.version > ROOM_VERSION:
            raise UnknownVersion(record.version)

    def _owned(self, record: Owned) -> None:
        self.epoch = record.epoch
        self.takeovers += 1
        if self.match and not self.match.ended:
            self.match.restore(record.at)

    def _vacated(self, record: Vacated) -> list[Any]:
        seat = self.seats.at(record.seat)
        match = self.match if self.match and not self.match.ended else None
        self.seats.vacate(record.seat, playing=match is not None)
        if match is None:
            return []
        if not self.config.standin:
            return match.remove(record.seat, record.at)
        if seat.by == "owner":
            seat.by, seat.standin = "standin", None
            match.change_hands(record.seat, record.at)
        return []

    def _control(self, record: Control) -> None:
        seat = self.seats.at(record.seat)
        seat.by, seat.standin = record.by, record.who
        self._running().change_hands(record.seat, record.at, to_owner=record.by == "owner")

    def _handed(self, record: Handed) -> None:
        returned = self.seats.at(record.seat).by == "standin"
        self.seats.give(record.seat, TakenSeat(record.who, record.name, record.kind))
        new = record.who not in self.saw
        self.saw[record.who] = record.seat
        if self.match and not self.match.ended:
            self.match.change_hands(record.seat, record.at, to_owner=returned, to_heir=new, restores=returned)

    def _hosted(self, record: Hosted) -> None:
        self.host = record.who

    def _ruled(self, record: Ruled) -> None:
        if record.do == "addtime":
            seat = self.seats.of(record.who)
            if seat is not None and self.match and not self.match.ended:
                self.match.clocks.add_time(seat, MORE_TIME)
        elif record.do == "unmute":
            self.muted.discard(record.who)
        else:
            {"ban": self.banned, "mute": self.muted}[record.do].add(record.who)

    def _changed(self, record: Changed) -> None:
        self._configure(structs.replace(self.config, options=record.options, seats=record.seats, clock=record.clock))
        self.seats.resize(record.seats)
        self.rids += [1] * (record.seats - len(self.rids))
        self.changed = True

    def _begun(self, record: Begun) -> list[Any]:
        game = self.game.under(record.rules)  # a match ends by the rules that it began with
        if game is None or record.room > ROOM_VERSION:
            raise UnknownVersion(record.rules, record.room)
        self._seat_players(record)
        self.rids = [*record.rids, *self.rids[len(record.rids) :]]
        self.housekeeping = Allowance(HOUSEKEEPING)
        before, self.match = self.match, Match(game, record, self.options, self._randomness)
        if before is not None:
            self.match.keep_answers(before)
        return self.match.dealt

    def _acted(self, record: Acted, line: str, answer: tuple[OpenDecision, Any] | None) -> list[Any]:
        match = self._running()
        decision, action = answer or (match.book.at(record.seat, record.rid), self.action(record.act))
        events = match.answer(decision, action, record.act, record.at)
        match.charge(record, line)
        return events

    def _timed_out(self, record: TimedOut) -> list[Any]:
        match = self._running()
        decision = match.book.at(record.seat, record.rid)
        action = self.game.default_action(match.state, decision.seat, decision.key)
        return match.answer(decision, action, self.game.wire(action), record.at, timed_out=True)

    def _timer_fired(self, record: TimerFired) -> list[Any]:
        if record.name == PAUSE:
            self.seats.forget_readiness()
        return self._running().settle(Fired(record.name), record.at)

    def _job_done(self, record: JobDone) -> list[Any]:
        return self._running().settle(Done(record.name, record.result), record.at)

    def _ended(self, record: MatchOver) -> None:
        match = self._running()
        match.end(record)
        self.rids = [*match.book.next_rid, *self.rids[len(match.book.next_rid) :]]
        self.commit = commitment(self.secret(self.matches + 1))
        self._free_seats(record)

    def _closed(self, record: Closed) -> None:
        self.state = "closed"

    def _seat_players(self, record: Begun) -> None:
        self.seats.begin()
        self._players = [player.who for player in record.players]
        self.saw = {who: seat for seat, who in enumerate(self._players)}
        self.matches, self.first_line = record.match, self.n
        self.state = "playing"

    def _free_seats(self, record: MatchOver) -> None:
        self.state = "finished"
        self.seats.end()
        if record.why not in ABORTED:
            self.wins.update(who for who, rank in zip(self._players, record.ranks, strict=True) if rank == 1)

    def _running(self) -> Match:
        if self.match is None or self.match.ended:
            raise LookupError("no match is under way")
        return self.match

    def _follow_pause(self, match: Match) -> None:
        if self.state in ("playing", "pause"):
            pausing = type(match.pending) is Timer and match.pending.name == PAUSE
            self.state = "pause" if pausing else "playing"


_FOLDS: dict[type, Callable[[State, Any], list[Any] | None]] = {
    RoomOpened: State._opened,
    Owned: State._owned,
    Taken: lambda state, record: state.seats.give(
        record.seat, TakenSeat(record.who, record.name, record.kind, style=record.style)
    ),
    Vacated: State._vacated,
    Control: State._control,
    Handed: State._handed,
    Readied: lambda state, record: state.seats.note_readiness(record),
    Hosted: State._hosted,
    Absent: lambda state, record: state.seats.note_absence(record),
    Ruled: State._ruled,
    Changed: State._changed,
    Sealed: lambda state, record: None,
    Begun: State._begun,
    TimedOut: State._timed_out,
    TimerFired: State._timer_fired,
    JobDone: State._job_done,
    MatchOver: State._ended,
    Closed: State._closed,
}
_HOUSEKEEPING = frozenset((Taken, Vacated, Control, Handed, Readied, Hosted, Absent, Ruled, Changed))
"""Records that spend the room's own allowance."""
_TRANSIENT = (Acted, TimedOut, TimerFired, JobDone, Control)
"""Records of which nothing lasts when their match is over."""
_LASTING: dict[type, Callable[[State, Any], None]] = {
    Begun: State._seat_players,
    Vacated: lambda state, record: state.seats.vacate(record.seat, playing=state.state == "playing"),
    MatchOver: State._free_seats,
}
"""What lasts of other records then, if it is not everything."""
