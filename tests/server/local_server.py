"""A server without sockets for tests, with clients and rooms of players."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar, overload

import attrs
from tests.server.rooms.fake import FAKES
from tests.support.sessions import game_files

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.effects import Effect, LogFault
from parlour_server.lobby.lobby import Lobby
from parlour_server.local import Local, Peer
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.match import Match
from parlour_server.rooms.room import Room, finished
from parlour_server.rooms.seats import TakenSeat
from parlour_server.settings import ServerSettings

MessageT = TypeVar("MessageT", bound=m.ServerMessage)

NO_CLOCK: Any = None
QUICK: m.Clock = {"bank": 0, "add": 1_000}
"""A clock that is overrun 1.5 s after each turn begins."""


def new_server(seed: int = 1, uno: Uno | None = None, **settings: Any) -> Local:
    local = StrictLocal(seed, installed={"uno": uno or Uno(), **FAKES})
    if settings:
        entropy, chosen = Random(seed).randbytes, ServerSettings(**settings)
        local.lobby = Lobby(local.lobby.games, entropy, chosen, server="local", wall=lambda: local.now)
    return local


class StrictLocal(Local):
    """A server without sockets in which a fault in a room fails the test."""

    def carry_out(self, wanted: list[Effect]) -> None:
        faults = [effect for effect in wanted if isinstance(effect, LogFault)]
        assert not faults, faults
        super().carry_out(wanted)


class SlowServer(StrictLocal):
    """A server whose computations run when a test calls ``compute``."""

    def __init__(self) -> None:
        super().__init__(1, installed={**FAKES})
        self.works: list[Compute] = []

    def _done(self, work: Compute) -> list[Effect]:
        self.works.append(work)
        return []

    def compute(self) -> None:
        """Run the oldest pending computation."""
        self.carry_out(super()._done(self.works.pop(0)))


def received(peer: Peer) -> list[m.ServerMessage]:
    """Return the messages in the inbox of ``peer`` and empty it."""
    messages = list(peer.inbox)
    peer.inbox.clear()
    return messages


def only(peer: Peer, cls: type[MessageT]) -> list[MessageT]:
    """Return the messages of one class in the inbox of ``peer`` and empty it."""
    return [message for message in received(peer) if isinstance(message, cls)]


def one(peer: Peer, cls: type[MessageT]) -> MessageT:
    """Return the only message of a class in the inbox of ``peer`` and empty it."""
    [found] = only(peer, cls)
    return found


def rows(message: m.ServerMessage) -> list[m.SeatRow]:
    assert isinstance(message, m.SeatsChanged | m.Joined)
    return message.table["seats"]


@overload
def request(peer: Peer, message: m.ClientMessage) -> m.ServerMessage: ...
@overload
def request(peer: Peer, message: m.ClientMessage, cls: type[MessageT]) -> MessageT: ...
def request(peer: Peer, message: m.ClientMessage, cls: type[Any] = object) -> Any:
    """Send ``message`` and return the first reply, which must be of ``cls``; the others stay in the inbox."""
    peer.inbox.clear()
    peer.send(message)
    reply = peer.inbox.popleft()
    assert isinstance(reply, cls), reply
    return reply


def refused(peer: Peer, message: m.ClientMessage) -> m.Error:
    """Send ``message`` and return the error, which must be the only reply."""
    peer.inbox.clear()
    peer.send(message)
    [error] = received(peer)
    assert isinstance(error, m.Error)
    assert error.msg, "a refusal says what is wrong"
    return error


def house_bot(local: Local, name: str = "hal", styles: list[str] | None = None) -> Peer:
    """Return a connected house bot that is available for all games."""
    peer = local.open(name)
    peer.send(m.Hello(name, "bot", ticket=local.lobby.identities.ticket(name)))
    peer.inbox.clear()
    peer.send(m.OfferBot(sorted(local.lobby.games), 8, styles))
    peer.inbox.popleft()
    return peer


def keyed(local: Local, name: str, address: str | None = None) -> Peer:
    """Return a client that has said hello with a key, ``key of NAME``."""
    peer = local.open(name, address)
    request(peer, m.Hello(name, "human", key=f"key of {name}"), m.Welcome)
    peer.inbox.clear()
    return peer


@attrs.define
class OpenRoom:
    server: Local
    code: str
    peers: list[Peer]
    """In the order of their seats."""

    def __iter__(self) -> Iterator[Peer]:
        return iter(self.peers)

    def __getitem__(self, seat: int) -> Peer:
        return self.peers[seat]

    @property
    def room(self) -> Room:
        return self.server.lobby.rooms.loaded[self.code].room

    @property
    def match(self) -> Match:
        match = self.room.match
        assert match is not None
        return match

    @property
    def state(self) -> str:
        return self.room.state.state

    def seat(self, number: int) -> TakenSeat:
        seat = self.room.state.seats[number]
        assert seat is not None
        return seat

    def clear(self) -> "OpenRoom":
        for peer in self.peers:
            peer.inbox.clear()
        return self

    def start(self) -> "OpenRoom":
        """Start a match as the host."""
        self.peers[0].send(m.Start(self.code))
        return self

    def rid(self, seat: int) -> int:
        """Return the rid of the obligation of ``seat``."""
        decision = self.match.book.obligation(seat)
        assert decision is not None
        return decision.rid

    def optional(self, seat: int) -> int:
        """Return the rid of the only optional decision of ``seat``."""
        [decision] = self.match.book.optional(seat)
        return decision.rid

    def act(self, seat: int, do: str | int, /, rid: int | None = None, id: m.Id | None = None, **fields: Any) -> None:
        """Let the player of ``seat`` answer its obligation (or decision ``rid``); inboxes are cleared before."""
        self.clear()
        action: Any = do if isinstance(do, int) else {"do": do, **fields}
        self.peers[seat].send(m.Act(self.code, self.rid(seat) if rid is None else rid, action, id=id))

    def enter(self, name: str, kind: m.Kind = "human", role: m.Role = "player", **more: Any) -> Peer:
        """Return a new client that has joined."""
        peer = self.server.connect(name, kind, **more)
        peer.send(m.Join(self.code, role))
        return peer

    @contextmanager
    def inside(self) -> Iterator[tuple[Room, int]]:
        """Do something in the room by hand, then carry out what it asks for."""
        rooms, now = self.server.lobby.rooms, self.server.now
        yield self.room, rooms.loaded[self.code].time(now)
        rooms.act(self.code, now, lambda room, at: None)
        self.server.carry_out(self.server.lobby.take())

    def abort(self) -> None:
        """Abort the match as the server does in a kept room that is idle."""
        with self.inside() as (room, now):
            room.playing.abort(now, "expired")

    def lines(self) -> list[str]:
        return self.server.log[self.code]

    def file(self) -> list[str]:
        """Return the match file of the last match that is over."""
        return game_files(self.server, self.code)[-1]

    def load_again(self, epoch: int = 2) -> None:
        load_again(self.server, self.code, epoch)


def load_again(local: Local, code: str, epoch: int = 2) -> None:
    """Discard a room and load it from its lines, as after a kill of the server."""
    local.lobby.rooms.discard(code)
    room = finished(local.lobby.rooms.restoring(local.log[code]))
    local.carry_out(local.lobby.adopt(code, epoch, room, local.now))


NAMES = ("anna", "bert", "cleo", "dora", "emil", "fred", "gwen", "hugo", "ines", "jana")


def open_room(
    game: str = "fake",
    people: int = 2,
    *,
    kind: m.Kind = "human",
    local: Local | None = None,
    apart: bool = False,
    **create: Any,
) -> OpenRoom:
    """Return a room before its first match. The first player is the host; all inboxes are empty.

    ``apart``: each player has an address of its own, so that matches are rated; otherwise it is unknown.
    """
    local = local or new_server()
    addresses = (f"192.0.2.{number}" if apart else None for number in range(people))
    peers = [local.connect(name, kind, address=address) for name, address in zip(NAMES, addresses, strict=False)]
    peers[0].send(m.Create(game, **{"seats": people, **create}))
    joined = peers[0].inbox[0]
    assert isinstance(joined, m.Joined), joined
    for peer in peers[1:]:
        peer.send(m.Join(joined.room))
    return OpenRoom(local, joined.room, peers).clear()


def kept_room(*people: str) -> OpenRoom:
    """Return a kept room of UNO in which ``people`` sit."""
    local = new_server()
    code, wanted = local.lobby.keep_room("uno", 4, local.now)
    local.carry_out(wanted)
    peers = [local.connect(name, "human") for name in people]
    for peer in peers:
        peer.send(m.Join(code))
    return OpenRoom(local, code, peers)


def playing(game: str = "fake", people: int = 2, **create: Any) -> OpenRoom:
    """Return a room in which a match has begun; all inboxes are empty."""
    return open_room(game, people, **create).start().clear()
