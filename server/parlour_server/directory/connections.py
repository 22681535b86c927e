"""Connections: the sessions of this node, and which of them serves whom.

An identity has one *main* connection. Beside it, it may have *side* connections, one for each room to which another
node has sent it.
"""

from collections.abc import Iterable
from ipaddress import ip_address

import attrs

from parlour_protocol.errors import POLICY, REPLACED, Denied
from parlour_protocol.messages import Bye
from parlour_server.directory.identities import Identities, Identity
from parlour_server.directory.outbox import Outbox
from parlour_server.directory.sessions import Session
from parlour_server.effects import Disconnect
from parlour_server.rooms.audience import Person
from parlour_server.settings import Settings

SILENT = 10_000
"""Milliseconds in which a new connection has to say hello."""


@attrs.define(eq=False)
class Connections:
    """Everybody who is connected to this node."""

    _outbox: Outbox
    _identities: Identities
    _settings: Settings
    draining: bool = attrs.field(default=False, init=False)
    """Whether the server is stopping and greets no one."""
    sessions: dict[int, Session] = attrs.field(factory=dict, init=False)
    main: dict[str, int] = attrs.field(factory=dict, init=False)
    """The main connection of each connected identity."""
    sides: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)
    """The side connections by identity and room."""

    def open(self, conn: int, now: int, address: str | None) -> None:
        """Add a connection that has said nothing yet."""
        self.sessions[conn] = Session(conn, now, address)

    def close(self, conn: int) -> Session:
        """Remove a connection and return its session."""
        return self.sessions.pop(conn)

    def main_session(self, who: str) -> Session | None:
        """Return the session of the main connection of ``who``."""
        conn = self.main.get(who)
        return None if conn is None else self.sessions[conn]

    def of(self, who: str) -> list[Session]:
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

    def identity(self, session: Session) -> Identity:
        """Return the identity behind a session. Raises Denied before hello."""
        if session.who is None:
            raise Denied("hello_first", "nobody has said hello on this socket")
        return self._identities.get(session.who)

    def is_house(self, session: Session) -> bool:
        """Whether a session is that of a bot of the server's own."""
        return session.who is not None and self._identities.get(session.who).house

    def person(self, session: Session) -> Person:
        """Return the identity behind a session as rooms know it. Raises Denied before hello."""
        identity = self.identity(session)
        address = session.address
        if self._settings.rate_same_address:
            address = identity.who
        elif address is not None and ip_address(address).is_loopback:
            address = "loopback"  # one machine has many such addresses
        return Person(identity.who, identity.name, identity.kind, session.nonces, identity.house, address)

    def hang_up(self, session: Session, code: str, msg: str, close: int, retry_after: int | None = None) -> None:
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

    def replace(self, session: Session) -> None:
        """Close a connection because the same identity has opened a newer one."""
        self.hang_up(session, "replaced", "you have connected again elsewhere", REPLACED)

    def replace_sides(self, who: str, code: str | None = None) -> None:
        """Close the side connections of ``who`` for newer ones: that of room ``code``, or all."""
        for (whose, room), conn in list(self.sides.items()):
            if whose == who and code in (None, room):
                del self.sides[whose, room]
                self.replace(self.sessions[conn])
