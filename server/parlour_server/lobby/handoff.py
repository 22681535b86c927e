"""Handoff: how clients get to rooms that live at other nodes, and how clients of other nodes get to rooms here.

Each room lives at one node. A client that asks another node for it is sent there if it can follow a ``redirect``.
Otherwise this node relays what both say (``effects.Relay``). Either way a ticket, stored before it is sent, opens a
*side connection* at the room's node, for one identity and one room, beside the main connection.
"""

from collections.abc import Callable, Collection

import attrs

from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.messages import Hello, Left, Plain, Redirect, Seen
from parlour_server import effects
from parlour_server.directory.identities import Identities, hashed
from parlour_server.directory.peers import Peers
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections
from parlour_server.effects import Outbox
from parlour_server.persistence import SaveTicket
from parlour_server.rooms.room import Room

TICKET_MS = 30_000
"""Milliseconds for which a ticket is good."""


@attrs.define(eq=False)
class Handoff:
    """Sends clients to rooms of other nodes, and takes in theirs."""

    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _peers: Peers

    # --- from here to another node -----------------------------------------------------------------------------

    def is_elsewhere(self, code: str) -> bool:
        """Whether a room was found at another node."""
        return code in self._peers.locations and code not in self._rooms.loaded

    def seats_elsewhere(self, who: str) -> list[str]:
        """Return the rooms at other nodes in which ``who`` owns a seat."""
        return sorted(code for code in self._rooms.seats_of(who) if self.is_elsewhere(code))

    def send(
        self, session: ClientSession, code: str, join: Plain | None, seen: Seen | None = None, *, relay: bool = False
    ) -> None:
        """Redirect a connection to the node where ``code`` lives, or relay the room to it.

        ``join``: the request that this answers; None: it has a place in the room. ``seen``: how far it has followed it.
        """
        location, who = self._peers.locations[code], session.who
        assert who is not None
        ticket = self._entropy(32).hex()
        self._outbox.want(SaveTicket(hashed(ticket), who, code, TICKET_MS))
        if location.url and session.redirects and not relay:
            self._peers.sent[session.conn, code] = location.peer
            re = join.get("id") if join else None
            self._outbox.post(session.conn, Redirect(code, location.url, ticket, re=re))
            return
        session.relayed.add(code)
        identity = self._identities.get(who)
        hello: Plain = {
            "t": Hello.t,
            "name": identity.name,
            "kind": identity.kind,
            "ticket": ticket,
            "can": session.can,
        }
        if seen is not None:
            hello["rooms"] = [seen]
        self._outbox.want(effects.Relay(session.conn, code, location.peer, hello, join))

    # --- from another node to here -----------------------------------------------------------------------------

    def visitor(self, session: ClientSession, hello: Hello) -> str | None:
        """Admit a connection by the ticket in its hello and return the room. None: it has no such ticket.

        Raises Denied, NotNow.
        """
        visits, connections = self._peers.visits, self._connections
        who, code = visits.pop(hashed(hello.ticket), ("", "")) if hello.ticket else ("", "")
        if not who or who not in self._identities:
            return None
        identity = self._identities.get(who)
        if identity.banned:
            raise Denied("banned", "an admin has banned you from this server")
        main = connections.main_session(who)
        if main is not None and not main.gone:
            raise Denied("bad_ticket", "your main connection is at this server now; join on that connection")
        if code not in self._rooms.loaded:
            raise NotNow("retry", f"room {code} has just moved to another node; join it again", 0)
        session.visits(who, code, identity.token, hello)
        return code

    def leave_side(self, who: str, code: str, conn: int, now: int) -> None:
        """Detach ``who`` from a room because its side connection has closed, unless a newer one serves it."""
        if self._connections.sides.get((who, code)) == conn:
            del self._connections.sides[who, code]
            self._rooms.inside[who].discard(code)
            if code in self._rooms.loaded:
                self._rooms.update(code, now, lambda room, at: room.seating.detach(at, who))

    def come_home(self, conn: int, code: str, now: int) -> None:
        """Serve a relayed room directly, because it lives here now."""
        session = self._connections.sessions.get(conn)
        if session is None or session.who is None or code not in session.relayed:
            return
        session.relayed.discard(code)
        person = self._connections.person(session)

        def go_on(room: Room, at: int) -> None:
            if room.state.seats.of(person.who) is not None or room.state.config.watch:
                room.seating.join(at, person, "spectator", None)
            else:
                self._outbox.post(conn, Left(code, "expired"))

        self._rooms.update(code, now, go_on)

    def attach_owners(self, code: str, now: int) -> None:
        """Attach owners to a room that has been loaded since their hello and that they get from no other node."""
        if code not in self._rooms.loaded:
            return

        def attach(room: Room, at: int) -> None:
            for who in room.state.seats.owners():
                session = self._connections.main_session(who)
                if session is None or session.gone or code in session.relayed:
                    continue
                if (session.conn, code) not in self._peers.sent:
                    room.seating.attach(at, self._connections.person(session), None)

        self._rooms.update(code, now, attach)

    def relay_again(self, conn: int, code: str, seen: Seen | None) -> None:
        """Relay a room to a connection once more, because it may have moved."""
        session = self._connections.sessions.get(conn)
        if session is not None and not session.gone and code in session.relayed and self.is_elsewhere(code):
            self.send(session, code, None, seen, relay=True)

    def take_stranded(self, peers: Collection[str]) -> list[tuple[int, str]]:
        """Return connection and room of the clients that were sent to nodes not among ``peers``, each only once."""
        sent, sessions = self._peers.sent, self._connections.sessions
        over = [key for key, peer in sent.items() if peer not in peers or key[0] not in sessions]
        for key in over:
            del sent[key]
        return [(conn, code) for conn, code in over if conn in sessions and not sessions[conn].gone]

    def fetch_back(self, conn: int, code: str, now: int) -> None:
        """Lead the owner of a seat to its room, whose node has died: the room lives here by now, or elsewhere."""
        session = self._connections.sessions.get(conn)
        if session is None or session.gone or session.who is None:
            return
        if self._rooms.sits_in(session.who, code):
            person = self._connections.person(session)
            self._rooms.update(code, now, lambda room, at: room.seating.join(at, person, "player", None))
        elif self.is_elsewhere(code) and code in self._rooms.seats_of(session.who):
            self.send(session, code, None)

    def end(self, conn: int, code: str, left: bool) -> None:
        """Stop relaying a room to a connection; ``left``: and tell the client."""
        session = self._connections.sessions.get(conn)
        if session is not None and code in session.relayed:
            session.relayed.discard(code)
            if left:
                self._outbox.post(conn, Left(code, "expired"))
