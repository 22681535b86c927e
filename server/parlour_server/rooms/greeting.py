"""Hello: who comes, which connection is its main one, and the seats it comes back to."""

from parlour_protocol.codec import FROM_CLIENT, MAX_CLIENT_FRAME
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Hello, Plain, Welcome
from parlour_server.rooms import seating, session
from parlour_server.rooms.lobby import ROOMS_PER_PERSON, Lobby
from parlour_server.rooms.session import Session

REPLACED = 4001
"""The WebSocket close code of a connection whose identity has opened a newer one."""
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
    if message.token is None:
        lobby.free_name(message.name)
    identity, token = lobby.identities.greet(message)
    session.greeted(identity.who, message)
    _replace(lobby, identity.who, now)
    lobby.main[identity.who] = session.conn
    lobby.want(identity.saved())
    seats = sorted(code for code in lobby.seats.get(identity.who, ()) if _sits(lobby, identity.who, code))
    welcome = Welcome(identity.name, lobby.server, LIMITS, CAN + sorted(lobby.games), seats, token, message.id)
    lobby.post(session.conn, welcome)
    seen = {str(room["room"]).upper(): (room["epoch"], room["seq"]) for room in message.rooms or ()}
    for code in seats:
        with lobby.enter(code, now) as (room, at):
            seating.attach(room, at, lobby.person(session), seen.get(code))


def _sits(lobby: Lobby, who: str, code: str) -> bool:
    live = lobby.rooms.get(code)
    return live is not None and live.room.state.seat_of(who) is not None


def _replace(lobby: Lobby, who: str, now: int) -> None:
    """The newest main socket wins; what the older one watched, it watches no more."""
    older = lobby.main.get(who)
    if older is None:
        return
    lobby.hang(lobby.sessions[older], "replaced", "you have connected again elsewhere", REPLACED)
    lobby.offers.pop(who, None)
    for code in sorted(lobby.rooms_of(who) - lobby.seats.get(who, set())):
        with lobby.enter(code, now) as (room, at):
            seating.detach(room, at, who)
        lobby.rooms_of(who).discard(code)
