"""The replayer: plays a match again from its file, in a room like the one that played it.

Each record is done again. The room derives its consequences (the answer to an act, the end of the match, the result)
and writes lines of its own, which must equal those of the file. So the code that played a match also verifies and
shows it. What the file does not hold is assumed: before the match everybody has a seat and is connected.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from parlour_games.fair import commitment
from parlour_games.game import Job, Timer
from parlour_games.registry import games
from parlour_protocol.messages import Act, Left, Plain, ServerMessage
from parlour_server import persistence
from parlour_server.game_files.reader import BadFile, FileLine, rules
from parlour_server.rooms import records
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import Send
from parlour_server.rooms.match import Match
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.seating import Seating
from parlour_server.rooms.seats import TakenSeat
from parlour_server.rooms.state import ABORTED, State

_HEX = re.compile("[0-9a-f]{64}")
_CODE = re.compile("[A-Z0-9]{1,16}")
_SPECTATOR = Person("", "spectator", "human")


@attrs.frozen
class SeatDecision:
    """An open decision as its seat sees it, and who plays the seat."""

    by: str
    kind: str
    must: bool
    view: Plain
    legal: list[Plain]


class Replayer:
    """The room of a match file. ``viewer`` is the seat whose messages are returned; None: a spectator.

    ``recompute``: compute again what the game had computed, instead of trusting the file.
    """

    def __init__(self, first: FileLine, viewer: int | None = None, *, recompute: bool = False) -> None:
        """Build the room from the first line. Raises BadFile, and LookupError if there is no seat ``viewer``."""
        begun = first.record
        if not isinstance(begun, records.Begun):
            raise BadFile(first.number, f"a match file begins with begun, not with {begun.r}")
        self._begun = begun
        self._recompute = recompute
        self._lines: deque[str] = deque()
        self._messages: list[ServerMessage] = []
        try:
            self._room = RoomCore(_before(begun))
        except Exception as error:  # a file may hold whatever it likes
            raise BadFile(first.number, _reason(error)) from error
        self._playing = Playing(self._room)
        self._seating = Seating(self._room, self._playing, Readiness(self._room, self._playing))
        self._room.state.n = first.n
        self._listener = _SPECTATOR if viewer is None else self._person(viewer)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        match = self._room.state.match
        return match is not None and match.ended is not None and not self._lines

    @property
    def seats(self) -> list[TakenSeat]:
        """The seats of the players."""
        return [seat for _, seat in self._room.state.seats.taken()]

    @property
    def at(self) -> int:
        """The room time of the last line, in milliseconds."""
        return self._room.state.at

    def joined(self) -> list[ServerMessage]:
        """Return the messages to a viewer who comes in before the match begins."""
        audience = self._room.audience
        people = [self._person(seat) for seat in range(len(self._begun.players))]
        audience.here |= {person.who: person for person in people}
        viewer = self._listener
        seat = self._room.state.seats.of(viewer.who)
        audience.listen(viewer, audience.streams.watchers if seat is None else audience.streams.owners[seat])
        self._room.emit(*audience.joined(viewer, self._begun.at, why="join", re=None))
        self._collect()
        return self._flush()

    def asked(self, record: records.Acted) -> SeatDecision:
        """Return the decision that ``record`` answers. Raises LookupError if it is not open."""
        match, seat = self._match, self._room.state.seats.at(record.seat)
        decision = match.book.at(record.seat, record.rid)
        kind = seat.kind if seat.by == "owner" else "bot"
        view = match.game.view(match.state, record.seat)
        return SeatDecision(seat.by, kind, decision.must, view, decision.wire(match.game, match.state))

    def follow(self, line: FileLine) -> list[ServerMessage]:
        """Do what ``line`` records and return the messages to the viewer. Raises BadFile if the room does otherwise."""
        if not self._lines:
            self._do(line)
        written = self._lines.popleft() if self._lines else None
        if written is None:
            raise BadFile(line.number, f"{line.record.r}: this cannot happen here")
        if written != line.text:
            raise BadFile(line.number, _difference(written, line.text))
        return [] if self._lines else self._flush()

    def _do(self, line: FileLine) -> None:
        record = line.record
        do = _DO.get(type(record))
        if do is None or self.over:
            where = "after the end of the match" if self.over else "in the middle of a match"
            raise BadFile(line.number, f"{record.r} is not allowed {where}")
        if not 0 <= getattr(record, "seat", 0) < len(self._begun.players):
            raise BadFile(line.number, f"{record.r}: there is no such seat")
        try:
            do(self, record)
        except Exception as error:  # rooms refuse in many ways, and a file may hold whatever it likes
            raise BadFile(line.number, f"{record.r}: {_reason(error)}") from error
        self._collect()

    def _collect(self) -> None:
        """Keep the lines that the room wrote and the messages to the viewer."""
        for effect in self._room.drain():
            if isinstance(effect, persistence.Append):
                self._lines.append(effect.line)
            elif isinstance(effect, Send) and self._listener.who in effect.to:
                self._messages.append(effect.message)

    def _flush(self) -> list[ServerMessage]:
        messages, self._messages = self._messages, []
        return messages

    def _person(self, seat: int) -> Person:
        if not 0 <= seat < len(self._begun.players):
            raise LookupError(f"there is no seat {seat}; seats are 0 to {len(self._begun.players) - 1}")
        player = self._begun.players[seat]
        return Person(player.who, player.name, player.kind)

    @property
    def _match(self) -> Match:
        match = self._room.match
        if match is None:
            raise LookupError("no match is under way")
        return match

    # --- one method a record -------------------------------------------------------------------------------

    def _begin(self, record: records.Begun) -> None:
        if self._room.state.match is not None:
            raise LookupError("the match has begun already")
        events = self._room.record(record)
        self._room.send_table(record.at)
        self._playing.publish(record.at, events)

    def _acted(self, record: records.Acted) -> None:
        seat = self._room.state.seats[record.seat]
        who = seat.player if seat else None
        if who is None:
            raise LookupError(f"nobody plays seat {record.seat}")
        act = Act(self._room.code, record.rid, record.act, record.why)
        self._playing.act(record.at, who, act)

    def _timed_out(self, record: records.TimedOut) -> None:
        self._playing.time_out(record.at, self._match.book.at(record.seat, record.rid))

    def _timer_fired(self, record: records.TimerFired) -> None:
        timer = self._match.pending
        if not isinstance(timer, Timer) or timer.name != record.name:
            raise LookupError(f"no timer {record.name!a} was running")
        self._playing.fire_timer(record.at)

    def _job_done(self, record: records.JobDone) -> None:
        match = self._match
        job = match.pending
        if not isinstance(job, Job) or job.name != record.name:
            raise LookupError(f"nobody waited for {record.name!a}")
        result = match.game.compute(job.name, job.args) if self._recompute else record.result
        self._playing.settle(record.at, job, result)

    def _control(self, record: records.Control) -> None:
        if record.by not in ("owner", "standin"):
            raise LookupError(f"{record.by!a} plays no seat")
        self._room.hand_over(record.at, record.seat, record.by, record.who)
        self._room.send_table(record.at)
        if record.by == "owner":
            self._playing.publish(record.at, [])

    def _handed(self, record: records.Handed) -> None:
        seat = self._room.state.seats[record.seat]
        if seat is None or seat.who is None or self._room.state.seats.of(record.who) is not None:
            raise LookupError(f"seat {record.seat} cannot be given to {record.name[:32]!a}")
        self._room.give_seat(record)
        self._room.send_table(record.at)
        self._playing.publish(record.at, [])

    def _vacated(self, record: records.Vacated) -> None:
        seat = self._room.state.seats[record.seat]
        if seat is None or seat.who is None:
            raise LookupError(f"seat {record.seat} has no owner")
        self._room.send(seat.who, Left(self._room.code, "left"))
        self._room.audience.drop(seat.who, record.at)
        self._seating.vacate(record.at, record.seat)
        self._room.send_table(record.at)

    def _table_changed(self, record: records.Record) -> None:
        self._room.record(record)
        self._room.send_table(record.at)

    def _ruled(self, record: records.Ruled) -> None:
        self._room.record(record)
        if record.do == "addtime":
            self._playing.publish_added_time(record.at, record.who)
        self._room.send_table(record.at)

    def _ended(self, record: records.MatchOver) -> None:
        if record.why not in ABORTED:
            raise LookupError("the match was not over yet")
        self._playing.abort(record.at, record.why)


class _Recorded(State):
    """The state of a room of which only one match is known: its secret stands for every match's."""

    def secret(self, match: int) -> bytes:
        """Return the S of the match in the file."""
        return bytes.fromhex(self.config.master)


_DO: dict[type, Callable[[Replayer, Any], None]] = {
    records.Begun: Replayer._begin,
    records.Acted: Replayer._acted,
    records.TimedOut: Replayer._timed_out,
    records.TimerFired: Replayer._timer_fired,
    records.JobDone: Replayer._job_done,
    records.Control: Replayer._control,
    records.Handed: Replayer._handed,
    records.Vacated: Replayer._vacated,
    records.Readied: Replayer._table_changed,
    records.Hosted: Replayer._table_changed,
    records.Absent: Replayer._table_changed,
    records.Ruled: Replayer._ruled,
    records.Owned: Replayer._table_changed,
    records.MatchOver: Replayer._ended,
}


def _before(begun: records.Begun) -> State:
    """Return the state of the room before ``begun``. Raises ValueError if no match can have begun like that."""
    game = rules(begun.game, begun.rules)
    if game is None and begun.game not in games():
        raise ValueError(f"game: {begun.game[:32]!a} is not installed here; install its package, then try again")
    if game is None:
        raise ValueError(f"game, rules: version {begun.rules} of {begun.game[:32]!a} is not known here")
    for fault in _faults(begun):
        raise ValueError(fault)
    state = _Recorded(_opened(begun), game)
    least, most = game.seats(state.options)
    if not least <= len(begun.players) <= most:
        raise ValueError(f"players: {least} to {most} can play this, not {len(begun.players)}")
    nonces = [nonce or None for nonce in begun.nonces[: len(begun.players)]]
    seats = zip(begun.players, nonces, strict=True)
    state.seats[:] = [TakenSeat(player.who, player.name, player.kind, nonce=nonce) for player, nonce in seats]
    return state


def _opened(begun: records.Begun) -> records.RoomOpened:
    """Return the first record of such a room. The server keeps it: it does not close when everybody leaves."""
    return records.RoomOpened(
        at=begun.at,
        code=begun.context.partition("/")[0],
        game=begun.game,
        options=begun.options,
        seats=len(begun.players),
        private=False,
        kinds="any",
        watch=True,
        hints=False,
        standin=begun.standin,
        start="host",
        master=begun.secret,
        clock=begun.clock,
        kept=True,
        deal=records.deal_of(begun) if begun.deal else None,
        daily=begun.context if begun.deal == "daily" else None,
    )


def _faults(begun: records.Begun) -> Iterator[str]:
    """Yield what is wrong with a ``begun`` record."""
    seats = len(begun.players)
    code, _, number = begun.context.partition("/")
    whos = {player.who for player in begun.players}
    bank = begun.clock["bank"] if begun.clock else 0
    if not 1 <= begun.room <= records.ROOM_VERSION:
        yield f"room: version {begun.room} is not known here, only 1 to {records.ROOM_VERSION}"
    if not _HEX.fullmatch(begun.secret):
        yield "secret: S is 32 bytes in hex"
    elif begun.commit != commitment(bytes.fromhex(begun.secret)):
        yield "commit: C does not follow from the secret S, which is not the one that was promised"
    if begun.match < 1 or (not begun.deal and (not _CODE.fullmatch(code) or number != str(begun.match))):
        yield f"context: {begun.context[:40]!a} is not ROOM/{begun.match}"
    if len(whos) != seats or "" in whos:
        yield "players: each is somebody else"
    if not len(begun.nonces) - (begun.beacon is not None) == len(begun.rids) == len(begun.banks) == seats:
        yield "nonces, rids, banks: there is one for each seat, and a nonce for the beacon"
    if begun.beacon and not (_HEX.fullmatch(begun.beacon.chain) and begun.beacon.round > 0 and begun.nonces[-1]):
        yield "beacon: it names a network by its hash, a round from 1, and the last nonce is its randomness"
    if not all(nonce == "" or _HEX.fullmatch(nonce) for nonce in begun.nonces):
        yield "nonces: 32 bytes in hex, or none"
    if min(begun.rids, default=1) < 1:
        yield "rids: they begin with 1"
    if begun.banks != [bank] * seats:
        yield f"banks: the clock gives {bank} to each seat"


def _difference(written: str, text: str) -> str:
    """Return in which fields two lines of a log differ, as a sentence."""
    ours, theirs = _fields(written), _fields(text)
    if ours["r"] != theirs["r"]:
        return f"here comes {ours['r']}, not {theirs['r']}"
    wrong = [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]
    return f"{theirs['r']}: {', '.join(wrong)} does not follow from the lines before"


def _fields(text: str) -> Plain:
    fields: Plain = json.loads(text)
    return fields


def _reason(error: Exception) -> str:
    return str(error)[:300] or "it does not fit the lines before"
