"""Hello: identify a client, choose its main connection, and return it to its seats."""

import attrs

from parlour_protocol.codec import FROM_CLIENT, MAX_CLIENT_FRAME
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Hello, Plain, Seen, Welcome
from parlour_server.directory import sessions
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.guests import Guests, NewNames
from parlour_server.directory.identities import Identities
from parlour_server.directory.rooms import ROOMS_PER_PERSON, RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections, Handlers
from parlour_server.effects import Outbox
from parlour_server.lobby.handoff import Handoff

LIMITS: Plain = {
    "frame": MAX_CLIENT_FRAME,
    "list": FROM_CLIENT.array,
    "map": FROM_CLIENT.map,
    "rate": sessions.RATE,
    "burst": sessions.BURST,
    "acts": sessions.ACTS,
    "strikes": sessions.STRIKES,
    "rooms": ROOMS_PER_PERSON,
    "chat": 200,
}


@attrs.define(eq=False)
class Reception:
    """Answers ``hello``."""

    _server: str
    """The server's name and version."""
    _abilities: list[str]
    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _guests: Guests
    _names: NewNames
    _rooms: RoomDirectory
    _bots: BotPool
    _handoff: Handoff
    ssh_port: int | None = attrs.field(default=None, init=False)
    """Where visitors by ssh are served."""

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {Hello: self.hello}

    def hello(self, session: ClientSession, message: Hello, now: int) -> None:
        """Greet a client: check everything first, then replace an older connection and return to all seats.

        Raises Denied or NotNow with nothing changed.
        """
        if session.who is not None:
            raise Denied("greeted", "this socket has sent hello already")
        if self._connections.draining:
            raise Denied("drain", "the server is stopping")
        if self._admit_visitor(session, message, now):
            return
        lapsed = self._guests.lapsed(message.name) if message.token is None else None
        is_new = self._identities.is_new(message)
        if is_new:
            self._names.check(session.address, message.name, now)
        identity, token = self._identities.greet(message, lapsed)
        if lapsed is not None and self._identities.by_name(lapsed.name) is not lapsed:
            self._guests.forget(lapsed.who)
        if is_new:
            self._names.take(session.address, identity.name, now, has_key=not identity.is_guest)
        who = identity.who
        session.greeted(who, message)
        session.generation = identity.token
        self._replace(who, now)
        self._connections.main[who] = session.conn
        self._outbox.want(identity.saved())
        here = sorted(code for code in self._rooms.seats_of(who) if self._rooms.sits_in(who, code))
        elsewhere = self._handoff.seats_elsewhere(who)
        self._welcome(session, message, [*here, *elsewhere], token)
        seen = {str(room["room"]).upper(): room for room in message.rooms or ()}
        for code in here:
            self._attach(session, code, seen.get(code), now)
        for code in elsewhere:
            self._handoff.send(session, code, None, seen.get(code))

    def _admit_visitor(self, session: ClientSession, message: Hello, now: int) -> bool:
        """Let in a client that another node has sent with a ticket for one room. Returns whether it was one."""
        code = self._handoff.visitor(session, message)
        if code is None:
            return False
        person = self._connections.person(session)
        self._connections.replace_sides(person.who, code)
        self._connections.sides[person.who, code] = session.conn
        seated = self._rooms.sits_in(person.who, code)
        self._welcome(session, message, [code] if seated else [], None)
        if seated:
            seen = next((room for room in message.rooms or () if str(room["room"]).upper() == code), None)
            self._attach(session, code, seen, now)
        else:
            self._stop_watching(person.who, code, now)
        return True

    def _welcome(self, session: ClientSession, message: Hello, rooms: list[str], token: str | None) -> None:
        name = self._connections.identity(session).name
        answer = Welcome(name, self._server, LIMITS, self._abilities, rooms, token, self.ssh_port, re=message.id)
        self._outbox.post(session.conn, answer)

    def _attach(self, session: ClientSession, code: str, seen: Seen | None, now: int) -> None:
        person, followed = self._connections.person(session), (seen["epoch"], seen["seq"]) if seen else None
        self._rooms.update(code, now, lambda room, at: room.seating.attach(at, person, followed))

    def _replace(self, who: str, now: int) -> None:
        """Close the older connections of ``who``, which ends what they watched."""
        older = self._connections.main_session(who)
        self._connections.replace_sides(who)
        if older is not None:
            self._connections.replace(older)
            self._bots.withdraw(who)
        for code in sorted((self._rooms.inside[who] - self._rooms.seats_of(who)) & self._rooms.loaded.keys()):
            self._stop_watching(who, code, now)

    def _stop_watching(self, who: str, code: str, now: int) -> None:
        self._rooms.update(code, now, lambda room, at: room.seating.detach(at, who))
        self._rooms.inside[who].discard(code)
