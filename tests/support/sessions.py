"""Clients with real sessions that play at random on a server in process, and record messages and reports."""

from collections.abc import Sequence
from random import Random

import attrs

from parlour_client.core.session import Session, SessionReport
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.records import game_file

MOST_STEPS = 20_000
_TOO_LATE = ("stale", "not_here")
"""Error codes of answers that arrive after the decision was made or the client has left."""


@attrs.define(eq=False)
class Client:
    """A person or bot: its session and its current connection."""

    session: Session
    peer: Peer
    rng: Random
    heard: list[m.ServerMessage] = attrs.field(factory=list)
    overs: list[m.Over] = attrs.field(factory=list)

    def say(self, message: m.ClientMessage) -> None:
        out = self.session.outgoing(message)
        if out is not None:
            self.peer.send(out)

    def listen(self) -> bool:
        """Handle received messages and answer decisions; return whether there were any."""
        busy = bool(self.peer.inbox)
        for _ in range(len(self.peer.inbox)):
            message = self.peer.inbox.popleft()
            assert not isinstance(message, m.Error) or message.code in _TOO_LATE, message
            if self.session.is_news(message):
                for out in self.session.receive(message):
                    self.peer.send(out)
                self._heard(message)
        return busy

    def _heard(self, message: m.ServerMessage) -> None:
        self.heard.append(message)
        if isinstance(message, m.Over):
            self.overs.append(message)
        if isinstance(message, m.Turn):
            self.say(m.Act(message.room, message.rid, self._choice(message)))

    def _choice(self, turn: m.Turn) -> int:
        if turn.legal is not None:
            return self.rng.randrange(len(turn.legal))
        rows = "".join(turn.view["rows"])
        return self.rng.choice([cell for cell, char in enumerate(rows) if char == "."])

    @property
    def reports(self) -> list[SessionReport]:
        return self.session.reports

    @property
    def room(self) -> str:
        [code] = self.session.rooms
        return code


def client(local: Local, name: str, seed: int, kind: m.Kind = "human") -> Client:
    """Connect a client and say hello."""
    rng = Random(f"{seed}/{name}")
    session = Session(name, kind, entropy=rng.randbytes)
    here = Client(session, local.open(name), rng)
    here.peer.send(session.hello())
    here.listen()
    return here


@attrs.define
class Party:
    """The clients of a room. The first has opened it."""

    local: Local
    clients: list[Client]

    @property
    def room(self) -> str:
        return self.clients[0].room

    def listen(self) -> bool:
        """Let all clients handle their messages once; return whether there were any."""
        return sum(client.listen() for client in self.clients) > 0

    def play(self, matches: int = 1) -> None:
        """Play ``matches`` matches to their ends."""
        for number in range(len(self.clients[0].overs) + 1, len(self.clients[0].overs) + 1 + matches):
            for client in self.clients:
                client.say(m.Ready(self.room))
            for _ in range(MOST_STEPS):
                if not self.listen() and all(len(client.overs) == number for client in self.clients):
                    break
                if not any(client.peer.inbox for client in self.clients):
                    self.local.step()
            assert all(len(client.overs) == number for client in self.clients)

    def tables(self) -> Sequence[m.Joined | m.SeatsChanged]:
        """Return the messages about seats that the first client received."""
        return [message for message in self.clients[0].heard if isinstance(message, m.Joined | m.SeatsChanged)]


def party(game: str, seats: int, options: m.Plain | None = None, seed: int = 1) -> Party:
    """Open a room and return its ``seats`` clients."""
    local = Local(seed)
    names = [f"player-{seat}" for seat in range(seats)]
    clients = [client(local, name, seed) for name in names]
    host, *others = clients
    host.say(m.Create(game, options, seats=seats, clock=None))
    host.listen()
    for other in others:
        other.say(m.Join(host.room))
    room = Party(local, clients)
    while room.listen():
        pass
    return room


def game_files(local: Local, room: str) -> list[list[str]]:
    """Return the lines of the match file of each finished match of a room."""
    lines, saved = local.log[room], [saved.match for saved in local.matches if saved.room == room]
    return [list(game_file(lines[match.first : match.last + 1])) for match in saved]


def played(game: str, seats: int, options: m.Plain | None = None, seed: int = 1) -> tuple[list[str], str]:
    """Play a match; return the lines of its file and its digest."""
    table = party(game, seats, options, seed)
    table.play()
    return game_files(table.local, table.room)[0], table.clients[0].overs[0].digest
