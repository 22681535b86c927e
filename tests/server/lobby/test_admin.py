"""Admin requests, and their token."""

from typing import Any

import pytest
from tests.server.local_server import OpenRoom, one, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server import effects
from parlour_server.local import Peer

TOKEN = "operator's token"


def ruled(at: OpenRoom) -> Peer:
    """Return a connected admin."""
    at.server.lobby.admin.token = TOKEN
    return at.server.connect("root")


def order(peer: Peer, do: Any, **more: Any) -> m.ServerMessage:
    return request(peer, m.Admin(TOKEN, do, id=1, **more))


@pytest.mark.parametrize("token", ["", "operator's tokem", TOKEN + " ", "ö"])
def test_a_wrong_token_is_refused_whatever_it_asks_for(token: str) -> None:
    at = open_room()
    assert refused(at[0], m.Admin(token, "drain")).code == "not_admin", "there is no token at all yet"
    peer = ruled(at)
    for do in ("ban", "close", "drain", "contest"):
        assert refused(peer, m.Admin(token, do, name="anna", room=at.code)).code == "not_admin"
    assert at.state == "waiting"
    assert not at.server.lobby.connections.draining


def test_a_banned_player_is_disconnected_and_returns_only_after_unban() -> None:
    at = playing()
    peer = ruled(at)
    assert order(peer, "ban", name="BERT") == m.Ok(re=1)
    assert at[1].closed == 4003
    assert one(at[1], m.Bye).code == "banned"
    assert refused(at.server.open("bert"), m.Hello("bert", "human", token=at[1].token)).code == "banned"
    assert order(peer, "unban", name="bert") == m.Ok(re=1)
    at.server.connect("bert", "human", token=at[1].token)


def test_a_muted_player_cannot_chat_in_any_room() -> None:
    at = open_room()
    peer = ruled(at)
    for do in ("mute", "unban"):
        order(peer, do, name="anna")
        assert refused(at[0], m.Chat(at.code, "hm")).code == "muted"
    order(peer, "unmute", name="anna")
    assert request(at[0], m.Chat(at.code, "hm", id=2)) == m.Ok(re=2, room=at.code)


def test_a_deleted_bot_is_neither_listed_nor_invited_any_more() -> None:
    at = open_room("fake", 1, seats=3)
    peer = ruled(at)
    robo = at.server.connect("robo", "bot")
    robo.send(m.OfferBot(["fake"], 3))
    lobby = at.server.lobby
    lobby.receive(peer.conn, plain(m.Admin(TOKEN, "delete", name="robo")), 0)  # its socket is still about to close
    assert request(at[0], m.List(), m.Rooms).bots == []
    assert refused(at[0], m.Invite(at.code)).code == "no_bot"


def test_a_room_can_be_closed() -> None:
    at = playing()
    peer = ruled(at)
    assert order(peer, "close", room=at.code.lower()) == m.Ok(re=1, room=at.code.lower())
    assert [type(message) for message in received(at[0])] == [m.Over, m.SeatsChanged, m.Left]
    assert refused(peer, m.Admin(TOKEN, "close", room=at.code)).code == "no_room"


def test_a_draining_server_accepts_no_hello() -> None:
    at = open_room()
    peer = ruled(at)
    assert effects.Drain() in at.server.lobby.receive(peer.conn, plain(m.Admin(TOKEN, "drain")), 0)
    assert refused(at.server.open("zoe"), m.Hello("zoe", "human")).code == "drain"


def test_what_cannot_be_done_is_refused() -> None:
    peer = ruled(open_room())
    for message, code in (
        (m.Admin(TOKEN, "contest"), "bad_name"),
        (m.Admin(TOKEN, "ban", name="nobody"), "no_such_name"),
        (m.Admin(TOKEN, "mute"), "no_such_name"),
        (m.Admin(TOKEN, "beacon", args={}), "bad_beacon"),
        (m.Admin(TOKEN, "close"), "bad_message"),
    ):
        assert refused(peer, message).code == code, message
