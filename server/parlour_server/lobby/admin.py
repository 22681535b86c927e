"""Admin: what only the admin token allows, and the deletion of identities, which their owners may do, too."""

from secrets import compare_digest

import attrs

from parlour_protocol.errors import SHUT_OUT, BadMessage, Denied
from parlour_protocol.messages import Admin, Delete, Ok
from parlour_server import effects
from parlour_server.contests.director import Director
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.guests import Guests
from parlour_server.directory.identities import DELETED, Identities, Identity, hashed
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections, Handlers
from parlour_server.effects import Outbox


@attrs.define(eq=False)
class AdminDesk:
    """Answers ``admin`` and ``delete``."""

    token: str | None
    """The admin token; None: nobody is admin."""
    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _guests: Guests
    _rooms: RoomDirectory
    _bots: BotPool
    _director: Director

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {Admin: self.admin, Delete: self.delete}

    def admin(self, session: ClientSession, message: Admin, now: int) -> None:
        """Carry out a request of the admin. Every request with a wrong token is refused."""
        if self.token is None or not compare_digest(message.token.encode(), self.token.encode()):
            raise Denied("not_admin", "this is not the admin token")
        if message.do == "contest":
            self._director.request(message.name or "", message.args or {}, now)
            self._director.arrange(now)
        elif message.do == "drain":
            self._connections.draining = True
            self._outbox.want(effects.Drain())
        elif message.do == "beacon":
            raise Denied("bad_beacon", "servers no longer use rounds of a beacon")
        elif message.do == "close":
            self._close(message, now)
        else:
            self._moderate(message, now)
        self._outbox.post(session.conn, Ok(re=message.id, room=message.room))

    def delete(self, session: ClientSession, message: Delete, now: int) -> None:
        """Delete the identity of a client that proves by its key that it owns it. Raises Denied."""
        identity = self._connections.identity(session)
        if identity.key is None:
            hint = "leave your rooms and close the socket; the server forgets guests on its own"
            raise Denied("bad_key", f"{identity.name} is a guest and has no key", hint=hint)
        if identity.key != hashed(message.key):
            raise Denied("bad_key", f"this is not the key of {identity.name}")
        self._outbox.post(session.conn, Ok(re=message.id))
        self._erase(identity, now)

    def _close(self, message: Admin, now: int) -> None:
        if message.room is None:
            raise BadMessage("admin.room is missing: name the room to close")
        self._rooms.act(message.room.upper(), now, lambda room, at: room.playing.close(at, "aborted"))

    def _moderate(self, message: Admin, now: int) -> None:
        """Mute, ban or delete an identity by its name, or take that back."""
        identity = self._identities.by_name(message.name or "")
        if identity is None:
            raise Denied("no_such_name", f"nobody has the name {(message.name or '')[:20]!a}")
        if message.do == "delete":
            self._erase(identity, now)
            return
        if message.do in ("mute", "unmute"):
            identity.muted = message.do == "mute"
        else:
            identity.banned = message.do == "ban"
        self._outbox.want(identity.saved())
        if identity.banned:
            self._outbox.log("somebody was banned", name=identity.name)
            self._shut_out(identity, now)

    def _shut_out(self, identity: Identity, now: int) -> None:
        session = self._connections.main_session(identity.who)
        self._bots.withdraw(identity.who)
        self._director.forfeit(identity.who, now)
        if session is not None:
            self._connections.hang_up(session, "banned", "an admin has banned you from this server", SHUT_OUT)

    def _erase(self, identity: Identity, now: int) -> None:
        """Forget an identity: it leaves its rooms, and its name is free.

        Standings lose its row and results show ``deleted`` in its place. The match files of its matches keep its name,
        because everybody who was there has their digests.
        """
        who, rooms = identity.who, self._rooms
        self._bots.withdraw(who)
        for code in sorted((rooms.inside[who] | rooms.seats_of(who)) & rooms.loaded.keys()):
            rooms.update(code, now, lambda room, at: room.seating.leave(at, who, None))
        self._director.rename(who, DELETED)
        session = self._connections.main_session(who)
        if session is not None:
            self._connections.hang_up(session, "deleted", "this identity has been deleted", SHUT_OUT)
        self._guests.forget(who, erased=True)
