"""Sessions: what the server knows of each connection of this node, and which of them serves whom.

A session has a token bucket and strikes.

An identity has one *main* connection. Beside it, it may have *side* connections, one for each room to which another
node has sent it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, TypeAlias

import attrs

from parlour_protocol.errors import POLICY, REPLACED, Denied, NotNow
from parlour_protocol.messages import Bye, ClientMessage, Hello, Ping, Plain, RoomRequest
from parlour_server.directory.identities import Identities, Identity
from parlour_server.effects import Disconnect, Outbox
from parlour_server.rooms.audience import Person
from parlour_server.settings import ServerSettings

RATE = 40
"""Tokens a second. Messages say what they cost. An accepted act under an open rid is free."""
BURST = 80
WRONG_CODE = 9
"""Tokens that a wrong code of a room, or for its seats, costs in addition."""
STRIKES = 20
FORGIVEN_EACH = 10_000
"""Milliseconds after which a strike is forgiven."""
ACTS = 200
"""Acts under an open rid, or messages refused by the bucket, per second. A socket beyond that is read more slowly."""
LONG = 256
"""Characters of a note, or of lists of ``ITEM`` characters an item, for which an act counts once more."""
ITEM = 8


def weight(act: Plain) -> int:
    """Return how many acts an act counts for: a long one counts as several. It is not validated."""
    why, action = act.get("why"), act.get("act")
    length = len(why) if type(why) is str else 0
    if type(action) is dict:
        length += sum(ITEM * len(value) for value in action.values() if isinstance(value, list))
    return 1 + length // LONG


@attrs.define
class ClientSession:
    """A connection. All times are the node's milliseconds."""

    conn: int
    opened: int
    address: str | None = None
    """The client's address, if it is known."""
    who: str | None = None
    greeting: bool = False
    """Whether it has said hello and the store is being asked who it is."""
    nonces: bool = False
    settled: bool = False
    """Whether a frame has arrived after hello, which voids the token before."""
    gone: bool = False
    can: list[str] = attrs.field(factory=list)
    """The abilities of the client."""
    side: str | None = None
    """The only room that a side socket serves; None on a main socket."""
    generation: str | None = None
    """The identity's hashed token when this session began. A different one means a newer main connection."""
    relayed: set[str] = attrs.field(factory=set)
    """The rooms of other nodes that are relayed to it."""
    _tokens: float = BURST
    _filled: int = 0
    _strikes: int = 0
    _forgiven: int = 0
    _acts: float = 0
    _acted: int = 0

    def greeted(self, who: str, hello: Hello) -> None:
        """Note that ``who`` has said hello."""
        self.who = who
        self.can = hello.can or []
        self.nonces = "nonce" in self.can

    @property
    def silent(self) -> bool:
        """Whether no hello has come on it."""
        return self.who is None and not self.greeting and not self.gone

    @property
    def redirects(self) -> bool:
        """Whether its client can follow a redirect."""
        return "redirect" in self.can

    def visits(self, who: str, room: str, generation: str | None, hello: Hello) -> None:
        """Note that ``who`` has said hello with a ticket for ``room``."""
        self.greeted(who, hello)
        self.side, self.generation, self.settled = room, generation, True

    def require_side(self, message: ClientMessage) -> None:
        """Refuse on a side socket what is not for its room."""
        if not (isinstance(message, Ping) or (isinstance(message, RoomRequest) and message.room.upper() == self.side)):
            told = f"this connection is only for room {self.side}; send this on your main connection"
            raise Denied("not_here", told)

    def relays(self, kind: type | None, data: Plain) -> bool:
        """Whether a message, which is not validated, is for another node to answer, where its room lives."""
        room = data.get("room")
        of_a_room = kind is not None and issubclass(kind, RoomRequest)
        return of_a_room and isinstance(room, str) and room.upper() in self.relayed

    def affords(self, cost: int, now: int) -> bool:
        """Whether the bucket holds ``cost`` tokens."""
        self._fill(now)
        return self._tokens >= cost

    def pay(self, cost: int, now: int) -> None:
        """Take ``cost`` tokens from the bucket. Raises NotNow if it holds fewer."""
        self._fill(now)
        if self._tokens < cost:
            wait = int((cost - self._tokens) * 1000 / RATE) + 1
            self.acted(now)
            raise NotNow("rate_limited", f"you sent more than {RATE} messages a second", wait)
        self._tokens -= cost

    def fine(self, cost: int, now: int) -> None:
        """Take ``cost`` tokens, or as many as the bucket holds."""
        self._fill(now)
        self._tokens = max(0.0, self._tokens - cost)

    def strike(self, now: int) -> list[int]:
        """Count a breach of the protocol; return [strikes, the number that ends the connection]."""
        forgiven = (now - self._forgiven) // FORGIVEN_EACH
        self._strikes = max(0, self._strikes - forgiven)
        self._forgiven = now if self._strikes == 0 else self._forgiven + forgiven * FORGIVEN_EACH
        self._strikes += 1
        return [self._strikes, STRIKES]

    def acted(self, now: int, count: int = 1) -> None:
        """Count a message that the bucket cannot hold back: an act, or one that the bucket refused."""
        self._acts = max(0.0, self._acts - (now - self._acted) * ACTS / 1000) + count
        self._acted = now

    def rest(self) -> int:
        """Return for how many ms the socket should not be read."""
        return int((self._acts - ACTS) * 1000 / ACTS) if self._acts > ACTS else 0

    def _fill(self, now: int) -> None:
        self._tokens = min(float(BURST), self._tokens + (now - self._filled) * RATE / 1000)
        self._filled = now


Handlers: TypeAlias = dict[type, Callable[[ClientSession, Any, int], None]]
"""Message class → what answers such a message of a session, at the node's time."""

SILENT = 10_000
"""Milliseconds in which a new connection has to say hello."""


@attrs.define(eq=False)
class Connections:
    """Everybody who is connected to this node."""

    _outbox: Outbox
    _identities: Identities
    _settings: ServerSettings
    draining: bool = attrs.field(default=False, init=False)
    """Whether the server is stopping and greets no one."""
    sessions: dict[int, ClientSession] = attrs.field(factory=dict, init=False)
    main: dict[str, int] = attrs.field(factory=dict, init=False)
    """The main connection of each connected identity."""
    sides: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)
    """The side connections by identity and room."""

    def open(self, conn: int, now: int, address: str | None) -> None:
        """Add a connection that has said nothing yet."""
        self.sessions[conn] = ClientSession(conn, now, address)

    def close(self, conn: int) -> ClientSession:
        """Remove a connection and return its session."""
        return self.sessions.pop(conn)

    def main_session(self, who: str) -> ClientSession | None:
        """Return the session of the main connection of ``who``."""
        conn = self.main.get(who)
        return None if conn is None else self.sessions[conn]

    def of(self, who: str) -> list[ClientSession]:
        """Return all sessions of ``who``, the main one last."""
        conns = [conn for (whose, _), conn in self.sides.items() if whose == who]
        return [self.sessions[conn] for conn in [*conns, *([self.main[who]] if who in self.main else [])]]

    def conns(self, people: Iterable[str], code: str) -> tuple[int, ...]:
        """Return the connections that serve room ``code`` to those among ``people`` who are connected."""
        main, sides = self.main, self.sides
        found: list[int] = []
        for who in people:
            if (who, code) in sides:
                found += [sides[who, code]]
            elif who in main:
                found += [main[who]]
        return tuple(found)

    def identity(self, session: ClientSession) -> Identity:
        """Return the identity behind a session. Raises Denied before hello."""
        if session.who is None:
            raise Denied("hello_first", "this connection has not sent hello")
        return self._identities.get(session.who)

    def is_house(self, session: ClientSession) -> bool:
        """Whether a session is that of a bot of the server's own."""
        return session.who is not None and self._identities.get(session.who).house

    def person(self, session: ClientSession) -> Person:
        """Return the identity behind a session as rooms know it. Raises Denied before hello."""
        identity = self.identity(session)
        address = session.address
        if self._settings.rate_same_address:
            address = identity.who
        elif address is not None and is_loopback(address):
            address = "loopback"  # one machine has many such addresses
        return Person(identity.who, identity.name, identity.kind, session.nonces, identity.house, address)

    def hang_up(self, session: ClientSession, code: str, msg: str, close: int, retry_after: int | None = None) -> None:
        """Send ``bye`` and close a connection, once. ``close`` is the WebSocket close code."""
        if session.gone:
            return
        session.gone = True
        self._outbox.post(session.conn, Bye(code, msg, retry_after))
        self._outbox.want(Disconnect(session.conn, close, code))

    def hang_up_silent(self, now: int) -> None:
        """Close the connections that have not said hello in time."""
        for session in self.sessions.values():
            if session.silent and now - session.opened > SILENT:
                self.hang_up(session, "hello_first", "you did not say hello", POLICY)

    def replace(self, session: ClientSession) -> None:
        """Close a connection because the same identity has opened a newer one."""
        self.hang_up(session, "replaced", "you have connected again elsewhere", REPLACED)

    def replace_sides(self, who: str, code: str | None = None) -> None:
        """Close the side connections of ``who`` for newer ones: that of room ``code``, or all."""
        for (whose, room), conn in list(self.sides.items()):
            if whose == who and code in (None, room):
                del self.sides[whose, room]
                self.replace(self.sessions[conn])


@lru_cache(maxsize=1024)
def is_loopback(address: str) -> bool:
    """Whether an address is of this machine. A connection asks for it several times, and parsing takes long."""
    return ip_address(address).is_loopback
