"""One stay in one room: the connection behind a screen, and what the screen has to hear of.

A visit takes in what comes from the server in its order and tells its stage; what the person does, it sends.
A lost connection is a state that it tells of, and comes back from by itself.
"""

from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Literal, Protocol, TypeAlias

import attrs

from parlour_client.core.connection import Connection, State
from parlour_client.core.errors import Interrupted, Usage, understood
from parlour_client.core.room import Room
from parlour_client.play.download import Download
from parlour_client.play.entry import Entry, Errands, connected, no_entry, not_there, noted, put_out
from parlour_client.text import table
from parlour_client.text.base import happened, lines_for
from parlour_protocol.messages import (
    Act,
    Bye,
    ClientMessage,
    Error,
    FileLines,
    Joined,
    Leave,
    Left,
    Ok,
    Over,
    Ping,
    Plain,
    Pong,
    Rooms,
    Said,
    SeatsChanged,
    ServerMessage,
    Turn,
    Update,
    Welcome,
)

Kind: TypeAlias = Literal["event", "note", "warning"]
"""What a line of the log is: something of the game, of the room and connection, or a danger."""


_CLOSED = {"expired": "nothing has happened there for a while", "aborted": "by the server"}


class Stage(Protocol):
    """Who is told. All of it is called in the event loop, in the order in which it happened."""

    def showing(self, room: Room) -> None:
        """The room has changed, or is seen for the first time; what ``room.events`` tells has just happened."""

    def note(self, text: str, kind: Kind) -> None:
        """A line for the log."""

    def talk(self, name: str, text: str) -> None:
        """Somebody has said something."""

    def refused(self, reason: str) -> None:
        """The server has said no to what the person did."""

    def told(self, text: str, *, done: bool) -> None:
        """What the person has asked for besides the game is done, or cannot be."""

    def busy(self, rid: int | None) -> None:
        """An act under ``rid`` is on its way, or no more."""

    def link(self, state: State) -> None:
        """The connection has changed."""

    def latency(self, ms: int) -> None:
        """How long the server took for an answer."""

    def lobby(self, rooms: Rooms) -> None:
        """What the server has to offer, after it was asked."""


class Visit:
    """One person's stay. ``run`` it once; everything else works from the moment that ``room`` is there."""

    def __init__(self, entry: Entry, stage: Stage, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: seconds of any clock that only goes forward."""
        self.entry = entry
        self.room: Room | None = None
        self.name = entry.name
        self.url = entry.url
        self.leaving = False
        self.farewell = ""
        """Why it has ended, if that was not our wish."""
        self._stage = stage
        self._now = now
        self._errands = Errands(entry.invite, ready=entry.ready)
        self._connection: Connection | None = None
        self._done = False
        self._shown: str | None = None
        self._acting: tuple[int, float] | None = None
        self._pings = count(1)
        self._errand_ids = count(1)
        self._doing: dict[str, str] = {}
        """What is said when the request of an id is done."""
        self._download: Download | None = None
        self._pinged: tuple[str, float] | None = None

    @property
    def kept(self) -> bool:
        """Whether the last match was proved to be dealt from the secret that was committed to before it."""
        link = self._connection.session.rooms.get(self.room.code) if self._connection and self.room else None
        return link is not None and bool(link.witness.kept)

    @property
    def lost(self) -> bool:
        """Whether there is no connection at the moment."""
        return self._connection is None or self._connection.state.name != "open"

    async def run(self) -> None:
        """Enter, and stay until the person has left. Raises Fault."""
        async with connected(self.entry, self._stage.link) as connection:
            self._connection = connection
            self.url = connection.url
            async for message in connection:
                for answer in self._take(message):
                    await connection.send(answer)
                if self._done:
                    return
        if not self.leaving:
            raise Interrupted(f"the server ended the connection: {connection.state.reason}")

    async def send(self, message: ClientMessage) -> None:
        """Send what the person wants."""
        if self._connection is not None:
            await self._connection.send(message)

    async def do(self, message: ClientMessage, done: str) -> None:
        """Send what the person wants besides the game; the stage is told ``done``, or why it was refused."""
        await self.send(self._noted(message, done))

    async def save(self) -> None:
        """Get the record of the match that is over, and write it where such files are; the stage is told where."""
        if self.room is None or self.room.over is None:
            self._stage.told("A match can be saved when it is over.", done=False)
        elif self._download is None:
            self._download = Download(self.room.over.digest)
            await self.do(self._download.ask(), "")

    async def act(self, rid: int, act: int | Plain) -> None:
        """Answer decision ``rid``, unless an answer to it is on its way."""
        if self.room is None or self._connection is None or self._connection.session.unanswered(self.room.code, rid):
            return
        self._acting = rid, self._now()
        self._stage.busy(rid)
        await self._connection.send(Act(self.room.code, rid, act))

    async def ping(self) -> None:
        """Measure how far the server is."""
        if not self.lost:
            self._pinged = f"ping-{next(self._pings)}", self._now()
            await self.send(Ping(id=self._pinged[0]))

    async def leave(self) -> bool:
        """Begin to leave. Returns whether the server is asked; if not, there is nothing to wait for."""
        self.leaving = True
        if self.room is None or self.lost:
            return False
        await self.send(Leave(self.room.code))
        return True

    # --- what comes in ---

    def _take(self, message: ServerMessage) -> list[ClientMessage]:
        """Take in a message and return what to send at once. Raises Fault."""
        with understood(f"a message {message.t!r} of the server"):
            answers = list(self._taken(message))
        self._rest(message)
        return answers

    def _taken(self, message: ServerMessage) -> list[ClientMessage]:
        match message:
            case Welcome():
                return self._welcome(message)
            case Joined():
                return self._joined(message)
            case Rooms() if self.room is None:
                raise not_there(self.url, self.entry.enter, message)
            case Rooms():
                self._stage.lobby(message)
            case Ok(re=str(re)) if re in self._doing:
                self._stage.told(self._doing.pop(re), done=True)
            case Error(re=str(re)) if self._doing.pop(re, None) is not None:
                self._download = None
                self._stage.told(f"Refused: {message.msg}.", done=False)
            case FileLines() if self._download is not None and message.digest == self._download.digest:
                return self._page(self._download, message)
            case Error() if self.room is None:
                return [no_entry(self.url, self.entry.enter, message)]
            case Left():
                self._left(message)
            case Bye():
                self._stage.note(f"The server says: {message.msg}.", "note")
            case Pong(re=str(re)) if self._pinged and self._pinged[0] == re:
                self._stage.latency(self._since(self._pinged[1]))
            case _ if self.room is not None:
                return self._in_room(self.room, message)
        return []

    def _noted(self, message: ClientMessage, done: str) -> ClientMessage:
        """Return the request under an id of its own, and note what is said when it is done."""
        id = f"do-{next(self._errand_ids)}"
        self._doing[id] = done
        return attrs.evolve(message, id=id)

    def _page(self, download: Download, page: FileLines) -> list[ClientMessage]:
        """Take in a page of the record and return the request for the next; write them when all are there."""
        self._doing.pop(str(page.re), None)
        download.take(page)
        if not download.done:
            return [self._noted(download.ask(), "")]
        self._download = None
        try:
            self._stage.note(f"{download.write()[0]}.", "note")
            self._stage.told("Saved: the start screen has it under Replays.", done=True)
        except Usage as fault:
            self._stage.told(f"Not saved: {fault}.", done=False)
        return []

    def _rest(self, message: ServerMessage) -> None:
        """Tell of what no message says: an act that is answered by now, reports of the session, troubles of our own."""
        assert self._connection is not None
        session = self._connection.session
        if self._acting and self.room and not session.unanswered(self.room.code, self._acting[0]):
            if not isinstance(message, Joined):
                self._stage.latency(self._since(self._acting[1]))
            self._acting = None
            self._stage.busy(None)
        while self.entry.troubles:
            self._stage.note(self.entry.troubles.pop(0), "warning")
        while session.reports:
            report = session.reports.pop(0)
            self._stage.note(noted(report), "warning" if report.code == "fairness" else "note")

    def _welcome(self, message: Welcome) -> list[ClientMessage]:
        self.name = message.name
        if self.room is None:
            return [self.entry.enter]
        self._stage.note("Connected again.", "note")
        return []

    def _joined(self, message: Joined) -> list[ClientMessage]:
        before, room = self.room, Room.of(message)
        self.room = room
        if before is None:
            for row in room.chat:
                self._stage.talk(row["from"], row["text"])
        elif message.gap:
            self._stage.note("It may have gone on without you.", "note")
        if before is None or message.gap:
            room.events = []  # news for nobody
        self._events(room)
        self._stage.showing(room)
        return self._errand(room) if before is None else []

    def _errand(self, room: Room) -> list[ClientMessage]:
        errand = self._errands.next(room.code)
        return [errand] if errand else []

    def _left(self, message: Left) -> None:
        if fault := put_out(self.room, message):
            raise fault
        if message.why != "left":
            self.farewell = f"Room {message.room} is closed: {_CLOSED.get(message.why, message.why)}."
        self._done = True

    def _in_room(self, room: Room, message: ServerMessage) -> list[ClientMessage]:
        before = room.table
        room.apply(message)
        match message:
            case Update() | Turn() | Over():
                self._events(room)
                self._stage.showing(room)
                room.events = []
            case SeatsChanged():
                for line in table.changes(room, before):
                    self._stage.note(line, "note")
                self._stage.showing(room)
            case Said():
                self._stage.talk(message.from_["name"], message.text)
            case Ok(rid=None):
                return self._errand(room)
            case Error():
                self._refused(room, message)
        return []

    def _events(self, room: Room) -> None:
        if room.over and room.over.digest == self._shown:
            return  # told again after coming back
        self._shown = room.over.digest if room.over else self._shown
        for line in happened(room):
            self._stage.note(line, "event")

    def _refused(self, room: Room, error: Error) -> None:
        match error.code:
            case "illegal_action":
                self._stage.refused(f"Not possible: {error.why or error.msg}")
            case "stale":
                played = f" Played for you: {lines_for(room.game).action(error.act)}." if error.act else ""
                self._stage.refused(f"Too late: {error.msg}.{played}")
            case _:
                self._stage.refused(f"Refused: {error.msg}")
                self._errands.give_up()
        self._stage.showing(room)

    def _since(self, then: float) -> int:
        return round((self._now() - then) * 1000)
