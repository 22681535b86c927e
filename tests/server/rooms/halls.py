"""A server without sockets for tests, its people, and tables at which they sit."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs
from tests.server.rooms.fake import FAKES

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.effects import Effect, Fault
from parlour_server.local import Local, Peer
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.match import Match
from parlour_server.rooms.room import Room
from parlour_server.rooms.state import Seat

MessageT = TypeVar("MessageT", bound=m.ServerMessage)

NO_CLOCK: Any = None
QUICK: m.Clock = {"bank": 0, "add": 1_000}
"""A clock that is overrun 1.5 s after each question."""


def hall(seed: int = 1, uno: Uno | None = None) -> Local:
    return StrictLocal(seed, installed={"uno": uno or Uno(), **FAKES})


class StrictLocal(Local):
    """A server without sockets in which a fault in a room fails the test."""

    def carry_out(self, wanted: list[Effect]) -> None:
        faults = [effect for effect in wanted if isinstance(effect, Fault)]
        assert not faults, faults
        super().carry_out(wanted)


class SlowHall(StrictLocal):
    """A server whose computations are done when a test says so."""

    def __init__(self) -> None:
        super().__init__(1, installed={**FAKES})
        self.works: list[Compute] = []

    def _done(self, work: Compute) -> list[Effect]:
        self.works.append(work)
        return []

    def compute(self) -> None:
        """Do the oldest computation that waits."""
        self.carry_out(super()._done(self.works.pop(0)))


def told(peer: Peer) -> list[m.ServerMessage]:
    """Return and forget all that ``peer`` has been told."""
    messages = list(peer.inbox)
    peer.inbox.clear()
    return messages


def only(peer: Peer, cls: type[MessageT]) -> list[MessageT]:
    """Return the messages of one class among all that ``peer`` has been told, and forget all."""
    return [message for message in told(peer) if isinstance(message, cls)]


def one(peer: Peer, cls: type[MessageT]) -> MessageT:
    """Return the only message of a class among all that ``peer`` has been told, and forget all."""
    [found] = only(peer, cls)
    return found


def rows(message: m.ServerMessage) -> list[m.SeatRow]:
    """Return the seats as a message shows them."""
    assert isinstance(message, m.SeatsChanged | m.Joined)
    return message.table["seats"]


def ask(peer: Peer, message: m.ClientMessage) -> m.ServerMessage:
    """Say ``message`` and return the first thing that ``peer`` is told then; the rest is in its inbox."""
    peer.inbox.clear()
    peer.send(message)
    return peer.inbox.popleft()


def refused(peer: Peer, message: m.ClientMessage) -> m.Error:
    """Say ``message``, which has to be refused with one error and nothing else."""
    peer.inbox.clear()
    peer.send(message)
    [error] = told(peer)
    assert isinstance(error, m.Error)
    assert error.msg, "a refusal says what is wrong"
    return error


def house_bot(local: Local, name: str = "hal") -> Peer:
    """Return a connected bot of the house that offers itself for everything, and may stand in at once."""
    peer = local.open(name)
    peer.send(m.Hello(name, "bot", ticket=local.lobby.identities.ticket(name)))
    peer.inbox.clear()
    peer.send(m.OfferBot(["fake", "uno"], 8))
    peer.inbox.popleft()
    return peer


@attrs.define
class Table:
    """A room with people in it."""

    hall: Local
    code: str
    peers: list[Peer]
    """In the order of their seats."""

    def __iter__(self) -> Iterator[Peer]:
        return iter(self.peers)

    def __getitem__(self, seat: int) -> Peer:
        return self.peers[seat]

    @property
    def room(self) -> Room:
        return self.hall.lobby.rooms.loaded[self.code].room

    @property
    def match(self) -> Match:
        match = self.room.match
        assert match is not None
        return match

    @property
    def state(self) -> str:
        """What the room does now."""
        return self.room.state.state

    def seat(self, number: int) -> Seat:
        """Return a seat, which has to be taken."""
        seat = self.room.state.seats[number]
        assert seat is not None
        return seat

    def clear(self) -> "Table":
        for peer in self.peers:
            peer.inbox.clear()
        return self

    def start(self) -> "Table":
        """Begin a match as the host."""
        self.peers[0].send(m.Start(self.code))
        return self

    def rid(self, seat: int) -> int:
        """Return the rid of what ``seat`` must decide."""
        decision = self.match.book.obligation(seat)
        assert decision is not None
        return decision.rid

    def offer(self, seat: int) -> int:
        """Return the rid of the only thing that ``seat`` may decide."""
        [decision] = self.match.book.optional(seat)
        return decision.rid

    def act(self, seat: int, do: str | int, /, rid: int | None = None, id: m.Id | None = None, **fields: Any) -> None:
        """Let the player of ``seat`` answer its obligation (or decision ``rid``); inboxes are cleared before."""
        self.clear()
        action: Any = do if isinstance(do, int) else {"do": do, **fields}
        self.peers[seat].send(m.Act(self.code, self.rid(seat) if rid is None else rid, action, id=id))

    def enter(self, name: str, kind: m.Kind = "human", role: m.Role = "player", **more: Any) -> Peer:
        """Return somebody new who has joined."""
        peer = self.hall.connect(name, kind, **more)
        peer.send(m.Join(self.code, role))
        return peer

    @contextmanager
    def inside(self) -> Iterator[tuple[Room, int]]:
        """Do something in the room by hand, then carry out what it asks for."""
        rooms, now = self.hall.lobby.rooms, self.hall.now
        yield self.room, rooms.loaded[self.code].time(now)
        rooms.act(self.code, now, lambda room, at: None)
        self.hall.carry_out(self.hall.lobby.take())

    def abort(self) -> None:
        """End the match as the server does in a room of its own when nothing happens any more."""
        with self.inside() as (room, now):
            room.abort(now, "expired")

    def lines(self) -> list[str]:
        return self.hall.log[self.code]


NAMES = ("anna", "bert", "cleo", "dora", "emil", "fred", "gwen", "hugo", "ines", "jana")


def table(
    game: str = "fake", people: int = 2, *, kind: m.Kind = "human", local: Local | None = None, **create: Any
) -> Table:
    """Return a room, not yet playing, whose first person is the host; everybody's inbox is empty."""
    local = local or hall()
    peers = [local.connect(name, kind) for name in NAMES[:people]]
    peers[0].send(m.Create(game, **{"seats": people, **create}))
    joined = peers[0].inbox[0]
    assert isinstance(joined, m.Joined), joined
    for peer in peers[1:]:
        peer.send(m.Join(joined.room))
    return Table(local, joined.room, peers).clear()


def playing(game: str = "fake", people: int = 2, **create: Any) -> Table:
    """Return a room in which a match has begun; everybody's inbox is empty."""
    return table(game, people, **create).start().clear()
