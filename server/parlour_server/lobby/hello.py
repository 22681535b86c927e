"""Hello: who comes, which connection is its main one, and the seats it comes back to."""

from parlour_protocol.codec import FROM_CLIENT, MAX_CLIENT_FRAME
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Hello, Plain, Seen, Welcome
from parlour_server.directory import sessions as session
from parlour_server.directory.room_creation import ROOMS_PER_PERSON
from parlour_server.directory.sessions import Session
from parlour_server.lobby import handoff
from parlour_server.lobby.lobby import Lobby

LIMITS: Plain = {
    "frame": MAX_CLIENT_FRAME,
    "list": FROM_CLIENT.array,
    "map": FROM_CLIENT.map,
    "rate": session.RATE,
    "burst": session.BURST,
    "acts": session.ACTS,
    "strikes": session.STRIKES,
    "rooms": ROOMS_PER_PERSON,
    "chat": 200,
}
CAN = ["file", "nonce", "offer", "standings", "watch"]
"""The abilities of this server; ``welcome`` lists the games behind them."""


def hello(lobby: Lobby, session: Session, message: Hello, now: int) -> None:
    """Greet: check everything first, then take the place of an older connection and come back to all seats."""
    if session.who is not None:
        raise Denied("greeted", "this socket has said hello already")
    if lobby.draining:
        raise Denied("drain", "the server is stopping")
    if _visit(lobby, session, message, now):
        return
    if message.token is None:
        lobby.free_name(message.name)
    identity, token = lobby.identities.greet(message)
    session.greeted(identity.who, message)
    session.generation = identity.token
    _replace(lobby, identity.who, now)
    lobby.main[identity.who] = session.conn
    lobby.want(identity.saved())
    seats = sorted(code for code in lobby.seats.get(identity.who, ()) if _sits(lobby, identity.who, code))
    away = handoff.elsewhere(lobby, identity.who)
    _welcome(lobby, session, message, [*seats, *away], token)
    seen = {str(room["room"]).upper(): room for room in message.rooms or ()}
    for code in seats:
        _attach(lobby, session, code, seen.get(code), now)
    for code in away:
        handoff.send(lobby, session, code, None, seen.get(code))


def _visit(lobby: Lobby, session: Session, message: Hello, now: int) -> bool:
    """Let in who comes from another node with a ticket for one room. Returns whether somebody has."""
    code = handoff.visitor(lobby, session, message)
    if code is None:
        return False
    person = lobby.person(session)
    handoff.replace(lobby, person.who, code)
    lobby.abroad.sides[person.who, code] = session.conn
    seated = _sits(lobby, person.who, code)
    _welcome(lobby, session, message, [code] if seated else [], None)
    if seated:
        seen = next((room for room in message.rooms or () if str(room["room"]).upper() == code), None)
        _attach(lobby, session, code, seen, now)
    else:
        _unwatch(lobby, person.who, code, now)
    return True


def _welcome(lobby: Lobby, session: Session, message: Hello, rooms: list[str], token: str | None) -> None:
    name, can = lobby.identity(session).name, CAN + sorted(lobby.games)
    lobby.post(session.conn, Welcome(name, lobby.server, LIMITS, can, rooms, token, message.id))


def _attach(lobby: Lobby, session: Session, code: str, seen: Seen | None, now: int) -> None:
    with lobby.enter(code, now) as (room, at):
        room.attach(at, lobby.person(session), (seen["epoch"], seen["seq"]) if seen else None)


def _unwatch(lobby: Lobby, who: str, code: str, now: int) -> None:
    """End the visit of somebody who only watched, on an older connection."""
    with lobby.enter(code, now) as (room, at):
        room.detach(at, who)
    lobby.rooms_of(who).discard(code)


def _sits(lobby: Lobby, who: str, code: str) -> bool:
    live = lobby.rooms.get(code)
    return live is not None and live.room.state.seat_of(who) is not None


def _replace(lobby: Lobby, who: str, now: int) -> None:
    """The newest main socket wins; what the older one watched, it watches no more."""
    older = lobby.main.get(who)
    handoff.replace(lobby, who)
    if older is not None:
        handoff.hang(lobby, lobby.sessions[older])
        lobby.offers.pop(who, None)
    for code in sorted((lobby.rooms_of(who) - lobby.seats.get(who, set())) & lobby.rooms.keys()):
        _unwatch(lobby, who, code, now)
