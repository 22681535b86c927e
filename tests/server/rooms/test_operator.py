"""What the operator may do, and nobody else."""

from typing import Any

import pytest
from tests.server.rooms.halls import Table, ask, playing, refused, table, told

from parlour_protocol import messages as m
from parlour_server import effects
from parlour_server.local import Peer

TOKEN = "operator's token"


def ruled(at: Table) -> Peer:
    """Return the operator, connected as anybody."""
    at.hall.lobby.admin.token = TOKEN
    return at.hall.connect("root")


def order(peer: Peer, do: Any, **more: Any) -> m.ServerMessage:
    return ask(peer, m.Admin(TOKEN, do, id=1, **more))


@pytest.mark.parametrize("token", ["", "operator's tokem", TOKEN + " ", "ö"])
def test_a_wrong_token_is_refused_whatever_it_asks_for(token: str) -> None:
    at = table()
    peer = ruled(at)
    for do in ("ban", "close", "drain", "contest"):
        assert refused(peer, m.Admin(token, do, name="anna", room=at.code)).code == "not_admin"
    assert at.state == "waiting"
    assert not at.hall.lobby.connections.draining


def test_a_server_without_an_operator_obeys_nobody() -> None:
    at = table()
    assert refused(at[0], m.Admin("", "drain")).code == "not_admin"


def test_who_is_banned_is_thrown_out_and_comes_back_only_when_allowed() -> None:
    at = playing()
    peer = ruled(at)
    assert order(peer, "ban", name="BERT") == m.Ok(re=1)
    assert at[1].closed == 4003
    bye = told(at[1])[-1]
    assert isinstance(bye, m.Bye)
    assert bye.code == "banned"
    assert refused(at.hall.open("bert"), m.Hello("bert", "human", token=at[1].token)).code == "banned"
    assert order(peer, "unban", name="bert") == m.Ok(re=1)
    at.hall.connect("bert", "human", token=at[1].token)


def test_who_is_muted_says_nothing_anywhere() -> None:
    at = table()
    order(ruled(at), "mute", name="anna")
    assert refused(at[0], m.Chat(at.code, "hm")).code == "muted"
    order(at.hall.connect("root2"), "unban", name="anna")
    assert refused(at[0], m.Chat(at.code, "hm")).code == "muted"
    order(at.hall.connect("root3"), "unmute", name="anna")
    assert ask(at[0], m.Chat(at.code, "hm", id=2)) == m.Ok(re=2, room=at.code)


def test_who_is_deleted_is_forgotten_and_its_name_is_free() -> None:
    at = table()
    peer = ruled(at)
    order(peer, "delete", name="bert")
    assert at[1].closed == 4003
    assert refused(at.hall.open("bert"), m.Hello("bert", "human", token=at[1].token)).code == "bad_token"
    at.hall.connect("bert", "human")


def test_a_deleted_bot_is_neither_listed_nor_invited_any_more() -> None:
    at = table("fake", 1, seats=3)
    peer = ruled(at)
    robo = at.hall.connect("robo", "bot")
    robo.send(m.OfferBot(["fake"], 3))
    lobby = at.hall.lobby
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
    kinds = [type(message) for message in told(at[0])]
    assert kinds == [m.Over, m.SeatsChanged, m.Left]
    assert refused(peer, m.Admin(TOKEN, "close", room=at.code)).code == "no_room"
    assert refused(peer, m.Admin(TOKEN, "close")).code == "bad_message"


def test_draining_welcomes_nobody_new() -> None:
    at = table()
    peer = ruled(at)
    wanted = at.hall.lobby.receive(peer.conn, {"t": "admin", "token": TOKEN, "do": "drain"}, 0)
    assert effects.Drain() in wanted
    assert refused(at.hall.open("zoe"), m.Hello("zoe", "human")).code == "drain"


def test_what_cannot_be_done_is_refused() -> None:
    peer = ruled(table())
    assert refused(peer, m.Admin(TOKEN, "contest")).code == "bad_name"
    assert refused(peer, m.Admin(TOKEN, "ban", name="nobody")).code == "no_such_name"
    assert refused(peer, m.Admin(TOKEN, "mute")).code == "no_such_name"
