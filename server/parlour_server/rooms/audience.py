"""The people connected to a room, and the messages that show each view what has changed for it."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct

from parlour_protocol.messages import (
    Answer,
    ChatRow,
    FairView,
    Id,
    Joined,
    Kind,
    Left,
    Offer,
    Over,
    Plain,
    Result,
    Said,
    SeatRequest,
    SeatRow,
    SeatsChanged,
    ServerMessage,
    Speaker,
    Table,
    Turn,
    Unrated,
    Update,
)
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import Send
from parlour_server.rooms.match import Match
from parlour_server.rooms.records import MatchOver, deal_of
from parlour_server.rooms.seats import TakenSeat
from parlour_server.rooms.state import State
from parlour_server.rooms.streams import Delay, Streams, ViewStream

CHAT_KEPT = 50
"""The number of lines of chat that ``joined`` shows."""
Ratings: TypeAlias = Mapping[tuple[str, str], int]
"""The rating of each (identity, game)."""
NO_RATINGS: Ratings = MappingProxyType({})
HELD = 30_000
"""Milliseconds without a connection until a stand-in plays a seat."""
KEPT = 180_000
"""Milliseconds without a connection until a seat is freed, while no match is played."""
KEPT_OVER_DAYS = 86_400_000
"""The same in a room whose matches are played over days."""


class Person(Struct, frozen=True):
    """An identity as a room knows it. ``nonces``: its client sends fairness nonces. ``house``: it is a house bot.

    ``address``: where it connects from; None: unknown. The players of a rated match are each from another one.
    """

    who: str
    name: str
    kind: Kind
    nonces: bool = False
    house: bool = False
    address: str | None = None


class Audience:
    """The people connected to a room, by identity and by view."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self.state = state
        self._ratings = ratings
        self.here: dict[str, Person] = {}
        self.absent: dict[int, int] = {}
        """By seat: since when its owner has not been connected."""
        self.invited: set[str] = set()
        """Bots that have a seat here but have yet to connect from another node."""
        self.empty_since: int | None = state.at
        """Since when no one but house bots has been connected."""
        self.requests: dict[str, tuple[Person, str]] = {}
        """The spectators who have asked for a seat, each with the seat's owner."""
        self.queue: dict[str, Person] = {}
        """The spectators who wait for a seat, the first one first."""
        self.hurried: set[str] = set()
        """The identities that skip the pauses of bots until the end of the match."""
        self.streams = Streams(len(state.seats), state.n)
        self.delay = Delay(state.config.delay)
        self.chat: deque[ChatRow] = deque(maxlen=CHAT_KEPT)

    def listen(self, person: Person, stream: ViewStream) -> None:
        """Let ``person`` follow ``stream``, and no other."""
        self.streams.drop(person.who)
        self.delay.forget(person.who)
        self.requests.pop(person.who, None)
        self.queue.pop(person.who, None)
        self.here[person.who] = person
        if not person.house:
            self.empty_since = None
        stream.people[person.who] = None

    def drop(self, who: str, now: int) -> None:
        """Note that ``who`` is not connected any more."""
        self.here.pop(who, None)
        self.requests.pop(who, None)
        self.queue.pop(who, None)
        self.streams.drop(who)
        self.delay.forget(who)
        if self.empty_since is None and len(self.house_bots()) == len(self.here):
            self.empty_since = now

    def dismiss(self, number: int, now: int) -> list[Send]:
        """Remove the stand-in of seat ``number``. Return the message to it."""
        stream = self.streams.standins.pop(number, None)
        people = list(stream.people) if stream else []
        for who in people:
            self.drop(who, now)
        return [Send((who,), Left(self.state.config.code, "replaced")) for who in people]

    @property
    def _hurries(self) -> bool:
        """Whether all people who are connected to their seats have asked bots to play without pauses."""
        people = {seat.who for _, seat in self.state.seats.taken() if seat.kind == "human" and seat.who in self.here}
        return bool(people) and people <= self.hurried

    def house_bots(self) -> list[str]:
        """Return the house bots that are connected."""
        return [who for who, person in self.here.items() if person.house]

    def unrated(self) -> Unrated | None:
        """Return why a match that began now would not be rated; None: it would be.

        The server itself arranges the matches of contests and ladders.
        """
        config, seats = self.state.config, [self.here.get(seat.who or "") for _, seat in self.state.seats.taken()]
        if config.contest is not None:
            return None
        players = [person for person in seats if person is None or not person.house]
        if self.state.config.unrated not in (None, "clock"):
            return self.state.config.unrated
        if len(players) < 2:
            return "alone"
        if None in players:
            return "absent"
        addresses = {person.address for person in players if person is not None}
        if len(addresses) < len(players) or None in addresses:
            return "address"
        return self.state.config.unrated

    def rearrange(self, moves: dict[int, int]) -> None:
        """Renumber seats, old → new."""
        self.streams.rearrange(moves)
        self.absent = {moves[old]: since for old, since in self.absent.items()}

    # --- messages ------------------------------------------------------------------------------------

    def joined(self, person: Person, now: int, *, why: Any, re: Id | None, since: int | None = None) -> list[Send]:
        """Return ``joined`` for ``person``: the room as its view shows it; then its turn, or the match's result.

        Spectators who see a match with delay first get the room without it, then, with the delay, the match as it is.
        """
        stream, state, match = self.streams.of(person.who), self.state, self.state.match
        assert stream is not None
        if stream is self.streams.watchers and self.delay.ms and match and not match.ended:
            return self._joined_with_delay(person, stream, match, now, why=why, re=re)
        events, gap = stream.missed(since)
        decides = match is not None and self._controls(stream)
        open_turn = match.book.obligation(stream.seat) if match and decides else None
        may = self._offers(match, stream.seat) if match and decides else []
        first = Joined(
            room=state.config.code,
            epoch=state.epoch,
            seq=stream.seq,
            game=state.config.game,
            seat=stream.seat,
            table=self.table(now),
            view=match.view(stream.seat) if match else None,
            events=events,
            gap=gap,
            may=may,
            clocks=match.clocks.shown(now) if match else {},
            chat=list(self.chat),
            why=why,
            seat_code=self._seat_code(person),
            elapsed=match.elapsed(now) if match else None,
            re=re,
        )
        sends = [Send((person.who,), first)]
        if match and match.ended:
            sends.append(Send((person.who,), self._over(match, stream, [], None)))
        elif match and open_turn:
            sends.append(Send((person.who,), self._turn(match, stream.seq, open_turn, may, [], first.clocks, None)))
        return sends

    def _joined_with_delay(
        self, person: Person, stream: ViewStream, match: Match, now: int, *, why: Any, re: Id | None
    ) -> list[Send]:
        """Return ``joined`` without the match, and hold the match back."""
        self.delay.forget(person.who)
        code, game = self.state.config.code, self.state.config.game
        table, epoch = self.table(now), self.state.epoch
        seat_code = self._seat_code(person)
        place = (code, epoch, stream.seq, game, None, table)
        first = Joined(*place, None, [], False, [], {}, [], why, seat_code, re=re)
        update = Update(code, stream.push([]), match.view(None), [], [], match.clocks.shown(now))
        self.delay.hold(now, Send(tuple(stream.people), update))
        return [Send((person.who,), first)]

    def publish(
        self, events: list[Any], now: int, room_events: list[Plain], ok: tuple[str, Answer] | None
    ) -> list[Send]:
        """Return what the last step of the match changed: one message for each view that it changed.

        ``ok`` is who acted, and the answer to its request, which its message carries. Views share lists and maps of
        what all of them may see: nothing in a message may be changed.
        """
        match, code = self.state.match, self.state.config.code
        assert match is not None
        sends: list[Send] = []
        touched, asked, bulk = match.touched, match.asked, match.bulk
        clocks = match.clocks.shown(now)
        public, insiders = match.announced(events)
        for_most = room_events + public
        optional = bool(match.book.reactions)
        for stream in self.streams.all():
            seat, people = stream.seat, stream.people
            shown = room_events + match.redacted(events, seat) if seat in insiders else for_most
            decides = (optional or seat in touched) and self._controls(stream)
            if not (shown or match.ended or (decides and seat in touched)):
                continue
            # A view that no one follows counts its messages, too: a client that comes back gets what it missed.
            seq = stream.push(shown, bulk)
            if not people:
                continue
            answer = ok[1] if ok is not None and ok[0] in people else None
            may = self._offers(match, seat) if decides and optional else []
            # `turn` comes once, when the decision opens; later messages about the same decision are updates.
            question = asked.get(seat) if decides else None
            message: ServerMessage
            if match.ended:
                message = self._over(match, stream, shown, answer)
            elif question is not None:
                message = self._turn(match, seq, question, may, shown, clocks, answer)
            else:
                message = Update(code, seq, match.view(seat), shown, may, clocks, answer)
            send = Send(tuple(people), message)
            if seat is None and self.delay.ms:
                self.delay.hold(now, send)
            elif answer is None:
                sends.append(send)
            else:
                sends.insert(0, send)  # who acted waits for the answer, the others for nothing
        return sends

    def release(self, number: int, now: int) -> list[Send]:
        """Return the update that shows the owner of seat ``number`` that a stand-in now makes its decisions."""
        match, stream = self.state.match, self.streams.owners[number]
        assert match is not None
        if number not in match.touched:
            return []
        seq = stream.push([])
        update = Update(self.state.config.code, seq, match.view(number), [], [], match.clocks.shown(now))
        return [Send(tuple(stream.people), update)] if stream.people else []

    def seats_changed(self, now: int) -> list[Send]:
        """Return ``seats`` for every view: the room apart from the game has changed."""
        table = self.table(now)
        code = self.state.config.code
        return self._to_all(now, lambda seq: SeatsChanged(code, seq, table))

    def chat_line(self, person: Person, text: str, now: int) -> list[Send]:
        """Return a line of chat for every view."""
        self.chat.append({"from": person.name, "text": text})
        seat = self.state.seats.of(person.who)
        code = self.state.config.code
        said: Speaker = {"name": person.name, "kind": person.kind, "seat": seat}
        return self._to_all(now, lambda seq: Said(code, seq, said, text))

    def table(self, now: int) -> Table:
        """Return the room apart from the game, which everybody in it sees alike."""
        state, config = self.state, self.state.config
        match = state.match if state.state in ("playing", "pause") else None
        bound = match.begun if match else state
        if match:
            seats = len(match.begun.players)
            nonces = {str(seat): nonce for seat, nonce in enumerate(match.begun.nonces[:seats]) if nonce}
        else:
            nonces = {str(number): seat.nonce for number, seat in state.seats.taken() if seat.nonce}
        fair: FairView = {"commit": bound.commit, "context": bound.context, "nonces": nonces}
        if match and "beacon" in (deal := deal_of(match.begun)):
            fair["beacon"] = deal["beacon"]
        if state.config.dealt_by:
            fair["deal"] = state.config.dealt_by
        table: Table = {
            "state": state.state,
            "host": self.name_of(state.host),
            "options": state.shown_options,
            "watchers": len(self.streams.watchers.people),
            "fair": fair,
            "hints": config.hints,
            "seats": [self._row(number, seat, now) for number, seat in state.seats.taken()],
            "size": config.seats,
            "clock": config.clock,
            "standin": config.standin,
            "start": config.start,
            "kinds": config.kinds,
            "watch": config.watch,
            "private": config.private,
            "pace": 0 if self._hurries else config.pace,
        }
        if config.delay:
            table["delay"] = config.delay
        if config.seat_code:
            table["seat_code"] = True
        if unrated := match.unrated if match else self.unrated():
            table["unrated"] = unrated
        if self.queue:
            table["queue"] = [person.name for person in self.queue.values()]
        if requests := self._requests():
            table["requests"] = requests
        return table

    def name_of(self, who: str | None) -> str | None:
        """Return the name of a person in the room."""
        if who in self.here:
            return self.here[who].name
        return next((seat.name for _, seat in self.state.seats.taken() if seat.who == who and who is not None), None)

    # --- one view's message ----------------------------------------------------------------------------

    def _turn(
        self,
        match: Match,
        seq: int,
        question: OpenDecision,
        may: list[Offer],
        shown: list[Plain],
        clocks: dict[str, int],
        ok: Answer | None,
    ) -> Turn:
        return Turn(
            room=self.state.config.code,
            seq=seq,
            game=self.state.config.game,
            seat=question.seat,
            view=match.view(question.seat),
            events=shown,
            may=may,
            clocks=clocks,
            rid=question.rid,
            left=clocks.get(str(question.seat)),
            legal=question.wire(match.game, match.state) if match.game.listed else None,
            ok=ok,
        )

    def _over(self, match: Match, stream: ViewStream, shown: list[Plain], ok: Answer | None) -> Over:
        assert match.ended is not None
        return Over(
            room=self.state.config.code,
            seq=stream.seq,
            view=match.view(stream.seat),
            events=shown,
            clocks={},
            result=_result(match, match.ended),
            reveal=match.begun.secret,
            digest=match.chain.hex(),
            commit=match.begun.commit,
            context=match.begun.context,
            ok=ok,
        )

    def _seat_code(self, person: Person) -> str | None:
        """Return the code for the seats to the host and to those who have one."""
        admitted = person.who == self.state.host or self.state.seats.of(person.who) is not None
        return self.state.config.seat_code if admitted else None

    def _offers(self, match: Match, seat: int | None) -> list[Offer]:
        """Return what ``seat`` may decide now."""
        return [{"rid": each.rid, "legal": each.wire(match.game, match.state)} for each in match.book.optional(seat)]

    def _controls(self, stream: ViewStream) -> bool:
        """Return whether this view decides for its seat: the owner's, or the stand-in's while one plays."""
        seat = self.state.seats[stream.seat] if stream.seat is not None else None
        return seat is not None and stream.standin == (seat.by == "standin")

    def _to_all(self, now: int, make: Any) -> list[Send]:
        """Return the same message for every view: one object, encoded once, for all views with the same ``seq``."""
        match, people = self.state.match, dict[int, list[str]]()
        later = self.delay.ms and (self.delay.due is not None or (match is not None and match.ended is None))
        for stream in self.streams.all():
            seq = stream.push([])
            if not (later and stream is self.streams.watchers):
                people.setdefault(seq, []).extend(stream.people)
            elif stream.people:
                self.delay.hold(now, Send(tuple(stream.people), make(seq)))
        return [Send(tuple(found), make(seq)) for seq, found in people.items() if found]

    def _requests(self) -> list[SeatRequest]:
        seats = ((person, self.state.seats.of(owner)) for person, owner in self.requests.values())
        return [{"seat": seat, "name": p.name, "kind": p.kind} for p, seat in seats if seat is not None]

    def _row(self, number: int, seat: TakenSeat, now: int) -> SeatRow:
        row: SeatRow = {
            "seat": number,
            "name": seat.name,
            "kind": seat.kind,
            "here": seat.who in self.here,
            "ready": seat.ready,
            "by": "standin" if seat.by == "standin" else "owner",
        }
        rating = self._ratings.get((seat.who or "", self.state.config.game))
        if rating is not None:
            row["rating"] = rating
        if seat.style is not None:
            row["style"] = seat.style
        if wins := self.state.wins[seat.who or ""]:
            row["wins"] = wins
        allowed = self.allowed_absence()
        if number in self.absent and seat.by == "owner" and allowed is not None:
            row["left"] = max(0, allowed - (now - self.absent[number]))
        return row

    def allowed_absence(self) -> int | None:
        """Return for how many ms an absent owner keeps its seat, or plays it in a match; None: without limit."""
        days = self.state.over_days
        if self.state.match is None or self.state.match.ended is not None:
            return KEPT_OVER_DAYS if days else KEPT
        return HELD if self.state.config.standin and not days else None


def _result(match: Match, ended: MatchOver) -> Result:
    time, unrated = match.best_time(), match.unrated
    result: Result = {
        "ranks": {str(seat): rank for seat, rank in enumerate(ended.ranks)},
        "scores": {str(seat): score for seat, score in enumerate(ended.scores)},
        "why": ended.why,
    }
    if ended.stats is not None:
        result["stats"] = ended.stats
    if time is not None:
        result["time"] = {"board": time.board, "ms": time.ms}
    if unrated is not None:
        result["unrated"] = unrated
    return result
