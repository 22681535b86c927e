"""Admin requests, and their token."""

from typing import Any

import pytest
from tests.server.local_server import OpenRoom, open_room, playing, received, refused, request

from parlour_protocol import messages as m
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
    peer = ruled(at)
    for do in ("ban", "close", "drain", "contest"):
        assert refused(peer, m.Admin(token, do, name="anna", room=at.code)).code == "not_admin"
    assert at.state == "waiting"
    assert not at.server.lobby.connections.draining


def test_a_server_without_an_admin_token_refuses_all_admin_requests() -> None:
    at = open_room()
    assert refused(at[0], m.Admin("", "drain")).code == "not_admin"


def test_a_banned_player_is_disconnected_and_returns_only_after_unban() -> None:
    at = playing()
    peer = ruled(at)
    assert order(peer, "ban", name="BERT") == m.Ok(re=1)
    assert at[1].closed == 4003
    bye = received(at[1])[-1]
    assert isinstance(bye, m.Bye)
    assert bye.code == "banned"
    assert refused(at.server.open("bert"), m.Hello("bert", "human", token=at[1].token)).code == "banned"
    assert order(peer, "unban", name="bert") == m.Ok(re=1)
    at.server.connect("bert", "human", token=at[1].token)


def test_a_muted_player_cannot_chat_in_any_room() -> None:
    at = open_room()
    order(ruled(at), "mute", name="anna")
    assert refused(at[0], m.Chat(at.code, "hm")).code == "muted"
    order(at.server.connect("root2"), "unban", name="anna")
    assert refused(at[0], m.Chat(at.code, "hm")).code == "muted"
    order(at.server.connect("root3"), "unmute", name="anna")
    assert request(at[0], m.Chat(at.code, "hm", id=2)) == m.Ok(re=2, room=at.code)


def test_a_deleted_bot_is_neither_listed_nor_invited_any_more() -> None:
    at = open_room("fake", 1, seats=3)
    peer = ruled(at)
    robo = at.server.connect("robo", "bot")
    robo.send(m.OfferBot(["fake"], 3))
    lobby = at.server.lobby
    admin = {"t": "admin", "token": TOKEN, "do": "delete", "name": "robo"}
    lobby.receive(peer.conn, admin, 0)  # its socket is still about to close
    [post] = lobby.receive(at[0].conn, {"t": "list"}, 0)
    assert isinstance(post, effects.Post)
    assert isinstance(post.message, m.Rooms)
    assert post.message.bots == []
    assert refused(at[0], m.Invite(at.code)).code == "no_bot"


def test_a_room_can_be_closed() -> None:
    at = playing()
    peer = ruled(at)
    assert order(peer, "close", room=at.code.lower()) == m.Ok(re=1, room=at.code.lower())
    kinds = [type(message) for message in received(at[0])]
    assert kinds == [m.Over, m.SeatsChanged, m.Left]
    assert refused(peer, m.Admin(TOKEN, "close", room=at.code)).code == "no_room"
    assert refused(peer, m.Admin(TOKEN, "close")).code == "bad_message"


def test_a_draining_server_accepts_no_hello() -> None:
    at = open_room()
    peer = ruled(at)
    wanted = at.server.lobby.receive(peer.conn, {"t": "admin", "token": TOKEN, "do": "drain"}, 0)
    assert effects.Drain() in wanted
    assert refused(at.server.open("zoe"), m.Hello("zoe", "human")).code == "drain"


def test_what_cannot_be_done_is_refused() -> None:
    peer = ruled(open_room())
    assert refused(peer, m.Admin(TOKEN, "contest")).code == "bad_name"
    assert refused(peer, m.Admin(TOKEN, "ban", name="nobody")).code == "no_such_name"
    assert refused(peer, m.Admin(TOKEN, "mute")).code == "no_such_name"
    assert refused(peer, m.Admin(TOKEN, "beacon", args={})).code == "bad_beacon"
