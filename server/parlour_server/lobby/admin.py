"""What only the operator of the server may do, with the admin token."""

from secrets import compare_digest

from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Admin, Ok
from parlour_server import effects
from parlour_server.contests import director
from parlour_server.directory.identities import Identity
from parlour_server.directory.sessions import Session
from parlour_server.lobby.lobby import Lobby
from parlour_server.rooms import deleting
from parlour_server.rooms.deleting import SHUT_OUT


def serve(lobby: Lobby, session: Session, message: Admin, now: int) -> None:
    """Do what the operator asks. A wrong token is refused whatever it asks for."""
    if lobby.admin is None or not compare_digest(message.token.encode(), lobby.admin.encode()):
        raise Denied("not_admin", "this is not the operator's token")
    if message.do == "contest":
        director.serve(lobby, message, now)
    elif message.do == "drain":
        lobby.draining = True
        lobby.want(effects.Drain())
    elif message.do == "close":
        _close(lobby, message, now)
    else:
        _judge(lobby, message, now)
    lobby.post(session.conn, Ok(re=message.id, room=message.room))


def _close(lobby: Lobby, message: Admin, now: int) -> None:
    if message.room is None:
        raise BadMessage("admin.room is missing: which room to close")
    with lobby.enter(message.room.upper(), now) as (room, at):
        room.close(at, "aborted")


def _judge(lobby: Lobby, message: Admin, now: int) -> None:
    identity = lobby.identities.by_name(message.name or "")
    if identity is None:
        raise Denied("no_such_name", f"nobody is called {(message.name or '')[:20]!a}")
    if message.do == "delete":
        deleting.delete(lobby, identity, now)
        return
    if message.do in ("mute", "unmute"):
        identity.muted = message.do == "mute"
    else:
        identity.banned = message.do == "ban"
    lobby.want(identity.saved())
    if identity.banned:
        lobby.want(effects.LogEvent("somebody was banned", {"name": identity.name}))
        _shut_out(lobby, identity, now)


def _shut_out(lobby: Lobby, identity: Identity, now: int) -> None:
    conn = lobby.main.get(identity.who)
    lobby.offers.pop(identity.who, None)
    director.throw_out(lobby, identity.who, now)
    if conn is not None:
        lobby.hang(lobby.sessions[conn], "banned", "the operator has shut you out", SHUT_OUT)
