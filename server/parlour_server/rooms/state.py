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
from typing import Any, Literal, TypeAlias

import attrs
from msgspec import structs

from parlour_games.fair import Fair, commitment
from parlour_games.game import Done, Fired, IllegalAction, Timer
from parlour_games.options import differing
from parlour_games.registry import AnyGame, option_names
from parlour_protocol.messages import Kind, Plain, RoomState, Unrated
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

DealtBy: TypeAlias = Literal["chosen", "daily"]
ABORTED = ("aborted", "expired")
"""Why a match may end without a result of its game."""
PAUSE = "pause"
"""The name of a game's timer between rounds, which the players may end early."""
MORE_TIME = 60_000
"""Milliseconds that ``addtime`` adds to a clock."""


@attrs.define
class TakenSeat:
    """A taken seat. ``who`` is None if its owner has left for good during the match."""

    who: str | None
    name: str
    kind: Kind
    ready: bool = False
    nonce: str | None = None
    by: str = "owner"
    standin: str | None = None
    style: str | None = None

    @property
    def player(self) -> str | None:
        """The identity that plays this seat; None: the default action does."""
        return self.who if self.by == "owner" else self.standin


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
        self.seats: list[TakenSeat | None] = [None] * opened.seats
        self.host: str | None = None
        self.match: Match | None = None
        self.matches = 0
        self.wins: Counter[str] = Counter()
        """First ranks of each identity in the matches of this room that were played to their end."""
        self._players: list[str] = []
        self.saw: dict[str, int] = {}
        """The seat of each identity that has had one in the last match: it has seen what that seat sees."""
        self.rids = [1] * opened.seats
        self.away: dict[int, int] = {}
        """By seat: since when its owner has not been connected, if that is recorded."""
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

    @property
    def dealt_by(self) -> DealtBy | None:
        """Where the deal of every match of the room comes from; None: each match has a new one."""
        if self.config.deal is None:
            return None
        return "daily" if self.config.daily else "chosen"

    @property
    def unrated(self) -> Unrated | None:
        """Why no match of the room is rated, whoever plays; None: some may be."""
        if self.dealt_by or self.config.casual:
            return self.dealt_by or "casual"
        return "clock" if self.config.clock is None and self.config.seats > 1 else None

    @property
    def daily_board(self) -> str:
        """The name of the match of the day, in a room for one."""
        return self.context.rpartition("/")[2]

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

    def nonces(self) -> list[str]:
        """Return the nonces for the next match: one for each taken seat, "" for none, and that of a chosen beacon."""
        taken = self.taken()
        if self.config.deal:
            return records.deal_nonces(self.config.deal, len(taken))
        return [seat.nonce or "" for _, seat in taken]

    def taken(self) -> list[tuple[int, TakenSeat]]:
        """Return the taken seats with their numbers."""
        return [(number, seat) for number, seat in enumerate(self.seats) if seat is not None]

    def seat_of(self, who: str) -> int | None:
        """Return the seat that ``who`` owns."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.who == who:
                return number
        return None

    def deciding(self, who: str) -> int | None:
        """Return the seat that ``who`` owns or stands in for."""
        for number, seat in enumerate(self.seats):
            if seat is not None and (seat.who == who or seat.standin == who):
                return number
        return None

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

    def open_decision(self, seat: int, rid: int) -> OpenDecision:
        """Return the open decision of a record. Raises LookupError."""
        found = self.match.book.find(seat, rid) if self.match else None
        if not isinstance(found, OpenDecision):
            raise LookupError(f"seat {seat} has no open decision {rid}")
        return found

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

    def _taken(self, record: Taken) -> None:
        self.seats[record.seat] = TakenSeat(record.who, record.name, record.kind, style=record.style)

    def _vacated(self, record: Vacated) -> list[Any]:
        seat = self._seat(record.seat)
        if self.match is None or self.match.ended:
            self._free(record.seat)
            return []
        seat.who = None
        self.away.pop(record.seat, None)
        if self.config.standin:
            if seat.by == "owner":
                seat.by, seat.standin = "standin", None
                self.match.change_hands(record.seat, record.at)
            return []
        return self.match.remove(record.seat, record.at)

    def _control(self, record: Control) -> None:
        seat = self._seat(record.seat)
        seat.by, seat.standin = record.by, record.who
        self._running().change_hands(record.seat, record.at, to_owner=record.by == "owner")

    def _handed(self, record: Handed) -> None:
        before = self._seat(record.seat)
        self.seats[record.seat] = TakenSeat(record.who, record.name, record.kind)
        self.away.pop(record.seat, None)
        new, returned = record.who not in self.saw, before.by == "standin"
        self.saw[record.who] = record.seat
        if self.match and not self.match.ended:
            self.match.change_hands(record.seat, record.at, to_owner=returned, to_heir=new, restores=returned)

    def _readied(self, record: Readied) -> None:
        seat = self._seat(record.seat)
        seat.ready = record.ready
        seat.nonce = record.nonce or seat.nonce

    def _hosted(self, record: Hosted) -> None:
        self.host = record.who

    def _absent(self, record: Absent) -> None:
        self._seat(record.seat)
        if record.since is None:
            self.away.pop(record.seat, None)
        else:
            self.away[record.seat] = record.since

    def _ruled(self, record: Ruled) -> None:
        if record.do == "addtime":
            seat = self.seat_of(record.who)
            if seat is not None and self.match and not self.match.ended:
                self.match.clocks.add_time(seat, MORE_TIME)
        elif record.do == "unmute":
            self.muted.discard(record.who)
        else:
            {"ban": self.banned, "mute": self.muted}[record.do].add(record.who)

    def _changed(self, record: Changed) -> None:
        self._configure(structs.replace(self.config, options=record.options, seats=record.seats, clock=record.clock))
        more = [None] * record.seats
        self.seats = [*self.seats, *more][: record.seats]
        self.rids += [1] * (record.seats - len(self.rids))
        self.changed = True
        for _, seat in self.taken():
            seat.ready = seat.ready and seat.kind == "bot"

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
        decision, action = answer or (self.open_decision(record.seat, record.rid), self.action(record.act))
        events = match.answer(decision, action, record.act, record.at)
        match.charge(record, line)
        return events

    def _timed_out(self, record: TimedOut) -> list[Any]:
        match, decision = self._running(), self.open_decision(record.seat, record.rid)
        action = self.game.default_action(match.state, decision.seat, decision.key)
        return match.answer(decision, action, self.game.wire(action), record.at, timed_out=True)

    def _timer_fired(self, record: TimerFired) -> list[Any]:
        if record.name == PAUSE:
            self._clear_ready()
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
        numbers, players = [number for number, _ in self.taken()], [seat for _, seat in self.taken()]
        self.away = {new: self.away[old] for new, old in enumerate(numbers) if old in self.away}
        self.seats = [*players, *[None] * (self.config.seats - len(players))]
        self._clear_ready()
        self._players = [player.who for player in record.players]
        self.saw = {who: seat for seat, who in enumerate(self._players)}
        self.matches, self.first_line = record.match, self.n
        self.state = "playing"

    def _free_seats(self, record: MatchOver) -> None:
        self.state = "finished"
        self._clear_ready()
        if record.why not in ABORTED:
            self.wins.update(who for who, rank in zip(self._players, record.ranks, strict=True) if rank == 1)
        for number, seat in self.taken():
            seat.nonce, seat.by, seat.standin = None, "owner", None
            if seat.who is None:
                self.seats[number] = None

    def _vacated_lasting(self, record: Vacated) -> None:
        if self.state == "playing":
            self._seat(record.seat).who = None
            self.away.pop(record.seat, None)
        else:
            self._free(record.seat)

    def _free(self, number: int) -> None:
        self.seats[number] = None
        self.away.pop(number, None)

    def _seat(self, number: int) -> TakenSeat:
        seat = self.seats[number]
        if seat is None:
            raise LookupError(f"seat {number} is not taken")
        return seat

    def _running(self) -> Match:
        if self.match is None or self.match.ended:
            raise LookupError("no match is under way")
        return self.match

    def _clear_ready(self) -> None:
        for _, seat in self.taken():
            seat.ready = False

    def _follow_pause(self, match: Match) -> None:
        if self.state in ("playing", "pause"):
            pausing = type(match.pending) is Timer and match.pending.name == PAUSE
            self.state = "pause" if pausing else "playing"


_FOLDS: dict[type, Callable[[State, Any], list[Any] | None]] = {
    RoomOpened: State._opened,
    Owned: State._owned,
    Taken: State._taken,
    Vacated: State._vacated,
    Control: State._control,
    Handed: State._handed,
    Readied: State._readied,
    Hosted: State._hosted,
    Absent: State._absent,
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
    Vacated: State._vacated_lasting,
    MatchOver: State._free_seats,
}
"""What lasts of other records then, if it is not everything."""
