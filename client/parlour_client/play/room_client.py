"""A room client without I/O: messages from the server go in, room events and messages to send come out.

::

    client = RoomClient(connection.session, entry, url=connection.url)
    async for message in connection:
        for event in client.feed(message):
            present(event)
        while client.outgoing:
            await connection.send(client.outgoing.popleft())

It enters the room, keeps ``room`` up to date and runs the errands of ``entry``. Line mode and the screens only present
its events.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from time import monotonic

from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.phrases import explained, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session, SessionReport
from parlour_client.core.url import is_loopback, replay_of
from parlour_client.play import errands
from parlour_client.play.entry import LOOK, Arrival, Entry
from parlour_client.play.errands import Errands, Requests
from parlour_client.play.game_form import learn
from parlour_client.play.room_events import (
    ActAnswered,
    Chatted,
    Connected,
    DecisionOpened,
    Entered,
    Latency,
    MatchResult,
    Note,
    Rejected,
    Resumed,
    RoomChanged,
    RoomEvent,
    RoomsListed,
    SeatGiven,
)
from parlour_client.text import room_lines
from parlour_client.text.base import event_lines, is_out, known
from parlour_client.text.own_games import ended
from parlour_client.text.text_view import sentences_for
from parlour_protocol.messages import (
    Act,
    Bye,
    ChatRow,
    ClientMessage,
    Create,
    DailyRows,
    Describe,
    Described,
    Error,
    File,
    Hurry,
    Join,
    Joined,
    Leave,
    Left,
    Missed,
    MissedRows,
    Ok,
    Over,
    Ping,
    Plain,
    Pong,
    ProfileRows,
    Queue,
    Rooms,
    Said,
    SeatsChanged,
    ServerMessage,
    Turn,
    Update,
    Welcome,
)


class RoomClient:
    """A person in a room, from entering to leaving."""

    def __init__(
        self,
        session: Session,
        entry: Entry,
        *,
        url: str,
        now: Callable[[], float] = monotonic,
        tally: errands.CountMatch | None = None,
    ) -> None:
        """``url``: as error messages show it. ``now``: a monotonic clock in seconds.

        ``tally``: counts a finished match of a game at the player's own table, where no server remembers it.
        """
        self.session = session
        self.entry = entry
        self.url = url
        self.name = entry.name
        self.room: JoinedRoom | None = None
        self.outgoing: deque[ClientMessage] = deque()
        """Messages to send. The caller empties it after each call."""
        self.ssh_port: int | None = None
        """Where the server's host serves the terminal's screens."""
        self.leaving = False
        self.done = False
        """Whether the stay has ended in good order."""
        self.farewell = ""
        """Why the room was closed, if we did not leave it ourselves."""
        self._now = now
        self.can: frozenset[str] = frozenset()
        """The features of the server, from ``can`` in its ``welcome``."""
        self.arrival = Arrival(entry, session, url, self.outgoing)
        self.requests = Requests(self.outgoing)
        self._described: set[str] = set()
        self._achievements = errands.Achievements(keep=entry.keep, tally=tally)
        self._errands = Errands.of(entry)
        self._keeper = errands.MatchKeeper(entry.kept)
        self._shown: str | None = None
        """Digest of the last match whose end was reported."""
        self._acting: tuple[int, float] | None = None
        self._pinged: tuple[str, float] | None = None
        self._pings = count(1)

    @property
    def seat_code(self) -> str | None:
        """The code for the seats of the room that we gave when we entered it."""
        enter = self.entry.enter
        return enter.seat_code if isinstance(enter, Join) else None

    def feed(self, message: ServerMessage) -> list[RoomEvent]:
        """Handle the next message that is news to the session.

        Raises Refused if the server refuses or removes us, Interrupted if the match or our seat is lost.
        """
        events = [*self._handle(message), *self._answered(), *self._reports()]
        self.keep()
        if self.room is not None:
            self._achievements.follow(self.room, self._now())
        return events

    def keep(self) -> None:
        """Store the match of the player's own table as it is now."""
        if self.room is not None:
            self._keeper.update(self.room)

    @property
    def fair(self) -> bool:
        """Whether the revealed secret of the last match fits the commitment made before it."""
        link = self.session.rooms.get(self.room.code) if self.room else None
        return link is not None and bool(link.witness.kept)

    @property
    def moment(self) -> list[str]:
        """Lines about the finished match: a new best time, wins in a row."""
        return self._achievements.lines if self.room is not None and self.room.over is not None else []

    @property
    def share(self) -> str:
        """Lines to share after a win or a match of the day: the result, how it went, the link to the replay.

        The link is there if others can follow it.
        """
        over, brought = self.room.over if self.room is not None else None, self._achievements
        if over is None or not brought.share:
            return ""
        reached = not (self.entry.private or is_loopback(self.url))
        return "\n".join([brought.share, *brought.went, *([replay_of(self.url, over.digest)] if reached else [])])

    @property
    def can_configure(self) -> bool:
        """Whether we may change the rules of the room now, as its host."""
        if self.room is None or "configure" not in self.can:
            return False
        table = self.room.table
        fixed = self.room.under_way or table["state"] == "closed" or "deal" in table["fair"]
        return not fixed and table["host"] == self.name

    @property
    def can_skip(self) -> bool:
        """Whether we are out of a match that goes on, and bots still pause for us."""
        room = self.room
        if room is None or "hurry" not in self.can or room.table.get("pace") == 0 or room.stood_in:
            return False
        return room.under_way and room.question is None and is_out(room)

    def skip(self) -> None:
        """Let bots play without pauses until the end of the match."""
        if self.room is not None:
            self.requests.send(Hurry(self.room.code), say("room.skips"))

    def answering(self, rid: int) -> bool:
        """Return whether an answer to decision ``rid`` is on its way."""
        if self.room is None:
            return False
        waiting = any(isinstance(message, Act) and message.rid == rid for message in self.outgoing)
        return waiting or self.session.unanswered(self.room.code, rid)

    # --- what the person does ---

    def act(self, rid: int, act: int | Plain) -> bool:
        """Answer decision ``rid``. Returns False if an answer is on its way already."""
        if self.room is None or self.answering(rid):
            return False
        self._acting = rid, self._now()
        self.outgoing.append(Act(self.room.code, rid, act))
        return True

    def ping(self) -> None:
        """Measure the latency."""
        self._pinged = f"ping-{next(self._pings)}", self._now()
        self.outgoing.append(Ping(id=self._pinged[0]))

    def quit(self) -> None:
        """Leave the room, but not a match that is kept: its player goes on with it later."""
        if self.entry.kept is not None and self.room is not None and self.room.under_way:
            self.keep()
            self.done = True
        else:
            self.leave()

    def leave(self) -> None:
        """Leave the room. ``done`` once the server has answered."""
        self.leaving = True
        if self.room is None:
            self.done = True
        else:
            self.outgoing.append(Leave(self.room.code))

    # --- messages ---

    def _handle(self, message: ServerMessage) -> Iterator[RoomEvent]:
        match message:
            case Welcome():
                yield from self._welcomed(message)
            case Joined():
                yield from self._joined(message)
            case MissedRows(matches) if matches:
                yield from (Note(ended(match)) for match in matches)
                self.outgoing.append(Missed([match["digest"] for match in matches]))
            case Rooms(re=str(re)) if re == LOOK:
                yield from self.arrival.listed(message)
            case Rooms() if self.room is None:
                raise self.arrival.missing(message)
            case Rooms():
                yield RoomsListed(message)
            case _ if self.requests.expects(message):
                yield from self.requests.take(message, self.room)
            case Described():
                learn(message)
                self._described.add(message.game)
                if self.room is not None:
                    yield RoomChanged(self.room)
            case ProfileRows() | DailyRows() if self.room is not None:
                self._achievements.take(message, self.room)
                if self.room.over is None and self.room.attempt is not None:
                    yield Note(room_lines.what_counts(self.room))
                    yield RoomChanged(self.room)
                yield from self._achieved(self.room)
            case Error(re=str(re)) if re == errands.REQUEST:
                pass  # the match did not count
            case Error() if self.room is None:
                self.arrival.refused(message)
            case Left():
                yield from self._left(message)
            case Bye():
                yield Note(say("line.room.says", msg=message.msg))
            case Pong(re=str(re)) if self._pinged and self._pinged[0] == re:
                yield Latency(self._since(self._pinged[1]))
            case _ if self.room is not None and getattr(message, "room", None) in (None, self.room.code):
                yield from self._in_room(self.room, message)

    def _welcomed(self, message: Welcome) -> Iterator[RoomEvent]:
        self.name = message.name
        self.can = frozenset(message.can)
        self.ssh_port = message.ssh
        asked_again = self.session.waits_for
        if "missed" in self.can and self.session.kind == "human" and not asked_again(Missed):
            self.outgoing.append(Missed())
        self.requests.greeted(downloading=asked_again(File))
        if self._acting:
            self._acting = self._acting[0], self._now()  # the session sends the act again
        if self.room is None:
            yield Connected(message.name)
            self.arrival.greeted(message.rooms)
        else:
            yield Note(say("line.room.again"))

    def _joined(self, message: Joined) -> Iterator[RoomEvent]:
        before, self.room = self.room, JoinedRoom.of(message)
        enters = self.arrival.answers(message)
        yield from self.requests.entered(message)
        room = self.room
        if before is not None and before.code != room.code:
            self._move(before, message)
            before = None
        elif before is not None:
            room.resume(before)
            self._wait_again(before, room)
        if "describe" in self.can and room.game not in self._described and not known(room.game):
            self.outgoing.append(Describe(room.game, phrases.language))
        room.remembered, room.private = self.entry.keep, self.entry.private
        if before is None:
            room.helped = self.entry.kept is not None and self.entry.kept.helped
            if request := self._achievements.entered(room):
                self.outgoing.append(request)
            yield Entered(room)
            self._errands.ready |= isinstance(self.entry.enter, Create) and room.table.get("size") == 1
            self._run_errand(room)
        elif message.why == "sync" and room.seat is None and before.seat is not None:
            yield Note(say("line.room.gave_seat"))
        elif message.why in ("sync", "invited") and room.seat not in (None, before.seat):
            given = room.seat is not None and before.seat is None and before.under_way
            name = before.name(room.seat) if given and room.seat is not None else None
            yield SeatGiven(say("line.room.at_seat", seat=room.seat, name=name))
        elif enters or (message.why == "join" and room.seat is not None):
            pass  # the answer to ``hello`` has brought us back, or we have sat down
        elif message.why != "sync" or message.gap:
            yield Resumed(room, message.gap)
        if before is not None:
            yield from (Chatted(row["from"], row["text"]) for row in _missed(before.chat, room.chat))
        if room.under_way and room.view is None:
            yield Note(say("line.delayed", s=room.table.get("delay", 0) // 1000))
        if before is None or message.gap:
            room.events = []  # they lead to what is shown now: who comes in, or comes back late, has not seen the start
        yield from self._changed(room)

    def _wait_again(self, before: JoinedRoom, room: JoinedRoom) -> None:
        """Wait for a seat again if we did before the connection was lost: the server has forgotten that."""
        waited, waits = (self.name in each.table.get("queue", []) for each in (before, room))
        if waited and not waits and room.seat is None:
            self.outgoing.append(Queue(room.code, seat_code=self.seat_code))

    def _move(self, before: JoinedRoom, joined: Joined) -> None:
        """Leave the room before for the one that we have opened, and take the same bots along."""
        self._achievements.lines = []
        self.session.moved_to(joined.room)
        self.outgoing.append(Leave(before.code))
        self._errands = Errands.like(before)

    def _left(self, message: Left) -> Iterator[RoomEvent]:
        room, why = self.room, message.why
        if room is not None and message.room != room.code:
            return
        if why in ("kicked", "banned"):
            raise Refused(why, say("line.room.removed", why=why, room=message.room))
        if why != "left":
            if room is not None and room.under_way and room.seat is not None:
                raise Interrupted(say("line.room.interrupted", why=why, room=message.room))
            self.farewell = say("line.room.farewell", why=why, room=message.room)
            yield Note(self.farewell)
        self.done = True

    def _in_room(self, room: JoinedRoom, message: ServerMessage) -> Iterator[RoomEvent]:
        before = room.table
        room.apply(message)
        match message:
            case Update() | Turn() | Over():
                yield from self._changed(room)
                if isinstance(message, Turn) and not self.answering(message.rid):
                    yield DecisionOpened(room)
            case SeatsChanged():
                yield from (Note(line) for line in room_lines.changes(room, before))
                yield from (
                    Note(say("line.room.asks_you", name=name), "warning") for name in room_lines.asking(room, before)
                )
                yield RoomChanged(room)
            case Said():
                yield Chatted(message.from_["name"], message.text)
            case Ok(rid=None):
                self._run_errand(room)
            case Error():
                yield Rejected(room, message.code, self._rejection(room, message))
                yield RoomChanged(room)

    def _changed(self, room: JoinedRoom) -> Iterator[RoomEvent]:
        """Report the events of the last message, and the end of the match once: it is repeated on coming back."""
        over = room.over if room.over and room.over.digest != self._shown else None
        if room.over is None or over:
            yield from (Note(line, "event") for line in event_lines(room))
            yield RoomChanged(room, room.events)
        else:
            yield RoomChanged(room)
        if over:
            self._shown = over.digest
            yield MatchResult(room, over, self.fair)
            if request := self._achievements.match_over(room, over, self.name, profiles="profile" in self.can):
                self.outgoing.append(request)
            yield from (Note(line, "event") for line in self.share.splitlines())
            yield from self._achieved(room)

    def _achieved(self, room: JoinedRoom) -> Iterator[RoomEvent]:
        if self.moment:
            yield from (Note(line, "event") for line in self.moment)
            yield RoomChanged(room)

    def _rejection(self, room: JoinedRoom, error: Error) -> str:
        if error.code not in ("illegal_action", "stale"):
            self._errands.cancel()
        played = say("refusal.played", action=sentences_for(room.game).action(room, error.act)) if error.act else ""
        return f"{explained(error, room.game)} {played}".rstrip()

    def _run_errand(self, room: JoinedRoom) -> None:
        if message := self._errands.next(room):
            self.outgoing.append(message)

    # --- what no message says ---

    def _answered(self) -> Iterator[RoomEvent]:
        if self._acting and not self.answering(self._acting[0]):
            yield Latency(self._since(self._acting[1]))
            self._acting = None
            yield ActAnswered()

    def _reports(self) -> Iterator[RoomEvent]:
        while self.entry.troubles:
            yield Note(self.entry.troubles.pop(0), "warning")
        while self.session.reports:
            yield _note(self.session.reports.pop(0))

    def _since(self, then: float) -> int:
        return round((self._now() - then) * 1000)


def _missed(known: list[ChatRow], told: list[ChatRow]) -> list[ChatRow]:
    """Return the lines of chat in ``told`` that come after those we know."""
    shared = (n for n in range(len(told), 0, -1) if known[-n:] == told[:n])
    return told[next(shared, 0) :]


def _note(report: SessionReport) -> Note:
    """Raises Interrupted if the report says that our seat is lost."""
    if report.code == "seat_lost":
        raise Interrupted(say("fault.seat_lost", room=report.room))
    if report.code == "fairness":
        return Note(say("line.room.warning", text=report.text), "warning")
    return Note(say("line.room.report", text=report.text))
