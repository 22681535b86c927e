"""Deleting an identity, as its owner or the operator may: its seats, its ratings, its name in results."""

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Delete, Ok
from parlour_server.directory.identities import DELETED, Identity, hashed
from parlour_server.directory.sessions import Session
from parlour_server.lobby.lobby import Lobby

SHUT_OUT = 4003
"""The WebSocket close code for somebody who is not wanted back."""


def serve(lobby: Lobby, session: Session, message: Delete, now: int) -> None:
    """Delete whoever asks for it and proves by the key that the identity is its own. Raises Denied."""
    identity = lobby.identity(session)
    if identity.key is None:
        hint = "leave your rooms and close the socket: a guest is forgotten by itself"
        raise Denied("bad_key", f"{identity.name} is a guest and has no key", hint=hint)
    if identity.key != hashed(message.key):
        raise Denied("bad_key", f"this is not the key of {identity.name}")
    lobby.post(session.conn, Ok(re=message.id))
    delete(lobby, identity, now)


def delete(lobby: Lobby, identity: Identity, now: int) -> None:
    """Forget ``identity`` for good: it leaves its rooms, and its name is free.

    Standings lose its row, results show ``deleted`` in its place. The game files of its matches keep the name it had in
    them, since their digests have been given to everybody who was there.
    """
    who = identity.who
    lobby.offers.pop(who, None)
    for code in sorted((lobby.rooms_of(who) | lobby.seats.get(who, set())) & lobby.rooms.keys()):
        with lobby.enter(code, now) as (room, at):
            room.leave(at, who, None)
    for contest in lobby.contests.values():
        contest.rename(who, DELETED)
    conn = lobby.main.get(who)
    if conn is not None:
        lobby.hang(lobby.sessions[conn], "deleted", "this identity has been deleted", SHUT_OUT)
    lobby.forget(who, erased=True)
