"""Dispatch: each message of a client goes to its handler, and gets exactly one answer."""

from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from parlour_protocol import messages as m
from parlour_protocol.errors import INTERNAL, POLICY, Denied, NotNow, Refusal
from parlour_protocol.messages import Plain
from parlour_protocol.wire import client_message, id_of, request_type
from parlour_server import effects
from parlour_server.contests.director import Director
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.identities import Identities
from parlour_server.directory.rooms import RoomDirectory, RoomFault
from parlour_server.directory.sessions import STRIKES, WRONG_CODE, ClientSession, Connections, weight
from parlour_server.effects import Outbox, place

Handlers: TypeAlias = dict[type, Callable[[ClientSession, Any, int], None]]
"""Message class → what answers such a message of a session, at the node's time."""


@attrs.define(eq=False)
class Dispatch:
    """Receives messages: charges for them, finds their handler, and answers when they are refused."""

    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _director: Director
    _handlers: Handlers

    def receive(self, conn: int, data: Plain, now: int) -> None:
        """Answer the message in a received frame."""
        session = self._connections.sessions[conn]
        if session.gone:
            return
        if not session.settled:
            self._confirm_token(session)
        kind = request_type(data)
        free = kind is m.Act and self._is_free(session, data)
        relayed = bool(session.relayed) and _is_relayed(session, kind, data)
        try:
            if free or (relayed and kind is m.Act):  # of a relayed one, the room's own node knows what it costs
                session.acted(now, weight(data))
            else:
                session.pay(kind.cost if kind else m.Request.cost, now)
            if relayed:
                self._outbox.want(effects.Forward(conn, data["room"].upper(), data))
            else:
                self._serve(session, client_message(data), now)
        except RoomFault as fault:
            told = NotNow("internal", "the server failed in this room; nothing was changed", 1_000)
            self._refuse(session, told, data, now)
            self._rooms.recover(fault, now)
        except Refusal as refusal:
            if free:
                session.fine(1, now)
            self._refuse(session, refusal, data, now)
        except Exception as error:  # outside of rooms, too, a game may raise anything: its options, for example
            self._outbox.want(effects.LogFault("", type(error).__name__, place(error), "refused"))
            told = NotNow("internal", "the server could not process this request; nothing was changed", 1_000)
            self._refuse(session, told, data, now)
            if session.who is None:
                self._connections.hang_up(session, "internal", "the server failed; reconnect", INTERNAL, 1_000)

    def refuse(self, conn: int, refusal: Refusal, now: int, data: Plain) -> None:
        """Refuse a frame that the node cannot take in: one that is no map (``data`` empty), or not just now."""
        session = self._connections.sessions[conn]
        if not session.gone:
            if not session.settled:
                self._confirm_token(session)
            self._refuse(session, refusal, data, now)

    def _serve(self, session: ClientSession, message: m.ClientMessage, now: int) -> None:
        kind = type(message)
        if kind is not m.Hello:
            if session.who is None:
                self._connections.identity(session)  # raises
            if session.side is not None and not _serves_side(session.side, message):
                side = session.side
                raise Denied("not_here", f"this connection is only for room {side}; send this on your main connection")
        self._handlers[kind](session, message, now)

    def _confirm_token(self, session: ClientSession) -> None:
        """Void the token before the last hello: a frame after it proves that the new one has arrived."""
        if session.who is not None:
            session.settled = True
            identity = self._connections.identity(session)
            if self._identities.settle(identity):
                self._outbox.want(identity.saved())

    def _is_free(self, session: ClientSession, act: Plain) -> bool:
        """Whether an act is under an open request id, so that it costs no tokens."""
        try:
            who, room, rid = session.who, act["room"], act["rid"]
        except KeyError:
            return False
        if who is None or type(room) is not str or type(rid) is not int:
            return False
        loaded = self._rooms.loaded.get(room.upper())
        return loaded is not None and loaded.room.playing.awaits(who, rid)

    def _refuse(self, session: ClientSession, refusal: Refusal, data: Plain, now: int) -> None:
        error = dict(_echo(data), **refusal.extra)
        strikes = session.strike(now) if refusal.strikes else None
        self._outbox.post(session.conn, refusal.message(**{**error, "strikes": strikes}))
        if refusal.code in ("no_room", "seat_code"):
            session.fine(WRONG_CODE, now)
        if strikes and strikes[0] >= STRIKES:
            self._strike_out(session, now)

    def _strike_out(self, session: ClientSession, now: int) -> None:
        """Cut a client off after too many breaches. It forfeits the matches of contests in which it sits."""
        who = session.who
        if who is not None and self._director.awaits(who):
            name = self._connections.identity(session).name
            self._outbox.log("somebody is cut off", name=name, breaches=STRIKES)
            if session.side is None:
                self._bots.withdraw(who)
            self._director.forfeit(who, now)
        self._connections.hang_up(session, "strikes", f"{STRIKES} breaches of the protocol", POLICY)


def _serves_side(side: str, message: m.ClientMessage) -> bool:
    return isinstance(message, m.Ping) or (isinstance(message, m.RoomRequest) and message.room.upper() == side)


def _is_relayed(session: ClientSession, kind: type | None, data: Plain) -> bool:
    """Whether a message is for another node to answer, where its room lives."""
    room = data.get("room")
    of_a_room = kind is not None and issubclass(kind, m.RoomRequest)
    return of_a_room and isinstance(room, str) and room.upper() in session.relayed


def _echo(data: Plain) -> Plain:
    """Return the valid fields of a refused message that the error repeats."""
    room, rid = id_of({"id": data.get("room")}), id_of({"id": data.get("rid")})
    return {
        "re": id_of(data),
        "room": room if isinstance(room, str) else None,
        "rid": rid if isinstance(rid, int) else None,
    }
