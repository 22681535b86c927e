"""Clients without sockets: a client session, and the room as far as it knows it."""

from itertools import count
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer

STREAMED = (m.Update, m.Turn, m.Over, m.SeatsChanged, m.Said)


def answer_of(message: m.ServerMessage) -> m.Id | None:
    """Return the id of the request that ``message`` answers."""
    ok = getattr(message, "ok", None)
    return ok.get("re") if ok else getattr(message, "re", None)


class Person:
    """A player's client. ``peer`` None: not connected; ``room`` None: in no room."""

    def __init__(self, server: Local, name: str) -> None:
        self.session = Session(name, entropy=bytes, can=())
        self.peer: Peer | None = None
        self.room: JoinedRoom | None = None
        self.sent: list[m.Act] = []
        """Every act that was sent, whether or not it arrived."""
        self._server = server
        self._ids = count(1)
        self.connect()

    def say(self, message: m.ClientMessage) -> m.ServerMessage | None:
        """Send as an application does; return the answer, or None if the session holds the message."""
        out = self.session.outgoing(message)
        if isinstance(out, m.Act):
            self.sent.append(out)
        return self.send(out) if out is not None else None

    def send(self, message: m.ClientMessage) -> m.ServerMessage:
        """Send a message past the session; return its only answer."""
        assert self.peer is not None
        out = message if message.id is not None else structs.replace(message, id=f"raw-{next(self._ids)}")
        self.listen()
        self.peer.send(out)
        answers = [reply for reply in self.peer.inbox if answer_of(reply) == out.id]
        assert len(answers) == 1, (out, answers)
        self.listen()
        return answers[0]

    def listen(self) -> None:
        """Process received messages."""
        while self.peer is not None and self.peer.inbox:
            self._hear(self.peer.inbox.popleft())
        if self.peer is not None and self.peer.closed is not None:
            self.peer = None

    def _hear(self, message: m.ServerMessage) -> None:
        if isinstance(message, STREAMED):
            assert self.session.is_news(message), "the server repeats nothing, and tells of no room but ours"
        elif not self.session.is_news(message):
            return
        if isinstance(message, m.Joined):
            self.room = JoinedRoom.of(message)
        elif isinstance(message, m.Left):
            self.room = None
        elif self.room is not None:
            self.room.apply(message)
        for reply in self.session.receive(message):
            self.send(reply)

    def connect(self, **forged: Any) -> None:
        """Connect with a new socket, even while the old one is open. ``forged``: fields of hello."""
        was, self.peer = self.peer, self._server.open(self.session.name)
        self.send(structs.replace(self.session.hello(), **forged))
        if was is not None:
            assert was.closed == 4001
        for left in self.session.left:
            self.room = None if self.room and self.room.code == left.room else self.room
        self.session.left.clear()
        self.session.reports.clear()

    def lose(self) -> None:
        """Lose the socket and all messages in transit."""
        if self.peer is not None:
            self.peer.close()
            self.peer = None

    def say_and_lose(self, act: m.Act, arrives: bool) -> None:
        """Send an act on a socket that breaks before the act or its answer arrives."""
        out = self.session.outgoing(act)
        assert out is not None
        assert self.peer is not None
        self.sent.append(act)
        if arrives:
            self.peer.send(out)
        self.lose()

    @property
    def here(self) -> bool:
        """Whether the client is connected and in a room."""
        return self.peer is not None and self.room is not None

    def open(self) -> dict[int, list[m.Plain]]:
        """Return the open decisions it knows: rid → legal actions."""
        if self.room is None:
            return {}
        asked = {offer["rid"]: offer["legal"] for offer in self.room.may}
        question = self.room.question
        return {**asked, question.rid: question.legal} if question else asked

    def known(self) -> m.Plain:
        """Return all it knows of its room except times."""
        assert self.room is not None
        return _known(self.room)

    def rejoined_state(self) -> m.Plain:
        """Return what a new join would tell it of its room, without processing it.

        Who sat down after a match shows nothing of it, and would not if it sat down now.
        """
        assert self.peer is not None
        assert self.room is not None
        self.peer.send(m.Join(self.room.code, "player" if self.room.seat is not None else "spectator"))
        joined = self.peer.inbox.popleft()
        assert isinstance(joined, m.Joined)
        room = JoinedRoom.of(replace(joined, why="join") if self.room.late else joined)
        while self.peer.inbox:
            message = self.peer.inbox.popleft()
            assert isinstance(message, m.Turn | m.Over)
            assert message.seq == joined.seq
            room.apply(message)
        return {**_known(room), "seq": joined.seq}


def _known(room: JoinedRoom) -> m.Plain:
    table: m.Plain = {**room.table, "seats": [{**row, "left": None} for row in room.table["seats"]]}
    question = room.question and (room.question.rid, room.question.legal)
    over = room.over and room.over.digest
    return {"seat": room.seat, "table": table, "view": room.view, "may": room.may, "asked": question, "over": over}
